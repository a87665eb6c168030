"""Reading a Resize or Upsample that enlarges H and W by whole factors, and its form as a transposed convolution."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from inspector.model.graph import Model, Node
from inspector.model.shape import text
from inspector.rewrite.chain import Array, Chain
from inspector.rewrite.pattern import Answers, fixed, fixed_sizes, is_wide_float, rank, refuse_place
from inspector.rewrite.resize import Request, read_request
from inspector.rewrite.rule import Match, Refusal


@dataclass(frozen=True, slots=True)
class UpSite:
    """A Resize or Upsample of `[N, C, H, W]` by whole factors.

    Attributes:
        request: what the node asks for.
        channels: C.
        sizes: H and W of the input; None when they are not fixed.
        factors: factors of H and W, at least 1; one is larger.
    """

    request: Request
    channels: int
    sizes: tuple[int, int] | None
    factors: tuple[int, int]


def look_up(model: Model, node: Node, answers: Answers, mode: str) -> UpSite | Refusal:
    """The site at *node* whose attribute mode is *mode*, or why it is none."""
    known = not node.op.domain and node.op.name in ("Resize", "Upsample") and node.outputs and any(node.inputs[:1])
    if not known or node.attributes.get("mode", "nearest") != mode:
        return answers.other()
    width = rank(model, node.graph, node.inputs[0])
    if width is None:
        return answers.refuse("unknown_shape", node.inputs[0])
    if width != 4:
        return answers.other()
    refusal = refuse_place(model, answers)
    if refusal is not None:
        return refusal
    value = model.value(node.graph, node.inputs[0])
    if not is_wide_float(value.dtype):
        return answers.refuse("narrow_float", value.dtype)
    channels = fixed(model, value.shape, 1)
    if channels is None:
        return answers.refuse("dynamic", text(value.shape), axes="C")
    request = read_request(model, node, answers)
    if isinstance(request, Refusal):
        return request
    refusal = _factors(request, answers)
    if refusal is not None:
        return refusal
    sizes = cast("tuple[int, int] | None", fixed_sizes(model, value.shape, (2, 3)))
    return UpSite(request, channels, sizes, (int(request.scales[2]), int(request.scales[3])))


def _factors(request: Request, answers: Answers) -> Refusal | None:
    """Refusal for scales that are not whole factors on H and W alone."""
    shown = ", ".join(f"{scale:g}" for scale in request.scales)
    if request.scales[:2] != (1.0, 1.0):
        return answers.refuse("resize_batch", shown)
    if request.scales[2:] == (1.0, 1.0):
        return answers.refuse("resize_nothing", shown)
    if any(scale < 1 or not scale.is_integer() for scale in request.scales):
        return answers.refuse("resize_factors", shown)
    if request.antialias:
        return answers.refuse("resize_antialias", "antialias = 1")
    answers.holds("resize_factors", shown)
    return None


def up_site_of(match: Match) -> UpSite:
    """The site that `look_up` found, under `site` in the bindings."""
    return cast("UpSite", match.bindings["site"])


def spread(chain: Chain, site: UpSite, kernel: Array, begins: Sequence[int], ends: Sequence[int]) -> Chain:
    """Transposed convolution of every channel by *kernel* `[kH, kW]` in strides of the factors of *site*.

    *begins* and *ends* are cut off the result, along H and W.
    """
    weight = np.broadcast_to(kernel, (site.channels, 1, *kernel.shape))
    return chain.op(
        "ConvTranspose",
        chain.constant(np.ascontiguousarray(weight), "weight"),
        kernel_shape=list(kernel.shape),
        strides=list(site.factors),
        pads=[*begins, *ends],
        group=site.channels,
    )
