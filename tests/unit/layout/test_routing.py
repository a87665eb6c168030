import numpy as np

from inspector.layout.layout import lay_out
from inspector.layout.options import LayoutOptions
from tests.helpers.layouts import layout_graph


def test_boxes_of_a_rank_are_centred_and_gaps_measure_from_the_tallest():
    layout = lay_out(layout_graph(4, [(0, 1), (0, 2), (1, 3), (2, 3)], height=[40, 28, 66, 40]))
    assert layout.y.tolist() == [0, 40 + 44 + 19, 40 + 44, 40 + 44 + 66 + 44]


def test_a_gap_grows_with_its_tracks():
    few = lay_out(layout_graph(4, [(i, 2 + j) for i in range(2) for j in range(2)]))
    many = lay_out(layout_graph(24, [(i, 12 + j) for i in range(12) for j in range(12)]))
    assert few.y.max() == 48 + 44
    assert many.y.max() >= 48 + 11 * LayoutOptions().track_gap
    heights = np.unique(many.points[:-1, 1][np.diff(many.points[:, 1]) == 0])
    assert len(heights) == 12
    assert np.diff(heights).min() == LayoutOptions().track_gap
    assert heights[0] >= 48 + 8
    assert heights[-1] <= many.y.max() - 8


def test_a_cut_edge_is_two_stubs():
    graph = layout_graph(4, [(0, 1), (1, 2), (2, 3), (0, 3)])
    layout = lay_out(graph, options=LayoutOptions(longest_edge=2, stub=20))
    assert layout.cut.tolist() == [False, False, False, True]
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = layout.points[layout.start[3] :].tolist()
    assert (x0, y0) == (x1, y1 - 20)
    assert (x3, y3) == (x2, y2 + 20)
    assert y0 == layout.y[0] + 48
    assert y3 == layout.y[3]


def test_a_stub_of_a_value_that_is_also_drawn_leaves_with_its_trunk():
    graph = layout_graph(4, [(0, 1), (1, 2), (2, 3), (0, 3)])
    layout = lay_out(graph, options=LayoutOptions(longest_edge=2))
    assert layout.points[layout.start[0]].tolist() == layout.points[layout.start[3]].tolist()


def test_outputs_of_one_box_leave_in_the_order_of_their_readers():
    layout = lay_out(layout_graph(4, [(0, 1), (0, 2), (0, 3)], values=[0, 1, 2]))
    ports = layout.points[layout.start[:-1], 0]
    assert np.array_equal(np.argsort(ports), np.argsort(layout.x[1:]))
    assert len(set(ports.tolist())) == 3
