"""A node that changes nothing is taken away.

What it does:
    Whoever reads its output reads its input instead. When its output is an output of the graph, the node before makes
    the value under that name.

When it applies:
    Identity; Dropout in inference whose mask nobody reads; Cast to the type that the value has; Pad of no element;
    Slice, Reshape, Squeeze, Unsqueeze, Flatten and Expand that keep all sizes; Transpose in order; Tile once; Concat of
    one value. No reader has a body, and an output of the graph comes from a node whose output is none itself.

Why it is equivalent:
    The output is the input, element by element.

Safety:
    EXACT.

Costs:
    None.

Source:
    ONNX operators as named.
"""

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.pattern import Answers, refuse_place
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.rewrite.shaping import NOTHING, bypass, does_nothing, readers
from inspector.text import say

_ID = "drop-noop"


class DropNoop:
    """Takes a node away that does nothing."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = NOTHING
    fixes = frozenset(
        {"identity.*", "dropout.*", "cast.*", "pad.*", "slice.*", "reshape.*", "transpose.*", "expand.*", "tile.*"}
        | {"squeeze.*", "unsqueeze.*", "flatten.*", "concat.*"}
    )
    safety = Safety.EXACT
    limit = None
    variants = (Variant("drop", say(f"rewrite.{_ID}.variant.drop")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        if (
            not node.outputs
            or not node.outputs[0]
            or not node.inputs
            or not node.inputs[0]
            or not does_nothing(model, node)
        ):
            return answers.other()
        refusal = refuse_place(model, answers)
        if refusal is not None:
            return refusal
        source, made = node.inputs[0], node.outputs[0]
        changed = readers(model, node.graph, made, answers)
        if isinstance(changed, Refusal):
            return changed
        if model.is_output(node.graph, made):
            producer = model.producer(node.graph, source)
            if producer is None or producer.bodies or model.is_output(node.graph, source):
                return answers.refuse("noop_output", made)
            others = readers(model, node.graph, source, answers)
            if isinstance(others, Refusal):
                return others
            changed = (producer.id, *(n for n in others if n != node.id))
        answers.holds("noop", node.op)
        return answers.match(
            ("drop",), {}, *(n.id for n in model.graphs[node.graph].nodes if n.id in {node.id, *changed})
        )

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        bypass(editor, editor.model.node(match.anchor))
