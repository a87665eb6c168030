"""Where trunks leave and enter the boxes."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from inspector.layout.graph import Floats, Ints, LayoutGraph
from inspector.layout.lattice import Lattice, neighbours
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


@dataclass(frozen=True, slots=True)
class Ports:
    """Ports of all boxes.

    Attributes:
        leaving: `[trunks]` x at which each trunk leaves its box.
        entering: `[links]` x of the lower end of each link: the port of a box, or the knot.
        stub: `[m]` x at which the second half of a cut edge enters; 0 for other edges.
    """

    leaving: Floats
    entering: Floats
    stub: Floats


def find_ports(graph: LayoutGraph, lattice: Lattice, x: Ints, watch: Watch) -> Ports:
    """Ports for the trunks of *lattice* and the stubs of its cut edges, when places stand at *x*."""
    leaving = _leave(graph, lattice, x, watch)
    entering, stub = _enter(graph, lattice, x, leaving, watch)
    return Ports(leaving, entering, stub)


def _leave(graph: LayoutGraph, lattice: Lattice, x: Ints, watch: Watch) -> Floats:
    """In the middle; elsewhere only for boxes with several trunks and for trunks with no reader straight below."""
    trunks = int(lattice.edge_trunk.max()) + 1 if len(lattice.edge_trunk) else 0
    owner = np.zeros(trunks, dtype=np.int64)
    owner[lattice.edge_trunk] = graph.edge_source
    leaving = x[owner].astype(np.float64)
    real = lattice.upper < lattice.boxes
    upper, lower, trunk = lattice.upper[real], lattice.lower[real], lattice.link_trunk[real]
    straight = np.bincount(trunk[x[upper] == x[lower]], minlength=trunks) > 0
    special = ~straight & (np.bincount(trunk, minlength=trunks) > 0)
    special |= np.bincount(owner, minlength=lattice.boxes)[owner] > 1
    ends = neighbours(trunks, trunk, lower)
    several = np.bincount(lattice.lower, minlength=len(x)) > 1
    crowded = (several & (np.arange(len(x)) < lattice.boxes)).tolist()
    of_box: dict[int, list[int]] = {}
    for number in np.flatnonzero(special).tolist():
        of_box.setdefault(int(owner[number]), []).append(number)
    centre: list[int] = x.tolist()
    for count, (box, own) in enumerate(of_box.items()):
        if not count & 1023:
            watch.check()
        ports = [(*_way_out(box, ends[number], centre, crowded), number) for number in own]
        ports.sort(key=lambda port: (port[0], port[2]))
        spots = spread([(key, wish) for key, wish, _ in ports], centre[box], float(graph.width[box]))
        for (_, _, number), spot in zip(ports, spots, strict=True):
            leaving[number] = spot
    return leaving


def _way_out(box: int, ends: list[int], x: list[int], crowded: list[bool]) -> Port:
    here = float(x[box])
    if not ends:
        return _FREE, None
    spots = sorted(x[place] for place in ends)
    near = float(spots[len(spots) // 2])
    if here in spots:
        return here, here
    if len(ends) == 1 and crowded[ends[0]]:
        return near, None
    return near, near


def _enter(graph: LayoutGraph, lattice: Lattice, x: Ints, leaving: Floats, watch: Watch) -> tuple[Floats, Floats]:
    """Straight below where the box reaches that far; boxes with several arrivals share them out."""
    boxes = lattice.boxes
    entering = x[lattice.lower].astype(np.float64)
    at = np.where(lattice.upper < boxes, leaving[lattice.link_trunk], x[lattice.upper]) if len(entering) else entering
    cut = np.flatnonzero(lattice.cut)
    stub = np.zeros(len(lattice.cut))
    arrivals = np.bincount(lattice.lower, minlength=len(x))[:boxes]
    arrivals += 2 * np.bincount(graph.edge_target[cut], minlength=boxes)
    to_box = np.flatnonzero(lattice.lower < boxes)
    lone = to_box[arrivals[lattice.lower[to_box]] == 1]
    half = np.maximum(graph.width / 2 - _INSET, graph.width / 4)[lattice.lower[lone]]
    entering[lone] = np.where(np.abs(at[lone] - entering[lone]) <= half, at[lone], entering[lone])
    shared: dict[int, list[tuple[float, float | None, int, int]]] = {}
    rest = to_box[arrivals[lattice.lower[to_box]] > 1]
    keys = (lattice.lower[rest].tolist(), at[rest].tolist(), lattice.link_trunk[rest].tolist(), rest.tolist())
    for box, spot, trunk, link in zip(*keys, strict=True):
        shared.setdefault(box, []).append((spot, spot, trunk, link))
    for box, trunk in dict.fromkeys(
        zip(graph.edge_target[cut].tolist(), lattice.edge_trunk[cut].tolist(), strict=True)
    ):
        shared.setdefault(box, []).append((-_FREE, None, trunk, -1))
    stubs: dict[tuple[int, int], float] = {}
    for count, (box, ports) in enumerate(shared.items()):
        if not count & 1023:
            watch.check()
        ports.sort(key=lambda port: (port[0], port[2]))
        spots = spread([(key, wish) for key, wish, _, _ in ports], int(x[box]), float(graph.width[box]))
        for (_, _, trunk, link), spot in zip(ports, spots, strict=True):
            if link < 0:
                stubs[box, trunk] = spot
            else:
                entering[link] = spot
    for edge in cut.tolist():
        stub[edge] = stubs[int(graph.edge_target[edge]), int(lattice.edge_trunk[edge])]
    return entering, stub
