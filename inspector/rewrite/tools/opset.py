"""Convert the opset, with the converter of onnx, guarded where it is known to go wrong.

Upsample, and Resize before opset 11, sample at `floor(i / scale)` (asymmetric); the converter leaves the coordinate
mode of the new Resize at its default, which samples elsewhere. Those attributes are set here. An operator that the
opset does not have, or for which the converter has no adapter, is a refusal that names it. What the converter drops
(metadata, documentation) is restored by node name, and the result is compared like that of any rewrite.
"""

import re

import onnx
from onnx import defs, helper

from inspector.model.graph import GraphKind, Model
from inspector.rewrite.rule import Safety
from inspector.rewrite.tools.adopt import adopted, portable
from inspector.rewrite.tools.tool import Arguments, Change, Tool
from inspector.text import Message, say
from inspector.worker.client import ModelRefused, Runner
from inspector.worker.protocol import Transform

_FIRST, _COORDINATES_SINCE = 7, 11


class ConvertOpset(Tool):
    """Converts ONNX's own operators to another opset; arguments: `version`."""

    id = "convert-opset"
    safety = Safety.EQUIVALENT
    limit = 1e-5

    def change(self, model: Model, arguments: Arguments, runner: Runner) -> Change | Message:
        """See `Tool`."""
        self.taken(arguments, version=int)
        version, present = int(arguments["version"]), model.opsets.get("", 1)
        refused = _refused(model, version, present)
        if refused is not None:
            return refused
        old_resizes = _samplers(model) if present < _COORDINATES_SINCE <= version else frozenset()
        proto, hidden = portable(model)
        try:
            data = runner.transform(proto.SerializeToString(), Transform.OPSET, version)
        except ModelRefused as error:
            return _no_adapter(model, str(error.message.args.get("reason", error)), version)
        made = onnx.ModelProto.FromString(data)
        for node in made.graph.node:
            if node.op_type == "Resize" and old_resizes.intersection(node.output):
                _sample_as_before(node)
        return Change(adopted(model, made, hidden, runner))


def _refused(model: Model, version: int, present: int) -> Message | None:
    newest = defs.onnx_opset_version()
    if version == present:
        return say("tool.convert-opset.same", version=version)
    if not _FIRST <= version <= newest:
        return say("tool.convert-opset.range", version=version, first=_FIRST, last=newest)
    if any(graph.kind is not GraphKind.MAIN for graph in model.graphs):
        inner = next(graph for graph in model.graphs if graph.kind is not GraphKind.MAIN)
        return say("tool.convert-opset.bodies", graph=inner.path)
    for node in model.main.nodes:
        if not node.op.domain and not defs.has(node.op.name, version) and version < present:
            return say("tool.convert-opset.no_operator", op=node.op.name, node=node.label, version=version)
    return None


def _no_adapter(model: Model, reason: str, version: int) -> Message:
    """The refusal of the converter, with the first operator that it names."""
    found = re.search(r"for (\w+)", reason)
    op = found.group(1) if found is not None else ""
    node = next((node for node in model.main.nodes if node.op.name == op), None)
    if node is None:
        return say("tool.convert-opset.failed", version=version, reason=reason)
    return say("tool.convert-opset.no_adapter", op=op, node=node.label, version=version)


def _samplers(model: Model) -> frozenset[str]:
    """Outputs of the nodes that sample asymmetrically without an attribute that says so."""
    return frozenset(o for n in model.main.nodes if n.op.name in ("Upsample", "Resize") for o in n.outputs if o)


def _sample_as_before(node: onnx.NodeProto) -> None:
    present = {attribute.name for attribute in node.attribute}
    for name, value in (("coordinate_transformation_mode", "asymmetric"), ("nearest_mode", "floor")):
        if name not in present:
            node.attribute.append(helper.make_attribute(name, value))
