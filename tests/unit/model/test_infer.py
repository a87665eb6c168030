"""Shapes: where they come from, what a bound dimension does, and that nothing is guessed."""

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

from inspector.errors import UsageError
from inspector.model.graph import ShapeOrigin, Value
from inspector.model.infer import LARGEST_DIM, dynamic_dims, infer_fragment, infer_shapes, with_observed
from inspector.model.load import from_proto
from inspector.model.shape import Dim, of, static
from inspector.text import render
from inspector.worker.client import InProcessRunner
from tests.helpers.models import conv, proto

RUNNER = InProcessRunner()
N = helper.make_node


def view_chain():
    """x.view(x.size(0), x.size(1) * 16) as exporters write it."""
    return proto(
        [
            N("Relu", ["x"], ["r"]),
            N("Shape", ["r"], ["s"]),
            N("Gather", ["s", "zero"], ["n"]),
            N("Gather", ["s", "one"], ["c"]),
            N("Mul", ["c", "sixteen"], ["m"]),
            N("Unsqueeze", ["n", "ax"], ["n1"]),
            N("Unsqueeze", ["m", "ax"], ["m1"]),
            N("Concat", ["n1", "m1"], ["target"], axis=0),
            N("Reshape", ["r", "target"], ["y"]),
        ],
        {"x": ["batch", 8, 4, 4]},
        {"y": None},
        {
            "zero": np.int64(0),
            "one": np.int64(1),
            "sixteen": np.int64(16),
            "ax": np.array([0], np.int64),
        },
    )


def test_onnx_inference_marks_what_it_found():
    model = infer_shapes(from_proto(conv()), RUNNER)
    assert static(model.value(0, "c").shape) == (1, 8, 6, 6)
    assert model.value(0, "c").origin is ShapeOrigin.INFERRED
    assert model.value(0, "x").origin is ShapeOrigin.DECLARED


def test_bound_batch_folds_the_shape_chain():
    model = infer_shapes(from_proto(view_chain()), RUNNER, {"batch": 3})
    assert static(model.value(0, "y").shape) == (3, 128)
    assert model.constants[0]["target"].tolist() == [3, 128]
    assert model.value(0, "x").origin is ShapeOrigin.BOUND
    assert model.value(0, "x").shape[0] == Dim(3, "batch")
    assert model.value(0, "r").origin is ShapeOrigin.BOUND
    assert model.is_constant(0, "target")
    assert model.constant(0, "target").tolist() == [3, 128]


def test_sizes_that_inference_cannot_know_get_no_name():
    model = proto([N("NonZero", ["x"], ["n"]), N("Abs", ["n"], ["y"])], {"x": [2, 2]}, {"y": None}, dtypes={"y": 7})
    inferred = infer_shapes(from_proto(model), RUNNER)
    assert inferred.value(0, "n").shape == (Dim(2), Dim())


def test_unbound_batch_stays_unknown_but_channels_fold():
    model = infer_shapes(from_proto(view_chain()), RUNNER)
    assert static(model.value(0, "y").shape) is None
    assert "target" not in model.constants[0]
    assert model.constants[0]["c"] == 8


def test_dynamic_dims_are_named_by_symbol_or_by_place():
    model = from_proto(proto([N("Relu", ["x"], ["y"])], {"x": ["batch", 3, None, "?"]}, {"y": None}))
    assert dynamic_dims(model) == {"batch": ("x[0]",), "x:2": ("x[2]",), "x:3": ("x[3]",)}
    bound = infer_shapes(model, RUNNER, {"batch": 1, "x:2": 5, "x:3": 7})
    assert static(bound.value(0, "y").shape) == (1, 3, 5, 7)


@pytest.mark.parametrize("dims", [{"nope": 1}, {"batch": 0}])
def test_wrong_dims_are_a_usage_error_that_names_the_right_ones(dims):
    model = from_proto(view_chain())
    with pytest.raises(UsageError) as refused:
        infer_shapes(model, RUNNER, dims)
    if "nope" in dims:
        assert "batch" in refused.value.text()


def test_binding_is_never_written_to_the_file():
    model = infer_shapes(from_proto(view_chain()), RUNNER, {"batch": 3})
    assert model.to_proto().graph.input[0].type.tensor_type.shape.dim[0].dim_param == "batch"


def test_wrong_value_info_does_not_stop_inference():
    broken = conv()
    broken.graph.value_info.append(helper.make_tensor_value_info("c", 1, [1, 8, 2]))
    model = infer_shapes(from_proto(broken), RUNNER)
    assert model.value(0, "y").shape is not None


def test_unknown_operator_leaves_what_follows_unknown():
    model = proto(
        [N("Mystery", ["x"], ["m"], domain="who"), N("Relu", ["m"], ["y"])], {"x": [1, 2]}, {"y": None}, domains=["who"]
    )
    inferred = infer_shapes(from_proto(model), RUNNER)
    assert inferred.value(0, "m").shape is None
    assert inferred.value(0, "y").shape is None


def test_observed_shapes_fill_only_what_was_unknown():
    model = infer_shapes(from_proto(view_chain()), RUNNER)
    seen = with_observed(model, [Value("y", None, of(2, 128)), Value("c", None, of(9))])
    assert static(seen.value(0, "y").shape) == (2, 128)
    assert seen.value(0, "y").origin is ShapeOrigin.RUN
    assert seen.value(0, "c").shape == ()


def test_bodies_get_shapes_too():
    body = helper.make_graph([N("Relu", ["o"], ["b"]), N("Abs", ["b"], ["z"])], "b", [], [
        helper.make_tensor_value_info("z", 1, [2, 2])
    ])  # fmt: skip
    model = proto(
        [N("Relu", ["x"], ["o"]), N("If", ["c"], ["y"], then_branch=body, else_branch=body)],
        {"x": [2, 2], "c": []},
        {"y": None},
        dtypes={"c": onnx.TensorProto.BOOL},
    )
    inferred = infer_shapes(from_proto(model), RUNNER)
    assert static(inferred.value(1, "b").shape) == (2, 2)


def test_fragment_gives_shapes_of_new_nodes_alone():
    nodes = [N("Reshape", ["x", "s"], ["r"]), N("Transpose", ["r"], ["t"], perm=[1, 0])]
    constants = {"s": numpy_helper.from_array(np.array([6, 4], np.int64), "s")}
    x = infer_shapes(from_proto(conv()), RUNNER).value(0, "x")
    known = {"x": Value("x", x.dtype, of(2, 12))}
    found = infer_fragment(nodes, known, constants, {"": 13}, RUNNER)
    assert {n: static(v.shape) for n, v in found.items()} == {"r": (6, 4), "t": (4, 6)}


@pytest.mark.parametrize(
    ("nodes", "inputs", "outputs", "named"),
    [
        ([N("Add", ["x", "k"], ["y"])], {"x": [2]}, {"y": [2]}, "inconsistent type"),
        ([N("Relu", ["x"], ["y"])], {"x": [1, 4]}, {"y": [1, 4, 1]}, "differ in rank"),
    ],
)
def test_a_file_that_contradicts_itself_says_where(nodes, inputs, outputs, named):
    model = infer_shapes(from_proto(proto(nodes, inputs, outputs, {"k": np.array([1, 2], np.int64)})), RUNNER)
    assert [w.key for w in model.warnings] == ["model.contradiction"]
    assert named in render(model.warnings[0], "en")


def test_a_bound_size_that_does_not_fit_the_graph_is_a_contradiction():
    joined = [N("Add", ["x", "k"], ["y"])]
    model = from_proto(proto(joined, {"x": ["n"]}, {"y": None}, {"k": np.ones(3, np.float32)}))
    assert not infer_shapes(model, RUNNER, {"n": 3}).warnings
    assert [w.key for w in infer_shapes(model, RUNNER, {"n": 2}).warnings] == ["model.contradiction"]


@pytest.mark.parametrize("size", [0, -1, LARGEST_DIM + 1, 10**30])
def test_a_size_that_no_tensor_has_is_refused(size):
    model = from_proto(proto([N("Relu", ["x"], ["y"])], {"x": ["n"]}, {"y": None}))
    with pytest.raises(UsageError) as caught:
        infer_shapes(model, RUNNER, {"n": size})
    assert str(size) in str(caught.value)


@pytest.mark.parametrize("opset", [11, 13, 17])
def test_shape_chains_one_behind_the_other_all_fold(opset):
    """Below opset 14 each Reshape to a computed shape takes a round of its own; a transformer has dozens in a row."""
    nodes, x = [], "x"
    for layer in range(12):
        axes = {"axes": [0]} if opset < 13 else {}
        nodes += [
            N("Shape", [x], [f"s{layer}"]),
            N("Gather", [f"s{layer}", "zero"], [f"g{layer}"]),
            N("Unsqueeze", [f"g{layer}", *([] if axes else ["ax"])], [f"u{layer}"], **axes),
            N("Concat", [f"u{layer}", "rest"], [f"c{layer}"], axis=0),
            N("Reshape", [x, f"c{layer}"], [f"r{layer}"]),
            N("Relu", [f"r{layer}"], [f"y{layer}"]),
        ]
        x = f"y{layer}"
    tensors = {"zero": np.int64(0), "rest": np.array([-1], np.int64), "ax": np.array([0], np.int64)}
    model = infer_shapes(from_proto(proto(nodes, {"x": [2, 8]}, {x: None}, tensors, opset=opset)), RUNNER)
    assert {static(model.value(0, f"y{layer}").shape) for layer in range(12)} == {(2, 8)}
