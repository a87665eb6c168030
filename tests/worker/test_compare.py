"""Comparisons on the real runtime: correct rewrites pass, planted faults never do."""

from dataclasses import replace

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from inspector.errors import WorkerCancelled
from inspector.model.infer import infer_shapes
from inspector.model.load import load_model
from inspector.text import LANGUAGES, render
from inspector.verify import engine
from inspector.verify.compare import verify_files, verify_models
from inspector.verify.result import StageName, Status
from inspector.worker import folders
from inspector.worker.client import InProcessRunner
from tests.helpers import models

LAYERS = 12


def tower(gain: float = 1.0, spelling="hardswish", fault=None) -> onnx.ModelProto:
    """LAYERS blocks of Conv 1x1 and HardSwish, spelt as HardSwish(x) or x * HardSigmoid(x); *gain* scales the weights.

    *fault* is (layer, kind): `alpha` has 1/5.5 for 1/6, `bias` adds 1e-3, `nan` and `zero` spoil a weight,
    `transpose` swaps the axes of a weight, `axis` swaps two spatial axes.
    """
    rng = np.random.default_rng(5)
    nodes, tensors, name = [], {}, "x"
    for layer in range(LAYERS):
        weight = (rng.standard_normal((6, 6, 1, 1)) * gain * 0.7).astype(np.float32)
        bias = (rng.standard_normal(6) * gain * 0.1).astype(np.float32)
        kind = fault[1] if fault is not None and fault[0] == layer else ""
        if kind == "transpose":
            weight = np.ascontiguousarray(weight.transpose(1, 0, 2, 3))
        if kind == "nan":
            weight[0, 0] = np.nan
        if kind == "zero":
            weight[:] = 0
        if kind == "bias":
            bias = bias + np.float32(1e-3)
        tensors |= {f"w{layer}": weight, f"b{layer}": bias}
        nodes.append(helper.make_node("Conv", [name, f"w{layer}", f"b{layer}"], [f"c{layer}"], f"conv{layer}"))
        source = f"c{layer}"
        if kind == "axis":
            nodes.append(helper.make_node("Transpose", [source], [f"t{layer}"], perm=[0, 1, 3, 2]))
            source = f"t{layer}"
        if spelling == "hardswish":
            nodes.append(helper.make_node("HardSwish", [source], [f"y{layer}"], f"act{layer}"))
        else:
            alpha = 1 / 5.5 if kind == "alpha" else 1 / 6
            nodes.append(helper.make_node("HardSigmoid", [source], [f"s{layer}"], f"sig{layer}", alpha=alpha, beta=0.5))
            nodes.append(helper.make_node("Mul", [source, f"s{layer}"], [f"y{layer}"], f"act{layer}"))
        name = f"y{layer}"
    return models.proto(nodes, {"x": [1, 6, 8, 8]}, {name: [1, 6, 8, 8]}, tensors, opset=14)


def load(proto, path):
    return infer_shapes(load_model(models.write(proto, path)), InProcessRunner())


@pytest.fixture
def compare(shared_worker, tmp_path):
    def run(a, b, **options):
        first, second = load(a, tmp_path / "a.onnx"), load(b, tmp_path / "b.onnx")
        result = verify_models(first, second, shared_worker, **options)
        leftover = [p.name for p in folders.private_folder().iterdir() if p.name != "owner"]
        assert leftover == []
        for language in LANGUAGES:
            for message in (result.reason, *result.notes, *(d.reason for d in result.outputs)):
                assert message is None or render(message, language)
        return result

    return run


def test_equal_spellings_pass_and_say_how(compare):
    result = compare(tower(), tower(spelling="mul"))
    assert result.status is Status.PASSED
    assert result.reason is None
    assert result.stage is StageName.MODEL
    assert result.inputs == ("normal x1", "uniform -1..1", "even -4..4")
    assert result.runtime.name == "onnxruntime"
    assert result.runtime.optimization == "ORT_DISABLE_ALL"
    assert result.outputs[0].name == f"y{LAYERS - 1}"
    assert result.outputs[0].output
    assert not any(d.output for d in result.outputs[1:])
    assert result.samples[f"y{LAYERS - 1}"].before.shape == (1, 6, 8, 8)
    assert set(result.samples) == {d.name for d in result.outputs}, "small intermediates are kept for the window, too"


def test_same_twice_is_the_same_result(compare):
    one, two = (compare(tower(), tower(spelling="mul"), seed=11) for _ in range(2))
    assert one.outputs == two.outputs
    other = compare(tower(), tower(spelling="mul"), seed=12)
    assert [d.range_before for d in other.outputs] != [d.range_before for d in one.outputs]


@pytest.mark.parametrize("gain", [1.0, 1e-2, 1e2], ids=["sane", "vanishing", "exploding"])
@pytest.mark.parametrize("layer", [0, LAYERS // 2, LAYERS - 1])
@pytest.mark.parametrize("kind", ["alpha", "bias", "nan", "zero", "transpose", "axis"])
@pytest.mark.parametrize("intermediates", [True, False], ids=["all", "outputs"])
def test_no_planted_fault_passes(compare, kind, layer, gain, intermediates):
    spelling = "mul" if kind == "alpha" else "hardswish"
    result = compare(
        tower(gain, spelling), tower(gain, spelling, (layer, kind)), intermediates=intermediates, samples=2
    )
    assert result.status is not Status.PASSED
    if gain == 1.0:
        assert result.status is Status.FAILED
        if kind == "alpha" and intermediates:
            assert result.reason.args["tensor"] == f"s{layer}"


def test_wrong_constant_behind_a_new_spelling_passes_at_no_scale(compare):
    for gain in (1.0, 1e-2, 1e2):
        result = compare(tower(gain), tower(gain, "mul", (4, "alpha")))
        assert result.status is not Status.PASSED, gain


def scalar_model(op, attributes=None, dtype=TensorProto.FLOAT, extra=()):
    return models.proto(
        [*extra, helper.make_node(op, ["x"], ["y"], **(attributes or {}))],
        {"x": [3, 4]},
        {"y": None},
        dtypes={"x": TensorProto.FLOAT, "y": dtype},
    )


def test_another_dtype_or_shape_fails(compare):
    cast = models.proto(
        [helper.make_node("Cast", ["x"], ["y"], to=TensorProto.DOUBLE)], {"x": [3, 4]}, {"y": [3, 4]},
        dtypes={"y": TensorProto.DOUBLE},
    )  # fmt: skip
    same = models.proto([helper.make_node("Identity", ["x"], ["y"])], {"x": [3, 4]}, {"y": [3, 4]})
    result = compare(same, cast)
    assert result.status is Status.FAILED
    assert result.outputs[0].reason.key == "verify.dtype_differs"
    turned = models.proto([helper.make_node("Transpose", ["x"], ["y"])], {"x": [3, 4]}, {"y": [4, 3]})
    result = compare(same, turned)
    assert result.status is Status.FAILED
    assert result.outputs[0].reason.key == "verify.shape_differs"


def single(nodes, tensors=None, shape=(3, 4), out=TensorProto.FLOAT):
    return models.proto(nodes, {"x": list(shape)}, {"y": None}, tensors, dtypes={"y": out})


def test_a_zero_reference_is_inconclusive(compare):
    a = single([helper.make_node("Mul", ["x", "k"], ["y"])], {"k": np.float32(0)})
    b = single([helper.make_node("Sub", ["x", "x"], ["y"])])
    result = compare(a, b)
    assert result.status is Status.INCONCLUSIVE
    assert result.outputs[0].badge == "dead"
    assert result.outputs[0].reason.key == "verify.dead_zero"
    result = compare(a, single([helper.make_node("Mul", ["x", "k"], ["y"])], {"k": np.float32(1)}))
    assert result.status is Status.FAILED


def test_a_reference_that_is_not_finite_is_inconclusive(compare):
    a = single([helper.make_node("Div", ["x", "k"], ["y"])], {"k": np.float32(0)})
    b = single(
        [helper.make_node("Div", ["x", "k"], ["z"]), helper.make_node("Identity", ["z"], ["y"])], {"k": np.float32(0)}
    )
    result = compare(a, b)
    assert result.status is Status.INCONCLUSIVE
    assert result.outputs[0].nonfinite[0] > 0


def test_empty_output_is_inconclusive(compare):
    nodes = [helper.make_node("Slice", ["x", "s", "e"], ["z"]), helper.make_node("Relu", ["z"], ["y"])]
    tensors = {"s": np.array([0]), "e": np.array([0])}
    other = [nodes[0], helper.make_node("Identity", ["z"], ["y"])]
    result = compare(single(nodes, tensors), single(other, tensors))
    assert result.status is Status.INCONCLUSIVE
    assert result.outputs[0].shape == (0, 4)


def test_integer_and_bool_outputs_are_exact(compare):
    greater = single([helper.make_node("Greater", ["x", "k"], ["y"])], {"k": np.float32(0)}, out=TensorProto.BOOL)
    shifted = single([helper.make_node("Greater", ["x", "k"], ["y"])], {"k": np.float32(0.3)}, out=TensorProto.BOOL)
    assert compare(greater, greater).status is Status.PASSED
    result = compare(greater, shifted)
    assert result.status is Status.FAILED
    assert result.outputs[0].reason.key == "verify.not_equal"


def test_an_unchanged_branch_that_is_dead_does_not_matter(compare):
    def two(op):
        nodes = [helper.make_node("Mul", ["x", "k"], ["z"]), helper.make_node(op, ["x"], ["r"])]
        nodes.append(helper.make_node("Identity", ["r"], ["y"]))
        return models.proto(nodes, {"x": [2, 3]}, {"z": [2, 3], "y": [2, 3]}, {"k": np.float32(0)})

    result = compare(two("Relu"), two("Relu"))
    assert result.status is Status.PASSED
    assert result.outputs[0].badge == "dead"
    assert compare(two("Relu"), two("Abs")).status is Status.FAILED


def test_dynamic_dimensions_are_bound_first(compare):
    relu = models.proto([helper.make_node("Relu", ["x"], ["y"])], {"x": ["n", 3]}, {"y": ["n", 3]})
    clip = models.proto(
        [helper.make_node("Max", ["x", "k"], ["y"])], {"x": ["n", 3]}, {"y": ["n", 3]}, {"k": np.float32(0)}
    )
    result = compare(relu, clip)
    assert result.status is Status.INCONCLUSIVE
    assert result.reason.key == "verify.input_dynamic"
    assert compare(relu, clip, dims={"n": 5}).status is Status.PASSED
    assert compare(relu, clip, dims={"n": 5}).outputs[0].shape == (5, 3)


def test_inputs_of_the_user(compare):
    feeds = [{"x": np.full((3, 4), v, np.float32)} for v in (-1.0, 2.0)]
    relu = single([helper.make_node("Relu", ["x"], ["y"])])
    absolute = single([helper.make_node("Abs", ["x"], ["y"])])
    assert compare(relu, absolute, feeds=feeds[1:]).outputs[0].equal
    result = compare(relu, absolute, feeds=feeds)
    assert result.status is Status.FAILED
    assert result.inputs == ("#1", "#2")
    assert compare(relu, absolute, feeds=[{}]).reason.key == "verify.feed_missing"
    assert compare(relu, absolute, feeds=[]).reason.key == "verify.feed_none"


def test_names_that_differ_are_matched_by_position_and_noted(shared_worker, tmp_path):
    a = models.write(
        models.proto([helper.make_node("Relu", ["x"], ["y"])], {"x": [2]}, {"y": [2]}), tmp_path / "a.onnx"
    )
    b = models.write(
        models.proto([helper.make_node("Relu", ["in"], ["out"])], {"in": [2]}, {"out": [2]}), tmp_path / "b.onnx"
    )
    result = verify_files(a, b, shared_worker)
    assert result.status is Status.PASSED
    assert "x = in" in render(result.notes[0])
    c = models.write(
        models.proto([helper.make_node("Relu", ["in"], ["out"])], {"in": [3]}, {"out": [3]}), tmp_path / "c.onnx"
    )
    assert verify_files(a, c, shared_worker).reason.key == "verify.inputs_differ"


def batch_norm_pair():
    rng = np.random.default_rng(2)
    weight = rng.standard_normal((4, 3, 3, 3)).astype(np.float32)
    scale, shift, mean = (rng.standard_normal(4).astype(np.float32) for _ in range(3))
    var = rng.random(4).astype(np.float32) + np.float32(0.5)
    factor = scale.astype(np.float64) / np.sqrt(var.astype(np.float64) + 1e-5)
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"]),
        helper.make_node("BatchNormalization", ["c", "s", "b", "m", "v"], ["n"]),
        helper.make_node("Relu", ["n"], ["y"]),
    ]
    tensors = {"w": weight, "s": scale, "b": shift, "m": mean, "v": var}
    kept = models.proto(nodes, {"x": [1, 3, 8, 8]}, {"y": [1, 4, 6, 6]}, tensors)

    def folded(extra=0.0):
        tensors = {
            "w": (weight * factor[:, None, None, None]).astype(np.float32),
            "b": (shift - mean * factor + extra).astype(np.float32),
        }
        nodes = [helper.make_node("Conv", ["x", "w", "b"], ["c"]), helper.make_node("Relu", ["c"], ["y"])]
        return models.proto(nodes, {"x": [1, 3, 8, 8]}, {"y": [1, 4, 6, 6]}, tensors)

    return kept, folded(), folded(1e-3)


def test_a_name_on_other_values_in_another_file_is_noted_not_counted(shared_worker, tmp_path):
    kept, folded, wrong = (models.write(m, tmp_path / f"{i}.onnx") for i, m in enumerate(batch_norm_pair()))
    result = verify_files(kept, folded, shared_worker)
    assert result.status is Status.PASSED
    inner = next(d for d in result.outputs if d.name == "c")
    assert inner.status is Status.INCONCLUSIVE
    assert any(note.key == "verify.names_reused" for note in result.notes)
    assert verify_files(kept, wrong, shared_worker).status is Status.FAILED


def test_a_rewrite_may_not_put_a_name_on_other_values(compare):
    kept, folded, _ = batch_norm_pair()
    result = compare(kept, folded)
    assert result.status is Status.FAILED
    assert result.reason.args["tensor"] == "c"


def test_missing_weights_are_inconclusive(shared_worker, tmp_path):
    proto = models.conv(channels=64)
    tensor = proto.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in (("location", "gone.bin"), ("offset", "0"), ("length", "6912")):
        entry = tensor.external_data.add()
        entry.key, entry.value = key, value
    a = models.write(proto, tmp_path / "a.onnx")
    b = models.write(models.conv(channels=64), tmp_path / "b.onnx")
    result = verify_files(a, b, shared_worker)
    assert result.status is Status.INCONCLUSIVE
    assert "gone.bin" in render(result.reason)


def test_what_the_runtime_refuses_is_inconclusive(compare):
    a = single([helper.make_node("Relu", ["x"], ["y"])])
    b = single([helper.make_node("Foreign", ["x"], ["y"], domain="com.example")])
    b.opset_import.append(helper.make_opsetid("com.example", 1))
    result = compare(a, b)
    assert result.status is Status.INCONCLUSIVE
    assert "Foreign" in render(result.reason)


def test_many_tensors_are_fetched_in_parts(compare, monkeypatch):
    whole = compare(tower(), tower(spelling="mul"))
    monkeypatch.setattr(engine, "MEMORY_BYTES", 8 * 6 * 64 * 4)
    calls = []
    parts = compare(tower(), tower(spelling="mul"), progress=lambda done, total: calls.append((done, total)))
    assert parts.outputs == whole.outputs
    assert calls[-1][0] == calls[-1][1] > 3


def test_progress_can_stop_it(compare):
    def stop(done, total):
        raise WorkerCancelled(whole_text)

    from inspector.text import say

    whole_text = say("worker.cancelled")
    with pytest.raises(WorkerCancelled):
        compare(tower(), tower(spelling="mul"), progress=stop)


def test_both_sides_get_the_same_inputs_whatever_their_order(compare):
    def sub(order):
        return models.proto(
            [helper.make_node("Sub", ["p", "q"], ["y"])], {name: [2, 3] for name in order}, {"y": [2, 3]}
        )

    result = compare(sub("pq"), sub("qp"))
    assert result.status is Status.PASSED
    assert result.outputs[0].equal


def test_weights_are_compared_by_value_not_by_place(shared_worker, tmp_path):
    first = models.conv(channels=64)
    second = onnx.ModelProto()
    second.CopyFrom(first)
    array = numpy_helper.to_array(second.graph.initializer[0]).copy()
    array[0, 0, 0, 0] += 1
    second.graph.initializer[0].CopyFrom(numpy_helper.from_array(array, "w"))
    a, b = (models.write(m, tmp_path / n) for m, n in ((first, "a.onnx"), (second, "b.onnx")))
    assert verify_files(a, a, shared_worker).status is Status.PASSED
    assert verify_files(a, b, shared_worker).status is Status.FAILED


def test_the_limit_is_what_decides(compare):
    a = single([helper.make_node("Mul", ["x", "k"], ["y"])], {"k": np.float32(1)})
    b = single([helper.make_node("Mul", ["x", "k"], ["y"])], {"k": np.float32(1 + 3e-6)})
    strict = compare(a, b)
    assert strict.status is Status.FAILED
    loose = replace(strict.tolerance, max_rel=1e-5)
    assert compare(a, b, tolerance=loose).status is Status.PASSED
