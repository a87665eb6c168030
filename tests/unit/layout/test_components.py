import networkx as nx
import numpy as np
from hypothesis import given

from inspector.layout.components import label_components, pack
from tests.helpers.layouts import layout_graphs


@given(layout_graphs(cyclic=True))
def test_labels_are_the_connected_parts(graph):
    count = len(graph.width)
    net = nx.Graph()
    net.add_nodes_from(range(count))
    net.add_edges_from(zip(graph.edge_source.tolist(), graph.edge_target.tolist(), strict=True))
    label = label_components(count, graph.edge_source, graph.edge_target)
    parts = [set(np.flatnonzero(label == n).tolist()) for n in np.unique(label)]
    assert parts == sorted(nx.connected_components(net), key=min)


def test_small_parts_are_stacked_beside_the_largest():
    component = np.array([0, 0, 0, 0, 1, 1, 2, 3])
    layer = np.array([0, 1, 2, 3, 5, 6, 0, 0])
    packed, position = pack(component, layer)
    assert packed.tolist() == [0, 1, 2, 3, 0, 1, 2, 3]
    assert position.tolist() == [0, 1, 2, 3]


def test_no_boxes():
    packed, position = pack(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
    assert len(packed) == len(position) == 0
