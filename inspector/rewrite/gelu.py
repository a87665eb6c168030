"""GELU: the operator, its spelling with Erf, and how its forms are built."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import pi, sqrt
from typing import cast

from inspector.model.edit import Editor
from inspector.model.graph import Model, Node, NodeId
from inspector.rewrite.arithmetic import number
from inspector.rewrite.chain import Chain
from inspector.rewrite.pattern import Answers, is_wide_float, near, needed_outside, refuse_place, scalar
from inspector.rewrite.rule import Match, Refusal, Safety, Variant

_STEPS = 4
"""Most Mul and Div nodes behind the Add of a spelling."""


@dataclass(frozen=True, slots=True)
class Gelu:
    """A GELU.

    Attributes:
        source: its input.
        output: its result.
        nodes: nodes that it consists of.
        tanh: whether it is the form with Tanh (attribute approximate), which is another function.
        spelled: whether it is spelled out, not the operator.
    """

    source: str
    output: str
    nodes: tuple[NodeId, ...]
    tanh: bool
    spelled: bool


def look_gelu(model: Model, node: Node, answers: Answers) -> Gelu | Refusal:
    """The GELU at *node*: the operator Gelu, or the Erf in the middle of `x * 0.5 * (1 + erf(x / sqrt 2))`."""
    if node.op.domain or node.op.name not in ("Gelu", "Erf") or len(node.inputs) != 1 or len(node.outputs) != 1:
        return answers.other()
    refusal = refuse_place(model, answers)
    if refusal is not None:
        return refusal
    dtype = model.value(node.graph, node.inputs[0]).dtype
    if not is_wide_float(dtype):
        return answers.refuse("narrow_float", dtype)
    if node.op.name == "Gelu":
        tanh = node.attributes.get("approximate", "none") == "tanh"
        return Gelu(node.inputs[0], node.outputs[0], (node.id,), tanh, spelled=False)
    return _spelled(model, node, answers)


def _spelled(model: Model, erf: Node, answers: Answers) -> Gelu | Refusal:
    scaled = model.producer(erf.graph, erf.inputs[0])
    argument = None if scaled is None else _times(model, scaled)
    if scaled is None or argument is None or not near(argument[1], 1 / sqrt(2)):
        return answers.refuse("gelu_argument", "" if argument is None else f"{argument[1]:.6g}")
    source = argument[0]
    nodes = [erf]
    plus = _sole_reader(model, erf)
    shift = None if plus is None or plus.op.name != "Add" else _beside(model, plus, erf.outputs[0])
    if plus is None or shift is None or not near(shift, 1.0):
        return answers.refuse("gelu_product", erf.label)
    nodes.append(plus)
    factor, times_source, last = 1.0, 0, plus
    for _ in range(_STEPS):
        if times_source == 1 and near(factor, 0.5):
            break
        reader = _sole_reader(model, last)
        if reader is None or reader.op.domain or reader.op.name not in ("Mul", "Div"):
            break
        step = _multiplied(model, reader, last.outputs[0], source)
        if step is None:
            break
        factor, times_source = factor * step[0], times_source + step[1]
        nodes += [*step[2], reader]
        last = reader
    if times_source != 1 or not near(factor, 0.5):
        return answers.refuse("gelu_product", f"{factor:g}")
    if needed_outside(model, scaled, frozenset({erf.id})) is None:
        nodes.append(scaled)
    found = {node.id for node in nodes}
    answers.holds("gelu_spelling", ", ".join(node.label for node in nodes))
    ordered = tuple(n.id for n in model.graphs[erf.graph].nodes if n.id in found)
    return Gelu(source, last.outputs[0], ordered, tanh=False, spelled=True)


def _sole_reader(model: Model, node: Node) -> Node | None:
    """The one node that reads the result of *node*; None when others do or it is an output of the graph."""
    readers = model.consumers(node.graph, node.outputs[0])
    if len(readers) != 1 or needed_outside(model, node, frozenset({readers[0].id})) is not None:
        return None
    return readers[0] if len(readers[0].outputs) == 1 else None


def _times(model: Model, node: Node) -> tuple[str, float] | None:
    """(value, factor) of a Mul or Div by one constant number."""
    if node.op.domain or node.op.name not in ("Mul", "Div") or len(node.inputs) != 2:
        return None
    left, right = node.inputs
    value = scalar(model, node.graph, right, left)
    if value is not None and (node.op.name == "Mul" or value != 0):
        return left, value if node.op.name == "Mul" else 1 / value
    value = scalar(model, node.graph, left, right) if node.op.name == "Mul" else None
    return None if value is None else (right, value)


def _beside(model: Model, node: Node, known: str) -> float | None:
    """The constant number that stands beside *known* in a node of two inputs."""
    if len(node.inputs) != 2 or known not in node.inputs:
        return None
    other = node.inputs[1] if node.inputs[0] == known else node.inputs[0]
    return scalar(model, node.graph, other, known)


def _multiplied(model: Model, node: Node, known: str, source: str) -> tuple[float, int, tuple[Node, ...]] | None:
    """What *node* multiplies *known* by: a number, how often the *source*, and further nodes that belong to it."""
    times = _times(model, node)
    if times is not None and times[0] == known:
        return times[1], 0, ()
    if node.op.name != "Mul" or len(node.inputs) != 2 or known not in node.inputs:
        return None
    other = node.inputs[1] if node.inputs[0] == known else node.inputs[0]
    if other == source:
        return 1.0, 1, ()
    half = model.producer(node.graph, other)
    inner = None if half is None else _times(model, half)
    if half is None or inner is None or inner[0] != source:
        return None
    own = (half,) if needed_outside(model, half, frozenset({node.id})) is None else ()
    return inner[1], 1, own


class GeluApproximation(ABC):
    """A rule that puts another function that stays near in the place of GELU; a rule adds its words and its error."""

    id: str
    limit: float
    variants: tuple[Variant, ...]
    anchors = frozenset({"Gelu", "Erf"})
    fixes = frozenset({"gelu.*", "erf.*"})
    safety = Safety.APPROXIMATE

    @staticmethod
    @abstractmethod
    def build(editor: Editor, node: Node, x: str, out: str) -> None:
        """Make the function of *x* under the name *out*."""

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(self.id, node)
        gelu = look_gelu(model, node, answers)
        if isinstance(gelu, Refusal):
            return gelu
        if gelu.tanh:
            return answers.refuse("gelu_tanh", "approximate = tanh")
        return answers.match((self.variants[0].id,), {"gelu": gelu}, *gelu.nodes)

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        gelu = cast("Gelu", match.bindings["gelu"])
        for node_id in gelu.nodes:
            editor.remove(node_id)
        self.build(editor, editor.model.node(match.anchor), gelu.source, gelu.output)


def build_erf(editor: Editor, node: Node, x: str, out: str) -> None:
    """`x * 0.5 * (1 + erf(x / sqrt 2))` under the name *out*."""
    model, chain = editor.model, Chain(editor, node, x)
    chain.op("Mul", number(chain, model, node, 1 / sqrt(2), x, "root_half"), role="Scale").op("Erf")
    chain.op("Add", number(chain, model, node, 1, x, "one"), role="Plus1")
    half = Chain(editor, node, x)
    half.op("Mul", number(half, model, node, 0.5, x, "half"), role="Half")
    chain.op("Mul", half.emit(), role="Product").emit(out)


def build_tanh(editor: Editor, node: Node, x: str, out: str) -> None:
    """`x * 0.5 * (1 + tanh(sqrt(2/pi) * (x + 0.044715 x^3)))` under the name *out*."""
    model, chain = editor.model, Chain(editor, node, x)
    chain.op("Mul", x, role="Square").op("Mul", number(chain, model, node, 0.044715, x, "cubic"), role="Cubic")
    chain.op("Add", number(chain, model, node, 1, x, "one"), role="Plus1").op("Mul", x, role="Argument")
    chain.op("Mul", number(chain, model, node, sqrt(2 / pi), x, "root"), role="Scale").op("Tanh")
    chain.op("Add", number(chain, model, node, 1, x, "one_more"), role="Plus1b")
    half = Chain(editor, node, x)
    half.op("Mul", number(half, model, node, 0.5, x, "half"), role="Half")
    chain.op("Mul", half.emit(), role="Product").emit(out)
