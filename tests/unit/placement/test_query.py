"""Typed filters find what they say, in any letter case, and what makes no sense finds nothing."""

from dataclasses import replace
from itertools import pairwise
from types import MappingProxyType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import TensorProto, helper

from inspector.model.infer import infer_shapes
from inspector.model.load import from_proto
from inspector.placement.catalog import load_catalog, resolve_target
from inspector.placement.engine import place
from inspector.placement.query import Key, NodeIndex, parse
from inspector.placement.verdict import Standing
from inspector.worker.client import InProcessRunner
from tests.helpers.models import proto


@pytest.fixture(scope="module")
def placed():
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c:0"], "/neck/conv", kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
        helper.make_node("ConvTranspose", ["c:0", "u"], ["up"], "/head/up", kernel_shape=[2, 2], strides=[2, 2]),
        helper.make_node("Reshape", ["up", "to"], ["five"], "/head/reshape"),
        helper.make_node("Cast", ["five"], ["whole"], "cast", to=TensorProto.INT64),
        helper.make_node("Resize", ["up", "", "scales"], ["big"], "resize", mode="linear"),
        helper.make_node("Einsum", ["c:0"], ["e"], "einsum", equation="abcd->abc"),
    ]
    made = proto(
        nodes,
        {"x": [1, 4, 8, 8]},
        {"whole": [1, 2, 2, 16, 16], "big": [1, 4, 32, 32], "e": [1, 4, 8]},
        {
            "w": np.zeros((4, 4, 3, 3), np.float32),
            "u": np.zeros((4, 4, 2, 2), np.float32),
            "to": np.array([1, 2, 2, 16, 16], np.int64),
            "scales": np.array([1, 1, 2, 2], np.float32),
        },
        dtypes={"whole": TensorProto.INT64},
    )
    model = infer_shapes(from_proto(made), InProcessRunner())
    catalog = load_catalog()
    return model, place(model, catalog, resolve_target(catalog, "x3"))


def labels(placed, line):
    model, placement = placed
    return [node.label for node in NodeIndex(model).find(parse(line), placement)]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("op:conv", ["/neck/conv"]),
        ("OP:Conv", ["/neck/conv"]),
        ("op:con", ["/neck/conv", "/head/up"]),
        ("op:conv*", ["/neck/conv", "/head/up"]),
        ("op:cast,einsum", ["cast", "einsum"]),
        ("name:/head/*", ["/head/up", "/head/reshape"]),
        ("name:head", ["/head/up", "/head/reshape"]),
        ("tensor:c:0", ["/neck/conv", "/head/up", "einsum"]),
        ("rank:5", ["/head/reshape", "cast"]),
        ("rank:>4", ["/head/reshape", "cast"]),
        ("rank:<4", ["einsum"]),
        ("dtype:int64", ["cast"]),
        ("shape:*x16x16", ["/head/up", "/head/reshape", "cast", "resize"]),
        ("shape:1×4×8", ["einsum"]),
        ("attr:pads", ["/neck/conv"]),
        ("attr:kernel_shape>2", ["/neck/conv"]),
        ("attr:mode=linear", ["resize"]),
        ("attr:mode>1", []),
        ("rank:4 op:resize", ["resize"]),
        ("head re", ["/head/reshape"]),
        ("c:0", ["/neck/conv", "/head/up", "einsum"]),
        ('"/head/up"', ["/head/up"]),
        ("rank:many", []),
        ("op:", []),
        ("", []),
    ],
)
def test_filters(placed, line, found):
    assert labels(placed, line) == found


def test_status_follows_the_placement(placed):
    model, placement = placed
    assert labels(placed, "status:unsupported") == ["einsum"]
    assert "einsum" not in labels(placed, "status:bpu,cpu")
    guessed = replace(placement.verdicts[model.nodes[0].id], standing=Standing.INFERRED)
    other = replace(placement, verdicts=MappingProxyType({**placement.verdicts, guessed.node: guessed}))
    assert model.nodes[0].label in labels((model, other), "status:inferred")
    assert labels((model, None), "status:bpu") == []


def test_clause_is_one_that_the_node_fails(placed):
    model, placement = placed
    failing = {node: [check.clause for check in verdict.failed] for node, verdict in placement.verdicts.items()}
    one = next((node, clauses[0]) for node, clauses in failing.items() if clauses)
    wanted = [node.label for node in model.nodes if one[1] in failing[node.id]]
    assert labels(placed, f"clause:{one[1]}") == wanted


def test_parts_that_make_no_sense_are_told():
    assert parse("rank:many attr:= relu").faults == ("rank:many", "attr:=")
    assert parse("rank:5").faults == ()


@given(st.text(alphabet=st.sampled_from("ab :\"*,<>=5'\\#" + "".join(Key)), max_size=40))
def test_any_line_is_understood(placed, line):
    model, placement = placed
    index, query = NodeIndex(model), parse(line)
    found = index.find(query, placement)
    assert len(found) <= len(model.nodes)
    assert not (query.faults and found)


@given(st.lists(st.sampled_from(["op:conv", "rank:4", "head", "attr:pads", "status:bpu"]), min_size=1, unique=True))
def test_every_further_part_narrows(placed, parts):
    found = [set(labels(placed, " ".join(parts[: i + 1]))) for i in range(len(parts))]
    assert all(later <= earlier for earlier, later in pairwise(found))
