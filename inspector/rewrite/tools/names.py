"""Give nodes that share a name names of their own: ONNX Runtime refuses such a model, and no option reaches one."""

from collections.abc import Mapping
from dataclasses import replace

import onnx

from inspector.model.bodies import refreshed
from inspector.model.graph import Graph, GraphKind, Model, Node, NodeId
from inspector.rewrite.tools.tool import Arguments, Change, Tool
from inspector.text import Message, say
from inspector.worker.client import Runner


class RenameDuplicates(Tool):
    """Renames the second and later nodes of a name, in the main graph and in bodies; takes no arguments."""

    id = "rename-duplicates"

    def change(self, model: Model, arguments: Arguments, runner: Runner) -> Change | Message:  # noqa: ARG002
        """See `Tool`."""
        self.taken(arguments)
        names = _new_names(model)
        if not names:
            return say("tool.rename-duplicates.none")
        graphs = model.graphs
        for index in range(len(graphs)):
            graph = graphs[index]
            nodes = tuple(_named(node, names[node.id]) if node.id in names else node for node in graph.nodes)
            if nodes != graph.nodes:
                graphs = refreshed(_with(graphs, replace(graph, nodes=nodes)), index)
        return Change(replace(model, graphs=graphs))


def _with(graphs: tuple[Graph, ...], graph: Graph) -> tuple[Graph, ...]:
    return (*graphs[: graph.index], graph, *graphs[graph.index + 1 :])


def _new_names(model: Model) -> Mapping[NodeId, str]:
    """New names of the nodes whose name an earlier one has; functions have names of their own."""
    nodes = [n for graph in model.graphs if graph.kind is not GraphKind.FUNCTION for n in graph.nodes if n.name]
    taken = {node.name for node in model.nodes}
    seen: set[str] = set()
    found: dict[NodeId, str] = {}
    for node in nodes:
        if node.name in seen:
            number = 2
            while f"{node.name}_{number}" in taken:
                number += 1
            found[node.id] = f"{node.name}_{number}"
            taken.add(found[node.id])
        seen.add(node.name)
    return found


def _named(node: Node, name: str) -> Node:
    proto = onnx.NodeProto()
    proto.CopyFrom(node.proto)
    proto.name = name
    return replace(node, name=name, proto=proto)
