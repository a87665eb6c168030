import numpy as np
import pytest
from hypothesis import given

from inspector.layout import coordinates
from inspector.layout.coordinates import centres
from inspector.layout.layout import lay_out
from inspector.layout.options import LayoutOptions
from inspector.layout.watch import Watch
from tests.helpers.layouts import blocks, check_boxes, check_edges, layout_graphs, ordered

OPTIONS = LayoutOptions(sibling_gap=30, edge_gap=20, trunk_gap=10, component_gap=90)


def spots(layer, edges, widths, component=None, anchors=()):
    lattice, ranks = ordered(layer, edges, component)
    block = np.array(blocks(layer, edges, anchors=anchors))
    anchor = np.full(len(lattice.layer), np.nan)
    for place, x in anchors:
        anchor[place] = x
    parts = np.zeros(len(layer), dtype=np.int64) if component is None else np.array(component)
    width = np.array(widths, dtype=np.float64)
    return centres(lattice, ranks, block, width, parts, anchor, OPTIONS, Watch()).tolist()


def test_siblings_keep_their_gap():
    x = spots([0, 1, 1], [(0, 1), (0, 2)], [100, 100, 60])
    assert abs(x[1] - x[2]) == 50 + 30 + 30


def test_an_edge_passes_a_box_at_its_gap():
    x = spots([0, 1, 2], [(0, 1), (1, 2), (0, 2)], [100, 100, 100])
    assert abs(x[3] - x[1]) == 50 + 20


def test_parts_keep_the_component_gap():
    x = spots([0, 0], [], [100, 100], component=[0, 1])
    assert x == [0, 190]


def test_a_group_of_branches_stands_near_the_spine():
    edges = [(0, 1), (1, 2), (2, 3), (3, 4), (0, 5), (5, 6), (5, 7), (6, 8), (7, 8), (8, 4)]
    x = spots([0, 1, 2, 3, 4, 1, 2, 2, 3], edges, [100] * 9)
    assert len(set(x[:5])) == 1
    assert sorted(abs(at - x[0]) for at in x[5:]) == [130, 130, 130, 260]


def test_anchors_hold_where_there_is_room():
    assert spots([0, 1, 1], [(0, 1), (0, 2)], [100] * 3, anchors=[(1, 500.0), (2, 900.0)])[1:] == [500, 900]


@pytest.mark.parametrize("effort", [0, 1, 3])
@given(graph=layout_graphs())
def test_running_out_of_effort_still_gives_a_correct_drawing(effort, graph):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coordinates, "_EFFORT", effort)
        layout = lay_out(graph)
    check_boxes(layout)
    check_edges(graph, layout)
