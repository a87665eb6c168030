"""`NodeRef`: a node as it can be found again when its file is read anew, or in a newer export of the model.

The outputs identify it, because value names are unique within a graph; the name helps where they changed.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from inspector.model.graph import Model, Node


@dataclass(frozen=True, slots=True)
class NodeRef:
    """What is written down of a node.

    Attributes:
        op: operator, `domain::Name` outside ONNX's own domain.
        name: name from the file; may be empty.
        outputs: output names.
        graph: `Graph.path` of the graph that holds it; empty for the main graph.
    """

    op: str
    name: str
    outputs: tuple[str, ...]
    graph: str = ""

    @property
    def label(self) -> str:
        """What to call the node on screen."""
        return self.name or ", ".join(output for output in self.outputs if output) or self.op


def refer(model: Model, node: Node) -> NodeRef:
    """The reference to *node* of *model*."""
    return NodeRef(str(node.op), node.name, node.outputs, model.graphs[node.graph].path)


def resolve(model: Model, ref: NodeRef) -> Node | None:
    """The node of *ref* in *model*: it makes the same first output and is of the same operator.

    Else the only one of that name and operator; None when there is no such node.
    """
    graph = next((graph for graph in model.graphs if graph.path == ref.graph), None)
    if graph is None:
        return None
    first = next((output for output in ref.outputs if output), "")
    node = model.producer(graph.index, first)
    if node is not None and str(node.op) == ref.op:
        return node
    named = _named(graph.nodes, ref)
    return named[0] if len(named) == 1 else None


def _named(nodes: Iterable[Node], ref: NodeRef) -> list[Node]:
    return [node for node in nodes if ref.name and node.name == ref.name and str(node.op) == ref.op]
