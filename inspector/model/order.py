"""Topological order of the nodes of a graph, kept as in the file wherever the file is in order."""

from collections.abc import Mapping, Sequence
from heapq import heapify, heappop, heappush

from inspector.model.graph import Node


def sort_topologically(
    nodes: Sequence[Node], known: set[str]
) -> tuple[tuple[Node, ...], Mapping[str, tuple[str, ...]]]:
    """*nodes* in topological order, and what was odd about them.

    A file in order stays as it is; otherwise nodes move only as far as they must. A cycle cannot be ordered: the file's
    order is kept. *known* are the graph's inputs and initializers. Values that bodies capture are not followed.

    Returns:
        The order, and a mapping from warning key (`model.not_sorted`, `model.cycle`, `model.dangling`,
        `model.produced_twice`, `model.repeated_names`) to the names concerned.
    """
    report: dict[str, tuple[str, ...]] = {}
    producer: dict[str, int] = {}
    twice: dict[str, None] = {}
    names: dict[str, int] = {}
    for position, node in enumerate(nodes):
        if node.name:
            names[node.name] = names.get(node.name, 0) + 1
        for output in node.outputs:
            if output and (output in producer or output in known):
                twice[output] = None
            elif output:
                producer[output] = position
    if twice:
        report["model.produced_twice"] = tuple(twice)
    repeated = tuple(name for name, count in names.items() if count > 1)
    if repeated:
        report["model.repeated_names"] = repeated
    dangling = tuple({i: None for n in nodes for i in n.inputs if i and i not in producer and i not in known})
    if dangling:
        report["model.dangling"] = dangling
    if _in_order(nodes, producer):
        return tuple(nodes), report
    ordered = _kahn(nodes, producer)
    if ordered is None:
        report["model.cycle"] = tuple(node.label for node in nodes[:1])
        return tuple(nodes), report
    report["model.not_sorted"] = tuple(a.label for a, b in zip(nodes, ordered, strict=True) if a is not b)
    return ordered, report


def _in_order(nodes: Sequence[Node], producer: Mapping[str, int]) -> bool:
    return all(producer.get(i, -1) < position for position, node in enumerate(nodes) for i in node.inputs if i)


def _kahn(nodes: Sequence[Node], producer: Mapping[str, int]) -> tuple[Node, ...] | None:
    """Kahn's algorithm with the file position as priority; None when there is a cycle."""
    waiting = [0] * len(nodes)
    after: list[list[int]] = [[] for _ in nodes]
    for position, node in enumerate(nodes):
        for source in {producer[i] for i in node.inputs if i in producer}:
            waiting[position] += 1
            after[source].append(position)
    ready = [position for position, count in enumerate(waiting) if count == 0]
    heapify(ready)
    order: list[Node] = []
    while ready:
        position = heappop(ready)
        order.append(nodes[position])
        for target in after[position]:
            waiting[target] -= 1
            if waiting[target] == 0:
                heappush(ready, target)
    return tuple(order) if len(order) == len(nodes) else None
