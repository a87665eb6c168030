"""A MaxPool with a large window as a chain of MaxPools with small ones.

What it does:
    A window of length k becomes windows of lengths k1, k2, ... of at most 7, 5 or 3 one after the other; the last has
    the strides, and the padding is shared out.

When it applies:
    Rank 3 to 5, dilation 1, output sizes rounded down, no indices.

Why it is equivalent:
    The maximum over k1 + k2 - 1 neighbours is the maximum over k2 neighbouring maxima of k1 each; so the lengths less
    one add up to k less one. Padding counts as minus infinity in either form, and each window still holds an element.

Safety:
    EXACT.

Costs:
    One pass for each window; all but the last without strides.

Source:
    ONNX operator MaxPool, versions 1 to 12.
"""

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.chain import Chain
from inspector.rewrite.pattern import Answers
from inspector.rewrite.pooling import look_pool, pool_site_of
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.rewrite.window import Window
from inspector.text import say

_ID = "maxpool-chain"
_SIDES = {"side-7": 7, "side-5": 5, "side-3": 3}


class MaxPoolChain:
    """Rewrites a MaxPool with a large window to a chain."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"MaxPool"})
    fixes = frozenset({"max-pool.*"})
    safety = Safety.EXACT
    limit = None
    variants = tuple(Variant(v, say(f"rewrite.{_ID}.variant.{v}")) for v in _SIDES)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        site = look_pool(model, node, "MaxPool", answers)
        if isinstance(site, Refusal):
            return site
        window = site.window
        if max(window.kernel) <= min(_SIDES.values()):
            return answers.other()
        if max(window.dilations) > 1:
            return answers.refuse("dilation", window.dilations)
        if site.ceil:
            return answers.refuse("pool_ceil", "ceil_mode = 1")
        if any(pad >= k for pad, k in zip(window.pads, window.kernel * 2, strict=True)):
            return answers.refuse("pool_pads", window.pads, kernel=str(window.kernel))
        answers.holds("pool_window", "×".join(map(str, window.kernel)))
        return answers.match(tuple(v for v, side in _SIDES.items() if max(window.kernel) > side), {"site": site})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:
        """See `Rule`."""
        node, window = editor.model.node(match.anchor), pool_site_of(match).window
        editor.remove(node.id)
        chain = Chain(editor, node, node.inputs[0])
        for index, part in enumerate(_stages(window, _SIDES[variant])):
            chain.op(
                "MaxPool",
                role=f"MaxPool{index}",
                kernel_shape=list(part.kernel),
                strides=list(part.strides),
                pads=list(part.pads),
            )
        chain.emit(node.outputs[0])


def _stages(window: Window, side: int) -> list[Window]:
    """Windows of at most *side* that make up *window*, the last with its strides."""
    axes = range(len(window.kernel))
    lengths = [_lengths(k, side) for k in window.kernel]
    count = max(len(part) for part in lengths)
    lengths = [part + [1] * (count - len(part)) for part in lengths]
    shared = [[_share(pads[i], lengths[i]) for i in axes] for pads in (window.begins, window.ends)]
    ones = (1,) * len(window.kernel)
    return [
        Window(
            tuple(lengths[i][stage] for i in axes),
            window.strides if stage == count - 1 else ones,
            ones,
            tuple(shared[0][i][stage] for i in axes),
            tuple(shared[1][i][stage] for i in axes),
        )
        for stage in range(count)
    ]


def _lengths(kernel: int, side: int) -> list[int]:
    """Window lengths of at most *side* whose lengths less one add up to *kernel* less one."""
    full, rest = divmod(kernel - 1, side - 1)
    return [side] * full + ([rest + 1] if rest or not full else [])


def _share(pad: int, lengths: list[int]) -> list[int]:
    """*pad* shared out to windows of *lengths*, to each less than its length."""
    shares = []
    for length in lengths:
        share = min(pad, length - 1)
        shares.append(share)
        pad -= share
    return shares
