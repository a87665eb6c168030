"""A Conv with automatic or uneven padding as one without, after a Pad.

What it does:
    attributes: auto_pad is resolved into the attribute pads. pad-node: a Pad of zeros stands before a Conv without
    padding.

When it applies:
    Rank 3 to 5, constant weights. Automatic padding (attributes), or padding that differs between the two ends of an
    axis (pad-node); SAME needs fixed spatial sizes.

Why it is equivalent:
    The operator defines automatic padding by these numbers, and pads with zeros.

Safety:
    EQUIVALENT: the same products, added in the runtime's order.

Costs:
    pad-node: the padded input is stored.

Source:
    ONNX operators Conv, version 11 (auto_pad, pads), and Pad, versions 2 to 13.
"""

from dataclasses import replace

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.chain import Chain
from inspector.rewrite.convolution import conv, conv_site_of, conv_weights, look_conv
from inspector.rewrite.pattern import Answers
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "conv-explicit-pads"
_ATTRIBUTES, _NODE = "attributes", "pad-node"


class ConvExplicitPads:
    """Rewrites the padding of a Conv to explicit numbers or to a Pad."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Conv"})
    fixes = frozenset({"conv.*"})
    safety = Safety.EQUIVALENT
    limit = None
    variants = tuple(Variant(v, say(f"rewrite.{_ID}.variant.{v}")) for v in (_ATTRIBUTES, _NODE))

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        automatic = node.attributes.get("auto_pad", "NOTSET") != "NOTSET"
        if not automatic and "pads" not in node.attributes:
            return answers.other()
        site = look_conv(model, node, answers, ranks=(3, 4, 5))
        if isinstance(site, Refusal):
            return site
        uneven = site.window.begins != site.window.ends
        if not automatic and not uneven:
            return answers.other()
        answers.holds("conv_padding", f"{site.window.begins}, {site.window.ends}")
        variants = (*([_ATTRIBUTES] if automatic else []), *([_NODE] if uneven else []))
        return answers.match(variants, {"site": site})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:
        """See `Rule`."""
        node, site = editor.model.node(match.anchor), conv_site_of(match)
        weight, bias = conv_weights(editor, node)
        editor.remove(node.id)
        chain, window = Chain(editor, node, node.inputs[0]), site.window
        if variant == _NODE:
            dtype = chain.dtype_of(node.inputs[0])
            chain.pad((0, 0, *window.begins), (0, 0, *window.ends), dtype)
            none = (0,) * len(window.kernel)
            window = replace(window, begins=none, ends=none)
        conv(chain, node, weight, bias, window, group=site.group).emit(node.outputs[0])
