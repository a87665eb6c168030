"""From a model to boxes and edges."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper

from inspector.gui.canvas.colouring import PLAIN, VERDICTS, colour_scene
from inspector.gui.canvas.describe import describe_box
from inspector.gui.canvas.scene import Kind, build_scene, kept_boxes
from inspector.gui.measures import Measure
from inspector.layout.layout import lay_out
from inspector.model.edit import Editor
from inspector.placement.verdict import Verdict
from tests.helpers.drawing import chain, diamond, drawn, loaded, placed
from tests.helpers.models import INT64, proto

pytestmark = pytest.mark.usefixtures("qapp")


def test_inputs_nodes_and_outputs_become_boxes_in_order(tmp_path: Path) -> None:
    _, scene, _ = drawn(diamond(), tmp_path)
    assert scene.kind.tolist() == [Kind.INPUT, *[Kind.NODE] * 4, Kind.OUTPUT]
    assert scene.title == ("x", "Relu", "Sigmoid", "Tanh", "Add", "y")
    edges = set(zip(scene.edge_source.tolist(), scene.edge_target.tolist(), strict=True))
    assert edges == {(0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (4, 5)}
    assert set(scene.edge_label) == {"1×4×8×8"}
    assert scene.edge_known.all()


def test_one_tensor_to_two_consumers_is_one_value(tmp_path: Path) -> None:
    _, scene, _ = drawn(diamond(), tmp_path)
    values = {scene.edge_value[e] for e in range(len(scene.edge_source)) if scene.edge_source[e] == 1}
    assert len(values) == 1


def test_a_tensor_read_twice_by_one_node_is_one_edge(tmp_path: Path) -> None:
    node = helper.make_node("Mul", ["x", "x"], ["y"])
    _, scene, _ = drawn(proto([node], {"x": [1, 2]}, {"y": [1, 2]}), tmp_path)
    assert len(scene.edge_source) == 2


def test_constants_fold_into_their_consumer(tmp_path: Path) -> None:
    value = numpy_helper.from_array(np.ones(4, np.float32))
    nodes = [
        helper.make_node("Constant", [], ["c"], value=value),
        helper.make_node("Add", ["x", "c"], ["y"], "add"),
        helper.make_node("Constant", [], ["z"], value=value),
    ]
    _, scene, _ = drawn(proto(nodes, {"x": [1, 4]}, {"y": [1, 4], "z": [4]}), tmp_path)
    assert scene.title == ("x", "Add", "Constant", "y", "z")


def test_shape_chains_are_side_chains(tmp_path: Path) -> None:
    nodes = [helper.make_node("Shape", ["x"], ["s"]), helper.make_node("Reshape", ["x", "s"], ["y"])]
    model = loaded(proto(nodes, {"x": [1, 4]}, {"y": [1, 4]}), tmp_path)
    scene = build_scene(model)
    assert scene.side[scene.box_of[model.main.nodes[0].id]]
    assert not scene.side[scene.box_of[model.main.nodes[1].id]]


def test_dynamic_shape_chains_do_not_bend_the_spine(tmp_path: Path) -> None:
    """As exporters write a flatten with an open batch: Shape -> Gather -> Unsqueeze -> Concat -> Reshape."""
    tensors = {"zero": np.array(0, np.int64), "axes": np.array([0], np.int64), "rest": np.array([-1], np.int64)}
    nodes = [
        helper.make_node("Relu", ["x"], ["r"]),
        helper.make_node("Shape", ["r"], ["s"]),
        helper.make_node("Gather", ["s", "zero"], ["g"]),
        helper.make_node("Unsqueeze", ["g", "axes"], ["u"]),
        helper.make_node("Concat", ["u", "rest"], ["c"], axis=0),
        helper.make_node("Sigmoid", ["r"], ["t"]),
        helper.make_node("Reshape", ["t", "c"], ["y"]),
    ]
    model = loaded(proto(nodes, {"x": ["batch", 4, 8]}, {"y": None}, tensors), tmp_path)
    scene = build_scene(model)
    side = {title for title, flag in zip(scene.title, scene.side, strict=True) if flag}
    assert side == {"Shape", "Gather", "Unsqueeze", "Concat"}
    layout = lay_out(scene.layout_graph())
    spine = [box for box in range(len(scene)) if not scene.side[box]]
    assert len({round(float(layout.x[box] + layout.width[box] / 2)) for box in spine}) == 1


def test_boxes_are_found_again_by_node_and_by_name(tmp_path: Path) -> None:
    model, scene, _ = drawn(diamond(), tmp_path)
    assert kept_boxes(scene, scene).tolist() == list(range(len(scene)))
    editor = Editor(model, rule="test")
    tanh = next(node for node in model.main.nodes if node.op.name == "Tanh")
    editor.remove(tanh.id)
    editor.node("HardSigmoid", tanh.inputs, tanh.outputs, base=tanh)
    after = build_scene(editor.finish())
    kept = kept_boxes(scene, after).tolist()
    assert {title: box for title, box in zip(after.title, kept, strict=True) if box < 0} == {"HardSigmoid": -1}
    assert [after.title[i] for i, box in enumerate(kept) if box >= 0] == [scene.title[b] for b in kept if b >= 0]


def test_other_dtypes_and_unknown_shapes_are_told(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("Relu", ["x"], ["r"]),
        helper.make_node("ArgMax", ["r"], ["i"], axis=1),
        helper.make_node("Odd", ["r"], ["y"], domain="d"),
    ]
    built = proto(nodes, {"x": [1, 4, "h"]}, {"i": None, "y": None}, dtypes={"i": INT64}, domains=["d"])
    _, scene, _ = drawn(built, tmp_path)
    told = {
        scene.values[v]: (t, k) for v, t, k in zip(scene.edge_value, scene.edge_label, scene.edge_known, strict=True)
    }
    assert told["r"] == ("1×4×h", False)
    assert told["i"][0] == "1×1×h int64"
    assert told["y"] == ("?", False)


def test_a_body_that_captures_a_tensor_has_an_edge(tmp_path: Path) -> None:
    def branch(name: str) -> object:
        out = helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 4])
        return helper.make_graph([helper.make_node("Relu", ["r"], [name])], name, [], [out])

    nodes = [
        helper.make_node("Abs", ["x"], ["r"]),
        helper.make_node("If", ["c"], ["y"], "if", then_branch=branch("t"), else_branch=branch("e")),
    ]
    built = proto(nodes, {"x": [1, 4], "c": []}, {"y": [1, 4]}, dtypes={"c": TensorProto.BOOL})
    model, scene, _ = drawn(built, tmp_path)
    abs_box, if_box = (scene.box_of[n.id] for n in model.main.nodes)
    assert (abs_box, if_box) in set(zip(scene.edge_source.tolist(), scene.edge_target.tolist(), strict=True))
    inner = build_scene(model, model.main.nodes[1].bodies[0])
    assert inner.title[:2] == ("r", "Relu")
    assert inner.kind.tolist() == [Kind.INPUT, Kind.NODE, Kind.OUTPUT]
    assert inner.edge_label[0] == "1×4"


def test_heights_follow_the_rows(tmp_path: Path) -> None:
    nodes = [helper.make_node("Relu", ["x"], ["r"]), helper.make_node("Softmax", ["r"], ["y"], "named", axis=1)]
    _, scene, _ = drawn(proto(nodes, {"x": [1, 4]}, {"y": [1, 4]}), tmp_path)
    assert scene.height.tolist() == [Measure.PILL, 26.0, 26.0 + 36.0 + 8.0, Measure.PILL]


def test_empty_graph_makes_an_empty_scene_that_can_be_laid_out(tmp_path: Path) -> None:
    scene = build_scene(loaded(proto([], {}, {}), tmp_path))
    assert len(scene) == 0
    assert len(lay_out(scene.layout_graph()).x) == 0


@given(name=st.text(max_size=200))
def test_any_name_fits_its_box(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    clean = name.encode("utf-8", "replace").decode()
    node = helper.make_node("Relu", ["x"], ["y"], clean)
    _, scene, _ = drawn(proto([node], {"x": [1]}, {"y": [1]}), tmp_path_factory.mktemp("s"))
    assert Measure.MIN_WIDTH <= scene.width[1] <= Measure.MAX_WIDTH + 1
    if len(clean) > 60:
        assert "…" in scene.name[1]


def test_colouring_counts_fixes_and_marks_crossings(tmp_path: Path) -> None:
    model, scene, _ = drawn(chain("Relu", "Softmax", "Relu"), tmp_path)
    placement = placed(model, {"Softmax": Verdict.CPU}, inferred=frozenset({"Relu"}))
    middle = model.main.nodes[1].id
    colouring = colour_scene(scene, placement, {middle: 3})
    assert [None if c == PLAIN else VERDICTS[c] for c in colouring.code] == [
        *(None, Verdict.BPU, Verdict.CPU, Verdict.BPU, None),
    ]
    assert colouring.inferred.tolist() == [False, True, False, True, False]
    assert colouring.fixes.tolist() == [0, 0, 3, 0, 0]
    assert colouring.chip == {1: "BPU → CPU 18 KiB", 2: "CPU → BPU 18 KiB"}
    assert np.flatnonzero(colouring.crossing).tolist() == [1, 2]


def test_a_node_that_the_placement_forgot_is_unknown_and_never_green(tmp_path: Path) -> None:
    model, scene, _ = drawn(chain("Relu", "Relu"), tmp_path)
    part = placed(model)
    first = model.main.nodes[0].id
    cut = type(part)(part.target, {first: part.verdicts[first]})
    codes = colour_scene(scene, cut).code
    assert VERDICTS[codes[2]] is Verdict.UNKNOWN


def test_without_a_placement_nothing_is_coloured(tmp_path: Path) -> None:
    _, scene, _ = drawn(chain("Relu"), tmp_path)
    assert set(colour_scene(scene, None).code.tolist()) == {PLAIN}


def test_a_box_in_words(tmp_path: Path) -> None:
    model, scene, _ = drawn(chain("Relu", "Softmax"), tmp_path)
    colouring = colour_scene(scene, placed(model, {"Softmax": Verdict.CPU}, frozenset({"Softmax"})), {})
    assert describe_box(scene, colouring, 2) == "Softmax, CPU (inferred), /softmax_1, 2 of 2"
    assert describe_box(scene, colouring, 0) == "Model input, x, 1×4×8×8"
