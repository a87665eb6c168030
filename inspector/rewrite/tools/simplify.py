"""Simplify with onnxslim, where that optional extra is installed; nothing it says is believed before it was compared.

It folds initializers that a caller may feed, and drops metadata: the first is refused, the second restored by name.
"""

from importlib.util import find_spec

import onnx

from inspector.model.graph import MAIN, Model
from inspector.model.save import INLINE_LIMIT_BYTES, full_proto
from inspector.rewrite.rule import Safety
from inspector.rewrite.tools.adopt import adopted
from inspector.rewrite.tools.tool import Arguments, Change, Tool
from inspector.text import Message, say
from inspector.worker.client import ModelRefused, Runner
from inspector.worker.protocol import Transform

EXTRA = "onnxslim"


class Simplify(Tool):
    """Lets onnxslim simplify the model; takes no arguments."""

    id = "simplify"
    safety = Safety.EQUIVALENT
    limit = 1e-5

    def change(self, model: Model, arguments: Arguments, runner: Runner) -> Change | Message:
        """See `Tool`."""
        self.taken(arguments)
        overridable = sorted(model.graphs[MAIN].overridable)
        if overridable:
            return say("tool.simplify.overridable", value=overridable[0], n=len(overridable))
        if find_spec(EXTRA) is None:
            return say("tool.simplify.not_installed", package=EXTRA)
        if len(model.graphs) > 1:
            return say("tool.simplify.bodies", graph=model.graphs[1].path)
        needed = sum(model.tensors.size_bytes(tensor) or 0 for tensor in model.main.initializers.values())
        if needed > INLINE_LIMIT_BYTES:
            return say("tool.simplify.large", found=needed >> 20, limit=INLINE_LIMIT_BYTES >> 20)
        try:
            data = runner.transform(full_proto(model).SerializeToString(), Transform.SIMPLIFY)
        except ModelRefused as error:
            return say("tool.simplify.failed", reason=str(error.message.args.get("reason", error)))
        made = onnx.ModelProto.FromString(data)
        if [o.name for o in made.graph.output] != list(model.main.outputs):
            return say("tool.simplify.outputs", names=", ".join(o.name for o in made.graph.output))
        after = adopted(model, made, (), runner)
        if after.opsets != model.opsets:
            return say("tool.simplify.opset", found=after.opsets.get("", 0), expected=model.opsets.get("", 0))
        return Change(after)
