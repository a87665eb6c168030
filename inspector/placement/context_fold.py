"""Folding: nodes that are not there at run time.

`FOLDED` is only what the toolchain computes before run time (constants, shape arithmetic on static shapes) or removes
because it does nothing (Dropout at inference, Identity, a Cast to the type it already has). Shape arithmetic that
cannot be computed, because a size is not known, stays UNKNOWN: its integers never run on the BPU.
"""

from inspector.model.dtype import from_onnx
from inspector.model.graph import MAIN, Graph, GraphKind, Node
from inspector.model.shape import static
from inspector.placement.context import Draft, Entry, worst
from inspector.placement.context_facts import Fact
from inspector.placement.verdict import Standing, Verdict

_RANDOM = frozenset(
    {"RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike", "Multinomial", "Bernoulli"}
)
_SHAPE_READERS = frozenset({"Shape", "Size"})


def fold(draft: Draft) -> None:
    """Mark folded nodes of every graph and note the values known before run time in `draft.constants`."""
    draft.constants = [frozenset()] * len(draft.model.graphs)
    for graph in draft.model.graphs:
        _fold_graph(draft, graph)


def _fold_graph(draft: Draft, graph: Graph) -> None:
    known = set(graph.initializers) - graph.overridable
    known.update(draft.model.constants[graph.index])
    if graph.parent is not None:
        local = {*graph.inputs, *(name for node in graph.nodes for name in node.outputs)}
        known |= draft.constants[graph.parent] - local
    constant, no_op, shape = (draft.facts.get(name) for name in ("fold-constant", "fold-no-op", "fold-shape"))
    pending: set[str] = set()
    for node in graph.nodes:
        entry = draft.entries[node.id]
        if constant is not None and _is_constant(draft, node, known):
            entry.decide(Verdict.FOLDED, constant)
            known.update(name for name in node.outputs if name)
        elif no_op is not None and node.op.name in no_op.ops and _does_nothing(draft, node):
            entry.decide(Verdict.FOLDED, no_op)
            if node.inputs[0] in pending:
                pending.add(node.outputs[0])
        elif shape is not None and _is_shape_arithmetic(node, known, pending):
            pending.update(name for name in node.outputs if name)
            _leave_open(entry, shape)
    draft.constants[graph.index] = frozenset(known)


def _is_constant(draft: Draft, node: Node, known: set[str]) -> bool:
    if node.op.domain or node.bodies or node.op.name in _RANDOM:
        return False
    if node.op.name == "Constant":
        return True
    outputs = [name for name in node.outputs if name]
    if outputs and all(name in known for name in outputs):
        return True
    inputs = [name for name in node.inputs if name]
    if not inputs:
        return False
    if node.op.name in _SHAPE_READERS:
        return static(draft.model.value(node.graph, inputs[0]).shape) is not None
    return all(name in known for name in inputs)


def _does_nothing(draft: Draft, node: Node) -> bool:
    model = draft.model
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
        return not mask_used and not _may_train(draft, node)
    return True


def _may_train(draft: Draft, node: Node) -> bool:
    """Whether a Dropout's `training_mode` input may be true."""
    if len(node.inputs) < 3 or not node.inputs[2]:
        return False
    value = draft.model.constant(node.graph, node.inputs[2])
    return value is None or bool(value.any())


def _is_shape_arithmetic(node: Node, known: set[str], pending: set[str]) -> bool:
    if node.op.domain or node.bodies:
        return False
    if node.op.name in _SHAPE_READERS:
        return True
    open_inputs = [name for name in node.inputs if name and name not in known]
    return bool(open_inputs) and all(name in pending for name in open_inputs)


def _leave_open(entry: Entry, fact: Fact) -> None:
    verdict = worst(entry.verdict, Verdict.UNKNOWN)
    if verdict is not entry.verdict:
        entry.verdict = verdict
        entry.standing = Standing.INFERRED
    entry.explain("fold", fact.text, None, fact)


def placed_alone(graph: Graph) -> bool:
    """Whether nodes of *graph* are placed by themselves (main graph, functions), not with a control-flow node."""
    return graph.index == MAIN or graph.kind is GraphKind.FUNCTION
