"""A pooling operator that rounds sizes up, written with more padding behind.

What it does:
    ceil_mode becomes 0; the axes that were rounded up get as much more padding behind as the last window reaches
    beyond the input. Where that is more than the window allows, a Pad with the lowest number stands before a MaxPool.

When it applies:
    MaxPool, and AveragePool that does not count its padding; fixed spatial sizes.

Why it is equivalent:
    The last window of a rounded-up axis reaches beyond the padded input; what lies there takes no part in the maximum,
    nor in an average that leaves padding out. An average that counts its padding divides by the part of the window
    within the padded input, which no padding says, so it is refused.

Safety:
    EXACT for MaxPool and averages alike: the same elements in the same windows.

Costs:
    None, or a Pad.

Source:
    ONNX operators MaxPool, version 10 on, and AveragePool, version 10 on (ceil_mode).
"""

from dataclasses import replace
from typing import cast

import numpy as np

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.chain import Chain
from inspector.rewrite.pattern import Answers
from inspector.rewrite.pooling import PoolSite, look_pool, pool_site_of
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "pool-floor"
_PADS, _NODE = "attributes", "pad-node"


class PoolFloor:
    """Rewrites a pooling operator with ceil_mode 1 to one with ceil_mode 0."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"MaxPool", "AveragePool"})
    fixes = frozenset({"max-pool.*", "average-pool.*"})
    safety = Safety.EXACT
    limit = None
    variants = tuple(Variant(v, say(f"rewrite.{_ID}.variant.{v}")) for v in (_PADS, _NODE))

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        if node.op.name not in self.anchors or node.attributes.get("ceil_mode", 0) != 1:
            return answers.other()
        site = look_pool(model, node, node.op.name, answers, sized=True)
        if isinstance(site, Refusal):
            return site
        if node.op.name == "AveragePool" and site.counts_pads:
            return answers.refuse("pool_divisor", "count_include_pad = 1")
        if not site.outputs:
            return answers.refuse("unknown_shape", node.outputs[0])
        idle = [i for i, size in enumerate(site.sizes) if _starts_outside(site, i, size)]
        if idle:
            return answers.refuse("pool_idle", idle[0] + 2)
        more = _more(site)
        ends = tuple(end + extra for end, extra in zip(site.window.ends, more, strict=True))
        fits = all(end < k for end, k in zip(ends, site.window.kernel, strict=True))
        if not fits and node.op.name == "AveragePool":
            return answers.refuse("pool_pads", ends, kernel=str(site.window.kernel))
        answers.holds("pool_rounded", ", ".join(map(str, more)))
        maximum = node.op.name == "MaxPool" and any((*site.window.pads, *more))
        return answers.match((*([_PADS] if fits else []), *([_NODE] if maximum else [])), {"site": site, "ends": ends})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:
        """See `Rule`."""
        node, site = editor.model.node(match.anchor), pool_site_of(match)
        ends = cast("tuple[int, ...]", match.bindings["ends"])
        window = replace(site.window, ends=ends)
        editor.remove(node.id)
        chain = Chain(editor, node, node.inputs[0])
        if variant == _NODE:
            dtype = chain.dtype_of(node.inputs[0])
            lowest = float(np.finfo(np.float64 if dtype == np.float64 else np.float32).min)
            chain.pad((0, 0, *window.begins), (0, 0, *ends), dtype, lowest)
            none = (0,) * len(ends)
            window = replace(window, begins=none, ends=none)
        dilated = max(window.dilations) > 1
        chain.op(
            node.op.name,
            kernel_shape=list(window.kernel),
            strides=list(window.strides),
            dilations=list(window.dilations) if dilated else None,
            pads=list(window.pads),
        ).emit(node.outputs[0])


def _starts_outside(site: PoolSite, i: int, size: int) -> bool:
    """Whether the last window along spatial axis *i* starts behind the input: runtimes leave it out, shapes do not."""
    return (site.outputs[i] - 1) * site.window.strides[i] >= size + site.window.begins[i]


def _more(site: PoolSite) -> tuple[int, ...]:
    """How far the last window reaches beyond the padded input, for each spatial axis."""
    window = site.window
    return tuple(
        max((out - 1) * window.strides[i] + window.reach(i) - size - window.begins[i] - window.ends[i], 0)
        for i, (size, out) in enumerate(zip(site.sizes, site.outputs, strict=True))
    )
