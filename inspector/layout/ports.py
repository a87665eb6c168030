"""Where trunks leave and enter the boxes."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from inspector.layout.lattice import Lattice
from inspector.layout.result import Ints, LayoutGraph
from inspector.layout.watch import Watch

_INSET = 12.0
"""Least distance of a port from the corner of its box."""

_APART = 12.0
"""Least distance of two ports of one side, where the box is wide enough."""

_FREE = float("inf")

Port = tuple[float, float | None]
"""Where a port comes in the order of its side, and the x at which its edge would be straight (None: nowhere)."""


def spread(ports: Sequence[Port], middle: float, width: float) -> list[float]:
    """X of each port on one side of a box.

    A port stands where its edge is straight if the box reaches that far and its neighbours leave room; the others
    share the free stretches evenly. The order of the ports is kept.

    Args:
        ports: in order of their first entry.
        middle: x of the middle of the box.
        width: width of the box.
    """
    count = len(ports)
    half = max(width / 2 - _INSET, width / 4)
    if count == 1:
        wish = ports[0][1]
        return [middle if wish is None or abs(wish - middle) > half else wish]
    apart = min(_APART, 2 * half / (count + 1))
    fixed = _fixed([wish for _, wish in ports], middle - half, middle + half, apart)
    placed: list[float] = []
    for (first, left), (last, right) in pairwise(fixed):
        free = last - first - 1
        placed.extend(left + (right - left) * (i + 1) / (free + 1) for i in range(free))
        if last < count:
            placed.append(right)
    return placed


def _fixed(wishes: list[float | None], left: float, right: float, apart: float) -> list[tuple[int, float]]:
    """Ports that get their wish, with the corners of the side before and after them."""
    count = len(wishes)
    fixed = [(-1, left - apart)]
    for index, wish in enumerate(wishes):
        if wish is None:
            continue
        before, edge = fixed[-1]
        room_left = wish - edge >= apart * (index - before) - 1e-9
        room_right = right + apart - wish >= apart * (count - index) - 1e-9
        if room_left and room_right:
            fixed.append((index, wish))
    if len(fixed) == 1:
        return [(-1, left), (count, right)] if count < 4 else [(-1, left - apart), (count, right + apart)]
    fixed.append((count, right + apart))
    return fixed


class Ports:
    """Ports of all boxes.

    Attributes:
        leaving: `[trunks]` x at which each trunk leaves its box.
        entering: `(trunk, box)` -> x at which it enters.
    """

    def __init__(self, graph: LayoutGraph, lattice: Lattice, x: Ints, watch: Watch) -> None:
        self._lattice = lattice
        self._width: list[float] = graph.width.tolist()
        self._x: list[int] = x.tolist()
        self.leaving = self._leave(graph, watch)
        self.entering = self._enter(graph, watch)

    def _leave(self, graph: LayoutGraph, watch: Watch) -> list[float]:
        lattice, x, boxes = self._lattice, self._x, self._lattice.boxes
        trunks = int(lattice.edge_trunk.max()) + 1 if len(lattice.edge_trunk) else 0
        ends: list[list[int]] = [[] for _ in range(trunks)]
        real = lattice.upper < boxes
        for trunk, low in zip(lattice.link_trunk[real].tolist(), lattice.lower[real].tolist(), strict=True):
            ends[trunk].append(low)
        owner = np.zeros(trunks, dtype=np.int64)
        owner[lattice.edge_trunk] = graph.edge_source
        readers = np.bincount(lattice.lower, minlength=len(x)).tolist()
        of_box: dict[int, list[int]] = {}
        for trunk, box in enumerate(owner.tolist()):
            of_box.setdefault(box, []).append(trunk)
        leaving = [0.0] * trunks
        for number, (box, own) in enumerate(of_box.items()):
            if not number & 1023:
                watch.check()
            ports = [(*self._way_out(box, ends[trunk], readers), trunk) for trunk in own]
            if len(ports) > 1:
                ports.sort(key=lambda port: (port[0], port[2]))
            spots = spread([(key, wish) for key, wish, _ in ports], x[box], self._width[box])
            for (_, _, trunk), spot in zip(ports, spots, strict=True):
                leaving[trunk] = spot
        return leaving

    def _way_out(self, box: int, ends: list[int], readers: list[int]) -> Port:
        x, boxes = self._x, self._lattice.boxes
        here = float(x[box])
        if not ends:
            return _FREE, None
        spots = sorted(x[p] for p in ends)
        near = float(spots[len(spots) // 2])
        if here in spots:
            return here, here
        if len(ends) == 1 and ends[0] < boxes and readers[ends[0]] > 1:
            return near, None
        return near, near

    def _enter(self, graph: LayoutGraph, watch: Watch) -> dict[tuple[int, int], float]:
        lattice, x, boxes = self._lattice, self._x, self._lattice.boxes
        arrivals: dict[int, list[tuple[float, float | None, int]]] = {}
        real = lattice.lower < boxes
        links = (lattice.upper[real].tolist(), lattice.lower[real].tolist(), lattice.link_trunk[real].tolist())
        for u, v, trunk in zip(*links, strict=True):
            at = self.leaving[trunk] if u < boxes else float(x[u])
            arrivals.setdefault(v, []).append((at, at, trunk))
        cut = lattice.cut
        stubs = dict.fromkeys(zip(graph.edge_target[cut].tolist(), lattice.edge_trunk[cut].tolist(), strict=True))
        for v, trunk in stubs:
            arrivals.setdefault(v, []).append((-_FREE, None, trunk))
        entering: dict[tuple[int, int], float] = {}
        for number, (box, ports) in enumerate(arrivals.items()):
            if not number & 1023:
                watch.check()
            if len(ports) > 1:
                ports.sort(key=lambda port: (port[0], port[2]))
            spots = spread([(key, wish) for key, wish, _ in ports], x[box], self._width[box])
            for (_, _, trunk), spot in zip(ports, spots, strict=True):
                entering[trunk, box] = spot
        return entering
