"""Name scopes: every node stands in exactly one, counts add up, and no name makes the tree unusable."""

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import helper

from inspector.model.load import from_proto
from inspector.model.scopes import MOST_PARTS, MOST_ROWS, ROOT, scopes_of
from tests.helpers import models


def chain(names):
    """A model of Relu nodes one after the other, named *names*."""
    nodes = [helper.make_node("Relu", [f"v{i}"], [f"v{i + 1}"], name) for i, name in enumerate(names)]
    return from_proto(models.proto(nodes, {"v0": [1]}, {f"v{len(names)}": [1]}))


def paths(scopes):
    return [scopes.paths[scope] for scope in range(len(scopes))]


def test_module_path_becomes_nested_scopes():
    scopes = scopes_of(chain(["/a/a.0/Conv", "/a/a.0/Relu", "/a/Add", "/b/Relu", "plain"]))
    assert paths(scopes) == ["", "a", "a/a.0", "b"]
    assert [scopes.names[scope] for scope in scopes.chain(2)] == ["a", "a.0"]
    assert scopes.titles == ("Conv", "Relu", "Add", "Relu", "plain")
    assert scopes.members(1) == (0, 1, 2)
    assert scopes.members(ROOT) == (0, 1, 2, 3, 4)
    assert scopes.direct[ROOT] == (4,)


def test_a_node_without_a_name_stands_at_the_root_by_its_output():
    scopes = scopes_of(chain(["", "/x/Relu"]))
    assert scopes.scope_of[0] == ROOT
    assert scopes.titles[0] == "v1"


def test_counts_of_a_scope_hold_those_of_its_inner_scopes():
    scopes = scopes_of(chain(["/a/b/n0", "/a/n1", "/c/n2", "n3"]))
    counts = scopes.totals(np.array([0, 1, 1, -1]), 2)
    by_path = dict(zip(paths(scopes), counts.tolist(), strict=True))
    assert by_path == {"": [1, 2], "a": [1, 1], "a/b": [1, 0], "c": [0, 1]}


def test_long_lists_are_cut_into_ranges_that_are_no_scopes():
    scopes = scopes_of(chain([f"n{i}" for i in range(2 * MOST_ROWS + 3)]))
    assert scopes.direct[ROOT] == ()
    assert [scopes.names[scope] for scope in scopes.inner[ROOT]] == [
        f"n0 … n{MOST_ROWS - 1}",
        f"n{MOST_ROWS} … n{2 * MOST_ROWS - 1}",
        f"n{2 * MOST_ROWS} … n{2 * MOST_ROWS + 2}",
    ]
    assert scopes.chain(int(scopes.scope_of[5])) == ()
    scopes = scopes_of(chain([f"/s{i}/Relu" for i in range(MOST_ROWS + 1)]))
    assert len(scopes.inner[ROOT]) == 2
    assert [scopes.names[scope] for scope in scopes.chain(int(scopes.scope_of[7]))] == ["s7"]


def test_a_name_of_thousands_of_parts_does_not_make_thousands_of_scopes():
    scopes = scopes_of(chain(["/".join("x" * 5000)]))
    assert len(scopes) == MOST_PARTS + 1


def test_bodies_are_scopes_of_their_own():
    body = helper.make_graph(
        [helper.make_node("Relu", ["x"], ["t"], "/in/Relu")],
        "body",
        [],
        [helper.make_tensor_value_info("t", onnx.TensorProto.FLOAT, [1])],
    )
    node = helper.make_node("If", ["c"], ["y"], "branch", then_branch=body, else_branch=body)
    proto = models.proto([node], {"x": [1], "c": []}, {"y": [1]}, dtypes={"c": onnx.TensorProto.BOOL})
    model = from_proto(proto)
    scopes = scopes_of(model)
    tops = [scopes.paths[scope] for scope in scopes.inner[ROOT]]
    assert tops == [graph.path for graph in model.graphs[1:]]
    assert len(scopes.members(ROOT)) == len(model.nodes) == 3


@pytest.mark.parametrize("name", ["/", "//", "///a//", "a/", "/中文/卷积", "\n/\t", "/a/../b"])
def test_odd_names_have_a_title(name):
    scopes = scopes_of(chain([name]))
    assert scopes.titles[0]
    assert scopes.members(ROOT) == (0,)


@given(st.lists(st.text("ab/", max_size=6), max_size=40))
def test_every_node_stands_in_one_scope_below_the_root(names):
    scopes = scopes_of(chain(names))
    assert sorted(node for nodes in scopes.direct for node in nodes) == list(range(len(names)))
    for node, scope in enumerate(scopes.scope_of.tolist()):
        assert node in scopes.direct[scope]
    for scope in range(1, len(scopes)):
        assert scopes.parent[scope] < scope
        assert scope in scopes.inner[scopes.parent[scope]]
    counts = scopes.totals(np.zeros(len(names), dtype=np.int64), 1)
    assert [int(count) for count in counts[:, 0]] == [len(scopes.members(scope)) for scope in range(len(scopes))]
