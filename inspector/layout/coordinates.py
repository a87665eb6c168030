"""Where blocks stand across the ranks: as near to what they are linked with as their neighbours allow.

Positions are whole pixels. The longest block, the spine of the network, is placed first and the others gather round it;
then blocks move in turn to the median of the ends of their links.
"""

from dataclasses import dataclass

import numpy as np

from inspector.layout.graph import Floats, Ints
from inspector.layout.lattice import Lattice, neighbours, part_of_places
from inspector.layout.options import LayoutOptions
from inspector.layout.watch import Watch

_FAR = 1 << 60
"""Beyond any position."""

_EFFORT = 30
"""How often, on average, the bounds of a block may be looked at while blocks are placed one by one."""

_ROUNDS = 10
"""Most rounds of moves to the median; each is one pass to the right and one to the left."""


@dataclass(frozen=True, slots=True)
class _Row:
    """Blocks and the least distances between them.

    Attributes:
        order: blocks, each after all that stand left of it.
        left: per block: `(block to the left, least distance of the centres)`.
        right: per block: the same to the right.
        pull: per block: blocks at the other ends of its bent links.
    """

    order: list[int]
    left: list[list[tuple[int, int]]]
    right: list[list[tuple[int, int]]]
    pull: list[list[int]]


def centres(
    lattice: Lattice,
    ranks: list[list[int]],
    block: Ints,
    width: Floats,
    component: Ints,
    anchor: Floats,
    options: LayoutOptions,
    watch: Watch,
) -> Ints:
    """`[places]` x of the middle of each place; without anchors the least is 0.

    Args:
        lattice: places and links.
        ranks: places of each rank from left to right; the places of a rank that is left out stay where their anchors
            are and give way to nothing.
        block: `[places]` places of a block get one x.
        width: `[boxes]` widths.
        component: `[boxes]` unconnected part of each box.
        anchor: `[places]` x that a place should keep, NaN for most; one value per block at most.
        options: gaps.
        watch: progress and cancel.
    """
    if not len(block):
        return block
    distances = _distances(lattice, ranks, block, width, component, options)
    watch.check()
    row = _row(lattice, block, distances)
    watch.check()
    fixed = _anchored(block, anchor)
    x = _place(row, fixed, _weights(lattice, block), watch)
    for number in range(_ROUNDS):
        watch.done(0.4 + 0.6 * number / _ROUNDS)
        if not _settle(row, x, fixed, watch):
            break
    watch.done(1.0)
    spots = np.array(x, dtype=np.int64)
    return np.asarray((spots if fixed else spots - spots.min())[block], dtype=np.int64)


def _anchored(block: Ints, anchor: Floats) -> dict[int, int]:
    """Blocks that have an anchor, with its x."""
    held = np.flatnonzero(~np.isnan(anchor))
    return dict(zip(block[held].tolist(), np.rint(anchor[held]).astype(np.int64).tolist(), strict=True))


def _distances(
    lattice: Lattice, ranks: list[list[int]], block: Ints, width: Floats, component: Ints, options: LayoutOptions
) -> tuple[Ints, Ints, Ints]:
    """Pairs of neighbouring blocks, left and right, each pair once, with the least distance of their centres."""
    flat = np.fromiter((place for rank in ranks for place in rank), dtype=np.int64)
    left, right = flat[:-1], flat[1:]
    beside = lattice.layer[left] == lattice.layer[right]
    left, right = left[beside], right[beside]
    half = np.concatenate([np.ceil(width / 2), np.zeros(len(lattice.layer) - lattice.boxes)]).astype(np.int64)
    knots = (left >= lattice.boxes).astype(np.int64) + (right >= lattice.boxes)
    gap = np.choose(knots, [round(options.sibling_gap), round(options.edge_gap), round(options.trunk_gap)])
    part = part_of_places(lattice, component)
    gap = np.where(part[left] == part[right], gap, round(options.component_gap))
    distance = half[left] + half[right] + gap
    key = block[left] * (int(block.max()) + 1) + block[right]
    sequence = np.argsort(key, kind="stable")
    pairs, first = np.unique(key[sequence], return_index=True)
    widest = np.maximum.reduceat(distance[sequence], first) if len(first) else distance
    return pairs // (int(block.max()) + 1), pairs % (int(block.max()) + 1), widest


def _row(lattice: Lattice, block: Ints, distances: tuple[Ints, Ints, Ints]) -> _Row:
    left, right, distance = distances
    count = int(block.max()) + 1
    upper, lower = block[lattice.upper], block[lattice.lower]
    bent = upper != lower
    upper, lower = upper[bent], lower[bent]
    right_of = neighbours(count, left, right)
    return _Row(
        order=_left_to_right(right_of, np.bincount(right, minlength=count).tolist()),
        left=_paired(count, right, left, distance),
        right=_paired(count, left, right, distance),
        pull=neighbours(count, np.concatenate([upper, lower]), np.concatenate([lower, upper])),
    )


def _paired(count: int, key: Ints, other: Ints, distance: Ints) -> list[list[tuple[int, int]]]:
    ends, lengths = neighbours(count, key, other), neighbours(count, key, distance)
    return [list(zip(a, b, strict=True)) for a, b in zip(ends, lengths, strict=True)]


def _left_to_right(right_of: list[list[int]], waiting: list[int]) -> list[int]:
    """Topological order; it exists because straight links never cross, so blocks are disjoint vertical strips."""
    order = [b for b, n in enumerate(waiting) if n == 0]
    for block in order:
        for follower in right_of[block]:
            waiting[follower] -= 1
            if waiting[follower] == 0:
                order.append(follower)
    return order


def _weights(lattice: Lattice, block: Ints) -> Ints:
    """`[blocks]` how early each block is placed: by its boxes, then by its knots."""
    boxes = np.bincount(block[: lattice.boxes], minlength=int(block.max()) + 1)
    return boxes * len(lattice.layer) + np.bincount(block)


def _place(row: _Row, fixed: dict[int, int], weight: Ints, watch: Watch) -> list[int]:
    """Place anchored blocks, then the heaviest, and every other as near as possible to what it is linked with.

    The room that blocks not yet placed will need is kept free: *low* and *high* are the bounds that follow from the
    placed blocks through chains of least distances. Where keeping them up to date takes too long, which happens in
    wide graphs without the shape of a network, the lighter blocks are placed from left to right.
    """
    count = len(row.order)
    low = [-_FAR] * count
    high = [_FAR] * count
    placed = [False] * count
    x = [0] * count
    free = np.ones(count, dtype=np.bool_)
    free[list(fixed)] = False
    effort = _EFFORT * (count + sum(map(len, row.left)))
    for number, block in enumerate(np.lexsort((np.arange(count), -weight, free)).tolist()):
        if not number & 255:
            watch.check()
        wish = fixed.get(block, _wish(row, block, x, placed))
        x[block] = low[block] = high[block] = min(max(wish, low[block]), high[block])
        placed[block] = True
        effort -= _tighten(block, row.right, low, 1, effort, watch)
        effort -= _tighten(block, row.left, high, -1, effort, watch)
        if effort <= 0:
            _complete(row, placed, x, watch)
            break
    return x


def _wish(row: _Row, block: int, x: list[int], placed: list[bool]) -> int:
    """Median of the placed ends of a block's links; 0, where the spine is, without any."""
    ends = [x[p] for p in row.pull[block] if placed[p]]
    ends.sort()
    return ends[len(ends) // 2] if ends else 0


def _tighten(
    start: int, beside: list[list[tuple[int, int]]], bound: list[int], sign: int, most: int, watch: Watch
) -> int:
    """Carry the bound of *start* on to the blocks on one side, as far as it changes theirs.

    Stops after *most* blocks at the latest; returns how many it looked at.
    """
    stack = [start]
    seen = 0
    while stack and seen < most:
        block = stack.pop()
        seen += 1
        if not seen & 8191:
            watch.check()
        here = bound[block]
        for other, distance in beside[block]:
            reach = here + sign * distance
            if (reach - bound[other]) * sign > 0:
                bound[other] = reach
                stack.append(other)
    return seen


def _complete(row: _Row, placed: list[bool], x: list[int], watch: Watch) -> None:
    """Place the rest from left to right, each between its left neighbours and what is placed to its right."""
    high = [x[block] if placed[block] else _FAR for block in range(len(x))]
    for number, block in enumerate(reversed(row.order)):
        if not number & 2047:
            watch.check()
        if not placed[block]:
            high[block] = min([_FAR, *[high[other] - distance for other, distance in row.right[block]]])
    for number, block in enumerate(row.order):
        if not number & 2047:
            watch.check()
        if not placed[block]:
            low = max([-_FAR, *[x[other] + distance for other, distance in row.left[block]]])
            x[block] = min(max(_wish(row, block, x, placed), low), high[block])
            placed[block] = True


def _settle(row: _Row, x: list[int], fixed: dict[int, int], watch: Watch) -> bool:
    """Move each block without anchor to the median of what pulls at it, twice; True if any moved."""
    moved = False
    for sequence in (row.order, list(reversed(row.order))):
        for number, block in enumerate(sequence):
            if not number & 2047:
                watch.check()
            near = row.pull[block]
            if not near or block in fixed:
                continue
            ends = [x[p] for p in near]
            ends.sort()
            here = x[block]
            if here > (high := ends[len(ends) // 2]):
                goal = max([high, *[x[other] + distance for other, distance in row.left[block]]])
            elif here < (low := ends[(len(ends) - 1) // 2]):
                goal = min([low, *[x[other] - distance for other, distance in row.right[block]]])
            else:
                continue
            if goal != here:
                x[block] = goal
                moved = True
    return moved
