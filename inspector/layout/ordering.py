"""Order within ranks: few crossings, and equal structures in equal order.

A depth-first topological numbering gives the first order; it is free of crossings for series-parallel graphs. Only
windows of ranks round remaining crossings are then improved, by median sweeps and by exchanging neighbours (Gansner et
al., "A technique for drawing directed graphs", 1993). Ranks with a single place separate a graph into windows, and
windows of equal structure are solved once, so that repeated blocks cost little and look alike.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable

import numpy as np

from inspector.layout.graph import Floats, Ints
from inspector.layout.lattice import Lattice, neighbours, part_of_places
from inspector.layout.watch import Watch
from inspector.layout.worth import Worth

_MARGINS = (3, 12, 48)
"""Ranks above and below a crossing that may change, round by round."""

_PATIENCE = 4
"""Sweeps without a better order after which a window is left as it is."""

_EFFORT = (100_000, 8)
"""Places that may be looked at in all: so many, and so many more for each place. Networks need a fraction of this; it
keeps graphs that are nothing but crossings from taking minutes."""


def order_ranks(
    lattice: Lattice, component: Ints, worth: Worth, sweeps: int, watch: Watch, anchor: Floats | None = None
) -> list[list[int]]:
    """Places of each rank from left to right.

    Args:
        lattice: what to order.
        component: `[boxes]` position, from left to right, of the unconnected part that a box belongs to.
        worth: links on the spine and in chains should not cross each other.
        sweeps: most rounds of improvement for one window.
        watch: progress and cancel.
        anchor: `[places]` x of places that keep their order among each other, NaN for the others. None: of none.

    Returns:
        One list per rank; parts do not mix.
    """
    if not len(lattice.layer):
        return []
    numbers = _first_numbers(lattice, watch)
    if anchor is None or bool(np.isnan(anchor).all()):
        anchor = np.full(len(lattice.layer), np.nan)
    else:
        numbers = _by_anchor(lattice, anchor, numbers)
    cells = _Cells(lattice, part_of_places(lattice, component), numbers, worth, anchor, watch)
    for number, margin in enumerate(_MARGINS):
        watch.done(number / len(_MARGINS))
        windows = cells.crossed_windows(margin)
        if not windows:
            break
        cells.improve(windows, sweeps, watch)
    watch.done(1.0)
    return cells.ranks()


def _first_numbers(lattice: Lattice, watch: Watch) -> Ints:
    """`[places]` depth-first topological number: a place follows all it hangs on, and branches stay together."""
    count = len(lattice.layer)
    below = neighbours(count, lattice.upper, lattice.lower)
    watch.check()
    waiting = np.bincount(lattice.lower, minlength=count).tolist()
    number = [0] * count
    stack = [v for v in range(count - 1, -1, -1) if waiting[v] == 0]
    done = 0
    while stack:
        place = stack.pop()
        number[place] = done
        done += 1
        if not done & 4095:
            watch.check()
        for follower in reversed(below[place]):
            waiting[follower] -= 1
            if waiting[follower] == 0:
                stack.append(follower)
    return np.array(number, dtype=np.int64)


def _by_anchor(lattice: Lattice, anchor: Floats, number: Ints) -> Ints:
    """`[places]` numbers by x: that of the anchor, or else the median of those that a place hangs on."""
    key: list[float] = anchor.tolist()
    above = neighbours(len(key), lattice.lower, lattice.upper)
    below = neighbours(len(key), lattice.upper, lattice.lower)
    loose = np.flatnonzero(np.isnan(anchor))
    down = loose[np.lexsort((number[loose], lattice.layer[loose]))].tolist()
    for places, near in ((down, above), (down[::-1], below), (down, above)):
        for place in places:
            known = sorted(key[p] for p in near[place] if key[p] == key[p])
            if known and key[place] != key[place]:
                key[place] = known[len(known) // 2]
    order = np.lexsort((number, np.nan_to_num(np.array(key))))
    numbered = np.empty(len(key), dtype=np.int64)
    numbered[order] = np.arange(len(key))
    return numbered


def sort_anchored(ranks: list[list[int]], anchor: Floats) -> None:
    """Put the anchored places of each rank in the order of their anchors; the others stay where they are."""
    held: list[bool] = (~np.isnan(anchor)).tolist()
    if not any(held):
        return
    for rank in ranks:
        kept = sorted((place for place in rank if held[place]), key=lambda place: (anchor[place], place))
        following = iter(kept)
        rank[:] = [next(following) if held[place] else place for place in rank]


def positions(ranks: list[list[int]], places: int) -> Ints:
    """`[places]` position of each place within its rank."""
    position = np.zeros(places, dtype=np.int64)
    for rank in ranks:
        position[rank] = np.arange(len(rank))
    return position


class _Cells:
    """The current order. A cell is one rank of one unconnected part; cells of a part are numbered from the top."""

    def __init__(self, lattice: Lattice, part: Ints, number: Ints, worth: Worth, anchor: Floats, watch: Watch) -> None:
        count = len(lattice.layer)
        sequence = np.lexsort((number, lattice.layer, part))
        key = part[sequence] * (int(lattice.layer.max()) + 1) + lattice.layer[sequence]
        first = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))
        self._bounds = [*first.tolist(), count]
        self._size = np.diff(np.array(self._bounds))
        self._cell = np.empty(count, dtype=np.int64)
        self._cell[sequence] = np.repeat(np.arange(len(first)), self._size)
        self._layer_of_cell: list[int] = lattice.layer[sequence[first]].tolist()
        self._part_of_cell: list[int] = part[sequence[first]].tolist()
        self._upper, self._lower = lattice.upper, lattice.lower
        watch.check()
        self._above = neighbours(count, lattice.lower, lattice.upper)
        watch.check()
        self._below = neighbours(count, lattice.upper, lattice.lower)
        watch.check()
        self._rigid = worth.spine | worth.chain
        rigid = self._rigid.nonzero()[0]
        self._rigid_below = neighbours(count, self._upper[rigid], self._lower[rigid])
        watch.check()
        self._held: list[bool] = (~np.isnan(anchor)).tolist()
        self._any_held = any(self._held)
        self._number: list[int] = number.tolist()
        self._effort = _EFFORT[0] + _EFFORT[1] * count
        places: list[int] = sequence.tolist()
        self._order = [places[a:b] for a, b in zip(self._bounds[:-1], self._bounds[1:], strict=True)]
        position = np.empty(count, dtype=np.int64)
        position[sequence] = np.arange(count) - np.repeat(first, self._size)
        self._position: list[int] = position.tolist()

    def ranks(self) -> list[list[int]]:
        """Places of each rank, parts from left to right."""
        ranks: list[list[int]] = [[] for _ in range(max(self._layer_of_cell) + 1)]
        for layer, places in zip(self._layer_of_cell, self._order, strict=True):
            ranks[layer].extend(places)
        return ranks

    def _links(self) -> tuple[Ints, Ints, Ints, Ints]:
        """Cell of the upper end, position of the upper end, of the lower end, 1 if rigid; sorted in that order."""
        position = np.array(self._position, dtype=np.int64)
        cell, up, low = self._cell[self._upper], position[self._upper], position[self._lower]
        by_place = np.lexsort((low, up, cell))
        return cell[by_place], up[by_place], low[by_place], self._rigid[by_place].astype(np.int64)

    def crossed_windows(self, margin: int) -> list[tuple[int, int, bytes]]:
        """Runs of cells `(first, last, structure)` round the gaps where links cross.

        Runs end at cells with one place, at the ends of a part, or *margin* cells away from a crossing. Runs of equal
        structure have equal bytes.
        """
        cell, up, low, rigid = self._links()
        falls = (cell[1:] == cell[:-1]) & (low[1:] < low[:-1])
        windows: list[tuple[int, int]] = []
        for gap in np.unique(cell[1:][falls]).tolist():
            first, last = self._extend(gap, -1, margin), self._extend(gap + 1, 1, margin)
            if windows and first <= windows[-1][1] + 1:
                windows[-1] = (windows[-1][0], max(last, windows[-1][1]))
            else:
                windows.append((first, last))
        windows = [window for window in windows if not self._all_held(window)]
        starts = np.searchsorted(cell, [w[0] - 1 for w in windows]).tolist()
        stops = np.searchsorted(cell, [w[1] for w in windows], side="right").tolist()
        return [
            (
                a,
                b,
                np.concatenate(
                    [
                        [b - a],
                        self._size[a : b + 1],
                        cell[i:j] - a,
                        up[i:j],
                        low[i:j],
                        rigid[i:j],
                        self._held_among(a, b),
                    ]
                ).tobytes(),
            )
            for (a, b), i, j in zip(windows, starts, stops, strict=True)
        ]

    def _held_among(self, first: int, last: int) -> list[bool]:
        """Which places of a run of cells are held; empty when no place at all is."""
        held = self._held
        return [held[p] for places in self._order[first : last + 1] for p in places] if self._any_held else []

    def _all_held(self, window: tuple[int, int]) -> bool:
        return self._any_held and all(self._held_among(*window))

    def _extend(self, cell: int, step: int, margin: int) -> int:
        part = self._part_of_cell[cell]
        for _ in range(margin):
            following = cell + step
            if not 0 <= following < len(self._order) or self._part_of_cell[following] != part:
                break
            if len(self._order[following]) == 1:
                break
            cell = following
        return cell

    def improve(self, windows: list[tuple[int, int, bytes]], sweeps: int, watch: Watch) -> None:
        """Reorder the cells of each window."""
        solved: dict[bytes, list[list[int]]] = {}
        for first, last, structure in windows:
            before = self._order[first : last + 1]
            known = solved.get(structure)
            if known is not None:
                for cell, places, indices in zip(range(first, last + 1), before, known, strict=True):
                    self._set(cell, [places[i] for i in indices])
                continue
            index = {place: i for places in before for i, place in enumerate(places)}
            self._solve(first, last, sweeps, watch)
            solved[structure] = [[index[p] for p in places] for places in self._order[first : last + 1]]

    def _solve(self, first: int, last: int, sweeps: int, watch: Watch) -> None:
        """Try sweeps that begin downwards, then such that begin upwards; keep the best order seen.

        Cells whose places are all held keep their order, and so do the crossings between two of them.
        """
        cells = range(first, last + 1)
        loose = [cell for cell in cells if not self._all_held((cell, cell))]
        gaps = sorted({gap for cell in loose for gap in (cell - 1, cell)})
        start = best = [list(self._order[c]) for c in cells]
        fewest = self._crossings_of(gaps, watch)
        size = sum(map(len, start))
        for upwards in (False, True):
            for cell, places in zip(cells, start, strict=True):
                self._set(cell, list(places))
            stale = 0
            for turn in range(2 * sweeps):
                if not fewest or stale == _PATIENCE or self._effort <= 0:
                    break
                self._effort -= size
                if (turn % 2 == 1) is upwards:
                    self._sweep(loose, self._above, watch)
                else:
                    self._sweep(reversed(loose), self._below, watch)
                self._exchange(loose, watch)
                crossings = self._crossings_of(gaps, watch)
                stale += 1
                if crossings < fewest:
                    fewest, stale = crossings, 0
                    best = [list(self._order[c]) for c in cells]
        for cell, places in zip(cells, best, strict=True):
            self._set(cell, places)

    def _set(self, cell: int, places: list[int]) -> None:
        self._order[cell] = places
        position = self._position
        for i, place in enumerate(places):
            position[place] = i

    def _sweep(self, cells: Iterable[int], fixed: list[list[int]], watch: Watch) -> None:
        """Sort each cell by the medians of the positions of its neighbours in the *fixed* direction."""
        position = self._position
        for cell in cells:
            watch.check()
            places = self._order[cell]
            if len(places) < 2:
                continue
            keys: list[tuple[float, int]] = []
            moved: list[int] = []
            for i, place in enumerate(places):
                near = fixed[place]
                if near:
                    keys.append((_median([position[p] for p in near]), i))
                    moved.append(place)
            if len(moved) < 2:
                continue
            chosen = iter([places[i] for _, i in sorted(keys)])
            self._set(cell, self._in_order([next(chosen) if fixed[place] else place for place in places]))

    def _in_order(self, places: list[int]) -> list[int]:
        """*places* with those that are held back in the order of their anchors."""
        held, number = self._held, self._number
        kept = sorted([number[place] for place in places if held[place]])
        if len(kept) < 2:
            return places
        by_number = {number[place]: place for place in places if held[place]}
        following = iter(kept)
        return [by_number[next(following)] if held[place] else place for place in places]

    def _exchange(self, cells: Iterable[int], watch: Watch) -> None:
        """Swap neighbours in a rank while that removes crossings, next to gaps that have any."""
        for _ in range(4):
            better = False
            for cell in cells:
                watch.check()
                self._effort -= len(self._order[cell])
                if len(self._order[cell]) > 1 and (
                    self._crossings(cell - 1, self._below) or self._crossings(cell, self._below)
                ):
                    better = self._exchange_cell(cell) or better
            if not better or self._effort <= 0:
                break

    def _exchange_cell(self, cell: int) -> bool:
        places, position = self._order[cell], self._position
        above, below, held = self._above, self._below, self._held
        better = False
        for i in range(len(places) - 1):
            a, b = places[i], places[i + 1]
            if held[a] and held[b]:
                continue
            gain = _gain(above[a], above[b], position) + _gain(below[a], below[b], position)
            if gain > 0:
                places[i], places[i + 1] = b, a
                position[a], position[b] = i + 1, i
                better = True
        return better

    def _crossings_of(self, gaps: Iterable[int], watch: Watch) -> int:
        """Crossings below the cells *gaps*; those of two links that should both be straight count twice."""
        total = 0
        for cell in gaps:
            watch.check()
            crossings = self._crossings(cell, self._below)
            if crossings:
                total += crossings + self._crossings(cell, self._rigid_below)
        return total

    def _crossings(self, cell: int, below: list[list[int]]) -> int:
        """Crossings of links between *cell* and the one below it."""
        if cell < 0:
            return 0
        position = self._position
        seen: list[int] = []
        crossings = 0
        for place in self._order[cell]:
            lows = [position[p] for p in below[place]]
            if len(lows) > 1:
                lows.sort()
            for low in lows:
                if seen and low < seen[-1]:
                    at = bisect_right(seen, low)
                    crossings += len(seen) - at
                    seen.insert(at, low)
                else:
                    seen.append(low)
        return crossings


def _median(positions: list[int]) -> float:
    """Median; with an even number, the mean of the middle two, weighted towards the denser side."""
    count = len(positions)
    if count == 1:
        return positions[0]
    if count == 2:
        return (positions[0] + positions[1]) / 2
    positions.sort()
    middle = count // 2
    if count % 2:
        return positions[middle]
    left = positions[middle - 1] - positions[0]
    right = positions[-1] - positions[middle]
    if left + right == 0:
        return positions[middle]
    return (positions[middle - 1] * right + positions[middle] * left) / (left + right)


def _gain(left: list[int], right: list[int], position: list[int]) -> int:
    """Crossings of the links of two neighbours as they stand, less those after an exchange."""
    if not left or not right:
        return 0
    others = sorted([position[p] for p in right])
    gain = 0
    for place in left:
        at = position[place]
        gain += bisect_left(others, at) + bisect_right(others, at) - len(others)
    return gain
