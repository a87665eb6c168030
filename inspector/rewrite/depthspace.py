"""Reading a DepthToSpace or SpaceToDepth: block size, order, and the view in which it is a permutation."""

from dataclasses import dataclass
from typing import cast

from inspector.model.graph import Model, Node
from inspector.model.shape import text
from inspector.rewrite.pattern import Answers, batch, fixed_sizes, rank, refuse_place
from inspector.rewrite.rule import Match, Refusal

DCR, CRD = "DCR", "CRD"
"""Orders of the channels of DepthToSpace: blocks outside the channels, or inside."""


@dataclass(frozen=True, slots=True)
class BlockSite:
    """A DepthToSpace or SpaceToDepth over `[N, C, H, W]`.

    Attributes:
        to_space: whether it is DepthToSpace.
        block: block size.
        order: `DCR` or `CRD`; SpaceToDepth knows `DCR` only.
        sizes: N (-1 when it is open), C, H, W of the input.
    """

    to_space: bool
    block: int
    order: str
    sizes: tuple[int, int, int, int]

    @property
    def outputs(self) -> tuple[int, int, int, int]:
        """N, C, H, W of the output."""
        n, c, h, w = self.sizes
        b = self.block
        return (n, c // b**2, h * b, w * b) if self.to_space else (n, c * b**2, h // b, w // b)

    def view(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Six axes of the input, and the permutation that gives the six axes of the output.

        Source: ONNX operators DepthToSpace, version 11, and SpaceToDepth, version 1.
        """
        n, c, h, w = self.sizes
        b = self.block
        if not self.to_space:
            return (n, c, h // b, b, w // b, b), (0, 3, 5, 1, 2, 4)
        if self.order == DCR:
            return (n, b, b, c // b**2, h, w), (0, 3, 4, 1, 5, 2)
        return (n, c // b**2, b, b, h, w), (0, 1, 4, 2, 5, 3)


def look_block(model: Model, node: Node, answers: Answers) -> BlockSite | Refusal:
    """The site at *node*, or why it is none."""
    to_space = node.op.name == "DepthToSpace"
    if node.op.domain or not (to_space or node.op.name == "SpaceToDepth") or not node.inputs or not node.outputs:
        return answers.other()
    refusal = refuse_place(model, answers)
    if refusal is not None:
        return refusal
    if rank(model, node.graph, node.inputs[0]) is None:
        return answers.refuse("unknown_shape", node.inputs[0])
    shape = model.value(node.graph, node.inputs[0]).shape or ()
    block, order = node.attributes.get("blocksize"), node.attributes.get("mode", DCR)
    if not isinstance(block, int) or block < 1 or order not in ((DCR, CRD) if to_space else (DCR,)) or len(shape) != 4:
        return answers.refuse("odd_attribute", f"blocksize = {block}, mode = {order}, {text(shape)}")
    sizes = fixed_sizes(model, shape, (1, 2, 3))
    if sizes is None:
        return answers.refuse("dynamic", text(shape), axes="C, H, W")
    if any(size % block**2 for size in sizes[:1]) if to_space else any(size % block for size in sizes[1:]):
        return answers.refuse("odd_attribute", f"blocksize = {block}, {text(shape)}")
    answers.holds("block_size", f"{block}, {order}")
    return BlockSite(to_space, block, str(order), cast("tuple[int, int, int, int]", (batch(model, shape), *sizes)))


def block_site_of(match: Match) -> BlockSite:
    """The site that `look_block` found, under `site` in the bindings."""
    return cast("BlockSite", match.bindings["site"])
