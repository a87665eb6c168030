"""Functions spelled out with simpler operators, at the end of a chain."""

from inspector.model.edit import Editor
from inspector.model.graph import Node
from inspector.rewrite.arithmetic import number
from inspector.rewrite.chain import Chain


def softplus(chain: Chain, editor: Editor, node: Node, x: str) -> Chain:
    """`relu(x) + log(1 + exp(-|x|))` of the value *x* that *chain* starts at; it never overflows."""
    positive = Chain(editor, node, x).op("Relu").emit()
    minus, one = (number(chain, editor.model, node, n, x, what) for n, what in ((-1, "minus_one"), (1, "one")))
    chain.op("Abs").op("Mul", minus, role="Negate").op("Exp").op("Add", one, role="Plus1").op("Log")
    return chain.op("Add", positive, data_index=1, role="Sum")
