"""Reading a Conv with constant weights, and building others from its parts."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import cast

import numpy as np

from inspector.model.edit import Editor
from inspector.model.graph import Model, Node, NodeId
from inspector.model.shape import text
from inspector.rewrite.chain import Array, Chain
from inspector.rewrite.pattern import (
    Answers,
    batch,
    constant,
    fixed,
    fixed_sizes,
    is_wide_float,
    not_constant,
    rank,
    refuse_place,
)
from inspector.rewrite.rule import Match, Refusal, Safety
from inspector.rewrite.window import Window, read_window


@dataclass(frozen=True, slots=True)
class ConvSite:
    """A Conv that a rule may rewrite.

    Attributes:
        window: how it walks.
        group: number of groups.
        batch: size of axis 0; -1 when it is open.
        channels: input channels.
        maps: output channels.
        sizes: spatial sizes of the input; None when they are not fixed.
        has_bias: whether there is a bias.
    """

    window: Window
    group: int
    batch: int
    channels: int
    maps: int
    sizes: tuple[int, ...] | None
    has_bias: bool

    @property
    def outputs(self) -> tuple[int, ...]:
        """Spatial sizes of the output; only for a site with fixed sizes."""
        return tuple(self.window.output(i, size) for i, size in enumerate(self.sizes or ()))


def look_conv(
    model: Model, node: Node, answers: Answers, *, ranks: Sequence[int] = (4,), sized: bool = False
) -> ConvSite | Refusal:
    """The site at *node*, or why it is none.

    Args:
        model: model of the node.
        node: node that was asked about.
        answers: short forms of the rule.
        ranks: ranks of the input that are the rule's business.
        sized: whether the rule needs fixed spatial sizes.
    """
    if node.op.domain or node.op.name != "Conv" or len(node.inputs) < 2 or not all(node.inputs[:2]) or not node.outputs:
        return answers.other()
    width = rank(model, node.graph, node.inputs[0])
    if width is None:
        return answers.refuse("unknown_shape", node.inputs[0])
    if width not in ranks:
        return answers.other()
    refusal = refuse_place(model, answers)
    if refusal is not None:
        return refusal
    refusal = not_constant(model, node.inputs[1:3], answers)
    if refusal is not None:
        return refusal
    dtype = model.value(node.graph, node.inputs[0]).dtype
    if not is_wide_float(dtype):
        return answers.refuse("narrow_float", dtype)
    shape = model.value(node.graph, node.inputs[0]).shape or ()
    sizes = fixed_sizes(model, shape, tuple(range(2, width)))
    if sized and sizes is None:
        return answers.refuse("dynamic", text(shape), axes=", ".join("DHW"[5 - width :]))
    return _site(model, node, answers, sizes)


def _site(model: Model, node: Node, answers: Answers, sizes: tuple[int, ...] | None) -> ConvSite | Refusal:
    shape = model.value(node.graph, node.inputs[0]).shape or ()
    weight = np.asarray(constant(model, node.graph, node.inputs[1]))
    group = node.attributes.get("group", 1)
    channels = fixed(model, shape, 1)
    found = f"{'×'.join(map(str, weight.shape))}, group = {group}, {text(shape)}"
    if weight.ndim != len(shape) or not isinstance(group, int) or group < 1:
        return answers.refuse("odd_attribute", found)
    if channels is None:
        return answers.refuse("dynamic", text(shape), axes="C")
    if weight.shape[1] * group != channels or weight.shape[0] % group:
        return answers.refuse("odd_attribute", found)
    window = read_window(node, tuple(int(n) for n in weight.shape[2:]), sizes)
    if isinstance(window, str):
        return answers.refuse("auto_pad" if window.startswith("auto_pad") else "odd_attribute", window)
    has_bias = len(node.inputs) > 2 and bool(node.inputs[2])
    if has_bias and np.asarray(constant(model, node.graph, node.inputs[2])).shape != (weight.shape[0],):
        return answers.refuse("odd_attribute", node.inputs[2])
    answers.holds("constant_weight", "×".join(map(str, weight.shape)))
    return ConvSite(window, group, batch(model, shape), channels, int(weight.shape[0]), sizes, has_bias)


PARTS = MappingProxyType({"halves": 2, "quarters": 4, "eighths": 8})
"""Variants of the rules that cut channels, and the number of parts of each."""


class ConvParts(ABC):
    """A rule that cuts the channels on one side of a Conv of one group into equal parts; a rule adds its words."""

    id: str
    anchors = frozenset({"Conv"})
    fixes = frozenset({"conv.*"})
    safety = Safety.EQUIVALENT
    limit = None

    @staticmethod
    @abstractmethod
    def channels(site: ConvSite) -> int:
        """Number of channels on the side that is cut."""

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(self.id, node)
        site = look_conv(model, node, answers, ranks=(3, 4, 5))
        if isinstance(site, Refusal):
            return site
        if site.group != 1:
            return answers.refuse("conv_grouped", site.group)
        count = self.channels(site)
        fitting = tuple(variant for variant, parts in PARTS.items() if count % parts == 0 and count > parts)
        if not fitting:
            return answers.refuse("conv_parts", count)
        answers.holds("conv_parts", count)
        return answers.match(fitting, {"site": site})


def conv_site_of(match: Match) -> ConvSite:
    """The site that `look_conv` found, under `site` in the bindings."""
    return cast("ConvSite", match.bindings["site"])


def conv_weights(editor: Editor, node: Node) -> tuple[Array, Array | None]:
    """Weight `[Co, Ci/group, *kernel]` and bias `[Co]` (None without one) of the Conv *node*."""
    weight = np.asarray(constant(editor.model, node.graph, node.inputs[1]))
    bias = constant(editor.model, node.graph, node.inputs[2]) if len(node.inputs) > 2 else None
    return weight, bias


def conv(
    chain: Chain, node: Node, weight: Array, bias: Array | None, window: Window, *, group: int = 1, role: str = ""
) -> Chain:
    """A Conv with new weights at the end of *chain*; its tensors are called after those of *node*."""
    parts = [chain.tensor(np.ascontiguousarray(weight), node.inputs[1])]
    if bias is not None:
        known = node.inputs[2] if len(node.inputs) > 2 and node.inputs[2] else f"{node.label}/bias"
        parts.append(chain.tensor(np.ascontiguousarray(bias), known))
    return chain.op(
        "Conv",
        *parts,
        role=role,
        kernel_shape=list(window.kernel),
        strides=list(window.strides),
        dilations=list(window.dilations),
        pads=list(window.pads),
        group=group,
    )
