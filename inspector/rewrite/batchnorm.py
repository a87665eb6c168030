"""Reading a BatchNormalization in inference: its parameters as a factor and a shift for each channel."""

import numpy as np
import numpy.typing as npt

from inspector.model.graph import Model, Node
from inspector.rewrite.pattern import Answers, constant, needed_constant, real
from inspector.rewrite.rule import Refusal

Floats = npt.NDArray[np.float64]

_PARAMETERS = ("scale", "B", "mean", "var")


def not_affine(model: Model, node: Node, answers: Answers) -> Refusal | None:
    """Why the BatchNormalization *node* is no constant factor and shift for each channel; None when it is."""
    return _not_inference(node, answers) or _not_known(model, node, answers)


def factors(model: Model, node: Node) -> tuple[Floats, Floats]:
    """Factor and shift per channel: the BatchNormalization is `factor * x + shift`. Computed in float64."""
    gamma, beta, mean, var = (np.asarray(constant(model, node.graph, n), np.float64) for n in node.inputs[1:])
    with np.errstate(over="ignore", invalid="ignore"):
        factor = gamma / np.sqrt(var + _epsilon(node))
        return factor, beta - mean * factor


def not_usable(model: Model, name: str, answers: Answers) -> Refusal | None:
    """Why the tensor *name* cannot be folded: not constant, or not in a float type that rounds finely."""
    array = needed_constant(model, name, answers)
    if isinstance(array, Refusal):
        return array
    if array.dtype not in (np.float32, np.float64):
        return answers.refuse("narrow_float", array.dtype)
    return None


def _not_inference(node: Node, answers: Answers) -> Refusal | None:
    if node.attributes.get("training_mode", 0):
        return answers.refuse("bn_training", "training_mode = 1")
    if len([o for o in node.outputs if o]) != 1:
        return answers.refuse("bn_outputs", len(node.outputs))
    if node.attributes.get("spatial", 1) != 1:
        return answers.refuse("bn_spatial", "spatial = 0")
    answers.holds("bn_inference", "training_mode = 0")
    return None


def _not_known(model: Model, node: Node, answers: Answers) -> Refusal | None:
    size = 0
    for what, name in zip(_PARAMETERS, node.inputs[1:], strict=True):
        refusal = not_usable(model, name, answers)
        if refusal is not None:
            return refusal
        array = np.asarray(constant(model, node.graph, name))
        size = size or array.size
        if array.shape != (size,):
            return answers.refuse("bn_channels", what)
    answers.holds("bn_constant", ", ".join(_PARAMETERS))
    variance = np.asarray(constant(model, node.graph, node.inputs[4]), np.float64)
    bad = np.flatnonzero(~(variance + _epsilon(node) > 0))
    if bad.size:
        return answers.refuse("bn_variance", float(variance[bad[0]]), channel=int(bad[0]), epsilon=_epsilon(node))
    return None


def _epsilon(node: Node) -> float:
    return real(node, "epsilon", 1e-5)
