from types import MappingProxyType

import pytest

from inspector.model.graph import NodeId
from inspector.placement.remedies import AllRemedies
from inspector.report.remedies import add_remedies, graph_help, node_help
from inspector.text import say

NODE = NodeId(3)
CHANGE = say("remedy.change", subject="rank of X", found="5", allowed="= 4")
WAY = say("remedy.re-express.rank", op="Conv")
BOUNDARY = say("remedy.boundary.tail", op="Conv")
FOUND = AllRemedies(
    MappingProxyType({NODE: {"conv.b": (BOUNDARY, WAY), "conv.a": (CHANGE, WAY)}}),
    MappingProxyType({"model.opset": (say("remedy.model.opset", allowed="10..11", found="13"),)}),
)


def test_a_node_is_helped_in_order_and_nothing_is_said_twice():
    lines = node_help(FOUND, NODE, "en", fixed=False)
    assert len(lines) == 3
    assert lines[0] == "  help: smallest change: rank of X: = 4 (now 5)"
    assert lines[1].startswith("  help: re-express: Reshape")
    assert lines[2].startswith("  help: move the boundary")


def test_beside_a_rule_the_smallest_change_is_enough():
    assert node_help(FOUND, NODE, "zh_CN", fixed=True) == ["  建议：最小改动：rank of X：= 4（当前为 5）"]


@pytest.mark.parametrize("remedies", [None, AllRemedies({}, {})])
def test_nothing_known_is_nothing_said(remedies):
    assert node_help(remedies, NODE, "en", fixed=False) == []
    assert graph_help(remedies, "model.opset", "en") == []


def test_every_check_of_the_document_has_its_list():
    placed = {
        "graph_checks": [{"clause": "model.opset"}, {"clause": "model.domains"}],
        "nodes": [{"id": 3, "checks": [{"clause": "conv.a"}, {"clause": "conv.c"}]}, {"id": 4, "checks": []}],
    }
    add_remedies(placed, FOUND, "en")
    assert placed["graph_checks"][0]["remedies"] == ["export with opset 10..11 (now 13)"]
    assert placed["graph_checks"][1]["remedies"] == []
    first, second = placed["nodes"][0]["checks"]
    assert len(first["remedies"]) == 2
    assert second["remedies"] == []
