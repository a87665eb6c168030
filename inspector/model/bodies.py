"""A changed body put back into the node that holds it, and that into its graph, up to the main graph.

A body is written twice in a `Model`: as a `Graph` of its own, and inside the message of its owner, which is what is
saved and run. Whoever changes the one must change the other.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import onnx

from inspector.model.build import attribute_value
from inspector.model.graph import Graph, GraphKind, Node


def refreshed(graphs: Sequence[Graph], index: int) -> tuple[Graph, ...]:
    """*graphs*, after graph *index* was changed: owners of it, and of the graphs around it, hold what it holds now."""
    found = list(graphs)
    while found[index].kind is GraphKind.BODY:
        body = found[index]
        parent = found[body.parent or 0]
        nodes = tuple(_holding(node, body) if node.id == body.owner else node for node in parent.nodes)
        found[parent.index] = replace(parent, nodes=nodes)
        index = parent.index
    return tuple(found)


def _holding(owner: Node, body: Graph) -> Node:
    """*owner* with the nodes and initializers of *body* in its message."""
    proto = onnx.NodeProto()
    proto.CopyFrom(owner.proto)
    held = list(_graphs(proto))[owner.bodies.index(body.index)]
    made = {name for node in body.nodes for name in node.outputs}
    del held.node[:], held.initializer[:]
    held.node.extend(node.proto for node in body.nodes)
    held.initializer.extend(body.initializers.values())
    stale = [i for i, info in enumerate(held.value_info) if info.name not in made and info.name not in body.inputs]
    for position in reversed(stale):
        del held.value_info[position]
    return replace(owner, proto=proto, attributes={a.name: attribute_value(a) for a in proto.attribute})


def _graphs(proto: onnx.NodeProto) -> Iterator[onnx.GraphProto]:
    """Bodies of a node in the order of `Node.bodies`."""
    for attribute in proto.attribute:
        if attribute.type == onnx.AttributeProto.GRAPH:
            yield attribute.g
        elif attribute.type == onnx.AttributeProto.GRAPHS:
            yield from attribute.graphs
