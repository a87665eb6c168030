import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.graphs import bev, llm, resnet, transformer, yolo
from benchmarks.quality import measure
from inspector.layout.layout import lay_out
from inspector.layout.options import Direction, LayoutOptions
from inspector.layout.watch import LayoutCancelled
from tests.helpers.layouts import check_boxes, check_edges, check_tracks, layout_graph, layout_graphs


@given(layout_graphs())
def test_any_acyclic_graph_is_drawn_correctly(graph):
    layout = lay_out(graph)
    check_boxes(layout)
    check_edges(graph, layout)
    check_tracks(graph, layout)
    assert np.all(layout.layer[graph.edge_target] > layout.layer[graph.edge_source])
    assert not layout.cut.any()


@given(layout_graphs(cyclic=True))
def test_loops_and_cycles_become_stubs(graph):
    layout = lay_out(graph)
    check_boxes(layout)
    check_edges(graph, layout)
    check_tracks(graph, layout)
    whole = ~layout.cut
    assert np.all(layout.layer[graph.edge_target][whole] > layout.layer[graph.edge_source][whole])
    assert np.all(layout.cut[graph.edge_source == graph.edge_target])


@given(layout_graphs(), st.integers(1, 4))
def test_edges_longer_than_the_limit_are_cut(graph, limit):
    layout = lay_out(graph, options=LayoutOptions(longest_edge=limit))
    span = layout.layer[graph.edge_target] - layout.layer[graph.edge_source]
    assert np.array_equal(layout.cut, span > limit)
    check_boxes(layout)
    check_edges(graph, layout)


@given(layout_graphs(cyclic=True))
def test_equal_input_gives_equal_bytes(graph):
    first, second = lay_out(graph), lay_out(graph)
    for name in ("x", "y", "layer", "points", "start", "cut"):
        assert getattr(first, name).tobytes() == getattr(second, name).tobytes()


@given(layout_graphs())
def test_bounds_hold_everything_and_sizes_are_kept(graph):
    layout = lay_out(graph)
    left, top, right, bottom = layout.bounds
    assert np.array_equal(layout.width, graph.width)
    assert np.array_equal(layout.height, graph.height)
    if len(graph.width):
        assert left == min(layout.x.min(), layout.points[:, 0].min(initial=np.inf))
        assert right == max((layout.x + layout.width).max(), layout.points[:, 0].max(initial=-np.inf))
        assert top == layout.y.min()
        assert bottom == max((layout.y + layout.height).max(), layout.points[:, 1].max(initial=-np.inf))


@given(layout_graphs(most=12))
def test_rightward_layout_is_the_downward_one_turned(graph):
    across = lay_out(graph, options=LayoutOptions(direction=Direction.RIGHT))
    check_boxes(across)
    if len(graph.edge_source):
        ends = across.points[across.start[1:] - 1]
        starts = across.points[across.start[:-1]]
        assert np.array_equal(starts[:, 0], (across.x + across.width)[graph.edge_source])
        assert np.array_equal(ends[:, 0], across.x[graph.edge_target])


def test_empty_graph():
    layout = lay_out(layout_graph(0, []))
    assert layout.points.shape == (0, 2)
    assert layout.start.tolist() == [0]
    assert layout.bounds == (0.0, 0.0, 0.0, 0.0)


def test_one_box():
    layout = lay_out(layout_graph(1, []))
    assert layout.layer.tolist() == [0]
    assert layout.bounds[2] - layout.bounds[0] == 200
    assert layout.bounds[3] - layout.bounds[1] == 48


def test_unconnected_boxes_fill_an_area_rather_than_a_line():
    layout = lay_out(layout_graph(400, []))
    left, top, right, bottom = layout.bounds
    assert 0.4 < (right - left) / (bottom - top) < 2.5


def test_chain_is_one_vertical_line_with_the_rank_gap():
    layout = lay_out(layout_graph(4, [(0, 1), (1, 2), (2, 3)], width=[160, 280, 200, 170], height=[28, 66, 48, 66]))
    assert len(set((layout.x + layout.width / 2).tolist())) == 1
    assert np.array_equal(layout.y[1:] - (layout.y + layout.height)[:-1], [44.0] * 3)
    assert np.diff(layout.start).tolist() == [2, 2, 2]


def test_side_branch_stands_beside_a_straight_spine():
    layout = lay_out(layout_graph(3, [(0, 1), (0, 2), (1, 2)]))
    assert len(set((layout.x + layout.width / 2).tolist())) == 1
    assert layout.bounds[2] - layout.bounds[0] <= 200 + LayoutOptions().edge_gap


def test_constants_and_shape_chains_stand_just_above_their_reader():
    edges = [(0, 1), (1, 2), (2, 3), (3, 4), (0, 5), (5, 6), (6, 4), (7, 4)]
    layout = lay_out(layout_graph(8, edges, side=[5, 6]))
    assert layout.layer.tolist()[4:] == [4, 2, 3, 3]


def test_edges_of_one_value_share_a_trunk_and_others_do_not():
    edges = [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)]
    shared = lay_out(layout_graph(4, edges))
    apart = lay_out(layout_graph(4, edges, values=[0, 1, 2, 3, 4]))
    assert shared.points[shared.start[3]].tolist() == shared.points[shared.start[4]].tolist()
    assert apart.points[apart.start[3]].tolist() != apart.points[apart.start[4]].tolist()


def test_hundred_thousand_boxes_in_a_row():
    count = 100_000
    layout = lay_out(layout_graph(count, [(i, i + 1) for i in range(count - 1)]))
    assert np.unique(layout.x).tolist() == [layout.x[0]]
    assert np.array_equal(layout.layer, np.arange(count))


def test_five_thousand_readers_of_one_value():
    layout = lay_out(layout_graph(5001, [(0, i) for i in range(1, 5001)]))
    order = np.sort(layout.x[1:])
    assert np.diff(order).min() == 232
    assert layout.bounds[3] < 48 + 48 + 60


def test_five_thousand_values_into_one_box():
    graph = layout_graph(5001, [(i, 5000) for i in range(5000)])
    layout = lay_out(graph)
    ends = layout.points[layout.start[1:] - 1, 0]
    assert len(np.unique(ends)) == 5000
    assert layout.bounds[3] < 2_000


@pytest.mark.parametrize("after", [0, 3, 20])
def test_cancel_stops_the_work(after):
    asked = 0

    def cancelled():
        nonlocal asked
        asked += 1
        return asked > after

    with pytest.raises(LayoutCancelled) as caught:
        lay_out(llm(8), cancelled=cancelled)
    assert asked == after + 1
    assert caught.value.text("zh_CN") == "布局已取消。"


def test_cancel_is_asked_often_and_progress_rises_to_one():
    asked: list[float] = []
    told: list[float] = []
    graph = llm(40, 2)
    lay_out(graph, cancelled=lambda: asked.append(time.thread_time()) or False, progress=told.append)
    pauses = np.diff(asked)
    assert len(pauses) > 100
    assert told == sorted(told)
    assert told[-1] == 1.0


NETS = {
    "residual": (resnet, 0),
    "detector": (yolo, 0),
    "encoder": (lambda: transformer(4), 0),
    "decoder": (lambda: llm(6), 6 * 16),
    "cameras": (bev, 0),
}
"""How to make a network, and the crossings allowed: shared mask, cos and sin enter the middle of decoder layers."""


@pytest.mark.parametrize("net", NETS)
def test_networks_are_drawn_well(net):
    make, most_crossings = NETS[net]
    graph = make()
    quality = measure(graph, lay_out(graph))
    assert quality.straight >= 0.97
    assert quality.crossings <= most_crossings
    assert (quality.through_boxes, quality.overlaps, quality.merged) == (0, 0, 0)


def test_crossing_reduction_pays():
    graph = llm(6)
    unsorted = measure(graph, lay_out(graph, options=LayoutOptions(sweeps=0)))
    assert measure(graph, lay_out(graph)).crossings < 0.7 * unsorted.crossings


def test_repeated_blocks_look_alike_and_stand_below_each_other():
    head, layers = 8, 10
    graph = transformer(layers)
    period = len(graph.width) - len(transformer(layers - 1).width)
    middle = lay_out(graph).x + graph.width / 2
    blocks = middle[head : head + period * layers].reshape(layers, period)
    assert np.array_equal(blocks[2:-1], np.tile(blocks[1], (layers - 3, 1)))
