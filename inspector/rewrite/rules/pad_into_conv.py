"""A Pad of zeros before a Conv as padding of the Conv.

What it does:
    The Conv reads the value before the Pad and adds the counts of the Pad to its own padding; the Pad goes.

When it applies:
    Pad in mode constant with the value 0 and constant counts, none below 0 and none on N and C; nothing else reads the
    padded value. Automatic padding SAME needs fixed sizes.

Why it is equivalent:
    A Conv pads with zeros, outside the padding that stands there already.

Safety:
    EQUIVALENT: the same products, added in the runtime's order. Measured bit-equal.

Costs:
    None; the padded value is no longer stored. Some chips want padding that is the same at both ends.

Source:
    ONNX operators Pad, versions 2 to 21, and Conv, version 11.
"""

from typing import Any, cast

import numpy as np
from onnx import helper

from inspector.model.edit import Editor
from inspector.model.graph import Model, Node, NodeId
from inspector.model.shape import text
from inspector.rewrite.chain import Chain
from inspector.rewrite.conv import ints
from inspector.rewrite.pattern import (
    Answers,
    constant,
    fixed_sizes,
    needed_outside,
    not_constant,
    rank,
    refuse_place,
)
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.rewrite.window import read_window
from inspector.text import say

_ID = "pad-into-conv"
_INPUTS_SINCE = 11


class PadIntoConv:
    """Folds a Pad of zeros into the Conv behind it."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Conv"})
    fixes = frozenset({"pad.*"})
    safety = Safety.EQUIVALENT
    limit = None
    variants = (Variant("fold", say(f"rewrite.{_ID}.variant.fold")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        if node.op.domain or node.op.name != "Conv" or len(node.inputs) < 2 or not node.inputs[0] or not node.outputs:
            return answers.other()
        pad = model.producer(node.graph, node.inputs[0])
        if pad is None or pad.op.domain or pad.op.name != "Pad" or not pad.inputs or not pad.inputs[0]:
            return answers.other()
        refusal = refuse_place(model, answers)
        if refusal is not None:
            return refusal
        counts = _counts(model, pad, answers)
        if isinstance(counts, Refusal):
            return counts
        outside = needed_outside(model, pad, frozenset((pad.id, node.id)))
        if outside is not None:
            return answers.refuse(outside, pad.outputs[0])
        pads = _total(model, node, counts, answers)
        if isinstance(pads, Refusal):
            return pads
        answers.holds("pad_zero", counts)
        return answers.match(("fold",), {"pads": pads, "source": pad.inputs[0]}, pad.id, node.id)

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        node = editor.model.node(match.anchor)
        attributes: dict[str, Any] = {a.name: helper.get_attribute_value(a) for a in node.proto.attribute}
        attributes.pop("auto_pad", None)
        attributes["pads"] = list(cast("tuple[int, ...]", match.bindings["pads"]))
        for node_id in match.nodes:
            editor.remove(node_id)
        chain = Chain(editor, node, cast("str", match.bindings["source"]))
        chain.op("Conv", *node.inputs[1:], **attributes).emit(node.outputs[0])


def _counts(model: Model, pad: Node, answers: Answers) -> tuple[int, ...] | Refusal:
    """Counts of the Pad of zeros *pad*: first those in front of every axis, then those behind."""
    width = rank(model, pad.graph, pad.inputs[0])
    if width is None:
        return answers.refuse("unknown_shape", pad.inputs[0])
    mode = pad.attributes.get("mode", "constant")
    if mode != "constant":
        return answers.refuse("pad_mode", mode)
    old = (pad.op.version or 1) < _INPUTS_SINCE
    refusal = not_constant(model, pad.inputs[1:], answers)
    if refusal is not None:
        return refusal
    filled = pad.attributes.get("value", 0.0) if old else _input(model, pad, 2)
    if filled is not None and np.any(np.asarray(filled) != 0):
        return answers.refuse("pad_value", np.asarray(filled).reshape(-1).tolist())
    given = ints(pad, "pads", ()) if old else _input(model, pad, 1)
    axes = _input(model, pad, 3)
    every = _every(np.asarray(() if given is None else given), axes, width)
    if every is None:
        return answers.refuse("odd_attribute", f"pads = {given}, axes = {axes}")
    if min(every) < 0:
        return answers.refuse("negative_pads", every)
    if any(every[axis] for axis in (0, 1, width, width + 1)):
        return answers.refuse("pad_axes", every)
    return every


def _input(model: Model, node: Node, index: int) -> Any:
    """Constant input number *index*; None when it is left out."""
    return constant(model, node.graph, node.inputs[index]) if len(node.inputs) > index and node.inputs[index] else None


def _every(counts: np.ndarray, axes: Any, width: int) -> tuple[int, ...] | None:
    """*counts*, which are given for *axes* (None: all), for all axes; None when they do not fit."""
    named = np.arange(width) if axes is None else np.asarray(axes).reshape(-1)
    at = named.tolist() if named.dtype.kind in "iu" else []
    flat = counts.reshape(-1)
    fits = width >= 3 and flat.size == 2 * len(at) and flat.dtype.kind in "iu"
    if not fits or any(not -width <= axis < width for axis in at):
        return None
    every = [0] * (2 * width)
    for i, axis in enumerate(at):
        every[axis % width], every[width + axis % width] = int(flat[i]), int(flat[len(at) + i])
    return tuple(every)


def _total(model: Model, node: Node, counts: tuple[int, ...], answers: Answers) -> tuple[int, ...] | Refusal:
    """Padding of the Conv *node* with *counts* added."""
    weight = model.value(node.graph, node.inputs[1]).shape
    width = len(counts) // 2
    kernel = None if weight is None or len(weight) != width else fixed_sizes(model, weight, tuple(range(2, width)))
    if kernel is None:
        return answers.refuse("odd_attribute", "?" if weight is None else text(weight))
    shape = model.value(node.graph, node.inputs[0]).shape
    window = read_window(node, kernel, fixed_sizes(model, shape, tuple(range(2, width))))
    if isinstance(window, str):
        return answers.refuse("auto_pad" if window.startswith("auto_pad") else "odd_attribute", window)
    added = (*counts[2:width], *counts[width + 2 :])
    return tuple(a + b for a, b in zip(window.pads, added, strict=True))
