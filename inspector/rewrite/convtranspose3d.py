"""What the rules for ConvTranspose with three spatial axes have in common: looking at the node, and its parts."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from inspector.model.dtype import DType
from inspector.model.edit import Editor
from inspector.model.graph import Model, Node, NodeId
from inspector.model.shape import text
from inspector.rewrite.chain import Chain
from inspector.rewrite.conv import Geometry, odd_attribute, transpose_geometry
from inspector.rewrite.pattern import (
    Answers,
    Array,
    batch,
    constant,
    fixed_sizes,
    not_constant,
    rank,
    refuse_place,
)
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import Message

DEPTH = 0
"""Index of the depth axis among the spatial axes D, H, W."""


@dataclass(frozen=True, slots=True)
class Site:
    """A ConvTranspose over `[N, C, D, H, W]` with known weights.

    Attributes:
        geometry: strides, padding and so on, over D, H, W.
        batch: size of N, or -1 when it is open.
        channels: input channels.
        maps: output channels.
        sizes: input sizes D, H, W.
        has_bias: whether it adds a bias.
        dtype: element type of the weight.
    """

    geometry: Geometry
    batch: int
    channels: int
    maps: int
    sizes: tuple[int, int, int]
    has_bias: bool
    dtype: DType | None

    @property
    def outputs(self) -> tuple[int, int, int]:
        """Output sizes D, H, W."""
        d, h, w = (self.geometry.output(axis, size) for axis, size in enumerate(self.sizes))
        return d, h, w

    def folded_batch(self) -> int:
        """Size of axis 0 once the depth stands in the batch; -1 when N is open."""
        return -1 if self.batch < 0 else self.batch * self.sizes[DEPTH]


class ConvTranspose3dRule(ABC):
    """Attributes and beginning of a rule for ConvTranspose over D, H, W; see `Rule`."""

    id: str
    title: Message
    summary: Message
    variants: tuple[Variant, ...]
    anchors = frozenset({"ConvTranspose"})
    fixes = frozenset({"conv-transpose.*"})
    safety = Safety.EQUIVALENT
    limit = None

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(self.id, node)
        site = look(model, node, answers)
        return site if isinstance(site, Refusal) else self.fits(site, answers)

    @abstractmethod
    def fits(self, site: Site, answers: Answers) -> Match | Refusal:
        """Whether the rule fits at the *site* that `look` found."""


def look(model: Model, node: Node, answers: Answers) -> Site | Refusal:
    """The site at *node*, or why the weights or sizes are not good enough for any of the rules."""
    if node.op.domain or node.op.name != "ConvTranspose" or len(node.inputs) < 2 or not node.outputs:
        return answers.other()
    if rank(model, node.graph, node.inputs[0]) not in (None, 5):
        return answers.other()
    refusal = refuse_place(model, answers) or not_constant(model, node.inputs[1:3], answers)
    if refusal is not None:
        return refusal
    weight = constant(model, node.graph, node.inputs[1])
    if weight is None or weight.ndim != 5:
        return answers.other()
    shape = model.value(node.graph, node.inputs[0]).shape
    if rank(model, node.graph, node.inputs[0]) is None:
        return answers.refuse("unknown_shape", node.inputs[0])
    kernel = tuple(int(size) for size in weight.shape[2:])
    odd = odd_attribute(node, kernel)
    if odd or (shape is not None and shape[1].size not in (None, weight.shape[0])):
        return answers.refuse("odd_attribute", odd or text(shape))
    geometry = transpose_geometry(model, node, kernel)
    if geometry is None:
        return answers.refuse("auto_pad", node.attributes.get("auto_pad", node.attributes.get("output_shape", "")))
    if min(*geometry.begins, *geometry.ends) < 0:
        return answers.refuse("negative_pads", geometry.begins + geometry.ends)
    if any(extra >= stride for extra, stride in zip(geometry.extra, geometry.strides, strict=True)):
        return answers.refuse("output_padding", geometry.extra, strides=str(geometry.strides))
    sizes = fixed_sizes(model, shape, (2, 3, 4))
    if sizes is None:
        return answers.refuse("dynamic", text(shape), axes="D, H, W")
    channels, maps = int(weight.shape[0]), int(weight.shape[1]) * geometry.group
    answers.holds("constant_weight", "×".join(map(str, weight.shape)))
    dhw, dtype = cast("tuple[int, int, int]", sizes), model.value(node.graph, node.inputs[1]).dtype
    site = Site(geometry, batch(model, shape), channels, maps, dhw, _has_bias(node), dtype)
    computed = (site.geometry.strides[i] * (size - 1) + site.geometry.reach(i) for i, size in enumerate(site.sizes))
    if min(site.outputs) < 1 or any(b >= full for b, full in zip(site.geometry.begins, computed, strict=True)):
        return answers.refuse("empty_output", site.outputs)
    return site


def _has_bias(node: Node) -> bool:
    return len(node.inputs) > 2 and bool(node.inputs[2])


def site_of(match: Match) -> Site:
    """The site that `look` found."""
    return cast("Site", match.bindings["site"])


def weights(editor: Editor, node: Node) -> tuple[Array, Array | None]:
    """Weight `[Ci, Co/group, kD, kH, kW]` and bias `[Co]` of *node*."""
    weight = constant(editor.model, node.graph, node.inputs[1])
    bias = constant(editor.model, node.graph, node.inputs[2]) if _has_bias(node) else None
    return np.asarray(weight), bias


def to_batch(chain: Chain, site: Site, form: str) -> Chain:
    """Move the depth into the batch: `[N, C, D, H, W]` -> `[N*D, C, H, W]`, in one of three *form*s."""
    d, h, w = site.sizes
    c = site.channels
    if form == "batch-1":
        return chain.reshape(c, d, h, w).transpose(1, 0, 2, 3)
    if form == "rank-4":
        chain.reshape(site.batch, c, d, h * w).transpose(0, 2, 1, 3)
    else:
        chain.transpose(0, 2, 1, 3, 4)
    return chain.reshape(site.folded_batch(), c, h, w)


def conv_transpose_2d(chain: Chain, site: Site, weight: Array, bias: Array | None, names: tuple[str, ...]) -> Chain:
    """ConvTranspose over H and W of `[N*D, Ci, H, W]` that makes all depth taps as channels: `[N*D, Co*kD, Ho, Wo]`.

    *names* are those of the original weight and bias; the new tensors are called after them.
    """
    g = site.geometry
    kd, kh, kw = g.kernel
    flat = np.ascontiguousarray(weight).reshape(site.channels, site.maps // g.group * kd, kh, kw)
    extra = [chain.tensor(flat, names[1])]
    if bias is not None:
        extra.append(chain.tensor(np.repeat(bias, kd), names[2]))
    return chain.op(
        "ConvTranspose",
        *extra,
        kernel_shape=[kh, kw],
        strides=list(g.strides[1:]),
        dilations=list(g.dilations[1:]),
        pads=[*g.begins[1:], *g.ends[1:]],
        output_padding=list(g.extra[1:]) if any(g.extra[1:]) else None,
        group=g.group,
    )


def split_bias(site: Site, full: Sequence[int], bias: Array | None) -> tuple[Array | None, Array | None]:
    """The *bias* in the convolution, or after it: (early, late), one of them None.

    It comes late when the output reaches past what the kernel writes, *full* along the first spatial axes: what
    output_padding adds there holds the bias alone.
    """
    past = any(begin + out > size for begin, out, size in zip(site.geometry.begins, site.outputs, full, strict=False))
    return (None, bias) if past else (bias, None)


def trim(chain: Chain, site: Site, full: Sequence[int], dtype: np.dtype[np.generic]) -> Chain:
    """Cut the padding off the first spatial axes of `[N, Co, ...]`, which have the sizes *full*; zeros past them."""
    for axis, size in enumerate(full):
        begin = site.geometry.begins[axis]
        chain.crop(axis + 2, size, begin, begin + site.outputs[axis], 5, dtype)
    return chain


def add_bias(chain: Chain, bias: Array | None, names: tuple[str, ...], width: int) -> Chain:
    """Add *bias* `[Co]` to a value of *width* axes; *names* are the inputs of the original node."""
    if bias is None:
        return chain
    shaped = np.reshape(bias, (1, -1, *[1] * (width - 2)))
    return chain.op("Add", chain.tensor(shaped, names[2]), role="Bias")
