"""Signatures: what the clauses of all tables may ask of a node, in a form that is quickly made and compared.

Nodes with equal signatures are judged alike on every target, so signatures are found once per model and shared.
"""

from collections.abc import Hashable, Sequence
from collections.abc import Set as AbstractSet
from functools import partial

from inspector.model.graph import MAIN, Graph, Model, Node
from inspector.placement.facts import parameter, parameter_names, zeros

_PLAIN = (int, float, str, tuple)
"""Types of attribute values that are compared; tensors and graphs are not asked about."""


class _Numbers(dict[str, int]):
    """Value of one graph -> its number, found when it is first asked for."""

    def __init__(self, model: Model, graph: int, constants: AbstractSet[str], known: dict[Hashable, int]) -> None:
        super().__init__({"": -1})
        self._values, self._own = partial(model.value, graph), model.values[graph]
        self._constants = constants
        self._known = known

    def __missing__(self, name: str) -> int:
        value = self._own.get(name) or self._values(name)
        sizes = None
        if value.shape is not None:
            sizes = tuple([dim.symbol if dim.size is None else dim.size for dim in value.shape])
        key = (value.dtype, sizes, name in self._constants)
        number = self[name] = self._known.setdefault(key, len(self._known))
        return number


class Briefs:
    """The values of one model as numbers: equal numbers mean that clauses cannot tell two values apart.

    Attributes:
        numbers: per graph, the number of a value by its name; -1 for one that is left out.
        added: per graph, values that an Add of computed tensors reads.
        outputs: outputs of the model.
        turned: per graph, values that a Transpose computes.
        turning: per graph, values that nothing but Transposes reads and that are no outputs.
    """

    def __init__(self, model: Model, constants: Sequence[AbstractSet[str]], known: dict[Hashable, int]) -> None:
        """Read *model*.

        Args:
            model: whose nodes will be signed.
            constants: per graph, values known before run time.
            known: numbers given so far; new ones are added. Models whose signatures are compared share them.
        """
        graphs = list(zip(model.graphs, constants, strict=True))
        self.numbers = [_Numbers(model, graph.index, constant, known) for graph, constant in graphs]
        self.added = [_added(graph, constant) for graph, constant in graphs]
        self.outputs = frozenset(model.main.outputs) - {""}
        around = [_around_transposes(model, graph) for graph in model.graphs]
        self.turned, self.turning = [made for made, _ in around], [read for _, read in around]


def signature(model: Model, node: Node, briefs: Briefs) -> Hashable:
    """What a clause of any table may ask of *node*, flags about its surroundings included.

    Nodes of models that say the same about who wrote them (`producer_name`) and have equal signatures are judged alike
    on a target, unless they are asked to compute in different formats. *briefs* are those of *model*.
    """
    op, graph, inputs, outputs = node.op, node.graph, node.inputs, node.outputs
    number = briefs.numbers[graph].__getitem__
    attributes: Hashable = None
    if node.attributes:
        items = sorted(node.attributes.items())
        attributes = tuple([(name, value if isinstance(value, _PLAIN) else None) for name, value in items])
    names = parameter_names(op)
    given = tuple([str(parameter(model, node, i + 1)) for i in range(len(names))]) if names else None
    shortcut = not briefs.added[graph].isdisjoint(outputs)
    final = graph == MAIN and not briefs.outputs.isdisjoint(outputs)
    between = bool(inputs and outputs) and inputs[0] in briefs.turned[graph] and outputs[0] in briefs.turning[graph]
    operands = tuple(map(number, inputs)), tuple(map(number, outputs))
    flags = shortcut, final, between
    return op.domain, op.name, op.version, attributes, operands, given, flags, zeros(model, node)


def _around_transposes(model: Model, graph: Graph) -> tuple[frozenset[str], frozenset[str]]:
    """Values that a Transpose computes, and values that nothing but Transposes reads and that are no outputs."""
    transposes = [node for node in graph.nodes if node.op.name == "Transpose" and not node.op.domain]
    if not transposes:
        return frozenset(), frozenset()
    made = frozenset([node.outputs[0] for node in transposes if node.outputs and node.outputs[0]])
    read = {name for node in transposes for name in node.inputs if name}
    others = [node for node in graph.nodes if node.op.name != "Transpose" or node.op.domain]
    captured = [model.captures(node) for node in others if node.bodies]
    return made, frozenset(read.difference(graph.outputs, *(node.inputs for node in others), *captured))


def _added(graph: Graph, constants: AbstractSet[str]) -> frozenset[str]:
    """Values that an Add of computed tensors reads."""
    adds = [node.inputs for node in graph.nodes if node.op.name == "Add" and constants.isdisjoint(node.inputs)]
    return frozenset([name for inputs in adds for name in inputs if name])
