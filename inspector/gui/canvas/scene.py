"""`Scene`: what the canvas shows of one graph of a model, as arrays and texts, without verdicts and without positions.

`build_scene` measures text and so decides the sizes of the boxes; it may run off the GUI thread. Positions come from
the layout, verdicts from `colouring`; another target needs neither a new scene nor a new layout.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from types import MappingProxyType

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QFontMetricsF

from inspector.gui.canvas.labels import attribute_text, header_fact, medium_shape
from inspector.gui.canvas.lettering import shortened
from inspector.gui.fonts import sized
from inspector.gui.measures import Measure
from inspector.layout.result import LayoutGraph
from inspector.model import shape as shapes
from inspector.model.dtype import DType
from inspector.model.graph import MAIN, Graph, Model, Node, NodeId

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


_SHAPE_READERS = frozenset({"Shape", "Size"})


class Kind(IntEnum):
    """What a box stands for."""

    NODE = 0
    INPUT = 1
    OUTPUT = 2


@dataclass(frozen=True)
class Scene:
    """Boxes and edges of one graph. Boxes are in topological order: inputs, nodes, outputs.

    Attributes:
        graph: index of the graph in its model. In a body, captured values stand among the inputs.
        kind: `[n]` values of `Kind`.
        node: `[n]` node id of each box, -1 for inputs and outputs.
        title: `[n]` operator, or name of the input or output.
        fact: `[n]` short fact at the right of the header; may be empty.
        name: `[n]` node name, elided in the middle; empty when the file gives none.
        label: `[n]` node's full label, for descriptions.
        attributes: `[n]` attributes that differ from the ONNX default; may be empty.
        short: `[n]` output shape without its first axis, for medium detail; may be empty.
        width: `[n]` box widths.
        height: `[n]` box heights.
        side: `[n]` whether the box belongs to a side chain: its results are known before run time, it reads a shape, or
            all that feeds it is such a box.
        edge_source: `[m]` box that the edge leaves.
        edge_target: `[m]` box that it enters.
        edge_value: `[m]` index into `values`.
        edge_known: `[m]` whether every axis length is known.
        edge_label: `[m]` shape of the tensor, with its dtype where that is not the model's main one.
        values: tensors that edges carry.
        box_of: node id -> box.
        folded_into: node id of a constant without a box of its own -> box of its first consumer.
    """

    graph: int
    kind: Ints
    node: Ints
    title: tuple[str, ...]
    fact: tuple[str, ...]
    name: tuple[str, ...]
    label: tuple[str, ...]
    attributes: tuple[str, ...]
    short: tuple[str, ...]
    width: Floats
    height: Floats
    side: Bools
    edge_source: Ints
    edge_target: Ints
    edge_value: Ints
    edge_known: Bools
    edge_label: tuple[str, ...]
    values: tuple[str, ...]
    box_of: Mapping[NodeId, int]
    folded_into: Mapping[NodeId, int] = field(default_factory=lambda: MappingProxyType({}))

    def __len__(self) -> int:
        return len(self.title)

    def layout_graph(self) -> LayoutGraph:
        """What the layout needs to know."""
        return LayoutGraph(self.width, self.height, self.edge_source, self.edge_target, self.edge_value, self.side)


def kept_boxes(before: Scene, after: Scene) -> Ints:
    """`[boxes of after]` the box of *before* that stands for the same node, input or output; -1 for a new one.

    Nodes are the same by their id, inputs and outputs by their name; no box is given twice.
    """
    pills = {(before.kind[box], before.label[box]): box for box in np.flatnonzero(before.node < 0).tolist()}
    return np.array(
        [
            before.box_of.get(node, -1) if node >= 0 else pills.pop((kind, name), -1)
            for node, kind, name in zip(after.node.tolist(), after.kind.tolist(), after.label, strict=True)
        ],
        dtype=np.int64,
    )


def build_scene(model: Model, graph: int = MAIN) -> Scene:
    """The scene of one graph of *model*. `Constant` nodes are folded into their consumers."""
    return _Builder(model, model.graphs[graph]).build()


class _Builder:
    """Collects boxes and edges in lists and turns them into a `Scene`."""

    def __init__(self, model: Model, graph: Graph) -> None:
        self._model = model
        self._graph = graph
        self._ruler = _Ruler()
        self._main_dtype = _main_dtype(model, graph)
        self._kind: list[int] = []
        self._node: list[int] = []
        self._rows: list[tuple[str, str, str, str, str, str]] = []
        self._size: list[tuple[float, float]] = []
        self._side: list[bool] = []
        self._box_of: dict[NodeId, int] = {}
        self._source_of: dict[str, int] = {}
        self._edges: dict[tuple[int, int, int], None] = {}
        self._values: dict[str, int] = {}

    def build(self) -> Scene:
        for name in (*self._graph.inputs, *self._captured()):
            self._source_of.setdefault(name, self._pill(Kind.INPUT, name))
        for node in self._graph.nodes:
            if not self._hidden(node):
                self._box(node)
        for node in self._graph.nodes:
            self._incoming(node)
        for name in self._graph.outputs:
            self._edge(name, self._pill(Kind.OUTPUT, name))
        return self._scene()

    def _hidden(self, node: Node) -> bool:
        return node.op.name == "Constant" and not any(o in self._graph.outputs for o in node.outputs)

    def _captured(self) -> tuple[str, ...]:
        """Values of the enclosing graphs that the nodes of a body read; constants are left out."""
        if self._graph.parent is None:
            return ()
        local = {*self._graph.inputs, *self._graph.initializers}
        for node in self._graph.nodes:
            local.update(node.outputs)
        index = self._graph.index
        names = (name for node in self._graph.nodes for name in (*node.inputs, *self._model.captures(node)))
        outer = dict.fromkeys(name for name in names if name and name not in local)
        return tuple(name for name in outer if not self._model.is_constant(index, name))

    def _pill(self, kind: Kind, name: str) -> int:
        text = self._ruler.elided(name, Measure.MAX_WIDTH - 2 * Measure.PILL_PAD)
        width = max(self._ruler.mono(text) + 2 * Measure.PILL_PAD, Measure.PILL_MIN)
        value = self._model.value(self._graph.index, name)
        row = (text, "", "", name, "", shapes.text(value.shape))
        return self._add(kind, -1, row, (width, Measure.PILL), side=False)

    def _box(self, node: Node) -> None:
        title, fact = str(node.op), header_fact(self._model, node)
        name = self._ruler.elided(node.name, Measure.MAX_WIDTH - Measure.TEXT_X - Measure.RIGHT)
        attributes = attribute_text(self._model, node)
        row = (title, fact, name, node.label, attributes, medium_shape(self._model, node))
        rows = (name != "") + (attributes != "")
        body = rows * Measure.ROW + 2 * Measure.PAD if rows else 0.0
        size = (self._ruler.box_width(title, fact, name, attributes), Measure.HEADER + body)
        box = self._add(Kind.NODE, node.id, row, size, side=self._is_side(node))
        self._box_of[node.id] = box
        for output in node.outputs:
            if output:
                self._source_of[output] = box

    def _is_side(self, node: Node) -> bool:
        """Whether *node* is known before run time, reads a shape, or hangs on such boxes alone."""
        if any(node.outputs) and all(self._model.is_constant(self._graph.index, o) for o in node.outputs if o):
            return True
        if not node.op.domain and node.op.name in _SHAPE_READERS:
            return True
        names = (*node.inputs, *self._model.captures(node)) if node.bodies else node.inputs
        feeding = [self._source_of[name] for name in names if name in self._source_of]
        return bool(feeding) and all(self._side[box] for box in feeding)

    def _add(
        self, kind: Kind, node: int, row: tuple[str, str, str, str, str, str], size: tuple[float, float], *, side: bool
    ) -> int:
        self._kind.append(kind)
        self._node.append(node)
        self._rows.append(row)
        self._size.append(size)
        self._side.append(side)
        return len(self._kind) - 1

    def _incoming(self, node: Node) -> None:
        box = self._box_of.get(node.id)
        if box is None:
            return
        captured = self._model.captures(node) if node.bodies else ()
        for name in (*node.inputs, *captured):
            if name:
                self._edge(name, box)

    def _edge(self, name: str, target: int) -> None:
        source = self._source_of.get(name)
        if source is not None and source != target:
            self._edges[(source, target, self._values.setdefault(name, len(self._values)))] = None

    def _scene(self) -> Scene:
        columns = tuple(zip(*self._rows, strict=True)) if self._rows else ((),) * 6
        edges = np.array(list(self._edges), dtype=np.int64).reshape(-1, 3)
        size = np.array(self._size, dtype=np.float64).reshape(-1, 2)
        described = [self._value_text(name) for name in self._values]
        return Scene(
            graph=self._graph.index,
            kind=np.array(self._kind, dtype=np.int64),
            node=np.array(self._node, dtype=np.int64),
            title=columns[0],
            fact=columns[1],
            name=columns[2],
            label=columns[3],
            attributes=columns[4],
            short=columns[5],
            width=size[:, 0],
            height=size[:, 1],
            side=np.array(self._side, dtype=np.bool_),
            edge_source=edges[:, 0],
            edge_target=edges[:, 1],
            edge_value=edges[:, 2],
            edge_known=np.array([described[v][1] for v in edges[:, 2]], dtype=np.bool_),
            edge_label=tuple(described[v][0] for v in edges[:, 2]),
            values=tuple(self._values),
            box_of=MappingProxyType(self._box_of),
            folded_into=MappingProxyType(self._folded_into()),
        )

    def _folded_into(self) -> dict[NodeId, int]:
        """Box of the first consumer of each hidden constant that has one on screen."""
        found: dict[NodeId, int] = {}
        for node in self._graph.nodes:
            if node.id not in self._box_of:
                boxes = (self._box_of.get(after.id) for after in self._model.successors(node))
                first = next((box for box in boxes if box is not None), None)
                if first is not None:
                    found[node.id] = first
        return found

    def _value_text(self, name: str) -> tuple[str, bool]:
        value = self._model.value(self._graph.index, name)
        known = shapes.static(value.shape) is not None
        text = shapes.text(value.shape)
        if value.dtype is not None and value.dtype is not self._main_dtype:
            text = f"{text} {value.dtype}"
        return text, known


def _main_dtype(model: Model, graph: Graph) -> DType | None:
    """Element type that most float values of the graph have; None when there is none."""
    counts: dict[DType, int] = {}
    for value in model.values[graph.index].values():
        if value.dtype is not None and value.dtype.is_float:
            counts[value.dtype] = counts.get(value.dtype, 0) + 1
    return max(counts, key=lambda d: counts[d]) if counts else None


class _Ruler:
    """Measures text with the fonts that the canvas paints with."""

    def __init__(self) -> None:
        self._title = QFontMetricsF(sized(Measure.TITLE_SIZE, weight=Measure.TITLE_WEIGHT))
        self._fact = QFontMetricsF(sized(Measure.FACT_SIZE, mono=True))
        self._name = QFontMetricsF(sized(Measure.NAME_SIZE, mono=True))
        self._attribute = QFontMetricsF(sized(Measure.ATTRIBUTE_SIZE, mono=True, weight=Measure.ATTRIBUTE_WEIGHT))
        self._titles: dict[str, float] = {}

    def mono(self, text: str) -> float:
        return self._name.horizontalAdvance(text)

    def elided(self, text: str, width: float) -> str:
        return text if self.mono(text) <= width else shortened(self._name, text, width)

    def box_width(self, title: str, fact: str, name: str, attributes: str) -> float:
        titled = self._titles.get(title)
        if titled is None:
            titled = self._titles[title] = self._title.horizontalAdvance(title)
        head = Measure.TITLE_X + titled + (16.0 + self._fact.horizontalAdvance(fact) if fact else 0.0)
        body = Measure.TEXT_X + max(self.mono(name), self._attribute.horizontalAdvance(attributes))
        # One pixel of slack: painted text may be wider than its measure by a rounding.
        return min(max(head + Measure.RIGHT, body + Measure.RIGHT, Measure.MIN_WIDTH), Measure.MAX_WIDTH) + 1.0
