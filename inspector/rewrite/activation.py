"""What rules of activations share: an operator with one float input and its number attributes."""

from inspector.model.graph import Model, Node
from inspector.rewrite.pattern import Answers, is_wide_float, refuse_place
from inspector.rewrite.rule import Refusal


def look_activation(model: Model, node: Node, op: str, answers: Answers) -> Refusal | None:
    """Why *node* is no float32 or float64 operator *op* that a rule may rewrite; None when it is."""
    if node.op.domain or node.op.name != op or not node.inputs or not node.inputs[0] or not node.outputs:
        return answers.other()
    refusal = refuse_place(model, answers)
    if refusal is not None:
        return refusal
    dtype = model.value(node.graph, node.inputs[0]).dtype
    return None if is_wide_float(dtype) else answers.refuse("narrow_float", dtype)
