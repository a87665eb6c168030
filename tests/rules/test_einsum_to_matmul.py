"""einsum-to-matmul: equations of attention and of tables, any order of indices, and what is no product."""

import string

import numpy as np
import pytest
from onnx import TensorProto, helper

from inspector.placement.verdict import Verdict
from inspector.rewrite.find import find
from tests.helpers.models import proto
from tests.helpers.rewriting import applied, feeds_of, max_rel, node_of, opened, reason_of, run
from tests.helpers.rule_cases import hold
from tests.rules.test_on_targets import placer

RULE = "einsum-to-matmul"


def einsum(equation, shapes, *, dtype=TensorProto.FLOAT, opset=13, sizes=None, output=None):
    """An Einsum of inputs a, b, ... of *shapes*."""
    names = string.ascii_lowercase[: len(shapes)]
    if output is None:
        left, _, right = equation.partition("->")
        lengths = dict(zip(left.replace(",", ""), (n for shape in shapes for n in shape), strict=True))
        output = [lengths[i] for i in right]
    node = helper.make_node("Einsum", list(names), ["y"], "einsum", equation=equation)
    inputs = {name: list(shape) for name, shape in zip(names, shapes, strict=True)}
    return proto([node], inputs, {"y": output}, opset=opset, dtypes=dict.fromkeys((*names, "y"), dtype))


def case(random):
    """One or two operands with drawn indices in drawn order and eight results or more.

    A single sum may come out near zero by chance; its relative error then tells nothing about the rewrite.
    """
    letters = random.sample("abcdefgh", 6)
    sizes = {letter: random.randint(1, 4) for letter in letters} | {letters[0]: 8}
    kinds = {letter: random.choice("bmnkpq") for letter in letters} | {letters[0]: random.choice("bm")}
    first = [i for i in letters if kinds[i] in "bmkp"]
    second = [i for i in letters if kinds[i] in "bnkq"]
    result = [i for i in letters if kinds[i] in "bmn"]
    for term in (first, second, result):
        random.shuffle(term)
    terms = [first, second or [letters[0]]]
    if random.random() < 0.2:
        terms = terms[:1]
        result = [i for i in terms[0] if i == letters[0] or random.random() < 0.7]
        random.shuffle(result)
    result = [i for i in result if any(i in term for term in terms)]
    equation = f"{','.join(''.join(term) for term in terms)}->{''.join(result)}"
    shapes = [[sizes[i] for i in term] for term in terms]
    dtype = random.choice((TensorProto.FLOAT, TensorProto.DOUBLE))
    return einsum(equation, shapes, dtype=dtype, opset=random.choice((12, 13, 18)))


test_random_cases = hold(RULE, case)

KNOWN = {
    "bhqd,bhkd->bhqk": (["MatMul", "Transpose"], [(1, 2, 3, 4), (1, 2, 5, 4)]),
    "ij,jk->ik": (["MatMul"], [(3, 4), (4, 5)]),
    "bij,bjk->bik": (["MatMul"], [(2, 3, 4), (2, 4, 5)]),
    "bnc,c->bn": (None, [(2, 3, 4), (4,)]),
    "bchw,bnc->bnhw": (None, [(1, 4, 3, 5), (1, 6, 4)]),
    "i,j->ij": (None, [(3,), (4,)]),
    "i,i->": (None, [(3,), (3,)]),
    "ij->ji": (["Transpose"], [(3, 4)]),
    "ijk->j": (["ReduceSum"], [(3, 4, 5)]),
    "ij,jk": (["MatMul"], [(3, 4), (4, 5)]),
}


@pytest.mark.parametrize("equation", KNOWN)
def test_known_equations(equation):
    operators, shapes = KNOWN[equation]
    output = [3, 5] if "->" not in equation else None
    model = opened(einsum(equation, shapes, output=output))
    built = applied(model, RULE, "Einsum")
    if operators is not None:
        assert sorted(n.op.name for n in built.after.nodes if n.op.name != "Reshape") == operators
    assert max_rel(model, built.after, feeds_of(model)) <= 1e-6


def test_open_batch_stays_open():
    model = opened(einsum("bnc,bmc->bnm", [("n", 3, 4), ("n", 5, 4)], output=["n", 3, 5]))
    after = applied(model, RULE, "Einsum", "matmul-rank-4").after
    feeds = feeds_of(model, n=2)
    assert np.allclose(run(after, feeds)[0], np.einsum("bnc,bmc->bnm", feeds["a"], feeds["b"]), atol=1e-6)


@pytest.mark.parametrize(
    ("equation", "shapes", "output", "reason"),
    [
        ("ii->i", [(3, 3)], [3], "einsum_repeated"),
        ("...ij,jk->...ik", [(2, 3, 4), (4, 5)], [2, 3, 5], "einsum_ellipsis"),
        ("ij,jk,kl->il", [(2, 3), (3, 4), (4, 5)], [2, 5], "einsum_operands"),
        ("ij,jk->ik", [(2, 1), (3, 4)], [2, 4], "einsum_sizes"),
        ("ij,jk->ik", [("n", "m"), ("m", 4)], ["n", 4], "einsum_open"),
    ],
)
def test_refusals(equation, shapes, output, reason):
    assert reason_of(opened(einsum(equation, shapes, output=output)), RULE, "Einsum") == reason


def test_half_floats_are_refused():
    assert reason_of(opened(einsum("ij->ji", [(3, 4)], dtype=TensorProto.FLOAT16)), RULE, "Einsum") == "narrow_float"


@pytest.mark.parametrize("platform", ["x3", "x5"])
def test_product_of_attention_is_a_fix_where_the_toolchain_has_no_einsum(platform):
    put = placer(platform)
    model = opened(einsum("bhqd,bhkd->bhqk", [(1, 2, 8, 8), (1, 2, 8, 8)], opset=12))
    placement = put(model)
    assert placement.counts[Verdict.UNSUPPORTED] == 1
    best = find(model, placement, node_of(model, "Einsum"), place=put).fixes[0]
    assert best.rule.id == RULE
    assert best.gain.unsupported == (1, 0)
