import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from inspector.placement.grouping import segment_of_nodes


def segments(edges, verdicts, hosts=None):
    count = len(verdicts)
    source = np.array([s for s, _ in edges], dtype=np.int64)
    target = np.array([t for _, t in edges], dtype=np.int64)
    top = np.array(hosts if hosts is not None else range(count), dtype=np.int64)
    return segment_of_nodes(source, target, top, np.array(verdicts, dtype=np.int64)).tolist()


def test_no_nodes():
    assert segments([], []) == []


def test_a_change_of_processor_begins_a_segment():
    assert segments([(-1, 0), (0, 1), (1, 2), (2, 3)], [1, 1, 2, 1]) == [0, 0, 1, 2]


def test_a_fused_node_that_is_wired_to_its_host_stands_with_it():
    assert segments([(-1, 0), (0, 1), (1, 2)], [1, 1, 2], hosts=[0, 0, 2]) == [0, 0, 1]


@st.composite
def graphs(draw):
    count = draw(st.integers(1, 14))
    box = st.integers(0, count - 1)
    pairs = draw(st.lists(st.tuples(box, box), max_size=3 * count))
    edges = sorted({(min(p), max(p)) for p in pairs if p[0] != p[1]}, key=lambda e: (e[1], e[0]))
    return edges, draw(st.lists(st.integers(0, 2), min_size=count, max_size=count))


@given(graphs())
def test_segments_are_of_one_processor_and_can_run_one_after_the_other(graph):
    edges, verdicts = graph
    found = segments(edges, verdicts)
    for number in set(found):
        assert len({v for v, s in zip(verdicts, found, strict=True) if s == number}) == 1
    between = nx.DiGraph([(found[s], found[t]) for s, t in edges if found[s] != found[t]])
    assert nx.is_directed_acyclic_graph(between)
    assert list(dict.fromkeys(found)) == sorted(set(found))


@given(graphs())
def test_connected_nodes_of_one_processor_stand_together_unless_a_way_between_them_leaves_it(graph):
    edges, verdicts = graph
    found = segments(edges, verdicts)
    whole = nx.DiGraph(edges)
    for s, t in edges:
        if verdicts[s] == verdicts[t] and found[s] != found[t]:
            ways = nx.ancestors(whole, t)
            assert any(verdicts[n] != verdicts[t] for n in ways)
