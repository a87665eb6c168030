import numpy as np

from inspector.layout.kinship import same_boxes, same_edges, same_links, same_places, same_trunks
from inspector.layout.lattice import number_trunks
from inspector.layout.layout import lay_out
from tests.helpers.layouts import layout_graph


def trace(graph):
    found = lay_out(graph).trace
    assert found is not None
    return found


def trunks(old, new, kept):
    trunk = number_trunks(new.edge_source, new.edge_value)
    return same_trunks(new, trunk, np.array(kept), trace(old)).tolist()


def test_a_box_that_changed_its_width_is_new():
    old = layout_graph(3, [(0, 1)], width=[100, 200, 300])
    new = layout_graph(3, [(0, 1)], width=[100, 210, 300])
    assert same_boxes(new, np.array([0, 1, -1]), trace(old)).tolist() == [0, -1, -1]


def test_trunks_are_found_by_their_readers_whatever_their_values_are_called():
    edges = [(0, 1), (0, 2), (0, 3)]
    old = layout_graph(4, edges, values=[0, 1, 1])
    new = layout_graph(4, edges, values=[9, 4, 4])
    assert trunks(old, new, range(4)) == [1, 0]


def test_a_trunk_with_other_readers_is_paired_with_what_is_left():
    old = layout_graph(4, [(0, 1), (0, 2)], values=[0, 1])
    new = layout_graph(4, [(0, 1), (0, 3)], values=[0, 1])
    assert trunks(old, new, [0, 1, -1, -1]) == [0, 1]


def test_parallel_trunks_are_paired_in_order():
    old = layout_graph(2, [(0, 1), (0, 1), (0, 1)], values=[2, 0, 1])
    assert trunks(old, old, [0, 1]) == [0, 1, 2]


def test_trunks_of_new_boxes_are_new():
    old = layout_graph(2, [(0, 1)])
    assert trunks(old, layout_graph(2, [(0, 1)]), [-1, 1]) == [-1]
    assert trunks(layout_graph(2, []), old, [0, 1]) == [-1]


def test_everything_of_an_unchanged_graph_is_found():
    graph = layout_graph(5, [(0, 1), (1, 2), (2, 3), (0, 3), (3, 4), (1, 4)])
    before = trace(graph)
    lattice, kept = before.lattice, np.arange(5)
    same = same_trunks(graph, lattice.edge_trunk, kept, before)
    places = same_places(lattice, kept, same, np.arange(5), before)
    assert places.tolist() == list(range(len(lattice.layer)))
    assert same_links(lattice, places, same, before).tolist() == list(range(len(lattice.upper)))
    assert same_edges(graph, lattice.edge_trunk, same, kept, before).tolist() == list(range(6))


def test_knots_in_an_inserted_rank_are_new():
    graph = layout_graph(4, [(0, 1), (1, 2), (2, 3), (0, 3)])
    before = trace(graph)
    kept = np.arange(4)
    same = same_trunks(graph, before.lattice.edge_trunk, kept, before)
    places = same_places(before.lattice, kept, same, np.array([0, -1, 2, 3]), before)
    assert (places[4:] < 0).tolist() == [True, False]
