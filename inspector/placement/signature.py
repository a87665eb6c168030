"""Signatures: what the clauses of all tables may ask of a node, in a form that is quickly made and compared.

Nodes with equal signatures are judged alike on every target, so signatures are found once per model and shared.
"""

from collections.abc import Hashable, Sequence
from collections.abc import Set as AbstractSet

from inspector.model.graph import MAIN, Graph, Model, Node
from inspector.placement.facts import parameter, parameter_names

_PLAIN = (int, float, str, tuple)
"""Types of attribute values that are compared; tensors and graphs are not asked about."""


class Briefs:
    """The values of one model as numbers: equal numbers mean that clauses cannot tell two values apart."""

    def __init__(self, model: Model, constants: Sequence[AbstractSet[str]], numbers: dict[Hashable, int]) -> None:
        """Read *model*.

        Args:
            model: whose nodes will be signed.
            constants: per graph, values known before run time.
            numbers: numbers given so far; new ones are added. Models whose signatures are compared share them.
        """
        self.model = model
        self.constants = constants
        self.of: list[dict[str, int]] = [{"": -1} for _ in model.graphs]
        self.added = [_added(graph, known) for graph, known in zip(model.graphs, constants, strict=True)]
        self.outputs = frozenset(model.main.outputs) - {""}
        self._numbers = numbers

    def number(self, graph: int, name: str) -> int:
        """Number of value *name* as seen from *graph*."""
        found = self.of[graph].get(name)
        if found is None:
            value = self.model.value(graph, name)
            sizes = None
            if value.shape is not None:
                sizes = tuple([dim.symbol if dim.size is None else dim.size for dim in value.shape])
            key = (value.dtype, sizes, name in self.constants[graph])
            found = self.of[graph][name] = self._numbers.setdefault(key, len(self._numbers))
        return found


def signature(model: Model, node: Node, briefs: Briefs) -> Hashable:
    """What a clause of any table may ask of *node*, flags about its surroundings included.

    Nodes of models that say the same about who wrote them (`producer_name`) and have equal signatures are judged alike
    on a target, unless they are asked to compute in different formats. *briefs* are those of *model*.
    """
    op, graph, inputs, outputs = node.op, node.graph, node.inputs, node.outputs
    of = briefs.of[graph]
    operands = [of[name] if name in of else briefs.number(graph, name) for name in inputs]
    operands += [of[name] if name in of else briefs.number(graph, name) for name in outputs]
    attributes: Hashable = None
    if node.attributes:
        items = sorted(node.attributes.items())
        attributes = tuple([(name, value if isinstance(value, _PLAIN) else None) for name, value in items])
    names = parameter_names(op)
    given = tuple([str(parameter(model, node, i + 1)) for i in range(len(names))]) if names else None
    shortcut = not briefs.added[graph].isdisjoint(outputs)
    final = graph == MAIN and not briefs.outputs.isdisjoint(outputs)
    return op.domain, op.name, op.version, attributes, len(inputs), tuple(operands), given, shortcut, final


def _added(graph: Graph, constants: AbstractSet[str]) -> frozenset[str]:
    """Values that an Add of computed tensors reads."""
    adds = [node.inputs for node in graph.nodes if node.op.name == "Add" and constants.isdisjoint(node.inputs)]
    return frozenset([name for inputs in adds for name in inputs if name])
