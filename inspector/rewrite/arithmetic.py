"""Arithmetic operators with two inputs: what each input is, and constants in the form that chips take."""

from dataclasses import dataclass

import numpy as np

from inspector.model.dtype import DType
from inspector.model.graph import Model, Node
from inspector.rewrite.chain import Array, Chain
from inspector.rewrite.pattern import Answers, constant, is_overridable, rank, refuse_place
from inspector.rewrite.rule import Refusal

SIGNED = frozenset({DType.FLOAT16, DType.FLOAT32, DType.FLOAT64, DType.INT32, DType.INT64})
"""Types with negative numbers that Add and Mul take at every opset since 7."""


@dataclass(frozen=True, slots=True)
class Operands:
    """The inputs of an arithmetic operator of one or two inputs.

    Attributes:
        names: the inputs.
        constants: values of each input that a rewrite may rely on; None for a computed one.
        dtype: element type of the first input.
    """

    names: tuple[str, ...]
    constants: tuple[Array | None, ...]
    dtype: DType

    @property
    def first(self) -> Array | None:
        """Values of the first input if it is constant."""
        return self.constants[0]

    @property
    def second(self) -> Array | None:
        """Values of the second input if it is constant."""
        return self.constants[1]


def operands(model: Model, node: Node, op: str, count: int, answers: Answers) -> Operands | Refusal:
    """Inputs of the operator *op* with *count* inputs, or why they cannot be rewritten.

    Two constants are left to constant folding; the element type must be known.
    """
    if node.op.domain or node.op.name != op or len(node.inputs) != count or not all(node.inputs):
        return answers.other()
    refusal = refuse_place(model, answers)
    if refusal is not None:
        return refusal
    dtype = model.value(node.graph, node.inputs[0]).dtype
    if dtype is None:
        return answers.refuse("unknown_dtype", node.inputs[0])
    for name in node.inputs:
        if is_overridable(model, node.graph, name):
            return answers.refuse("overridable", name)
    constants = tuple(constant(model, node.graph, name) for name in node.inputs)
    if all(values is not None for values in constants):
        return answers.refuse("all_constant", ", ".join(node.inputs))
    return Operands(tuple(node.inputs), constants, dtype)


def beside(chain: Chain, model: Model, node: Node, values: Array, feature: str, what: str) -> str:
    """*values* as a new constant with leading ones up to the rank of the value *feature*, as chips want constants.

    `[C, 1, 1]` beside `[N, C, H, W]` becomes `[1, C, 1, 1]`; broadcasting is the same with or without leading ones.
    """
    width = rank(model, node.graph, feature) or 0
    return chain.constant(values.reshape((1,) * (width - values.ndim) + values.shape), what)


def number(chain: Chain, model: Model, node: Node, value: float, feature: str, what: str) -> str:
    """`beside` for one number in the element type of *feature*."""
    return beside(chain, model, node, np.asarray(value, chain.dtype_of(feature)), feature, what)
