"""Cut a rewrite out of its model: the matched nodes and their replacement as two small models with one boundary."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import onnx
from onnx import numpy_helper

from inspector.model.graph import Model, Node, NodeId, Value
from inspector.model.infer import value_info
from inspector.model.save import for_each_tensor
from inspector.model.tensors import location_of
from inspector.text import Message, say
from inspector.verify.feeds import InputSpec, input_specs
from inspector.verify.structure import Probe, probes, same_node

_WIDEN_LIMIT = 64


@dataclass(frozen=True)
class Fragment:
    """Two small models.

    Attributes:
        before: the matched nodes, weights inline.
        after: their replacement, likewise.
        specs: what to feed; both models have these inputs.
        outputs: tensors that both compute and that are read outside.
        probes_before: activations among the matched nodes; their inputs are exposed.
        probes_after: activations of the replacement.
    """

    before: onnx.ModelProto
    after: onnx.ModelProto
    specs: tuple[InputSpec, ...]
    outputs: tuple[str, ...]
    probes_before: tuple[Probe, ...]
    probes_after: tuple[Probe, ...]


def cut(before: Model, after: Model, removed: Sequence[NodeId], added: Sequence[NodeId]) -> Fragment | Message:
    """The fragment of a rewrite, or the reason why there is none.

    Nodes that stay but read other tensors or other weights belong to both sides; so do kept producers of a tensor that
    only one side reads, because two related tensors must not be fed independently.

    Raises:
        TensorDataError: a weight cannot be read.
    """
    graphs = {before.node(n).graph for n in removed} | {after.node(n).graph for n in added}
    if len(graphs) > 1:
        return say("verify.fragment_graphs")
    graph = graphs.pop() if graphs else 0
    kept = _modified(before, after, graph)
    old = _Region(before, graph, [*removed, *kept])
    new = _Region(after, graph, [*added, *kept])
    _widen(old, new)
    outputs = tuple(o for o in old.outputs() if o in new.produced)
    lost = [o for o in old.outputs() if o not in new.produced]
    if lost:
        return say("verify.fragment_output", tensor=lost[0])
    if not outputs:
        return say("verify.fragment_no_output")
    return _build(old, new, outputs)


def _build(old: "_Region", new: "_Region", outputs: tuple[str, ...]) -> Fragment | Message:
    own = old.inputs()
    specs = input_specs(old.model, names=own, graph=old.graph)
    extra = [name for name in new.inputs() if name not in set(own)]
    more = input_specs(new.model, names=extra, graph=new.graph)
    if isinstance(specs, Message):
        return specs
    if isinstance(more, Message):
        return more
    feeds = {spec.name: new.model.value(new.graph, spec.name) for spec in more}
    feeds |= {spec.name: old.model.value(old.graph, spec.name) for spec in specs}
    watch = tuple(probes(region.model, region.nodes) for region in (old, new))
    protos = [
        region.proto(feeds, outputs, [p.source for p in found]) for region, found in zip((old, new), watch, strict=True)
    ]
    return Fragment(protos[0], protos[1], (*specs, *more), outputs, *watch)


class _Region:
    """Some nodes of one graph."""

    def __init__(self, model: Model, graph: int, ids: Iterable[NodeId]) -> None:
        self.model = model
        self.graph = graph
        self._ids = set(ids)
        self._refresh()

    def _refresh(self) -> None:
        self.nodes = tuple(n for n in self.model.graphs[self.graph].nodes if n.id in self._ids)
        self.produced = frozenset(o for n in self.nodes for o in n.outputs if o)

    def add(self, node: Node) -> None:
        """Take in one more node."""
        self._ids.add(node.id)
        self._refresh()

    def read(self) -> tuple[str, ...]:
        """Names read but not produced here, constants included, without repeats."""
        names = (i for n in self.nodes for i in (*n.inputs, *self.model.captures(n)))
        return tuple(dict.fromkeys(i for i in names if i and i not in self.produced))

    def inputs(self) -> tuple[str, ...]:
        """Names that must be fed."""
        return tuple(i for i in self.read() if not self.model.is_constant(self.graph, i))

    def outputs(self) -> tuple[str, ...]:
        """Names that are read outside or are outputs of the graph."""
        return tuple(o for n in self.nodes for o in n.outputs if o and self._leaves(o))

    def _leaves(self, name: str) -> bool:
        readers = self.model.consumers(self.graph, name)
        return self.model.is_output(self.graph, name) or any(n.id not in self._ids for n in readers)

    def proto(self, feeds: Mapping[str, Value], outputs: Sequence[str], exposed: Sequence[str]) -> onnx.ModelProto:
        """The nodes as a model with weights inline and the inputs *feeds*."""
        model = self.model
        proto = onnx.ModelProto(ir_version=model.ir_version or 8)
        proto.opset_import.extend(model.shell.opset_import)
        proto.functions.extend(model.shell.functions)
        graph = proto.graph
        graph.name = "fragment"
        graph.node.extend(n.proto for n in self.nodes)
        graph.input.extend(value_info(value) for value in feeds.values())
        names = [*outputs, *(e for e in exposed if e in self.produced)]
        graph.output.extend(_typed(model.value(self.graph, name)) for name in dict.fromkeys(names))
        for name in self.read():
            if name not in feeds:
                graph.initializer.append(self._constant(name))

        def inline(tensor: onnx.TensorProto) -> None:
            if location_of(tensor) is not None:
                tensor.CopyFrom(model.tensors.full_tensor(tensor))

        for_each_tensor(proto, inline)
        return proto

    def _constant(self, name: str) -> onnx.TensorProto:
        tensor = onnx.TensorProto()
        known = self.model.constant_tensor(self.graph, name)
        if known is not None:
            tensor.CopyFrom(known)
        else:
            array = self.model.constant(self.graph, name)
            if array is None:
                raise KeyError(name)
            tensor = numpy_helper.from_array(array)
        tensor.name = name
        return tensor


def _typed(value: Value) -> onnx.ValueInfoProto:
    """Output declaration: the dtype where it is known, never a shape, which the runtime finds out by itself."""
    return value_info(Value(value.name, value.dtype))


def _modified(before: Model, after: Model, graph: int) -> tuple[NodeId, ...]:
    """Nodes that both models have but that differ: other inputs, outputs or attributes, or another constant."""
    old = {n.id: n for n in before.graphs[graph].nodes}
    weights = before.graphs[graph].initializers, after.graphs[graph].initializers
    replaced = {
        name for name, tensor in weights[1].items() if name in weights[0] and _differs(weights[0][name], tensor)
    }
    found = []
    for node in after.graphs[graph].nodes:
        twin = old.get(node.id)
        if twin is not None and (not same_node(twin, node) or not replaced.isdisjoint(node.inputs)):
            found.append(node.id)
    return tuple(found)


def _differs(a: onnx.TensorProto, b: onnx.TensorProto) -> bool:
    return a is not b and a != b


def _widen(old: _Region, new: _Region) -> None:
    """Take kept producers of one-sided inputs into both regions, a bounded number of times."""
    for _ in range(_WIDEN_LIMIT):
        one_sided = set(old.inputs()) ^ set(new.inputs())
        pairs = (
            (old.model.producer(old.graph, name), new.model.producer(new.graph, name)) for name in sorted(one_sided)
        )
        pair = next(((a, b) for a, b in pairs if a is not None and b is not None and a.id == b.id), None)
        if pair is None:
            return
        old.add(pair[0])
        new.add(pair[1])
