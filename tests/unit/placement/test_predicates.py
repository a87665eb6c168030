"""Each predicate just inside, just outside and without the fact; combinators; and what losing a fact can never do."""

from dataclasses import replace

import numpy as np
import pytest
from onnx import TensorProto

from inspector.placement.operators import UNKNOWN
from inspector.placement.predicates import PREDICATES, evaluate, guard
from inspector.placement.target import Flow, Qtype
from inspector.placement.verdict import Outcome
from inspector.text import LANGUAGES, render
from tests.helpers.facts import facts_of, weakened

P, F, U = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN


def weight(*shape):
    return np.zeros(shape, np.float32)


CONV = facts_of("Conv", [[1, 4, 8, 8], weight(6, 4, 3, 3)], [[1, 6, 6, 6]], strides=[1, 2], pads=[1, 0, 1, 0])
VOLUME = facts_of("ConvTranspose", [[1, 2, 3, 4, 4], weight(2, 2, 5, 2, 2)], [[1, 2, 7, 8, 8]], strides=[5, 2, 2])
MUL = facts_of("Mul", [[1, 4, 8, 8], np.array(2, np.float32)], [[1, 4, 8, 8]])
ARGMAX = facts_of("ArgMax", [[1, 64, 8, 8]], [[1, 1, 8, 8]], axis=1)
REDUCE = facts_of("ReduceMean", [[1, 64, 8, 8]], [[1, 64, 1, 1]], axes=[-2, -1])
CLIP = facts_of("Clip", [[4], None, np.array(6, np.float32)], [[4]])
INTEGER = facts_of("Relu", [[1, 4]], [[1, 4]], dtypes={0: TensorProto.INT64}, opset=14)
BLIND = replace(CONV, inputs=tuple(replace(o, shape=None, dtype=None, constant=None) for o in CONV.inputs))

CASES = [
    ({"rank": {"of": "X", "eq": 4}}, CONV, P),
    ({"rank": {"of": "X", "eq": 5}}, CONV, F),
    ({"rank": {"of": "X", "eq": 4}}, BLIND, U),
    ({"rank": {"of": "inputs", "min": 1}}, MUL, P),  # a constant scalar does not count
    ({"dim": {"of": "X", "axis": "C", "range": [1, 4]}}, CONV, P),
    ({"dim": {"of": "X", "axis": "C", "range": [1, 3]}}, CONV, F),
    ({"dim": {"of": "X", "axis": "C", "range": [1, 3]}}, BLIND, U),
    ({"dim": {"of": "X", "axis": ["H", "W"], "max": 8}}, CONV, P),
    ({"dim": {"of": "X", "axis": "D", "max": 1}}, CONV, None),
    ({"dim": {"of": "X", "axis": "leading", "max": 4}}, CONV, P),
    ({"dim": {"of": "X", "axis": "last_two", "max": 7}}, CONV, F),
    ({"dim": {"of": "X", "axis": "others", "max": 7}}, CONV, F),
    ({"dim": {"of": "input", "axis": "reduced", "max": 64}}, ARGMAX, P),
    ({"dim": {"of": "input", "axis": "reduced", "max": 63}}, ARGMAX, F),
    ({"elements": {"of": "reduced", "range": [1, 64]}}, REDUCE, P),
    ({"elements": {"of": "reduced", "range": [1, 63]}}, REDUCE, F),
    ({"elements": {"of": "B", "eq": 1}}, MUL, P),
    ({"dtype": {"of": "all", "in": ["float32"]}}, CONV, P),
    ({"dtype": {"of": "all", "in": ["float64"]}}, CONV, F),
    ({"dtype": {"of": "all", "in": ["float32"]}}, BLIND, U),
    ({"quant": {"io": "in", "in": ["int8"]}}, CONV, P),
    ({"quant": {"io": "in", "in": ["int16"]}}, CONV, F),
    ({"quant": {"io": "out", "in": ["int8"]}}, CONV, P),
    ({"quant": {"io": "in", "in": ["int8"]}}, INTEGER, F),
    ({"quant": {"io": "in", "in": ["int8"], "integers": ["int32"]}}, INTEGER, U),
    ({"quant": {"io": "in", "in": ["int8"], "integers": ["int64"]}}, INTEGER, P),
    ({"attr": {"name": "kernel_shape", "range": [1, 3]}}, CONV, P),
    ({"attr": {"name": "kernel_shape", "range": [1, 2]}}, CONV, F),
    ({"attr": {"name": "kernel_shape", "range": [1, 3]}}, replace(CONV, attributes={"kernel_shape": UNKNOWN}), U),
    ({"attr": {"name": "kernel_shape", "axes": ["D"], "range": [1, 2]}}, VOLUME, F),
    ({"attr": {"name": "kernel_shape", "axes": ["H", "W"], "range": [1, 2]}}, VOLUME, P),
    ({"attr": {"name": "pads", "axes": ["H"], "max": 0}}, CONV, F),
    ({"attr": {"name": "pads", "axes": ["W"], "max": 0}}, CONV, P),
    ({"attr": {"name": "strides", "in": [1, 2]}}, CONV, P),
    ({"attr": {"name": "strides", "eq": [1, 2]}}, CONV, P),
    ({"attr": {"name": "strides", "eq": [2, 2]}}, CONV, F),
    ({"attr": {"name": "strides", "not_in": [2]}}, CONV, F),
    ({"attr": {"name": "pads", "symmetric": True}}, CONV, P),
    ({"attr": {"name": "pads", "length": 4}}, CONV, P),
    ({"attr": {"name": "pads", "length": "2 * spatial rank"}}, CONV, P),
    ({"attr": {"name": "pads", "length": "2 * spatial rank"}}, BLIND, U),
    ({"attr": {"name": "group", "eq": 1}}, CONV, P),
    ({"attr": {"name": "group", "present": True}}, CONV, F),
    ({"attr": {"name": "no_such", "eq": 1}}, CONV, None),
    ({"attr": {"name": "axes", "normalise": "first", "eq": [2, 3]}}, REDUCE, P),
    ({"attr": {"name": "axes", "normalise": "first", "eq": [1, 2]}}, REDUCE, F),
    ({"attr": {"name": "axes", "normalise": "last", "min": -2}}, REDUCE, P),
    ({"attr": {"name": "axis", "normalise": "first", "not_in": [0]}}, ARGMAX, P),
    ({"attrs_allowed": ["strides", "pads"]}, CONV, P),
    ({"attrs_allowed": ["pads"]}, CONV, F),
    ({"expr": "cin*kh <= 12"}, CONV, P),
    ({"expr": "cin*kh <= 11"}, CONV, F),
    ({"expr": "cin*kh <= 12"}, BLIND, U),
    ({"expr": {"is": "stride_axis <= 1", "per": ["H", "W"]}}, CONV, F),
    ({"expr": {"is": "stride_axis <= 2", "per": ["H", "W"]}}, CONV, P),
    ({"expr": {"is": "half == 2", "let": {"half": "C/2"}}}, CONV, P),
    ({"const": {"of": "W", "is": True}}, CONV, P),
    ({"const": {"of": "X,W", "is": False}}, CONV, F),
    ({"const": {"of": "W", "is": True}}, BLIND, U),
    ({"const_count": {"max": 1}}, MUL, P),
    ({"const_count": {"max": 0}}, MUL, F),
    ({"const_count": {"max": 1}}, BLIND, U),
    ({"n_inputs": {"eq": 3}}, CLIP, P),
    ({"n_inputs": {"in": [2]}}, CLIP, F),
    ({"n_outputs": {"eq": 1}}, CLIP, P),
    ({"inputs_present": [["input", "max"]]}, CLIP, P),
    ({"inputs_present": [["input", "min"], ["input"]]}, CLIP, F),
    ({"outputs_present": [["output"]]}, CLIP, P),
    ({"given": "max"}, CLIP, P),
    ({"given": "min"}, CLIP, F),
    ({"opset": {"min": 11}}, CONV, P),
    ({"opset": {"max": 10}}, CONV, F),
    ({"opset": {"max": 10}}, replace(CONV, op=replace(CONV.op, version=None)), U),
    ({"domain": ["horizon"]}, CONV, F),
    ({"domain": ["ai.onnx"]}, CONV, P),
    ({"context": "consumer_on_bpu"}, replace(CONV, context={"consumer_on_bpu": True}), P),
    ({"context": "consumer_on_bpu"}, replace(CONV, context={"consumer_on_bpu": False}), F),
    ({"context": "consumer_on_bpu"}, CONV, U),
    ({"qtype": "int8"}, CONV, P),
    ({"qtype": ["int16"]}, CONV, F),
    ({"qtype": "float16"}, replace(CONV, qtype=Qtype.FLOAT16), P),
    ({"flow": "qat"}, CONV, F),
    ({"flow": "qat"}, replace(CONV, flow=Flow.QAT), P),
    ({"layout": 1}, CONV, P),
    ({"nonzero": "inputs"}, facts_of("Mul", [[1, 2], np.array([[1, 2]], np.float32)]), P),
    ({"nonzero": "inputs"}, facts_of("Mul", [[1, 2], np.array([[1, 0]], np.float32)]), F),
    ({"nonzero": "inputs"}, facts_of("Mul", [np.array(-0.0, np.float32), [1, 2]]), F),
    ({"nonzero": "inputs"}, facts_of("Mul", [[1, 2], np.array([np.nan, np.inf], np.float32)]), P),
    ({"nonzero": "inputs"}, facts_of("Mul", [[1, 2], [1, 2]]), None),
    ({"nonzero": "inputs"}, facts_of("Mul", [[1, 2], np.ones((1 << 16) + 1, np.float32)]), U),
    ({"attr": {"name": "axis", "not_in": [0], "normalise": "first"}}, facts_of("Concat", [[1, 2]], axis=-2), F),
    ({"attr": {"name": "axis", "not_in": [0], "normalise": "first"}}, facts_of("Concat", [[1, 2]], axis=-3), U),
    ({"attr": {"name": "axis", "not_in": [0], "normalise": "first"}}, facts_of("Concat", [[1, 2]], axis=2), U),
    ({"attr": {"name": "axis", "eq": -1, "normalise": "last"}}, facts_of("Softmax", [[1, 2]], axis=2), U),
    ({"attr": {"name": "axis", "eq": -1, "normalise": "last"}}, facts_of("Softmax", [None], axis=-1), P),
    ({"note": True}, CONV, None),
]
WORDS = [f"{next(iter(spec))}-{index}" for index, (spec, _, _) in enumerate(CASES)]


@pytest.mark.parametrize(("spec", "facts", "outcome"), CASES, ids=WORDS)
def test_outcome(spec, facts, outcome):
    finding = evaluate(spec, facts)
    assert (None if finding is None else finding.outcome) is outcome


@pytest.mark.parametrize(("spec", "facts", "outcome"), CASES, ids=WORDS)
def test_every_finding_says_what_was_found_and_allowed(spec, facts, outcome):
    finding = evaluate(spec, facts)
    for language in LANGUAGES if finding is not None else ():
        assert all(render(part, language) for part in (finding.subject, finding.found, finding.allowed))


def test_a_failed_element_names_its_index_value_and_bounds():
    finding = evaluate({"attr": {"name": "kernel_shape", "axes": ["D"], "range": [1, 2]}}, VOLUME)
    assert [render(part) for part in (finding.subject, finding.found, finding.allowed)] == [
        "attribute kernel_shape[0]", "5", "1..2",
    ]  # fmt: skip


YES, NO, MAYBE, NOTHING = (
    {"rank": {"of": "X", "eq": 4}},
    {"rank": {"of": "X", "eq": 5}},
    {"context": "consumer_on_bpu"},
    {"dim": {"of": "X", "axis": "D", "max": 1}},
)


@pytest.mark.parametrize(
    ("spec", "outcome"),
    [
        ({"all": [YES, YES]}, P),
        ({"all": [YES, NO]}, F),
        ({"all": [MAYBE, NO]}, F),
        ({"all": [MAYBE, YES]}, U),
        ({"all": [NOTHING, YES]}, P),
        ({"all": [NOTHING]}, None),
        ({"any": [YES, NO]}, P),
        ({"any": [MAYBE, YES]}, P),
        ({"any": [MAYBE, NO]}, U),
        ({"any": [NO, NO]}, F),
        ({"any": [NOTHING]}, None),
        ({"not": YES}, F),
        ({"not": NO}, P),
        ({"not": MAYBE}, U),
        ({"not": NOTHING}, None),
    ],
)
def test_three_valued_logic(spec, outcome):
    finding = evaluate(spec, CONV)
    assert (None if finding is None else finding.outcome) is outcome


def test_guards():
    assert [guard(spec, CONV) for spec in (None, YES, NO, MAYBE, NOTHING)] == [True, True, False, None, False]


def test_every_predicate_has_a_case():
    from tests.unit.placement.test_predicates_shape import CASES as SHAPE_CASES

    tried = {next(iter(spec)) for spec, *_ in (*CASES, *SHAPE_CASES)}
    assert set(PREDICATES) - tried == {"all", "any", "not"}


@pytest.mark.parametrize(("spec", "facts", "outcome"), CASES, ids=WORDS)
def test_losing_a_fact_never_makes_a_refusal_pass(spec, facts, outcome):
    for poorer in weakened(facts) if outcome in (F, U) else ():
        finding = evaluate(spec, poorer)
        assert finding is None or finding.outcome is not P
