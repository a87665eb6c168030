"""Folding: nodes that are not there at run time.

`FOLDED` is only what the toolchain computes before run time (constants, shape arithmetic on static shapes) or removes
because it does nothing (Dropout at inference, Identity, a Cast to the type it already has). Shape arithmetic that
cannot be computed, because a size is not known, stays UNKNOWN: its integers never run on the BPU.
"""

from dataclasses import dataclass, field

from inspector.model.dtype import from_onnx
from inspector.model.graph import MAIN, Graph, GraphKind, Model, Node, NodeId
from inspector.model.shape import static
from inspector.placement.context import FOLDED, Draft, Entry, Start, Structure, worst
from inspector.placement.context_facts import ContextFacts, Fact
from inspector.placement.verdict import Because, Standing, Verdict
from inspector.placement.wires import Wires

_RANDOM = frozenset(
    {"RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike", "Multinomial", "Bernoulli"}
)
_SHAPE_READERS = frozenset({"Shape", "Size"})
_SPECIAL = _SHAPE_READERS | {"Constant"}


def structure_of(model: Model, facts: ContextFacts) -> Structure:
    """What folds in *model* under *facts*, and who feeds whom once it is gone."""
    no_op, shape = facts.get("fold-no-op"), facts.get("fold-shape")
    folding = _Folding(
        model,
        constants=facts.get("fold-constant") is not None,
        no_ops=frozenset() if no_op is None else no_op.ops,
        shapes=shape is not None,
    )
    for graph in model.graphs:
        folding.visit(graph)
    known = tuple(frozenset(folding.known[graph.index].difference({""})) for graph in model.graphs)
    wires = tuple(Wires(model, graph, known[graph.index], folding.folded) for graph in model.graphs)
    return Structure(known, folding.folded, frozenset(folding.open_shapes), wires)


def fold(draft: Draft) -> None:
    """Write what `structure_of` found into what is decided before the passes."""
    starts, entries = draft.entries.starts, draft.entries
    made = {}
    for name in frozenset(draft.structure.folded.values()):
        fact = draft.facts.get(name)
        if fact is not None:
            because = Because("fold", fact.text, None, fact.source)
            made[name] = Start(FOLDED, Verdict.FOLDED, fact.source.standing, (because,))
    starts.update({key: made[name] for key, name in draft.structure.folded.items() if name in made})
    shape = draft.facts.get("fold-shape")
    if shape is None:
        return
    opened: dict[Start, Start] = {}
    for key in draft.structure.open_shapes:
        if key in entries:
            _leave_open(entries[key], shape)
            continue
        start = starts[key]
        if start not in opened:
            entry = Entry(draft.model.node(key), start)
            _leave_open(entry, shape)
            opened[start] = Start(start.local, entry.verdict, entry.standing, entry.because)
        starts[key] = opened[start]


@dataclass
class _Folding:
    """One walk over all graphs, enclosing graphs first.

    Attributes:
        model: what is walked.
        constants: whether constants are computed before run time.
        no_ops: operators that may do nothing.
        shapes: whether shape arithmetic is looked at.
        known: graph -> values known before run time.
        folded: node -> folding pass that removes it.
        open_shapes: nodes of shape arithmetic that stay.
    """

    model: Model
    constants: bool
    no_ops: frozenset[str]
    shapes: bool
    known: dict[int, set[str]] = field(default_factory=dict)
    folded: dict[NodeId, str] = field(default_factory=dict)
    open_shapes: set[NodeId] = field(default_factory=set)

    def visit(self, graph: Graph) -> None:
        """Fold the nodes of one graph."""
        known = set(graph.initializers) - graph.overridable
        known.add("")  # an input or output that is left out stands in no node's way
        known.update(self.model.constants[graph.index])
        if graph.parent is not None:
            local = {*graph.inputs, *(name for node in graph.nodes for name in node.outputs)}
            known |= self.known[graph.parent] - local
        self.known[graph.index] = known
        pending: set[str] = set()
        special = _SPECIAL | self.no_ops
        for node in graph.nodes:
            inputs, outputs = node.inputs, node.outputs
            if node.op.name in special or not (inputs and outputs):
                self._visit(node, known, pending)
            elif inputs[0] not in known and outputs[0] not in known and inputs[0] not in pending:
                continue  # computed from what is computed at run time, as nearly all nodes are
            else:
                self._visit(node, known, pending)

    def _visit(self, node: Node, known: set[str], pending: set[str]) -> None:
        if self.constants and _is_constant(self.model, node, known):
            self.folded[node.id] = "fold-constant"
            known.update(name for name in node.outputs if name)
        elif node.op.name == "Constant":
            known.update(node.outputs)
        elif node.op.name in self.no_ops and _does_nothing(self.model, node):
            self.folded[node.id] = "fold-no-op"
            if node.inputs[0] in pending:
                pending.add(node.outputs[0])
        elif self.shapes and (pending or node.op.name in _SHAPE_READERS) and _is_shape_arithmetic(node, known, pending):
            self.open_shapes.add(node.id)
            pending.update(name for name in node.outputs if name)


def _is_constant(model: Model, node: Node, known: set[str]) -> bool:
    if node.op.domain or node.bodies or node.op.name in _RANDOM:
        return False
    if node.op.name == "Constant":
        return True
    if known.issuperset(node.outputs) and any(node.outputs):
        return True
    if node.op.name in _SHAPE_READERS:
        return bool(node.inputs) and static(model.value(node.graph, node.inputs[0]).shape) is not None
    return known.issuperset(node.inputs) and any(node.inputs)


def _does_nothing(model: Model, node: Node) -> bool:
    if node.op.domain or not node.inputs or not node.inputs[0]:
        return False
    if node.op.name == "Cast":
        code = node.attributes.get("to")
        dtype = model.value(node.graph, node.inputs[0]).dtype
        return isinstance(code, int) and dtype is not None and from_onnx(code) is dtype
    if node.op.name == "Dropout":
        mask_used = len(node.outputs) > 1 and bool(node.outputs[1])
        mask_used = mask_used and bool(
            model.consumers(node.graph, node.outputs[1]) or model.is_output(node.graph, node.outputs[1])
        )
        return not mask_used and not _may_train(model, node)
    return True


def _may_train(model: Model, node: Node) -> bool:
    """Whether a Dropout's `training_mode` input may be true."""
    if len(node.inputs) < 3 or not node.inputs[2]:
        return False
    value = model.constant(node.graph, node.inputs[2])
    return value is None or bool(value.any())


def _is_shape_arithmetic(node: Node, known: set[str], pending: set[str]) -> bool:
    if node.op.domain or node.bodies:
        return False
    if node.op.name in _SHAPE_READERS:
        return True
    open_inputs = [name for name in node.inputs if name not in known]
    return bool(open_inputs) and pending.issuperset(open_inputs)


def _leave_open(entry: Entry, fact: Fact) -> None:
    verdict = worst(entry.verdict, Verdict.UNKNOWN)
    if verdict is not entry.verdict:
        entry.verdict = verdict
        entry.standing = Standing.INFERRED
    entry.explain("fold", fact.text, None, fact)


def placed_alone(graph: Graph) -> bool:
    """Whether nodes of *graph* are placed by themselves (main graph, functions), not with a control-flow node."""
    return graph.index == MAIN or graph.kind is GraphKind.FUNCTION
