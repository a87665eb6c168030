"""Layout: processor time, quality, and both against a plain layered drawing by networkx in the same run."""

from collections.abc import Iterator
from functools import partial
from statistics import median

import networkx as nx
import numpy as np

from benchmarks.figures import Figure, cpu_s
from benchmarks.graphs import CORPUS
from benchmarks.quality import measure
from inspector.layout.layout import lay_out
from inspector.layout.relayout import relayout
from inspector.layout.result import LayoutGraph

_CPU_BUDGET_S = {
    "resnet50": 0.06,
    "yolo": 0.06,
    "transformer12": 0.1,
    "bev": 0.3,
    "llm5k": 0.5,
    "llm20k": 1.5,
    "llm50k": 3.0,
}

_QUALITY = ("resnet50", "yolo", "transformer12", "bev", "llm5k")
"""Graphs small enough to count every crossing."""

_RELAYOUT = ("yolo", "transformer12", "bev", "llm5k", "llm20k")
"""Graphs that are laid out again after a small change."""

_BASELINE = ("resnet50", "yolo", "transformer12")
"""Graphs small enough for the plain drawing, whose crossings are counted pair by pair."""


def figures() -> Iterator[Figure]:
    """All figures of the layout, each as soon as it is known."""
    for name, make in CORPUS.items():
        graph = make()
        large = len(graph.width) > 10_000
        cpu = cpu_s(partial(lay_out, graph), 1 if large else 5)
        yield Figure(f"layout.cpu.{name}", cpu, "s", _CPU_BUDGET_S[name])
        if name in _QUALITY:
            yield from _quality(name, graph)
        if name in _BASELINE:
            yield from _against_plain(name, graph, cpu)
    for name in _RELAYOUT:
        yield from _relayout(name)


def _quality(name: str, graph: LayoutGraph) -> Iterator[Figure]:
    layout = lay_out(graph)
    quality = measure(graph, layout)
    yield Figure(f"layout.straight_chains.{name}", quality.straight, "share", 0.97, at_least=True)
    yield Figure(f"layout.edges_through_boxes.{name}", quality.through_boxes, "count", 0)
    yield Figure(f"layout.overlapping_boxes.{name}", quality.overlaps, "count", 0)
    yield Figure(f"layout.merged_tracks.{name}", quality.merged, "count", 0)
    yield Figure(f"layout.crossings.{name}", quality.crossings, "count")
    yield Figure(f"layout.bends.{name}", quality.bends, "count")
    yield Figure(f"layout.edge_length.{name}", quality.length, "px")
    yield Figure(f"layout.cut_edges.{name}", float(layout.cut.mean()), "share", 0.06)
    yield Figure(f"layout.width.{name}", quality.width, "px")
    yield Figure(f"layout.height.{name}", quality.height, "px")


def _against_plain(name: str, graph: LayoutGraph, cpu: float) -> Iterator[Figure]:
    def plain() -> tuple[nx.DiGraph, dict[int, tuple[float, float]]]:
        net = nx.DiGraph()
        net.add_nodes_from(range(len(graph.width)))
        net.add_edges_from(zip(graph.edge_source.tolist(), graph.edge_target.tolist(), strict=True))
        for rank, boxes in enumerate(nx.topological_generations(net)):
            for box in boxes:
                net.nodes[box]["layer"] = rank
        return net, nx.multipartite_layout(net, subset_key="layer", align="horizontal")

    yield Figure(f"layout.cpu_against_plain.{name}", cpu / cpu_s(plain, 5), "ratio")
    net, spots = plain()
    theirs = _straight_crossings(np.array([[*spots[s], *spots[t]] for s, t in net.edges]))
    ours = measure(graph, lay_out(graph)).crossings
    yield Figure(f"layout.crossings_against_plain.{name}", ours / max(theirs, 1), "ratio", 0.5)


def _straight_crossings(lines: np.ndarray) -> int:
    """Crossings of straight lines `[m, 4]`, common ends not counted."""
    total = 0
    for index, (ax, ay, bx, by) in enumerate(lines):
        cx, cy, dx, dy = lines[index + 1 :].T
        first = ((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) * ((bx - ax) * (dy - ay) - (by - ay) * (dx - ax))
        second = ((dx - cx) * (ay - cy) - (dy - cy) * (ax - cx)) * ((dx - cx) * (by - cy) - (dy - cy) * (bx - cx))
        total += int(((first < -1e-12) & (second < -1e-12)).sum())
    return total


def _relayout(name: str) -> Iterator[Figure]:
    """The cost of a layout after one box in the middle became three, as a rewrite does it; and after no change."""
    graph = CORPUS[name]()
    before = lay_out(graph)
    changed, kept = _rewritten(graph, len(graph.width) // 2)
    same = np.arange(len(graph.width))
    full, again, idle = [], [], []
    for _ in range(5):
        full.append(cpu_s(partial(lay_out, graph), 1))
        again.append(cpu_s(partial(relayout, changed, before, kept), 1))
        idle.append(cpu_s(partial(relayout, graph, before, same), 1))
    yield Figure(f"layout.relayout_against_full.{name}", median(again) / median(full), "ratio", 0.2)
    yield Figure(f"layout.relayout_unchanged_against_full.{name}", median(idle) / median(full), "ratio", 0.2)
    held = np.flatnonzero(kept >= 0)
    after = relayout(changed, before, kept)
    moved = after.x[held] != before.x[kept[held]]
    yield Figure(f"layout.relayout_moved_aside.{name}", float(moved.mean()), "share", 0.01)


def _rewritten(graph: LayoutGraph, box: int) -> tuple[LayoutGraph, np.ndarray]:
    """*graph* with a chain of three in place of *box*, and where each box was before, -1 for new ones."""
    index = np.arange(len(graph.width))
    now = np.where(index > box, index + 2, index)
    spread = np.repeat(index, np.where(index == box, 3, 1))
    source = np.where(graph.edge_source == box, box + 2, now[graph.edge_source])
    value = int(graph.edge_value.max()) + 1
    changed = LayoutGraph(
        width=graph.width[spread],
        height=graph.height[spread],
        edge_source=np.append(source, [box, box + 1]),
        edge_target=np.append(now[graph.edge_target], [box + 1, box + 2]),
        edge_value=np.append(graph.edge_value, [value, value + 1]),
        side=graph.side[spread],
    )
    return changed, np.where(spread == box, -1, spread)
