import numpy as np
import pytest

from inspector.layout.layering import assign_layers, backward_edges, long_edges
from inspector.layout.watch import Watch
from tests.helpers.layouts import layout_graph


def layers(graph):
    order, backward = backward_edges(len(graph.width), graph.edge_source, graph.edge_target)
    return assign_layers(graph, order, ~backward, Watch()).tolist()


def test_ranks_are_the_longest_way_from_an_input():
    assert layers(layout_graph(5, [(0, 1), (1, 2), (2, 3), (0, 3), (3, 4)])) == [0, 1, 2, 3, 4]


def test_a_short_branch_from_the_spine_stays_near_its_source():
    assert layers(layout_graph(5, [(0, 1), (1, 2), (2, 3), (0, 4), (4, 3)])) == [0, 1, 2, 3, 1]


def test_what_hangs_on_inputs_alone_stands_near_its_reader():
    edges = [(0, 1), (1, 2), (2, 3), (3, 4), (5, 6), (6, 4)]
    assert layers(layout_graph(7, edges)) == [0, 1, 2, 3, 4, 2, 3]


def test_a_side_chain_with_two_readers_stands_above_the_first():
    edges = [(0, 1), (1, 2), (2, 3), (3, 4), (0, 5), (5, 2), (5, 4)]
    assert layers(layout_graph(6, edges, side=[5]))[5] == 1


def test_order_of_a_topological_graph_is_kept():
    order, backward = backward_edges(3, np.array([0, 1]), np.array([1, 2]))
    assert order.tolist() == [0, 1, 2]
    assert not backward.any()


def test_boxes_out_of_order_are_sorted_without_cutting_anything():
    order, backward = backward_edges(3, np.array([2, 1]), np.array([1, 0]))
    assert order.tolist() == [2, 1, 0]
    assert not backward.any()


def test_a_cycle_is_opened_at_one_edge():
    source, target = np.array([0, 1, 2, 1]), np.array([1, 2, 0, 1])
    _, backward = backward_edges(3, source, target)
    assert backward.tolist() == [False, False, True, True]


def spans(count, trunks):
    """*trunks* edges from rank 0 to rank *count* each, every one with a trunk of its own."""
    layer = np.array([0, count])
    ends = np.zeros(trunks, dtype=np.int64)
    return layer, ends, ends + 1, np.arange(trunks)


def test_a_given_limit_is_exact():
    layer, source, target, trunk = spans(5, 1)
    assert long_edges(layer, source, target, trunk, 4).tolist() == [True]
    assert long_edges(layer, source, target, trunk, 5).tolist() == [False]


@pytest.mark.parametrize(("length", "trunks", "cut"), [(300, 1, False), (300, 60, True), (30, 1000, False)])
def test_without_a_limit_only_many_long_edges_are_cut(length, trunks, cut):
    assert set(long_edges(*spans(length, trunks), None).tolist()) == {cut}
