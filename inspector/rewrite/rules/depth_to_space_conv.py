"""DepthToSpace as ConvTranspose, or SpaceToDepth as Conv, with weights 0 and 1.

What it does:
    A kernel as large as the block and as its strides holds a single 1 for each element that it moves.

When it applies:
    Any block size above 1, either order; float32 or float64; fixed C, H and W (N may be open); the weight has at most
    65,536 elements. In the order CRD each output channel is a group of its own.

Why it is equivalent:
    Blocks do not overlap. DepthToSpace: `y[c, h*b + i, w*b + j] = 1 * x[m, h, w]` with m = (i*b + j)*C + c (DCR) or
    c*b*b + i*b + j (CRD). SpaceToDepth: `y[(i*b + j)*C + c, h, w] = 1 * x[c, h*b + i, w*b + j]`. All other products
    are with 0.

Safety:
    EQUIVALENT: bit-equal for finite values; an infinity or NaN makes NaN of the elements that it is multiplied by 0
    for.

Costs:
    C*C multiplications per element of a block (DCR), C (CRD), nearly all with 0.

Source:
    ONNX operators DepthToSpace, versions 1 to 13, SpaceToDepth, versions 1 and 13, Conv and ConvTranspose.
"""

import numpy as np

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.chain import Array, Chain
from inspector.rewrite.depthspace import CRD, BlockSite, block_site_of, look_block
from inspector.rewrite.pattern import Answers, is_wide_float
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "depth-to-space-conv"
_MOST_WEIGHTS = 1 << 16


class DepthToSpaceConv:
    """Rewrites DepthToSpace to a ConvTranspose and SpaceToDepth to a Conv."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"DepthToSpace", "SpaceToDepth"})
    fixes = frozenset({"depth-to-space.*", "space-to-depth.*"})
    safety = Safety.EQUIVALENT
    limit = None
    variants = (Variant("one-hot", say(f"rewrite.{_ID}.variant.one-hot")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        site = look_block(model, node, answers)
        if isinstance(site, Refusal):
            return site
        dtype = model.value(node.graph, node.inputs[0]).dtype
        if not is_wide_float(dtype):
            return answers.refuse("narrow_float", dtype)
        if site.block == 1:
            return answers.refuse("block_one", "blocksize = 1")
        count = _elements(site)
        if count > _MOST_WEIGHTS:
            return answers.refuse("block_weights", count, most=_MOST_WEIGHTS)
        answers.holds("block_weights", count)
        return answers.match(("one-hot",), {"site": site})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        node, site = editor.model.node(match.anchor), block_site_of(match)
        editor.remove(node.id)
        chain = Chain(editor, node, node.inputs[0])
        weight = _weight(site).astype(chain.dtype_of(node.inputs[0]))
        grouped = site.order == CRD
        chain.op(
            "ConvTranspose" if site.to_space else "Conv",
            chain.constant(weight, "weight"),
            kernel_shape=[site.block] * 2,
            strides=[site.block] * 2,
            group=site.outputs[1] if grouped else 1,
        )
        chain.emit(node.outputs[0])


def _elements(site: BlockSite) -> int:
    """Elements of the weight."""
    wide, narrow = max(site.sizes[1], site.outputs[1]), min(site.sizes[1], site.outputs[1])
    return wide * (1 if site.order == CRD else narrow) * site.block**2


def _weight(site: BlockSite) -> Array:
    """One-hot weight `[wide, narrow, b, b]` for both operators, wide = b*b*narrow; `[wide, 1, b, b]` for CRD.

    Conv wants `[Co, Ci, b, b]` with Co the wide side, ConvTranspose `[Ci, Co, b, b]` with Ci the wide side.
    """
    b = site.block
    narrow = min(site.sizes[1], site.outputs[1])
    taps = np.eye(b * b).reshape(b * b, b, b)
    if site.order == CRD:
        return np.tile(taps, (narrow, 1, 1))[:, np.newaxis]
    full = taps[:, np.newaxis, np.newaxis] * np.eye(narrow)[np.newaxis, :, :, np.newaxis, np.newaxis]
    return full.reshape(b * b * narrow, narrow, b, b)
