"""layernorm-to-reduce: axes, scale and bias of any shape, large means, further outputs."""

import numpy as np
import pytest
from onnx import TensorProto, helper

from tests.helpers.models import proto
from tests.helpers.rewriting import applied, feeds_of, match_of, max_rel, opened, reason_of, run
from tests.helpers.rule_cases import hold

RULE = "layernorm-to-reduce"


def norm(
    shape=(2, 3, 8), axis=-1, *, bias=True, opset=17, op="LayerNormalization", outputs=("y",), shown=("y",), **more
):
    """A normalisation of x over the axes from *axis* on."""
    rng = np.random.default_rng(6)
    rest = shape[axis % len(shape) :]
    tensors = {"s": rng.uniform(0.5, 2, rest).astype(np.float32)}
    if bias:
        tensors["b"] = rng.standard_normal(rest).astype(np.float32)
    node = helper.make_node(op, ["x", *tensors], list(outputs), "norm", axis=axis, **more)
    shapes = {"y": list(shape)} | {name: [None] * len(shape) for name in outputs[1:]}
    return proto([node], {"x": list(shape)}, {n: shapes[n] for n in shown}, tensors, opset=opset, ir=10)


def case(random):
    """A normalisation of at least four numbers a line."""
    shape = [random.randint(1, 4) for _ in range(random.randint(0, 3))] + [random.randint(4, 24)]
    axis = random.randrange(-len(shape), 0) if random.random() < 0.4 else -1
    if random.random() < 0.2:
        return norm(shape, axis, bias=False, opset=23, op="RMSNormalization")
    return norm(shape, axis, bias=random.random() < 0.7, opset=random.choice((17, 18, 20)))


test_random_cases = hold(RULE, case)


def test_axis_as_channels_for_a_chip_that_wants_them_first():
    model = opened(norm((1, 6, 16)))
    assert match_of(model, RULE, "LayerNormalization").variants == ("last-axes", "channel-first")
    after = applied(model, RULE, "LayerNormalization", "channel-first").after
    assert [n.op.name for n in after.nodes if n.op.name in ("Transpose", "ReduceMean")] == [
        "Transpose",
        "ReduceMean",
        "ReduceMean",
        "Transpose",
    ]
    assert max_rel(model, after, feeds_of(model)) <= 2e-6


@pytest.mark.parametrize("mean", [100.0, 1e4])
def test_large_mean_does_not_cancel(mean):
    model = opened(norm((4, 64)))
    after = applied(model, RULE, "LayerNormalization", "last-axes").after
    x = (np.random.default_rng(0).standard_normal((4, 64)) + mean).astype(np.float32)
    exact = x.astype(np.float64)
    exact = (exact - exact.mean(-1, keepdims=True)) / np.sqrt(exact.var(-1, keepdims=True) + 1e-5)
    tensors = {t.name: np.frombuffer(t.raw_data, np.float32) for t in norm((4, 64)).graph.initializer}
    exact = exact * tensors["s"] + tensors["b"]
    ours = run(after, {"x": x})[0]
    assert np.isfinite(ours).all()
    # Half a unit in the last place of the inputs is what the mean itself leaves open.
    assert np.abs(ours - exact).max() <= np.spacing(np.float32(mean)) * 4 + 1e-5


def test_further_outputs_that_are_read_are_refused():
    model = norm(outputs=("y", "mean"), shown=("y", "mean"))
    assert reason_of(opened(model), RULE, "LayerNormalization") == "norm_outputs"


def test_half_floats_are_refused():
    model = norm()
    model.graph.input[0].type.tensor_type.elem_type = TensorProto.FLOAT16
    for tensor in model.graph.initializer:
        tensor.raw_data = np.frombuffer(tensor.raw_data, np.float32).astype(np.float16).tobytes()
        tensor.data_type = TensorProto.FLOAT16
    model.graph.output[0].type.tensor_type.elem_type = TensorProto.FLOAT16
    assert reason_of(opened(model), RULE, "LayerNormalization") == "narrow_float"
