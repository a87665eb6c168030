"""Operators that leave every element as it is: which nodes do nothing, and who reads a value that may go."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from inspector.model.dtype import from_onnx
from inspector.model.edit import Editor
from inspector.model.graph import Model, Node, NodeId
from inspector.rewrite.conv import ints
from inspector.rewrite.pattern import Answers, constant, fixed_sizes, rank
from inspector.rewrite.rule import Refusal

RESHAPES = frozenset({"Reshape", "Squeeze", "Unsqueeze", "Flatten"})
"""Operators that only give their first input another shape."""


def does_nothing(model: Model, node: Node) -> bool:
    """Whether the first output of *node* is its first input, element by element, whatever is fed."""
    test = _TESTS.get(node.op.name)
    return not node.op.domain and bool(node.inputs) and test is not None and test(model, node)


def _same_shape(model: Model, node: Node) -> bool:
    """Input and output have the same sizes, all known, so that a Reshape or Expand between them does nothing."""
    shapes = [model.value(node.graph, name).shape for name in (node.inputs[0], node.outputs[0])]
    sizes = [None if shape is None else fixed_sizes(model, shape, tuple(range(len(shape)))) for shape in shapes]
    return sizes[0] is not None and sizes[0] == sizes[1]


def _dropout(model: Model, node: Node) -> bool:
    mask = node.outputs[1] if len(node.outputs) > 1 else ""
    if mask and (model.is_output(node.graph, mask) or model.consumers(node.graph, mask)):
        return False
    if len(node.inputs) < 3 or not node.inputs[2]:
        return (node.op.version or 1) >= 7
    training = constant(model, node.graph, node.inputs[2])
    return training is not None and training.size == 1 and not training.any()


def _cast(model: Model, node: Node) -> bool:
    target = node.attributes.get("to")
    dtype = model.value(node.graph, node.inputs[0]).dtype
    return isinstance(target, int) and dtype is not None and from_onnx(target) is dtype


def _pad(model: Model, node: Node) -> bool:
    if len(node.inputs) > 1 and node.inputs[1]:
        pads = constant(model, node.graph, node.inputs[1])
        return pads is not None and not pads.any()
    return "pads" in node.attributes and not any(ints(node, "pads", (1,)))


def _slice(model: Model, node: Node) -> bool:
    if len(node.inputs) > 4 and node.inputs[4]:
        steps = constant(model, node.graph, node.inputs[4])
        if steps is None or (steps != 1).any():
            return False
    return _same_shape(model, node)


def _transpose(model: Model, node: Node) -> bool:
    width = rank(model, node.graph, node.inputs[0])
    perm = ints(node, "perm", ())
    return width is not None and (perm == tuple(range(width)) or (not perm and width < 2))


def _tile(model: Model, node: Node) -> bool:
    repeats = constant(model, node.graph, node.inputs[1]) if len(node.inputs) == 2 else None
    return repeats is not None and bool(np.all(repeats == 1))


_TESTS: Mapping[str, Callable[[Model, Node], bool]] = MappingProxyType(
    {
        "Identity": lambda _model, _node: True,
        "Dropout": _dropout,
        "Cast": _cast,
        "Pad": _pad,
        "Slice": _slice,
        "Transpose": _transpose,
        "Tile": _tile,
        "Concat": lambda _model, node: len(node.inputs) == 1,
        **dict.fromkeys(("Reshape", "Squeeze", "Unsqueeze", "Flatten", "Expand"), _same_shape),
    }
)

NOTHING = frozenset(_TESTS)
"""Operators that may do nothing."""


def readers(model: Model, graph: int, name: str, answers: Answers) -> tuple[NodeId, ...] | Refusal:
    """Nodes that read *name*, if each can be made to read another value."""
    found = []
    for reader in model.consumers(graph, name):
        if reader.bodies:
            return answers.refuse("captured", name, value=name, node=reader.label)
        found.append(reader.id)
    return tuple(found)


def bypass(editor: Editor, node: Node) -> None:
    """Take *node* away: who read its first output reads its first input.

    An output of the graph keeps its name: the node before makes it under that name.
    """
    model, source, made = editor.model, node.inputs[0], node.outputs[0]
    editor.remove(node.id)
    if not model.is_output(node.graph, made):
        for reader in model.consumers(node.graph, made):
            editor.rewire(reader.id, {made: source})
        return
    producer = model.producer(node.graph, source)
    if producer is not None:
        editor.rewire(producer.id, {source: made})
    for reader in model.consumers(node.graph, source):
        if reader.id != node.id:
            editor.rewire(reader.id, {source: made})
