from itertools import combinations

import numpy as np
from hypothesis import given

from inspector.layout import ordering
from inspector.layout.lattice import Lattice, build_lattice, number_trunks
from inspector.layout.ordering import order_ranks
from inspector.layout.watch import Watch
from inspector.layout.worth import weigh
from tests.helpers.layouts import layout_graphs, ordered


def crossings(lattice: Lattice, ranks: list[list[int]]) -> int:
    position = {place: i for rank in ranks for i, place in enumerate(rank)}
    links = list(zip(lattice.upper.tolist(), lattice.lower.tolist(), strict=True))
    return sum(
        lattice.layer[a] == lattice.layer[c] and (position[a] - position[c]) * (position[b] - position[d]) < 0
        for (a, b), (c, d) in combinations(links, 2)
    )


@given(layout_graphs(most=14))
def test_every_place_stands_once_in_its_rank_and_sweeps_never_hurt(graph):
    layer = np.zeros(len(graph.width), dtype=np.int64)
    edges = sorted(zip(graph.edge_source.tolist(), graph.edge_target.tolist(), strict=True))
    for s, t in edges:
        layer[t] = max(layer[t], layer[s] + 1)
    lattice, ranks = ordered(layer, edges)
    assert sorted(p for rank in ranks for p in rank) == list(range(len(lattice.layer)))
    assert all(lattice.layer[p] == number for number, rank in enumerate(ranks) for p in rank)
    _, unswept = ordered(layer, edges, sweeps=0)
    assert crossings(lattice, ranks) <= crossings(lattice, unswept)


def test_a_swap_is_undone():
    lattice, ranks = ordered([0, 0, 1, 1], [(0, 3), (1, 2)])
    assert crossings(lattice, ranks) == 0


def test_a_ladder_of_crossed_pairs_is_untangled():
    edges = [(0, 1), (0, 2)]
    for step in range(1, 20, 2):
        edges += [(step, step + 3), (step + 1, step + 2)]
    layer = [0, *[1 + i // 2 for i in range(22)]]
    lattice, ranks = ordered(layer, edges)
    assert crossings(lattice, ranks) == 0


def test_parts_do_not_mix():
    _, ranks = ordered([0, 0, 0, 1, 1, 1], [(0, 3), (1, 4), (2, 5)], component=[1, 0, 1, 1, 0, 1])
    assert [rank.index(p) for rank, p in zip(ranks, (1, 4), strict=True)] == [0, 0]


class Counting(Watch):
    """Counts how often it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def check(self) -> None:
        self.asked += 1


def test_effort_bounds_the_work_on_a_graph_that_is_all_crossings(monkeypatch):
    count = 60
    pairs = np.array([(i, count + (i * step) % count) for i in range(count) for step in (7, 11, 23)])
    trunk = number_trunks(pairs[:, 0], pairs[:, 1])
    layer = np.repeat([0, 1], count)
    lattice = build_lattice(layer, pairs[:, 0], pairs[:, 1], trunk, np.zeros(len(pairs), dtype=np.bool_))
    component = np.zeros(2 * count, dtype=np.int64)
    worth = weigh(lattice, component, component > 0, Watch())
    asked = []
    for effort in (10**9, 4 * len(layer)):
        monkeypatch.setattr(ordering, "_EFFORT", (effort, 0))
        watch = Counting()
        ranks = order_ranks(lattice, component, worth, 1_000, watch)
        assert sorted(p for rank in ranks for p in rank) == list(range(2 * count))
        asked.append(watch.asked)
    assert asked[1] < asked[0] / 3
