"""Layout: processor time, quality, and both against a plain layered drawing by networkx in the same run."""

from collections.abc import Iterator
from functools import partial

import networkx as nx
import numpy as np

from benchmarks.figures import Figure, cpu_s
from benchmarks.graphs import CORPUS
from benchmarks.quality import measure
from inspector.layout.layout import lay_out, relayout
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
    yield _relayout_ratio()


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


def _relayout_ratio() -> Figure:
    graph = CORPUS["llm5k"]()
    before = lay_out(graph)
    same = np.arange(len(graph.width))
    full = cpu_s(lambda: lay_out(graph), 5)
    again = cpu_s(lambda: relayout(graph, before, same), 5)
    return Figure("layout.relayout_against_full.llm5k", again / full, "ratio", 0.2)
