import numpy as np
from hypothesis import given

from inspector.layout.lattice import build_lattice, neighbours, number_trunks, part_of_places
from tests.helpers.layouts import layout_graphs


def lattice_of(layer, edges, values=None):
    pairs = np.array(edges, dtype=np.int64).reshape(-1, 2)
    source, target = pairs[:, 0], pairs[:, 1]
    trunk = number_trunks(source, source if values is None else np.array(values))
    return build_lattice(np.array(layer), source, target, trunk, np.zeros(len(pairs), dtype=np.bool_))


def test_a_trunk_has_one_knot_in_each_rank_it_passes():
    lattice = lattice_of([0, 1, 2, 3], [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)])
    assert lattice.layer.tolist() == [0, 1, 2, 3, 1, 2]
    links = set(zip(lattice.upper.tolist(), lattice.lower.tolist(), strict=True))
    assert links == {(0, 1), (1, 2), (2, 3), (0, 4), (4, 2), (4, 5), (5, 3)}


def test_two_values_from_one_box_have_two_trunks():
    lattice = lattice_of([0, 2, 1], [(0, 1), (0, 1)], values=[7, -3])
    assert len(lattice.layer) == 3 + 2
    assert len(set(lattice.edge_trunk.tolist())) == 2


def test_a_value_read_twice_by_one_box_has_one_link():
    assert len(lattice_of([0, 1], [(0, 1), (0, 1)]).upper) == 1


@given(layout_graphs())
def test_links_join_neighbouring_ranks_and_lead_from_source_to_target(graph):
    count = len(graph.width)
    layer = np.zeros(count, dtype=np.int64)
    for s, t in sorted(zip(graph.edge_source.tolist(), graph.edge_target.tolist(), strict=True)):
        layer[t] = max(layer[t], layer[s] + 1)
    trunk = number_trunks(graph.edge_source, graph.edge_value)
    lattice = build_lattice(layer, graph.edge_source, graph.edge_target, trunk, np.zeros(len(trunk), dtype=np.bool_))
    assert np.array_equal(lattice.layer[lattice.lower], lattice.layer[lattice.upper] + 1)
    above = {(int(v), int(k)): int(u) for u, v, k in zip(lattice.upper, lattice.lower, lattice.link_trunk, strict=True)}
    for s, t, k in zip(graph.edge_source.tolist(), graph.edge_target.tolist(), trunk.tolist(), strict=True):
        place = t
        while place != s:
            place = above[place, k]
    parts = part_of_places(lattice, np.arange(count))
    assert np.array_equal(parts[lattice.lower[lattice.lower >= count]], parts[lattice.upper[lattice.lower >= count]])


def test_neighbours_keep_the_order_of_links():
    assert neighbours(3, np.array([2, 0, 2]), np.array([9, 8, 7])) == [[8], [], [9, 7]]
    assert neighbours(0, np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)) == []
