"""Tracing and paths against a plain search over the same edges."""

from types import SimpleNamespace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from inspector.gui.canvas.travel import Way, path, reach


class Edges(SimpleNamespace):
    """As much of a scene as a walk needs."""

    def __len__(self):
        return self.count


@st.composite
def graphs(draw):
    count = draw(st.integers(1, 9))
    pairs = draw(st.lists(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), max_size=16))
    edges = np.array([(min(a, b), max(a, b)) for a, b in pairs if a != b], dtype=np.int64).reshape(-1, 2)
    return Edges(count=count, edge_source=edges[:, 0], edge_target=edges[:, 1])


def walked(scene, box, way, hops):
    found = {box}
    pairs = list(zip(scene.edge_source.tolist(), scene.edge_target.tolist(), strict=True))
    for _ in range(scene.count if hops is None else hops):
        found |= {a if way is Way.PRODUCER else b for a, b in pairs if (b if way is Way.PRODUCER else a) in found}
    return found


@given(graphs(), st.sampled_from([Way.PRODUCER, Way.CONSUMER]), st.none() | st.integers(0, 4), st.data())
def test_reach(scene, way, hops, data):
    box = data.draw(st.integers(0, scene.count - 1))
    assert set(np.flatnonzero(reach(scene, box, way, hops)).tolist()) == walked(scene, box, way, hops)


@given(graphs(), st.data())
def test_path_holds_what_lies_on_a_way_between(scene, data):
    first, second = (data.draw(st.integers(0, scene.count - 1)) for _ in range(2))
    found = path(scene, first, second)
    low, high = min(first, second), max(first, second)  # edges of these graphs lead upwards
    below, above = walked(scene, low, Way.CONSUMER, None), walked(scene, high, Way.PRODUCER, None)
    if high not in below:
        assert found is None
    else:
        assert set(np.flatnonzero(found).tolist()) == below & above
