import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.graphs import llm, transformer, yolo
from inspector.layout.layout import lay_out, relayout
from inspector.layout.options import Direction, LayoutOptions
from inspector.layout.result import LayoutGraph
from tests.helpers.layouts import check_boxes, check_edges, check_tracks, layout_graph, layout_graphs


def replaced(graph: LayoutGraph, box: int, count: int) -> tuple[LayoutGraph, np.ndarray]:
    """*graph* with *box* replaced by a chain of *count* new boxes, and where each box was before."""
    grow = count - 1
    before = np.arange(len(graph.width))
    now = np.where(before > box, before + grow, before)
    source, target = now[graph.edge_source], now[graph.edge_target]
    source[graph.edge_source == box] = box + grow
    links = np.arange(box, box + grow)

    def stretched(array: np.ndarray) -> np.ndarray:
        return np.concatenate([array[:box], np.repeat(array[box], count), array[box + 1 :]])

    after = LayoutGraph(
        width=stretched(graph.width),
        height=stretched(graph.height),
        edge_source=np.concatenate([source, links]),
        edge_target=np.concatenate([target, links + 1]),
        edge_value=np.concatenate([graph.edge_value, graph.edge_value.max() + 1 + links]),
        side=stretched(graph.side),
    )
    kept = np.concatenate([before[:box], np.full(count, -1), before[box + 1 :]])
    return after, kept


@pytest.mark.parametrize("direction", Direction)
@pytest.mark.parametrize("make", [yolo, lambda: transformer(5), lambda: llm(4)])
def test_no_change_moves_nothing(make, direction):
    graph, options = make(), LayoutOptions(direction=direction)
    before = lay_out(graph, options=options)
    after = relayout(graph, before, np.arange(len(graph.width)), options=options)
    assert np.array_equal(after.x, before.x)
    assert np.array_equal(after.y, before.y)
    assert np.array_equal(after.points, before.points)
    assert [type(side) for side in after.bounds] == [float] * 4


@pytest.mark.parametrize("make", [yolo, lambda: transformer(5)])
def test_a_longer_replacement_moves_only_what_is_below(make):
    graph = make()
    before = lay_out(graph)
    spine = int(np.argmax(np.bincount(np.rint(before.x + before.width / 2).astype(np.int64) - int(before.bounds[0]))))
    on_spine = np.flatnonzero(np.rint(before.x + before.width / 2) == spine + int(before.bounds[0]))
    box = int(on_spine[len(on_spine) // 2])
    changed, kept = replaced(graph, box, 3)
    after = relayout(changed, before, kept)
    held = kept >= 0
    moved = after.x[held] + after.width[held] / 2 - (before.x + before.width / 2)[kept[held]]
    assert (moved == 0).mean() > 0.9
    above = before.layer[kept[held]] < before.layer[box]
    assert np.array_equal(after.y[held][above], before.y[kept[held]][above])
    fell = after.y[held][~above] - before.y[kept[held]][~above]
    assert np.all(fell >= 0)
    check_boxes(after)
    check_edges(changed, after)


@given(layout_graphs(most=14), layout_graphs(most=14), st.randoms(use_true_random=False))
def test_any_change_is_drawn_correctly(old, new, random):
    before = lay_out(old)
    choices = [*range(len(old.width)), *[-1] * len(new.width)]
    kept = np.array(random.sample(choices, len(new.width)), dtype=np.int64)
    after = relayout(new, before, kept)
    check_boxes(after)
    check_edges(new, after)
    check_tracks(new, after)


def test_a_side_branch_taken_away_leaves_the_spine_where_it_was():
    before = lay_out(layout_graph(5, [(0, 1), (1, 2), (2, 3), (0, 4), (4, 3)]))
    after = relayout(layout_graph(4, [(0, 1), (1, 2), (2, 3)]), before, np.arange(4))
    assert np.array_equal(after.x, before.x[:4])
    assert np.array_equal(after.y, before.y[:4])


def test_all_boxes_new_is_a_plain_layout():
    graph = transformer(1)
    previous = lay_out(yolo())
    plain = lay_out(graph)
    assert np.array_equal(relayout(graph, previous, np.full(len(graph.width), -1)).x, plain.x)
