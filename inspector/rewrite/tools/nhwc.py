"""End in NHWC: a Transpose behind 4-D outputs, as the vendors' exports of detection heads have it.

The new output is called after the old one, `NAME_nhwc`, and takes its place in the order of outputs.
"""

import onnx
from onnx import helper

from inspector.model.graph import MAIN, Model
from inspector.rewrite.rule import Safety
from inspector.rewrite.tools.rebuild import copied, fresh, rebuilt, unused_name
from inspector.rewrite.tools.tool import Arguments, Change, Tool
from inspector.text import Message, say
from inspector.worker.client import Runner

_TO_NHWC, _TO_NCHW = (0, 2, 3, 1), (0, 3, 1, 2)


class NhwcOutputs(Tool):
    """Adds a Transpose to NHWC behind outputs of rank 4; arguments: `outputs`, names; an empty list takes all."""

    id = "nhwc-outputs"
    safety = Safety.BOUNDARY

    def change(self, model: Model, arguments: Arguments, runner: Runner) -> Change | Message:
        """See `Tool`."""
        self.taken(arguments, outputs=list)
        asked = [str(name) for name in arguments["outputs"]]
        for name in asked:
            if name not in model.main.outputs:
                return say("tool.nhwc-outputs.unknown", value=name, names=", ".join(model.main.outputs))
            if _rank(model, name) != 4:
                return say("tool.nhwc-outputs.rank", value=name, found=str(_rank(model, name)))
        chosen = asked or [name for name in model.main.outputs if _rank(model, name) == 4]
        if not chosen:
            return say("tool.nhwc-outputs.none")
        renamed = {name: unused_name(model, f"{name}_nhwc") for name in chosen}
        after = _transposed(model, renamed, _TO_NHWC, runner)
        back = {new: unused_name(after, f"{name}_nchw") for name, new in renamed.items()}
        return Change(after, _transposed(after, back, _TO_NCHW, runner))


def _rank(model: Model, name: str) -> int | None:
    shape = model.value(MAIN, name).shape
    return None if shape is None else len(shape)


def _transposed(model: Model, renamed: dict[str, str], perm: tuple[int, ...], runner: Runner) -> Model:
    """*model* with outputs *renamed*, each behind a Transpose by *perm*."""
    protos = [
        helper.make_node("Transpose", [old], [new], unused_name(model, f"{new}/Transpose"), perm=list(perm))
        for old, new in renamed.items()
    ]
    shell = copied(model.shell)
    for info in shell.graph.output:
        if info.name in renamed:
            info.name = renamed[info.name]
            _permute(info, perm)
    return rebuilt(model, runner, nodes=(*model.main.nodes, *fresh(model, protos)), shell=shell)


def _permute(info: onnx.ValueInfoProto, perm: tuple[int, ...]) -> None:
    shape = info.type.tensor_type.shape
    if len(shape.dim) != len(perm):
        info.type.tensor_type.ClearField("shape")
        return
    dims = [onnx.TensorShapeProto.Dimension.FromString(shape.dim[axis].SerializeToString()) for axis in perm]
    del shape.dim[:]
    shape.dim.extend(dims)
