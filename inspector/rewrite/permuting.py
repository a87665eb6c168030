"""Permutations of many axes as transposes of at most four."""

from collections.abc import Sequence
from itertools import chain as joined
from itertools import combinations, pairwise
from math import prod

from inspector.rewrite.chain import Chain

MOST_AXES = 4
"""Axes of the transposes that are made."""


Blocks = list[tuple[int, ...]]
"""Runs of axes that stay side by side."""


def transpose_low_rank(chain: Chain, sizes: Sequence[int], perm: Sequence[int]) -> Chain:
    """Permute the axes of the running value by transposes of at most four axes; the result has the wanted shape.

    Args:
        chain: the running value has the elements of a tensor of *sizes*, in any shape.
        sizes: sizes of the axes before; at most one may be -1.
        perm: axis i of the result is axis perm[i] of what was before.
    """
    now, goal = blocks(sizes, perm)
    while len(now) > MOST_AXES:
        i, j, k = _best_swap(now, goal)
        parts = (now[:i], now[i:j], now[j:k], now[k:])
        chain.reshape(*(_size(sizes, part) for part in parts)).transpose(0, 2, 1, 3)
        now, goal = _merged(list(joined(parts[0], parts[2], parts[1], parts[3])), goal)
    if now != goal:
        order = [now.index(block) for block in goal]
        lead = MOST_AXES - len(now) if order[0] != 0 else 0
        chain.reshape(*([1] * lead), *(_size(sizes, [block]) for block in now))
        chain.transpose(*range(lead), *(lead + place for place in order))
    return chain.reshape(*(sizes[axis] for axis in perm))


def blocks(sizes: Sequence[int], perm: Sequence[int]) -> tuple[Blocks, Blocks]:
    """Axes that a permutation keeps side by side, as blocks: in the order before, and in that after.

    Axes of length 1 are left out, because they may stand anywhere.
    """
    before: Blocks = [(axis,) for axis in range(len(sizes)) if sizes[axis] != 1]
    return _merged(before, [(axis,) for axis in perm if sizes[axis] != 1])


def _merged(now: Blocks, goal: Blocks) -> tuple[Blocks, Blocks]:
    """The same two orders with axes put together wherever they follow each other in both."""
    wanted = list(joined.from_iterable(goal))
    follows = set(pairwise(wanted))
    merged: Blocks = []
    for axis in joined.from_iterable(now):
        if merged and (merged[-1][-1], axis) in follows:
            merged[-1] += (axis,)
        else:
            merged.append((axis,))
    return merged, sorted(merged, key=lambda block: wanted.index(block[0]))


def _best_swap(now: Blocks, goal: Blocks) -> tuple[int, int, int]:
    """Where two neighbouring runs of blocks begin, meet and end whose exchange brings most blocks together.

    Some exchange always brings two together: that which moves a block behind the one that it should follow.
    """
    follows = set(pairwise([(), *goal, ()]))

    def together(cut: tuple[int, int, int]) -> int:
        i, j, k = cut
        return sum(pair in follows for pair in pairwise([(), *now[:i], *now[j:k], *now[i:j], *now[k:], ()]))

    return max(combinations(range(len(now) + 1), 3), key=together)


def _size(sizes: Sequence[int], part: Blocks) -> int:
    """Number of positions of the axes of *part*; -1 when one of them is open."""
    lengths = [sizes[axis] for axis in joined.from_iterable(part)]
    return -1 if -1 in lengths else prod(lengths)
