"""Which nodes of a graph stand in one segment, in arrays over the standing nodes in order.

Nodes that run as one (a host with what is fused into it) are a unit. The level of a unit counts how often the processor
changes on the way to it; two connected units of one processor stand in one segment when their levels are equal.
"""

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


def segment_of_nodes(source: Ints, target: Ints, top: Ints, verdict: Ints) -> Ints:
    """`[nodes]` number of the segment of each node; segments are numbered by their first node.

    Args:
        source: `[edges]` node that computes a value, -1 for a value from outside.
        target: `[edges]` node that reads it.
        top: `[nodes]` the node itself, or the one at the end of the chain it is fused into.
        verdict: `[nodes]` a number for the verdict.
    """
    unit, turn = _units(source, target, top)
    inner = source >= 0
    source, target = source[inner], target[inner]
    before, after = unit[source], unit[target]
    forward = turn[before] < turn[after]
    source, before, after = source[forward], before[forward], after[forward]
    by_turn = np.argsort(turn[after], kind="stable")
    before, after = before[by_turn], after[by_turn]
    changes = (verdict[source[by_turn]] != verdict[after]).astype(np.int64)
    level = np.array(_levels(len(top), before.tolist(), after.tolist(), changes.tolist()), dtype=np.int64)
    joined = (changes == 0) & (level[before] == level[after])
    parent = _united(len(top), before[joined].tolist(), after[joined].tolist())
    root = np.array(parent, dtype=np.int64)[unit]
    _, first, same = np.unique(root, return_index=True, return_inverse=True)
    number = np.empty(len(first), dtype=np.int64)
    number[np.argsort(first)] = np.arange(len(first))
    return number[same]


def _units(source: Ints, target: Ints, top: Ints) -> tuple[Ints, Ints]:
    """`[nodes]` unit of each node, named by its host, and `[nodes]` when the unit of that name has its turn.

    A fused node counts to its host only where the two are wired together: a BatchNormalization that was folded through
    a Concat stays where it is. A unit takes the place of its last node that reads from outside or is read at all.
    """
    count = len(top)
    within = np.zeros(len(source), dtype=np.bool_)
    inner = source >= 0
    within[inner] = top[source[inner]] == top[target[inner]]
    joined, outward = np.zeros(count, dtype=np.bool_), np.zeros(count, dtype=np.bool_)
    joined[source[within]] = joined[target[within]] = True
    outward[source[inner]] = True
    outward[target[~within]] = True
    index = np.arange(count, dtype=np.int64)
    unit = np.where(joined, top, index)
    first = np.full(count, count, dtype=np.int64)
    np.minimum.at(first, unit, index)
    last = np.full(count, -1, dtype=np.int64)
    np.maximum.at(last, unit[outward], index[outward])
    return unit, np.where(last >= 0, last, first)


def _levels(count: int, before: list[int], after: list[int], changes: list[int]) -> list[int]:
    """`[units]` most processor changes on a way to each; edges come sorted by the turn of what they lead to."""
    level = [0] * count
    for first, second, change in zip(before, after, changes, strict=True):
        reached = level[first] + change
        if reached > level[second]:
            level[second] = reached
    return level


def _united(count: int, first: list[int], second: list[int]) -> list[int]:
    """The lowest of all units that the pairs connect with each (union-find)."""
    parent = list(range(count))
    for one, other in zip(first, second, strict=True):
        a, b = one, other
        while parent[a] != a:
            parent[a] = a = parent[parent[a]]
        while parent[b] != b:
            parent[b] = b = parent[parent[b]]
        if a < b:
            parent[b] = a
        else:
            parent[a] = b
    for unit in range(count):  # parents are lower, so those before are final
        parent[unit] = parent[parent[unit]]
    return parent
