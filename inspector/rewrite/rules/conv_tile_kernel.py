"""A Conv with a large kernel as a sum of Convs with small ones.

What it does:
    The kernel is cut into tiles of at most 3, 5 or 7 by 3, 5 or 7; each tile is a Conv on the part of the padded input
    that it reads, and Adds sum the results. The first Conv has the bias.

When it applies:
    Rank 4, constant weights, fixed height and width; at most 36 tiles.

Why it is equivalent:
    A convolution sums over kernel positions; the sum is taken tile by tile. The tile that starts at kernel position
    (i, j) reads the padded input from (i*dh, j*dw) on, with the same strides, so that its output has the same size.
    A stack of small kernels, one after the other, is another function and is not offered.

Safety:
    EQUIVALENT: another order of additions. Measured 3.4e-7.

Costs:
    One Conv and one Add for each tile; quantised, each partial sum is rounded to the number format of its own.

Source:
    ONNX operator Conv, version 11.
"""

from itertools import product

import numpy as np

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.chain import Chain
from inspector.rewrite.convolution import conv, conv_site_of, conv_weights, look_conv
from inspector.rewrite.pattern import Answers
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.rewrite.window import Window
from inspector.text import say

_ID = "conv-tile-kernel"
_SIDES = {"side-7": 7, "side-5": 5, "side-3": 3}
_MOST_TILES = 36


class ConvTileKernel:
    """Rewrites a Conv with a large kernel to a sum over tiles of it."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Conv"})
    fixes = frozenset({"conv.*"})
    safety = Safety.EQUIVALENT
    limit = None
    variants = tuple(Variant(v, say(f"rewrite.{_ID}.variant.{v}")) for v in _SIDES)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        site = look_conv(model, node, answers, sized=True)
        if isinstance(site, Refusal):
            return site
        kernel = site.window.kernel
        if max(kernel) <= min(_SIDES.values()):
            return answers.other()
        if min(site.outputs) < 1:
            return answers.refuse("empty_output", site.outputs)
        fitting = tuple(
            variant for variant, side in _SIDES.items() if max(kernel) > side and _tiles(kernel, side) <= _MOST_TILES
        )
        if not fitting:
            return answers.refuse("conv_tiles", "×".join(map(str, kernel)), most=_MOST_TILES)
        answers.holds("conv_tiles", "×".join(map(str, kernel)))
        return answers.match(fitting, {"site": site})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:
        """See `Rule`."""
        node, site, side = editor.model.node(match.anchor), conv_site_of(match), _SIDES[variant]
        window, outputs = site.window, site.outputs
        weight, bias = conv_weights(editor, node)
        editor.remove(node.id)
        padding = Chain(editor, node, node.inputs[0])
        padding.pad((0, 0, *window.begins), (0, 0, *window.ends), padding.dtype_of(node.inputs[0]))
        source = padding.emit() if any(window.pads) else node.inputs[0]
        padded = [size + b + e for size, b, e in zip(site.sizes or (), window.begins, window.ends, strict=True)]
        tiles = list(product(*(range(0, n, side) for n in window.kernel)))
        total = ""
        for index, corner in enumerate(tiles):
            part = weight[:, :, *(slice(start, start + side) for start in corner)]
            tile = Window(part.shape[2:], window.strides, window.dilations, (0, 0), (0, 0))
            chain = Chain(editor, node, source)
            for i, start in enumerate(corner):
                first = start * window.dilations[i]
                last = first + (outputs[i] - 1) * window.strides[i] + tile.reach(i)
                if (first, last) != (0, padded[i]):
                    chain.slice(2 + i, first, last)
            made = conv(chain, node, part, bias if index == 0 else None, tile, group=site.group).emit()
            if index:
                made = Chain(editor, node, total).op("Add", made).emit(node.outputs[0] if corner == tiles[-1] else None)
            total = made


def _tiles(kernel: tuple[int, ...], side: int) -> int:
    return int(np.prod([-(-n // side) for n in kernel]))
