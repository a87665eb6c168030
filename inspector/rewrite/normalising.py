"""Normalisation over axes spelled out: mean, deviation, variance in two passes, scale and shift."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from inspector.model.edit import Editor
from inspector.model.graph import Node
from inspector.rewrite.chain import Chain


@dataclass(frozen=True, slots=True)
class Moments:
    """How a normalisation is computed.

    Attributes:
        axes: axes that the mean runs over, ascending; for `pool` those behind the channels.
        epsilon: added to the variance.
        pool: whether GlobalAveragePool takes the means, not ReduceMean.
        centred: whether the mean is subtracted (not by RMS normalisation).
    """

    axes: tuple[int, ...]
    epsilon: float
    pool: bool = False
    centred: bool = True


def normalised(editor: Editor, node: Node, x: str, how: Moments) -> str:
    """`(x - mean) / sqrt(variance + epsilon)` of the value *x*, the variance from the deviations.

    The shorter form `mean(x^2) - mean(x)^2` subtracts two large numbers: with a mean of 1e4 it gives negative
    variances in float32. It is not used.
    """
    deviation = x
    if how.centred:
        mean = _mean(Chain(editor, node, x), how, "Mean").emit()
        deviation = Chain(editor, node, x).op("Sub", mean, role="Deviation").emit()
    spread = Chain(editor, node, deviation).op("Mul", deviation, role="Square")
    _mean(spread, how, "Variance")
    epsilon = np.asarray(how.epsilon, spread.dtype_of(x))
    spread.op("Add", spread.constant(epsilon, "epsilon"), role="PlusEpsilon").op("Sqrt").op("Reciprocal")
    return Chain(editor, node, deviation).op("Mul", spread.emit(), role="Normalise").emit()


def _mean(chain: Chain, how: Moments, role: str) -> Chain:
    if how.pool:
        return chain.op("GlobalAveragePool", role=role)
    return chain.reduce("ReduceMean", how.axes, role=role)


def scaled(
    editor: Editor, node: Node, value: str, names: Sequence[str], shapes: Sequence[Sequence[int] | None]
) -> Chain:
    """*value* times the first of *names* plus the second (`""` for none), each in its shape (None: as it is)."""
    chain = Chain(editor, node, value)
    for op, name, shape in zip(("Mul", "Add"), names, shapes, strict=True):
        if name:
            given = name if shape is None else Chain(editor, node, name).reshape(*shape).emit()
            chain.op(op, given, role={"Mul": "Scale", "Add": "Shift"}[op])
    return chain
