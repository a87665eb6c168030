"""DepthToSpace or SpaceToDepth as Reshape, Transpose, Reshape.

What it does:
    The tensor is seen with six axes, which a Transpose puts in the order of the output. rank-6: one Transpose. rank-4:
    transposes of at most four axes.

When it applies:
    Any block size, either order; fixed C, H and W (N may be open).

Why it is equivalent:
    This is how the operators are defined: DepthToSpace moves `[N, b, b, C, H, W]` (DCR) or `[N, C, b, b, H, W]` (CRD)
    to `[N, C, H, b, W, b]`, SpaceToDepth `[N, C, H, b, W, b]` to `[N, b, b, C, H, W]`.

Safety:
    EXACT.

Costs:
    rank-4 moves the data two or three times.

Source:
    ONNX operators DepthToSpace, versions 1 to 13, and SpaceToDepth, versions 1 and 13.
"""

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.chain import Chain
from inspector.rewrite.depthspace import block_site_of, look_block
from inspector.rewrite.pattern import Answers
from inspector.rewrite.permuting import transpose_low_rank
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "depth-to-space-reshape"
_SIX, _FOUR = "rank-6", "rank-4"


class DepthToSpaceReshape:
    """Rewrites DepthToSpace and SpaceToDepth to Reshapes and Transposes."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"DepthToSpace", "SpaceToDepth"})
    fixes = frozenset({"depth-to-space.*", "space-to-depth.*"})
    safety = Safety.EXACT
    limit = None
    variants = tuple(Variant(v, say(f"rewrite.{_ID}.variant.{v}")) for v in (_SIX, _FOUR))

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        site = look_block(model, node, answers)
        if isinstance(site, Refusal):
            return site
        return answers.match((_SIX, _FOUR), {"site": site})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:
        """See `Rule`."""
        node, site = editor.model.node(match.anchor), block_site_of(match)
        sizes, perm = site.view()
        editor.remove(node.id)
        chain = Chain(editor, node, node.inputs[0])
        if variant == _SIX:
            chain.reshape(*sizes).transpose(*perm)
        else:
            transpose_low_rank(chain, sizes, perm)
        chain.reshape(*site.outputs).emit(node.outputs[0])
