"""`Editor`: the only way to make a changed Model.

A change is collected, then `finish` makes a new Model that shares the untouched nodes and the `TensorStore`, after
checking what every rewrite must keep. The model that the editor was made from is never touched.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType
from typing import NoReturn, TypeVar

import numpy as np
import numpy.typing as npt
import onnx
from onnx import defs, helper, numpy_helper

from inspector.errors import RewriteError, WorkerError
from inspector.model.bodies import refreshed
from inspector.model.build import make_node, tensor_value
from inspector.model.graph import MAIN, Model, Node, NodeId, Value
from inspector.model.infer import ShapeRunner, infer_fragment
from inspector.model.order import sort_topologically
from inspector.model.shape import Shape, text
from inspector.text import Message, say
from inspector.worker.client import InProcessRunner

_T = TypeVar("_T")

RULE_KEY = "inspector.rule"
"""metadata_props key of a node that a rewrite made: id of the rule."""

FROM_KEY = "inspector.from"
"""metadata_props key of a node that a rewrite made: label of the node it stands for."""

_FIRST_IR_WITH_FREE_INITIALIZERS = 4
"""Before IR version 4 every initializer must be a graph input too (onnx IR specification)."""


class Editor:
    """Collects a change of one graph and gives a new Model.

    Args:
        model: model to start from.
        graph: index of the graph to change.
        rule: id of the rule that makes the change; new nodes are named after it.
        runner: where onnx infers the shapes of the new nodes; in this process by default.
    """

    def __init__(
        self, model: Model, graph: int = MAIN, *, rule: str = "edit", runner: ShapeRunner | None = None
    ) -> None:
        self.model = model
        self.graph = graph
        self.rule = rule
        self._runner: ShapeRunner = runner or InProcessRunner()
        self._protos: list[onnx.NodeProto] = []
        self._removed: dict[NodeId, Node] = {}
        self._tensors: dict[str, onnx.TensorProto] = {}
        self._given: set[str] = set()

    @property
    def opset(self) -> int:
        """Version of ONNX's own operators in the model; a rule never raises it."""
        return self.model.opsets.get("", 1)

    def node(
        self,
        op_type: str,
        inputs: Sequence[str],
        outputs: int | Sequence[str] = 1,
        *,
        base: Node,
        role: str = "",
        domain: str = "",
        **attributes: object,
    ) -> tuple[str, ...]:
        """Add a node and give the names of its outputs.

        Args:
            op_type: operator.
            inputs: value names; `""` leaves an input out, trailing ones are dropped.
            outputs: how many outputs to make under new names, or the names (those of a removed node are kept this way).
            base: node that it stands for; its label, metadata and doc_string are taken over.
            role: last part of the new name; the operator when empty.
            domain: domain of the operator.
            attributes: ONNX attributes; None leaves one out.
        """
        name = self._fresh_node(f"{base.label}/rw/{self.rule}/{role or op_type}")
        if isinstance(outputs, int):
            outputs = [self._fresh_value(f"{name}_output_{i}") for i in range(outputs)]
        kept = list(inputs)
        while kept and not kept[-1]:
            kept.pop()
        proto = onnx.NodeProto(op_type=op_type, name=name, domain=domain, input=kept, output=outputs)
        proto.attribute.extend(
            helper.make_attribute(key, value) for key, value in sorted(attributes.items()) if value is not None
        )
        proto.doc_string = base.proto.doc_string
        metadata = {entry.key: entry.value for entry in base.proto.metadata_props}
        metadata.update({RULE_KEY: self.rule, FROM_KEY: base.label})
        for key, value in metadata.items():
            proto.metadata_props.add(key=key, value=value)
        self._protos.append(proto)
        return tuple(outputs)

    def tensor(self, array: npt.NDArray[np.generic], hint: str) -> str:
        """Add a constant and give its name, `<hint>__rw<k>`; a tensor of the model is never overwritten.

        It becomes an initializer, or a Constant node where the IR version lets no initializer stand by itself.
        """
        stem = hint.rpartition("__rw")[0] if hint.rpartition("__rw")[2].isdigit() else hint
        number = 0
        while self._is_value(f"{stem}__rw{number}"):
            number += 1
        name = f"{stem}__rw{number}"
        self._given.add(name)
        tensor = self.model.tensors.add_array(name, array)
        if self.model.ir_version >= _FIRST_IR_WITH_FREE_INITIALIZERS:
            self._tensors[name] = tensor
            return name
        proto = onnx.NodeProto(op_type="Constant", name=self._fresh_node(f"{name}/Constant"), output=[name])
        proto.attribute.append(helper.make_attribute("value", tensor))
        proto.metadata_props.add(key=RULE_KEY, value=self.rule)
        self._protos.append(proto)
        return name

    def remove(self, node_id: NodeId) -> None:
        """Take a node away. Its outputs that others read must be made again by new nodes under the same names."""
        node = self.model.node(node_id)
        if node.graph != self.graph:
            self._broken("border", node=node.label)
        self._removed[node_id] = node

    def rewire(self, node_id: NodeId, names: Mapping[str, str]) -> None:
        """Let a node that stays read or make other values: *names* gives new value names for old ones.

        The node keeps its name, attributes and metadata, and says which rule touched it. Not for nodes with bodies,
        which read outer values by name.
        """
        node = self.model.node(node_id)
        self.remove(node_id)
        proto = onnx.NodeProto()
        proto.CopyFrom(node.proto)
        del proto.input[:], proto.output[:]
        proto.input.extend(names.get(name, name) for name in node.inputs)
        proto.output.extend(names.get(name, name) for name in node.outputs)
        kept = [(e.key, e.value) for e in proto.metadata_props if e.key not in (RULE_KEY, FROM_KEY)]
        del proto.metadata_props[:]
        for key, value in (*kept, (RULE_KEY, self.rule), (FROM_KEY, node.label)):
            proto.metadata_props.add(key=key, value=value)
        self._protos.append(proto)

    def finish(self) -> Model:
        """The changed model, with shapes and dtypes of the new values.

        New nodes stand where the last removed node stood. What only the removed nodes read goes too: initializers,
        constants, and nodes of shape chains. Everything else is the same object as before.

        Raises:
            RewriteError: the change breaks an invariant; the text names the rule and what was broken.
        """
        graph = self.model.graphs[self.graph]
        made = [
            make_node(proto, NodeId(self.model.next_id + offset), self.graph, self.model.opsets)
            for offset, proto in enumerate(self._protos)
        ]
        self._none_of("operator", [n.op.name for n in made if not n.op.domain and not defs.has(n.op.name, self.opset)])
        unused_tensors = self._drop_unused(made)
        self._check_names(made)
        order = self._ordered(graph.nodes, made)
        values = self._values(made, unused_tensors)
        initializers = {n: t for n, t in graph.initializers.items() if n not in unused_tensors} | self._tensors
        changed = replace(graph, nodes=order, initializers=MappingProxyType(initializers))
        gone = self.model.values[self.graph].keys() - values.keys()
        constants = {n: a for n, a in self.model.constants[self.graph].items() if n not in gone}
        after = replace(
            self.model,
            shell=self._shell(gone, unused_tensors),
            graphs=refreshed(_with(self.model.graphs, self.graph, changed), self.graph),
            values=_with(self.model.values, self.graph, MappingProxyType(values)),
            constants=_with(self.model.constants, self.graph, MappingProxyType(constants)),
            next_id=self.model.next_id + len(made),
        )
        if self.graph == MAIN:  # a change in a body changes the nodes around it, too
            after.take_over_indices(self.model, self.graph, self._removed.values(), made)
        return after

    @property
    def removed(self) -> tuple[NodeId, ...]:
        """Nodes that are gone after `finish`, in no particular order."""
        return tuple(self._removed)

    @cached_property
    def _node_names(self) -> set[str]:
        return {node.name for node in self.model.nodes}

    def _fresh_node(self, name: str) -> str:
        return self._fresh(name, lambda candidate: candidate in self._node_names)

    def _fresh_value(self, name: str) -> str:
        return self._fresh(name, self._is_value)

    def _fresh(self, name: str, taken: Callable[[str], bool]) -> str:
        candidate, number = name, 1
        while candidate in self._given or taken(candidate):
            number += 1
            candidate = f"{name}_{number}"
        self._given.add(candidate)
        return candidate

    def _is_value(self, name: str) -> bool:
        """Whether any graph of the model knows a value of that name; a body must not hide one of the main graph."""
        return name in self._given or any(
            name in self.model.values[graph.index]
            or name in graph.initializers
            or name in graph.inputs
            or self.model.producer(graph.index, name) is not None
            or self.model.consumers(graph.index, name)
            for graph in self.model.graphs
        )

    def _drop_unused(self, made: Iterable[Node]) -> frozenset[str]:
        """Remove nodes that fed nothing but removed ones; the initializers that nothing reads any more."""
        read = {name for node in made for name in node.inputs}
        graph = self.model.graphs[self.graph]
        waiting = [name for node in self._removed.values() for name in node.inputs if name]
        unused: set[str] = set()
        while waiting:
            name = waiting.pop()
            if name in read or self._read_elsewhere(name):
                continue
            producer = self.model.producer(self.graph, name)
            if name in graph.initializers and name not in graph.overridable:
                unused.add(name)
            elif (
                producer is not None
                and producer.id not in self._removed
                and not producer.bodies
                and not any(o in read or self._read_elsewhere(o) for o in producer.outputs if o)
            ):
                self._removed[producer.id] = producer
                waiting.extend(i for i in producer.inputs if i)
        return frozenset(unused)

    def _read_elsewhere(self, name: str) -> bool:
        return self.model.is_output(self.graph, name) or any(
            consumer.id not in self._removed for consumer in self.model.consumers(self.graph, name)
        )

    def _check_names(self, made: Sequence[Node]) -> None:
        """Every value that is read has one producer, and the graph's outputs are still there."""
        graph = self.model.graphs[self.graph]
        outputs = [name for node in made for name in node.outputs if name]
        lost = {name for node in self._removed.values() for name in node.outputs if name} - set(outputs)
        self._none_of("outputs", [name for name in graph.outputs if name in lost])
        self._none_of("dangling", sorted(name for name in lost if self._read_elsewhere(name)))
        known = {*outputs, *self._tensors, *(i for node in self._removed.values() for i in node.inputs)} - lost
        read = dict.fromkeys(name for node in made for name in node.inputs if name)
        self._none_of("dangling", [n for n in read if n not in known and (n in lost or not self._is_there(n))])
        twice = [name for name in outputs if outputs.count(name) > 1 or self._is_made_by_others(name)]
        self._none_of("two-producers", twice)

    def _is_there(self, name: str) -> bool:
        """Whether the graph, or one around it, makes or holds *name*; a sparse initializer is only a known value."""
        index: int | None = self.graph
        while index is not None:
            graph = self.model.graphs[index]
            if name in graph.inputs or name in graph.initializers or self.model.producer(index, name) is not None:
                return True
            index = graph.parent
        return name in self.model.values[self.graph]

    def _is_made_by_others(self, name: str) -> bool:
        graph = self.model.graphs[self.graph]
        producer = self.model.producer(self.graph, name)
        made = producer is not None and producer.id not in self._removed
        return made or name in graph.inputs or name in graph.initializers

    def _ordered(self, before: tuple[Node, ...], made: list[Node]) -> tuple[Node, ...]:
        """New nodes in the place of the last removed one; sorted again only where that breaks the order."""
        last = max((i for i, node in enumerate(before) if node.id in self._removed), default=len(before) - 1)
        head = [n for n in before[: last + 1] if n.id not in self._removed]
        nodes = [*head, *made, *before[last + 1 :]]
        later = {node.id for node in before[last + 1 :]}
        if self._in_order(made, later):
            return tuple(nodes)
        graph = self.model.graphs[self.graph]
        order, report = sort_topologically(nodes, {*graph.inputs, *graph.initializers, *self._tensors})
        self._none_of("order", report.get("model.cycle", ()))
        return order

    def _in_order(self, made: Sequence[Node], later: Set[NodeId]) -> bool:
        """Whether *made*, put before the nodes *later*, read only what is computed before and are read only after."""
        fresh: set[str] = set()
        remade = {name for node in made for name in node.outputs if name}
        for node in made:
            for name in node.inputs:
                producer = None if name in remade else self.model.producer(self.graph, name)
                if (name in remade and name not in fresh) or (producer is not None and producer.id in later):
                    return False
            fresh.update(node.outputs)
        readers = (reader for name in remade for reader in self.model.consumers(self.graph, name))
        return all(reader.id in later or reader.id in self._removed for reader in readers)

    def _none_of(self, invariant: str, names: Sequence[str]) -> None:
        if names:
            self._broken(invariant, names=", ".join(names[:5]))

    def _values(self, made: Sequence[Node], unused: frozenset[str]) -> dict[str, Value]:
        """What is known of each value after the change; the kept outputs must be what they were."""
        values = dict(self.model.values[self.graph])
        remaining = {name for node in made for name in node.outputs}
        for name in (*unused, *(o for node in self._removed.values() for o in node.outputs)):
            if name not in remaining:
                values.pop(name, None)
        values.update((name, tensor_value(tensor, name)) for name, tensor in self._tensors.items())
        for name, found in self._inferred(made).items():
            known = values.get(name)
            if known is not None and known.origin is not None:
                self._check_same(known, found)
            if known is None or known.dtype is None or _known_dims(found) > _known_dims(known):
                values[name] = found
        return values

    def _inferred(self, made: Sequence[Node]) -> Mapping[str, Value]:
        if not made:
            return {}
        known: dict[str, Value] = {}
        constants = dict(self._tensors)
        ours = {o for node in made for o in node.outputs}
        for name in dict.fromkeys(i for node in made for i in node.inputs if i and i not in ours):
            if name in constants:
                continue
            tensor = self.model.constant_tensor(self.graph, name)
            if tensor is None and self.model.is_constant(self.graph, name):
                tensor = numpy_helper.from_array(np.asarray(self.model.constant(self.graph, name)))
            if tensor is not None:
                constants[name] = _named(tensor, name)
            else:
                known[name] = self.model.value(self.graph, name)
        try:
            found = infer_fragment(self._protos, known, constants, self.model.opsets, self._runner)
        except WorkerError as error:
            reason = say("rewrite.invariant.inference", reason=str(error))
            raise RewriteError(say("rewrite.broken", rule=self.rule, invariant=reason)) from error
        kept = (self.model.value(self.graph, o) for node in self._removed.values() for o in node.outputs if o in ours)
        if all(value.shape is not None for value in (*known.values(), *kept)):
            ours = {o for node in made if not node.op.domain for o in node.outputs if o}
            self._none_of("no-shape", sorted(o for o in ours if o not in found or found[o].shape is None))
        return found

    def _check_same(self, known: Value, found: Value) -> None:
        if known.dtype is not None and found.dtype is not None and known.dtype is not found.dtype:
            self._broken("dtype", value=known.name, found=str(found.dtype), expected=str(known.dtype))
        if not _agree(known.shape, found.shape):
            self._broken("shape", value=known.name, found=text(found.shape), expected=text(known.shape))

    def _shell(self, gone: Iterable[str], unused: frozenset[str]) -> onnx.ModelProto:
        """The model's shell without the value_info of values that are *gone*.

        Where the IR version lists initializers among the inputs, the entries of the *unused* ones go too.
        """
        gone = frozenset(gone)
        before = self.model.shell.graph
        stale = any(info.name in gone for info in before.value_info)
        listed = any(info.name in unused for info in before.input)
        if self.graph != MAIN or not (stale or listed):
            return self.model.shell
        shell = onnx.ModelProto()
        shell.CopyFrom(self.model.shell)
        del shell.graph.value_info[:]
        shell.graph.value_info.extend(info for info in before.value_info if info.name not in gone)
        del shell.graph.input[:]
        shell.graph.input.extend(info for info in before.input if info.name not in unused)
        return shell

    def _broken(self, invariant: str, **args: object) -> NoReturn:
        reason: Message = say(f"rewrite.invariant.{invariant}", **args)
        raise RewriteError(say("rewrite.broken", rule=self.rule, invariant=reason))


def new_nodes(before: Model, after: Model, graph: int = MAIN) -> Iterator[Node]:
    """Nodes of *after* that *before*, from which it was edited, does not have; in topological order."""
    return (node for node in after.graphs[graph].nodes if node.id >= before.next_id)


def _with(items: tuple[_T, ...], index: int, item: _T) -> tuple[_T, ...]:
    return (*items[:index], item, *items[index + 1 :])


def _named(tensor: onnx.TensorProto, name: str) -> onnx.TensorProto:
    copy = onnx.TensorProto()
    copy.CopyFrom(tensor)
    copy.name = name
    return copy


def _known_dims(value: Value) -> int:
    return -1 if value.shape is None else sum(dim.size is not None for dim in value.shape)


def _agree(a: Shape | None, b: Shape | None) -> bool:
    if a is None or b is None:
        return True
    return len(a) == len(b) and all(
        x.size is None or y.size is None or x.size == y.size for x, y in zip(a, b, strict=True)
    )
