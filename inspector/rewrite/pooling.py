"""Reading a MaxPool or AveragePool of rank 3 to 5."""

from dataclasses import dataclass
from typing import cast

from inspector.model.graph import Model, Node
from inspector.model.shape import text
from inspector.rewrite.conv import ints
from inspector.rewrite.pattern import Answers, batch, fixed, fixed_sizes, is_wide_float, rank, refuse_place
from inspector.rewrite.rule import Match, Refusal
from inspector.rewrite.window import Window, read_window


@dataclass(frozen=True, slots=True)
class PoolSite:
    """A pooling operator that a rule may rewrite.

    Attributes:
        window: how it walks.
        ceil: whether output sizes are rounded up (ceil_mode).
        counts_pads: whether an average counts the padding (count_include_pad).
        batch: size of axis 0; -1 when it is open.
        channels: channels; None when they are not fixed.
        sizes: spatial sizes of the input; empty when they are not fixed.
        outputs: spatial sizes of the output; empty when they are not fixed.
    """

    window: Window
    ceil: bool
    counts_pads: bool
    batch: int
    channels: int | None
    sizes: tuple[int, ...]
    outputs: tuple[int, ...]


def look_pool(model: Model, node: Node, op: str, answers: Answers, *, sized: bool = False) -> PoolSite | Refusal:
    """The site at *node* of operator *op*, or why it is none; *sized* asks for fixed spatial sizes."""
    if node.op.domain or node.op.name != op or not node.inputs or not node.inputs[0] or not node.outputs:
        return answers.other()
    refusal = refuse_place(model, answers)
    if refusal is not None:
        return refusal
    if len(node.outputs) > 1 and node.outputs[1]:
        return answers.refuse("pool_indices", node.outputs[1])
    width = rank(model, node.graph, node.inputs[0])
    if width is None:
        return answers.refuse("unknown_shape", node.inputs[0])
    dtype = model.value(node.graph, node.inputs[0]).dtype
    if not is_wide_float(dtype):
        return answers.refuse("narrow_float", dtype)
    kernel = ints(node, "kernel_shape", ())
    if width not in (3, 4, 5) or len(kernel) != width - 2:
        return answers.refuse("odd_attribute", f"kernel_shape = {kernel}")
    shape = model.value(node.graph, node.inputs[0]).shape or ()
    sizes = fixed_sizes(model, shape, tuple(range(2, width)))
    if sized and sizes is None:
        return answers.refuse("dynamic", text(shape), axes=", ".join("DHW"[5 - width :]))
    window = read_window(node, kernel, sizes)
    if isinstance(window, str):
        return answers.refuse("auto_pad" if window.startswith("auto_pad") else "odd_attribute", window)
    wide = model.value(node.graph, node.outputs[0]).shape
    outputs = None if wide is None else fixed_sizes(model, wide, tuple(range(2, width)))
    return PoolSite(
        window,
        node.attributes.get("ceil_mode", 0) == 1,
        node.attributes.get("count_include_pad", 0) == 1,
        batch(model, shape),
        fixed(model, shape, 1),
        sizes or (),
        outputs or (),
    )


def pool_site_of(match: Match) -> PoolSite:
    """The site that `look_pool` found, under `site` in the bindings."""
    return cast("PoolSite", match.bindings["site"])
