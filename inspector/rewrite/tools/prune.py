"""Remove what no output needs: dead nodes, and initializers that nothing reads."""

import onnx

from inspector.model.graph import MAIN, Model, Node
from inspector.rewrite.tools.rebuild import rebuilt
from inspector.rewrite.tools.tool import Arguments, Change, Tool
from inspector.text import Message, say
from inspector.worker.client import Runner


class RemoveDead(Tool):
    """Removes nodes and initializers of the main graph that no graph output depends on; takes no arguments."""

    id = "remove-dead"

    def change(self, model: Model, arguments: Arguments, runner: Runner) -> Change | Message:
        """See `Tool`."""
        self.taken(arguments)
        nodes = needed_nodes(model)
        tensors = read_tensors(model, nodes)
        if len(nodes) == len(model.main.nodes) and len(tensors) == len(model.main.initializers):
            return say("tool.remove-dead.none")
        return Change(rebuilt(model, runner, nodes=nodes, tensors=tensors))


def needed_nodes(model: Model) -> tuple[Node, ...]:
    """Nodes of the main graph that an output depends on, in order."""
    wanted = set(model.main.outputs)
    found: list[Node] = []
    for node in reversed(model.main.nodes):
        if wanted.intersection(node.outputs):
            found.append(node)
            wanted.update(node.inputs, model.captures(node))
    return tuple(reversed(found))


def read_tensors(model: Model, nodes: tuple[Node, ...]) -> dict[str, onnx.TensorProto]:
    """Initializers of the main graph that *nodes* read, that are outputs, or that a caller may feed."""
    graph = model.graphs[MAIN]
    read = {name for node in nodes for name in (*node.inputs, *model.captures(node))}
    read |= {*graph.outputs, *graph.overridable}
    return {name: tensor for name, tensor in graph.initializers.items() if name in read}
