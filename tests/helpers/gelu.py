"""GELU as exporters write it."""

from math import sqrt

import numpy as np
import onnx
from onnx import TensorProto, helper

from tests.helpers.models import proto

SPELLINGS = ("div x*(1+erf)*0.5", "mul (0.5*x)*(1+erf)", "div x*((1+erf)*0.5)", "div x*(1+erf)/2")


def spelled(
    form: str, shape=(1, 2, 3, 4), *, opset: int = 13, root: float = sqrt(2), half: float = 0.5
) -> onnx.ModelProto:
    """`x * 0.5 * (1 + erf(x / root))` in one of `SPELLINGS`, then Relu."""
    tensors = {"root": np.float32(root), "inverse": np.float32(1 / root), "one": np.float32(1)}
    tensors |= {"half": np.float32(half), "two": np.float32(1 / half)}
    scale = ("Div", "root") if form.startswith("div") else ("Mul", "inverse")
    nodes = [
        helper.make_node(scale[0], ["x", scale[1]], ["s"], "scale"),
        helper.make_node("Erf", ["s"], ["e"], "erf"),
        helper.make_node("Add", ["e", "one"], ["p"], "plus"),
    ]
    last = form.partition(" ")[2]
    if last == "x*(1+erf)*0.5":
        nodes += [
            helper.make_node("Mul", ["x", "p"], ["q"], "times"),
            helper.make_node("Mul", ["q", "half"], ["g"], "half_"),
        ]
    elif last == "(0.5*x)*(1+erf)":
        nodes += [
            helper.make_node("Mul", ["x", "half"], ["q"], "half_"),
            helper.make_node("Mul", ["q", "p"], ["g"], "times"),
        ]
    elif last == "x*((1+erf)*0.5)":
        nodes += [
            helper.make_node("Mul", ["p", "half"], ["q"], "half_"),
            helper.make_node("Mul", ["x", "q"], ["g"], "times"),
        ]
    else:
        nodes += [
            helper.make_node("Mul", ["x", "p"], ["q"], "times"),
            helper.make_node("Div", ["q", "two"], ["g"], "half_"),
        ]
    nodes.append(helper.make_node("Relu", ["g"], ["y"], "end"))
    used = {name for node in nodes for name in node.input}
    kept = {name: value for name, value in tensors.items() if name in used}
    return proto(nodes, {"x": list(shape)}, {"y": list(shape)}, kept, opset=opset)


def operator(shape=(1, 2, 3, 4), approximate: str = "none", dtype: int = TensorProto.FLOAT) -> onnx.ModelProto:
    """The operator Gelu."""
    node = helper.make_node("Gelu", ["x"], ["y"], "gelu", approximate=approximate)
    return proto([node], {"x": list(shape)}, {"y": list(shape)}, opset=20, ir=9, dtypes={"x": dtype, "y": dtype})
