"""reduce-mean-to-pool: height and width alone, kept or dropped."""

import pytest
from onnx import TensorProto

from tests.helpers.rewriting import applied, feeds_of, max_rel, opened, reason_of, refusal_of
from tests.helpers.rule_cases import hold
from tests.rules.test_reduce_split import reduced

RULE = "reduce-mean-to-pool"


def case(random):
    """A mean over height and width of eight channels or more, now and then over other axes."""
    shape = [random.randint(1, 4), random.randint(8, 12), random.randint(1, 12), random.randint(1, 12)]
    axes = random.choice(((2, 3), (3, 2), (-1, -2), (-2, 3), (1, 2)))
    dtype = random.choice((TensorProto.FLOAT, TensorProto.FLOAT, TensorProto.DOUBLE))
    keepdims = random.choice((0, 1))
    return reduced("ReduceMean", shape, axes, keepdims=keepdims, opset=random.choice((10, 11, 13, 18)), dtype=dtype)


test_random_cases = hold(RULE, case)


@pytest.mark.parametrize(("keepdims", "operators"), [(1, ["GlobalAveragePool"]), (0, ["GlobalAveragePool", "Reshape"])])
def test_dropped_axes_are_reshaped_away(keepdims, operators):
    after = applied(opened(reduced("ReduceMean", keepdims=keepdims)), RULE, "ReduceMean").after
    assert [n.op.name for n in after.nodes] == operators


def test_open_batch_stays_open():
    model = opened(reduced("ReduceMean", keepdims=0, sym="n"))
    assert max_rel(model, applied(model, RULE, "ReduceMean").after, feeds_of(model, n=3)) <= 1e-6


@pytest.mark.parametrize(("shape", "axes"), [((2, 3, 4, 5), (1, 2)), ((2, 3, 4), (1, 2)), ((2, 3, 4, 5), (3,))])
def test_other_axes_are_refused_with_their_numbers(shape, axes):
    refusal = refusal_of(opened(reduced("ReduceMean", shape, axes)), RULE, "ReduceMean")
    assert refusal.reason.key.endswith("pool_axes")
    assert refusal.subject == str(list(axes))


def test_half_floats_are_refused():
    assert reason_of(opened(reduced("ReduceMean", dtype=TensorProto.FLOAT16)), RULE, "ReduceMean") == "narrow_float"
