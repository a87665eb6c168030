"""Operators over one spatial axis, `[N, C, L]`, in their form over two, one of which has length 1."""

from collections.abc import Mapping
from typing import Any, cast

from onnx import helper

from inspector.model.graph import Model, Node
from inspector.model.shape import text
from inspector.rewrite.chain import Chain
from inspector.rewrite.pattern import Answers, fixed
from inspector.rewrite.rule import Match, Refusal

WIDTH, HEIGHT = "width", "height"
"""Variants: which of the two axes L becomes."""

_NEUTRAL = {"output_padding": 0}
"""Entries of list attributes for the new axis; 1 for those that are not named."""


def lengthened(node: Node, variant: str) -> Mapping[str, Any]:
    """Attributes of *node*, the lists of one entry for each spatial axis with an entry for the new axis as well."""
    attributes: dict[str, Any] = {a.name: helper.get_attribute_value(a) for a in node.proto.attribute}
    for name, value in attributes.items():
        if isinstance(value, list) and len(value) == 2 and name == "pads":
            attributes[name] = _placed([0, value[0]], variant) + _placed([0, value[1]], variant)
        elif isinstance(value, list) and len(value) == 1:
            attributes[name] = _placed([_NEUTRAL.get(name, 1), value[0]], variant)
    return attributes


def _placed(pair: list[int], variant: str) -> list[int]:
    """*pair* (new axis, L) in the order of the axes."""
    return pair if variant == WIDTH else pair[::-1]


Sizes = tuple[int, int, int]
"""N, C, L; -1 for one that is open."""


def line_sizes(model: Model, node: Node, answers: Answers) -> tuple[Sizes, Sizes] | Refusal:
    """Sizes of the first input and the first output of *node* for Reshapes, at most one of each open."""
    found = []
    for name in (node.inputs[0], node.outputs[0]):
        shape = model.value(node.graph, name).shape
        sizes = [fixed(model, shape, axis) or -1 for axis in range(3)]
        if shape is None or len(shape) != 3 or sizes.count(-1) > 1:
            return answers.refuse("dynamic", text(shape), axes="N, C, L")
        found.append((sizes[0], sizes[1], sizes[2]))
    answers.holds("line_sizes", f"{found[0]} → {found[1]}")
    return found[0], found[1]


def line_sizes_of(match: Match) -> tuple[Sizes, Sizes]:
    """What `line_sizes` found, under `sizes` in the bindings."""
    return cast("tuple[Sizes, Sizes]", match.bindings["sizes"])


def to_plane(chain: Chain, sizes: Sizes, variant: str) -> Chain:
    """`[N, C, L]` -> `[N, C, 1, L]` or `[N, C, L, 1]`."""
    n, c, length = sizes
    return chain.reshape(n, c, 1, length) if variant == WIDTH else chain.reshape(n, c, length, 1)
