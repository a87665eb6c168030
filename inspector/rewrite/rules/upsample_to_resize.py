"""Upsample as Resize with the coordinates that Upsample has.

What it does:
    Upsample becomes Resize with the same scales; from opset 11 on with coordinates asymmetric and rounding floor.

When it applies:
    The model's opset has Resize (10 or newer), the scales are constant and at least 1. Upsample was withdrawn in opset
    10, so that such a model is irregular, but toolchains read it; in opset 7 to 9 convert the opset first.

Why it is equivalent:
    Upsample takes element floor(x / scale), or interpolates at x / scale. The defaults of Resize since opset 11,
    half_pixel and round_prefer_floor, are other functions: a conversion that leaves them out is silently wrong.

Safety:
    EXACT.

Costs:
    None.

Source:
    ONNX operators Upsample, versions 7 to 10, and Resize, versions 10 to 19.
"""

from typing import cast

import numpy as np

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.chain import Chain
from inspector.rewrite.pattern import Answers, is_wide_float, rank, refuse_place
from inspector.rewrite.resize import Request, read_request
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "upsample-to-resize"
_RESIZE_SINCE = 10
_MODES_SINCE = 11
_OPTIONAL_SINCE = 13


class UpsampleToResize:
    """Rewrites an Upsample to a Resize."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Upsample"})
    fixes = frozenset({"upsample.*"})
    safety = Safety.EXACT
    limit = None
    variants = (Variant("asymmetric", say(f"rewrite.{_ID}.variant.asymmetric")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        if node.op.domain or node.op.name != "Upsample" or not node.inputs or not node.inputs[0] or not node.outputs:
            return answers.other()
        opset = model.opsets.get("", 1)
        if opset < _RESIZE_SINCE:
            return answers.refuse("upsample_opset", opset)
        refusal = refuse_place(model, answers)
        if refusal is not None:
            return refusal
        if rank(model, node.graph, node.inputs[0]) is None:
            return answers.refuse("unknown_shape", node.inputs[0])
        dtype = model.value(node.graph, node.inputs[0]).dtype
        if not is_wide_float(dtype):
            return answers.refuse("narrow_float", dtype)
        request = read_request(model, node, answers)
        if isinstance(request, Refusal):
            return request
        if request.mode not in ("nearest", "linear") or min(request.scales) < 1:
            return answers.refuse("upsample_form", f"{request.mode}, {', '.join(f'{s:g}' for s in request.scales)}")
        answers.holds("upsample_form", f"{request.mode}, {', '.join(f'{s:g}' for s in request.scales)}")
        return answers.match(("asymmetric",), {"request": request})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        node, request = editor.model.node(match.anchor), cast("Request", match.bindings["request"])
        editor.remove(node.id)
        chain = Chain(editor, node, node.inputs[0])
        scales = chain.constant(np.array(request.scales, np.float32), "scales")
        if editor.opset < _MODES_SINCE:
            chain.op("Resize", scales, mode=request.mode)
        else:
            region = "" if editor.opset >= _OPTIONAL_SINCE else chain.constant(np.zeros(0, np.float32), "roi")
            chain.op(
                "Resize",
                region,
                scales,
                mode=request.mode,
                coordinate_transformation_mode="asymmetric",
                nearest_mode="floor" if request.mode == "nearest" else None,
            )
        chain.emit(node.outputs[0])
