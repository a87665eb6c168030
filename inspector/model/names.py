"""Names that are not valid UTF-8: made readable once, for the whole model, so that every reader sees text."""

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message as ProtoMessage
from onnx import GraphProto


def escape_invalid_names(proto: ProtoMessage) -> bool:
    r"""Replace invalid bytes in all text fields of *proto* and its parts by `\xNN`; whether any were found.

    protobuf gives such a field as `bytes` instead of `str`. Two names stay different unless they were equal before.
    """
    found = False
    for field, value in proto.ListFields():
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            for item in value if field.is_repeated else (value,):
                found = escape_invalid_names(item) or found
        elif field.type == FieldDescriptor.TYPE_STRING:
            if field.is_repeated:
                for position, item in enumerate(value):
                    if isinstance(item, bytes):
                        value[position] = item.decode("utf-8", "backslashreplace")
                        found = True
            elif isinstance(value, bytes):
                setattr(proto, field.name, value.decode("utf-8", "backslashreplace"))
                found = True
    return found


def has_invalid_names(graph: GraphProto) -> bool:
    """Whether a name of *graph* itself is not valid UTF-8: a quick look, so that few files need the full walk."""
    for node in graph.node:
        names = (node.name, node.op_type, node.domain, *node.input, *node.output)
        if any(isinstance(name, bytes) for name in names):
            return True
    infos = [info.name for info in (*graph.input, *graph.output, *graph.value_info)]
    return any(isinstance(name, bytes) for name in (graph.name, *infos, *(t.name for t in graph.initializer)))
