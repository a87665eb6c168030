"""Predicates about how shapes fit together."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.placement.operators import UNKNOWN
from inspector.placement.predicates import evaluate
from inspector.placement.predicates_shape import stretches
from inspector.placement.target import Qtype
from inspector.placement.verdict import Outcome
from tests.helpers.facts import facts_of, weakened

P, F, U = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN


def binary(a, b, op="Add"):
    return facts_of(op, [a, b], [[1]])


def leading(a, b):
    return binary([*a, 3, 4], [*b, 4, 5], "MatMul")


def pad(pads, shape=(1, 2, 8, 8)):
    return facts_of("Pad", [list(shape), np.array(pads)], [[1]])


def resize(scales, shape=(1, 2, 8, 8)):
    return facts_of("Resize", [list(shape), None, np.array(scales, np.float32)], [[None] * len(shape)])


def split(pieces, length=6, **rest):
    return facts_of("Split", [[1, length]], [[1, 1]] * 2, axis=1, **({"split": pieces} if pieces else {}), **rest)


def roi(*corners):
    inputs = [[1, 1, 5, 5], np.array(corners, np.float32), np.array([1, 1, 2, 2], np.float32)]
    return facts_of("Resize", inputs, [[1, 1, 2, 2]])


def gather(indices):
    return facts_of("GatherElements", [[4, 4], indices], [[1]], axis=0, dtypes={1: 7})


ONE_SIDED, SAME_RANK = {"mutual": False}, {"mutual": False, "ranks_may_differ": False}
MERGE = {"to": 4, "drop_ones": True, "merge_stretched": True}
STRICT = {"to": 4, "drop_ones": False, "merge_stretched": False}

CASES = [
    ({"broadcast": {"max_rank": 3}}, binary([1, 2, 3], [3]), P),
    ({"broadcast": {"max_rank": 2}}, binary([1, 2, 3], [3]), F),
    ({"broadcast": {"max_rank": 2}}, replace(MISSING := binary([2], [2]), inputs=tuple(
        replace(o, shape=None) for o in MISSING.inputs)), U),
    ({"broadcast": ONE_SIDED}, binary([4, 5], [1, 5]), P),
    ({"broadcast": ONE_SIDED}, binary([4, 1], [1, 5]), F),
    ({"broadcast": ONE_SIDED}, binary([4, None], [1, 5]), U),
    ({"broadcast": SAME_RANK}, binary([4, 5], [5]), F),
    ({"broadcast": SAME_RANK}, binary([4, 5], [1, 5]), P),
    ({"broadcast": {"axes": "all", "mutual": True, "ranks_may_differ": True}}, binary([4, 1], [1, 5]), P),
    ({"broadcast": {"axes": "all_but_first"}}, binary([4, 5], [1, 5]), F),
    ({"broadcast": {"axes": "all_but_first"}}, binary([4, 5], [4, 1]), P),
    ({"broadcast": {"axes": "all_but_first"}}, binary([4, 5], [5]), P),
    ({"broadcast_merge": MERGE}, binary([2, 3, 4, 5, 6], [2, 3, 4, 5, 6]), P),
    ({"broadcast_merge": MERGE}, binary([2, 3, 4, 5, 6], [2, 1, 4, 1, 6]), F),
    ({"broadcast_merge": MERGE}, binary([2, 3, 4, 5, 6], [1, 1, 4, 1, 6]), P),
    ({"broadcast_merge": MERGE}, binary([1, 3, 4, 5, 6], [1, 3, 1, 5, 1]), P),
    ({"broadcast_merge": MERGE}, binary([2, None], [2, 1]), P),
    ({"broadcast_merge": MERGE}, binary([2, 3, None, 5, 6], [2, 1, 4, 1, 6]), U),
    ({"broadcast_merge": STRICT}, binary([2, 3, 4, 5, 6], [1]), F),
    ({"broadcast_merge": STRICT}, binary([2, 3, 4, 5, 6], [2, 3, 1, 1, 1]), P),
    ({"leading_dims": "one_uniform"}, leading([7, 8], [7, 1]), P),
    ({"leading_dims": "one_uniform"}, leading([7, 1], [1, 8]), F),
    ({"leading_dims": "one_uniform"}, leading([7, None], [1, 8]), U),
    ({"leading_dims": "one_uniform"}, leading([7], []), P),
    ({"leading_dims": "first_uniform"}, leading([1, 1], [7, 8]), P),
    ({"leading_dims": "first_uniform"}, leading([7, 1], [7, 8]), F),
    ({"leading_dims": "second_prefix"}, leading([6, 7, 8], [6, 1, 1]), P),
    ({"leading_dims": "second_prefix"}, leading([6, 7, 8], [6, 1, 8]), F),
    ({"shapes": {"of": ["A", "B"], "any_of": ["NC|N1"]}}, binary([4, 5], [4, 1]), P),
    ({"shapes": {"of": ["A", "B"], "any_of": ["NC|N1"]}}, binary([4, 5], [1, 5]), F),
    ({"shapes": {"of": ["A", "B"], "any_of": ["NC|N1"]}}, binary([4, 5], [4, None]), U),
    ({"same": {"of": ["A", "B"], "what": "rank"}}, binary([4, 5], [5]), F),
    ({"same": {"of": ["A", "B"], "what": "rank"}}, binary([4, 5], [5, 1]), P),
    ({"same": {"of": ["A", "B"], "what": "dtype"}}, binary([4], [4]), P),
    ({"same": {"of": ["A", "B"], "what": "rank"}}, replace(MISSING, inputs=(
        MISSING.inputs[0], replace(MISSING.inputs[1], shape=None))), U),
    ({"pad_axes": ["H", "W"]}, pad([0, 0, 1, 1, 0, 0, 1, 1]), P),
    ({"pad_axes": ["H", "W"]}, pad([0, 1, 1, 1, 0, 0, 1, 1]), F),
    ({"pad_axes": [2, 3]}, pad([0, 0, 0, 0, 0, 0, 1, 0]), P),
    ({"pad_axes": ["H", "W"]}, replace(pad([0] * 8), attributes={"pads": UNKNOWN}), U),
    ({"resize_axes": ["H", "W"]}, resize([1, 1, 2, 2]), P),
    ({"resize_axes": ["H", "W"]}, resize([1, 2, 2, 2]), F),
    ({"resize_axes": ["H", "W"]}, facts_of("Resize", [[1, 2, 8, 8], None, [4]], [[None] * 4]), U),
    ({"changed_axes": {"max": 1}}, facts_of("Tile", [[1, 4], np.array([3, 1])], [[3, 4]]), P),
    ({"changed_axes": {"max": 1}}, facts_of("Tile", [[1, 4], np.array([3, 2])], [[3, 8]]), F),
    ({"changed_axes": {"max": 1}}, facts_of("Tile", [[1, 4], np.array([3, 2])], [[3, None]]), U),
    ({"changed_axes": {"max": 1}}, facts_of("Expand", [[4], np.array([3, 4])], [[3, 4]]), P),
    ({"pieces_divide": True}, split([3, 3]), P),
    ({"pieces_divide": True}, split([2, 4]), F),
    ({"pieces_divide": True}, split([]), P),
    ({"pieces_divide": True}, split([], length=5), F),
    ({"pieces_divide": True}, split([3, 3], length=None), U),
    ({"pieces_divide": "count"}, split([3, 3]), P),
    ({"pieces_divide": "count"}, split([2, 4]), P),
    ({"pieces_divide": "count"}, split([2, 3]), P),
    ({"pieces_divide": "count"}, split([2, 3], length=5), F),
    ({"pieces_divide": "count"}, split([], length=5), F),
    ({"pieces_divide": "count"}, split([3, 3], length=None), U),
    ({"indices_within": True}, gather([9, 4]), P),
    ({"indices_within": True}, gather([4, 5]), F),
    ({"indices_within": True}, gather([4, None]), U),
    ({"integer_border": True}, roi(0, 0, 0.25, 0, 1, 1, 1, 1), P),
    ({"integer_border": True}, roi(0, 0, 0.3, 0, 1, 1, 1, 1), F),
    ({"integer_border": True}, resize([1, 1, 2, 2]), None),
    ({"integer_border": True}, replace(roi(*[0] * 8), attributes={"roi": UNKNOWN}), U),
    ({"bytes": {"of": "A", "max": 64}}, binary([32], [32]), P),
    ({"bytes": {"of": "A", "max": 63}}, binary([32], [32]), U),
    ({"bytes": {"of": "A", "max": 31}}, binary([32], [32]), F),
    ({"bytes": {"of": "A", "max": 63}}, replace(binary([32], [32]), qtype=Qtype.INT16), F),
    ({"bytes": {"of": "A", "max": 64}}, binary([None], [32]), U),
]  # fmt: skip
WORDS = [f"{next(iter(spec))}-{index}" for index, (spec, _, _) in enumerate(CASES)]


@pytest.mark.parametrize(("spec", "facts", "outcome"), CASES, ids=WORDS)
def test_outcome(spec, facts, outcome):
    finding = evaluate(spec, facts)
    assert (None if finding is None else finding.outcome) is outcome


@pytest.mark.parametrize(("spec", "facts", "outcome"), CASES, ids=WORDS)
def test_losing_a_fact_never_makes_a_refusal_pass(spec, facts, outcome):
    for poorer in weakened(facts) if outcome in (F, U) else ():
        finding = evaluate(spec, poorer)
        assert finding is None or finding.outcome is not P


shapes = st.lists(st.sampled_from([1, 1, 2, 3]), max_size=5).map(tuple)


@given(shapes, shapes)
def test_stretched_axes_agree_with_numpy(a, b):
    try:
        result = np.broadcast_shapes(a, b)
    except ValueError:
        return
    stretched = stretches([a, b])
    assert len(stretched) == len(result)
    for index, shape in enumerate((a, b)):
        padded = (1,) * (len(result) - len(shape)) + shape
        longer = {axis for axis, (own, full) in enumerate(zip(padded, result, strict=True)) if own != full}
        assert longer == {axis for axis, which in enumerate(stretched) if index in which}
