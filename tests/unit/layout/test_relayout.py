from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.graphs import bev, llm, transformer, yolo
from inspector.layout.layout import lay_out
from inspector.layout.options import Direction, LayoutOptions
from inspector.layout.relayout import relayout
from inspector.layout.result import LayoutGraph
from inspector.layout.watch import LayoutCancelled
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


@st.composite
def local_edits(draw) -> tuple[LayoutGraph, LayoutGraph, np.ndarray]:
    """A graph, the same with a few boxes removed, replaced, put on edges or resized, and where each box was before."""
    old = draw(layout_graphs(most=30))
    graph, kept = old, np.arange(len(old.width))
    for _ in range(draw(st.integers(1, 3))):
        if not len(graph.width):
            break
        box = draw(st.integers(0, len(graph.width) - 1))
        kind = draw(st.sampled_from(["replace", "remove", "widen", "attach"]))
        if kind == "replace":
            count = draw(st.integers(1, 4))
            graph, now = replaced(graph, box, count) if len(graph.edge_value) else (graph, np.arange(len(graph.width)))
            kept = np.where(now >= 0, kept[now], -1)
        elif kind == "remove":
            graph, kept = removed(graph, box), np.delete(kept, box)
        elif kind == "widen":
            width = graph.width.copy()
            width[box] += draw(st.integers(1, 200))
            graph = replace(graph, width=width)
        else:
            graph, kept = attached(graph, box), np.append(kept, -1)
    return old, graph, kept


def removed(graph: LayoutGraph, box: int) -> LayoutGraph:
    """*graph* without *box*; what read it reads what it read."""
    feeding = graph.edge_source[graph.edge_target == box]
    reading = graph.edge_target[graph.edge_source == box]
    rest = (graph.edge_source != box) & (graph.edge_target != box)
    bridges = [(s, t) for s in feeding[:1] for t in reading]
    source = np.concatenate([graph.edge_source[rest], [s for s, _ in bridges]]).astype(np.int64)
    target = np.concatenate([graph.edge_target[rest], [t for _, t in bridges]]).astype(np.int64)
    value = np.concatenate([graph.edge_value[rest], [2 * s for s, _ in bridges]]).astype(np.int64)
    return LayoutGraph(
        width=np.delete(graph.width, box),
        height=np.delete(graph.height, box),
        edge_source=source - (source > box),
        edge_target=target - (target > box),
        edge_value=value,
        side=np.delete(graph.side, box),
    )


def attached(graph: LayoutGraph, box: int) -> LayoutGraph:
    """*graph* with one more reader of *box*."""
    value = graph.edge_value.max() + 1 if len(graph.edge_value) else 0
    return LayoutGraph(
        width=np.append(graph.width, 180.0),
        height=np.append(graph.height, 90.0),
        edge_source=np.append(graph.edge_source, box),
        edge_target=np.append(graph.edge_target, len(graph.width)),
        edge_value=np.append(graph.edge_value, value),
        side=np.append(graph.side, False),
    )


@given(local_edits(), st.sampled_from([None, 2]))
def test_any_local_edit_is_drawn_correctly(edit, longest):
    old, new, kept = edit
    options = LayoutOptions(longest_edge=longest)
    after = relayout(new, lay_out(old, options=options), kept, options=options)
    check_boxes(after)
    check_edges(new, after)
    check_tracks(new, after)
    span = after.layer[new.edge_target] - after.layer[new.edge_source]
    assert np.all(span > 0)
    assert np.array_equal(after.cut, span > (longest or 1_000))


@pytest.mark.parametrize("make", [yolo, lambda: transformer(5), lambda: llm(4), lambda: bev(2, 2)])
def test_outside_the_ranks_of_new_boxes_nothing_moves_but_down_as_one(make):
    graph = make()
    before = lay_out(graph)
    for box in range(5, len(graph.width), len(graph.width) // 8):
        changed, kept = replaced(graph, box, 3)
        after = relayout(changed, before, kept)
        held = np.flatnonzero(kept >= 0)
        first, last = after.layer[kept < 0].min(), after.layer[kept < 0].max()
        away = held[(after.layer[held] < first) | (after.layer[held] > last)]
        above, below = held[after.layer[held] < first], held[after.layer[held] > last]
        assert np.array_equal(after.x[away], before.x[kept[away]])
        assert np.array_equal(after.y[above], before.y[kept[above]])
        assert len(np.unique(np.round(after.y[below] - before.y[kept[below]], 6))) <= 1


@given(local_edits())
def test_kept_boxes_stay_in_the_order_of_their_ranks(edit):
    old, new, kept = edit
    before, held = lay_out(old), np.flatnonzero(kept >= 0)
    if len(held) and (kept < 0).mean() <= 0.5:
        after = relayout(new, before, kept)
        order = np.argsort(before.layer[kept[held]], kind="stable")
        assert np.all(np.diff(after.layer[held][order]) >= 0)
        together = before.layer[kept[held]]
        for rank in np.unique(together):
            assert len(np.unique(after.layer[held[together == rank]])) == 1


@given(local_edits())
def test_equal_edits_give_equal_bytes_and_a_second_look_changes_nothing(edit):
    old, new, kept = edit
    before = lay_out(old)
    first, second = relayout(new, before, kept), relayout(new, before, kept)
    again = relayout(new, first, np.arange(len(new.width)))
    for name in ("x", "y", "layer", "points", "start", "cut"):
        assert getattr(first, name).tobytes() == getattr(second, name).tobytes()
        assert np.array_equal(getattr(first, name), getattr(again, name))


@given(st.integers(0, 2**32 - 1))
def test_one_edit_after_another_is_drawn_correctly(seed):
    chance = np.random.default_rng(seed)
    graph = transformer(1)
    layout = lay_out(graph)
    for _ in range(6):
        box = int(chance.integers(1, len(graph.width) - 1))
        if chance.random() < 0.4:
            graph, kept = removed(graph, box), np.delete(np.arange(len(graph.width)), box)
        else:
            graph, kept = replaced(graph, box, int(chance.integers(1, 5)))
        layout = relayout(graph, layout, kept)
    check_boxes(layout)
    check_edges(graph, layout)
    check_tracks(graph, layout)


@pytest.mark.parametrize("direction", Direction)
def test_a_chain_that_grows_gets_its_ranks_in_place(direction):
    options = LayoutOptions(direction=direction)
    graph = layout_graph(5, [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)])
    before = lay_out(graph, options=options)
    changed, kept = replaced(graph, 2, 3)
    after = relayout(changed, before, kept, options=options)
    across, along = ("y", "x") if direction is Direction.RIGHT else ("x", "y")
    assert len(set(getattr(after, across).tolist())) == 1
    assert after.layer.tolist() == [0, 1, 2, 3, 4, 5, 6]
    assert np.array_equal(getattr(after, along)[:3], getattr(before, along)[:3])
    assert np.diff(after.start).tolist() == [*np.diff(before.start).tolist(), 2, 2]


def test_a_layout_without_a_trace_is_drawn_anew():
    graph = transformer(1)
    plain = lay_out(graph)
    assert np.array_equal(
        relayout(graph, replace(plain, trace=None, x=plain.x + 5), np.arange(len(plain.x))).x, plain.x
    )


def test_cancel_stops_a_relayout():
    graph = yolo()
    before = lay_out(graph)
    changed, kept = replaced(graph, 100, 3)
    with pytest.raises(LayoutCancelled):
        relayout(changed, before, kept, cancelled=lambda: True)
    told: list[float] = []
    relayout(changed, before, kept, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0


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
