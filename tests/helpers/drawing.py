"""Scenes, placements and views made by hand, for tests of the canvas."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
from onnx import helper

from inspector.gui.canvas.scene import Scene, build_scene
from inspector.layout.result import GraphLayout
from inspector.model.graph import Model, NodeId
from inspector.model.infer import infer_shapes
from inspector.model.load import load_model
from inspector.placement.target import Target
from inspector.placement.verdict import Crossing, NodeVerdict, Placement, Segment, Standing, Verdict
from inspector.worker.client import InProcessRunner
from tests.helpers.models import proto, write

GAP = 44.0


def loaded(model: onnx.ModelProto, folder: Path) -> Model:
    """*model* as the window would load it, with shapes."""
    return infer_shapes(load_model(write(model, folder / "m.onnx")), InProcessRunner())


def chain(*ops: str, size: int = 8) -> onnx.ModelProto:
    """x -> ops one after the other -> y, all of one shape [1, 4, size, size]."""
    names = ["x", *(f"v{i}" for i in range(len(ops) - 1)), "y"]
    nodes = [helper.make_node(op, [names[i]], [names[i + 1]], f"/{op.lower()}_{i}") for i, op in enumerate(ops)]
    return proto(nodes, {"x": [1, 4, size, size]}, {"y": [1, 4, size, size]})


def diamond() -> onnx.ModelProto:
    """x -> Relu -> (Sigmoid, Tanh) -> Add -> y."""
    nodes = [
        helper.make_node("Relu", ["x"], ["r"], "top"),
        helper.make_node("Sigmoid", ["r"], ["s"], "left"),
        helper.make_node("Tanh", ["r"], ["t"], "right"),
        helper.make_node("Add", ["s", "t"], ["y"], "bottom"),
    ]
    return proto(nodes, {"x": [1, 4, 8, 8]}, {"y": [1, 4, 8, 8]})


def stacked(scene: Scene) -> GraphLayout:
    """Boxes in rows by depth, edges with at most two corners."""
    graph = scene.layout_graph()
    n = len(scene)
    layer = np.zeros(n, dtype=np.int64)
    for source, target in sorted(zip(graph.edge_source.tolist(), graph.edge_target.tolist(), strict=True)):
        layer[target] = max(layer[target], layer[source] + 1)
    x, y, top = np.zeros(n), np.zeros(n), 0.0
    for rank in range(int(layer.max()) + 1 if n else 0):
        row = np.flatnonzero(layer == rank)
        ends = np.cumsum(graph.width[row] + GAP)
        x[row] = ends - graph.width[row] - ends[-1] / 2
        y[row] = top
        top += float(graph.height[row].max()) + GAP
    points: list[tuple[float, float]] = []
    start = [0]
    for source, target in zip(graph.edge_source, graph.edge_target, strict=True):
        begin = (x[source] + graph.width[source] / 2, y[source] + graph.height[source])
        end = (x[target] + graph.width[target] / 2, y[target])
        bend = end[1] - GAP / 2
        points += [begin, end] if begin[0] == end[0] else [begin, (begin[0], bend), (end[0], bend), end]
        start.append(len(points))
    right, bottom = (x + graph.width).max(initial=0.0), (y + graph.height).max(initial=0.0)
    return GraphLayout(
        x,
        y,
        graph.width,
        graph.height,
        layer,
        np.array(points, dtype=np.float64).reshape(-1, 2),
        np.array(start, dtype=np.int64),
        np.zeros(len(graph.edge_source), dtype=np.bool_),
        (float(x.min(initial=0.0)), 0.0, float(right), float(bottom)),
    )


def drawn(model: onnx.ModelProto, folder: Path) -> tuple[Model, Scene, GraphLayout]:
    """*model*, its scene and a plain layout."""
    made = loaded(model, folder)
    scene = build_scene(made)
    return made, scene, stacked(scene)


def placed(
    model: Model, verdicts: Mapping[str, Verdict] | None = None, inferred: frozenset[str] = frozenset()
) -> Placement:
    """Every node on the BPU, but those whose operator is in *verdicts*; one segment per node."""
    chosen = {n.id: (verdicts or {}).get(n.op.name, Verdict.BPU) for n in model.nodes}
    standing = {n.id: Standing.INFERRED if n.op.name in inferred else Standing.DOCUMENTED for n in model.nodes}
    found = {i: NodeVerdict(i, v, standing[i]) for i, v in chosen.items()}
    segments = tuple(Segment(k, chosen[n.id], (n.id,), (), (), None, None) for k, n in enumerate(model.main.nodes))
    crossings = tuple(
        Crossing(next(o for o in node.outputs if o in after.inputs), node.id, after.id, 18432)
        for node in model.main.nodes
        for after in model.successors(node)
        if {chosen[node.id], chosen[after.id]} == {Verdict.BPU, Verdict.CPU}
    )
    return Placement(Target("p", "m", "1"), found, (), segments, crossings)


def tiled(scene: Scene, layout: GraphLayout, copies: int) -> tuple[Scene, GraphLayout]:
    """*copies* of a scene side by side, for tests with many boxes; only the first copy has node ids."""
    n, p = len(scene), len(layout.points)
    step = layout.bounds[2] - layout.bounds[0] + GAP
    shift = np.repeat(np.arange(copies), n)
    edge = np.repeat(np.arange(copies), len(scene.edge_source))

    def many(array: np.ndarray) -> np.ndarray:
        return np.concatenate([array] * copies)

    wide = Scene(
        scene.graph,
        many(scene.kind),
        many(scene.node),
        scene.title * copies,
        scene.fact * copies,
        scene.name * copies,
        scene.label * copies,
        scene.attributes * copies,
        scene.short * copies,
        many(scene.width),
        many(scene.height),
        many(scene.side),
        many(scene.edge_source) + edge * n,
        many(scene.edge_target) + edge * n,
        many(scene.edge_value),
        many(scene.edge_known),
        scene.edge_label * copies,
        scene.values,
        {NodeId(int(node)): box for node, box in scene.box_of.items()},
    )
    points = many(layout.points)
    points[:, 0] += np.repeat(np.arange(copies), p) * step
    starts = np.concatenate([layout.start[:-1] + k * p for k in range(copies)] + [[copies * p]])
    left, top, right, bottom = layout.bounds
    return wide, GraphLayout(
        many(layout.x) + shift * step,
        many(layout.y),
        many(layout.width),
        many(layout.height),
        many(layout.layer),
        points,
        starts,
        many(layout.cut),
        (left, top, right + (copies - 1) * step, bottom),
    )
