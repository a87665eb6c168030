"""Read the protobuf wire format of an ONNX file and leave large tensor payloads where they are.

`skim` walks only as deep as messages larger than `INLINE_LIMIT_BYTES` go, so its cost follows the size of the graph,
not of the weights. Field numbers are those of onnx.proto.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from inspector.errors import InspectorError
from inspector.model.tensors import INLINE_LIMIT_BYTES, FileSpan, TensorStore
from inspector.text import Message, say

_MAX_DEPTH = 90
"""Nesting at which protobuf itself refuses a message (100 levels), less what a parser adds."""

_TENSOR, _GRAPH, _NODE, _ATTRIBUTE, _SPARSE, _FUNCTION, _MODEL, _TRAINING = range(8)
_CHILDREN: Mapping[int, Mapping[int, int]] = {
    _MODEL: {7: _GRAPH, 20: _TRAINING, 25: _FUNCTION},
    _TRAINING: {1: _GRAPH, 2: _GRAPH},
    _FUNCTION: {7: _NODE, 11: _ATTRIBUTE},
    _GRAPH: {1: _NODE, 5: _TENSOR, 15: _SPARSE},
    _SPARSE: {1: _TENSOR, 2: _TENSOR},
    _NODE: {5: _ATTRIBUTE},
    _ATTRIBUTE: {5: _TENSOR, 6: _GRAPH, 10: _TENSOR, 11: _GRAPH, 22: _SPARSE, 23: _SPARSE},
}
_PAYLOAD_FIELDS = frozenset({4, 5, 7, 9, 10, 11})
_FIXED_BYTES = {1: 8, 5: 4}
_LENGTH_DELIMITED = 2


class WireError(InspectorError):
    """The bytes are not a well-formed protobuf message.

    Attributes:
        position: offset in bytes at which reading stopped.
    """

    exit_code = 3

    def __init__(self, message: Message, position: int) -> None:
        super().__init__(message)
        self.position = position


def skim(data: memoryview, store: TensorStore, skipped: Callable[[int, int], None] | None = None) -> bytes:
    """The ModelProto in *data* without its large payloads, which are registered in *store* instead.

    Every dropped payload is replaced by the standard external-data mark (see `inspector.model.tensors`); all other
    bytes are kept as they are, unknown fields included. *skipped* is told offset and length of each dropped payload.

    Raises:
        WireError: the bytes are cut short, damaged, or nested too deeply.
    """
    keep = _Keeper(store, skipped)
    return b"".join(_message(data, 0, len(data), _MODEL, keep, 0))


@dataclass(frozen=True, slots=True)
class _Keeper:
    """Where dropped payloads are registered."""

    store: TensorStore
    skipped: Callable[[int, int], None] | None

    def drop(self, span: FileSpan) -> str:
        """Register *span*; the location to write in its place."""
        if self.skipped is not None:
            self.skipped(span.offset, span.length)
        return self.store.add_span(span)


def _message(data: memoryview, start: int, end: int, kind: int, keep: _Keeper, depth: int) -> list[bytes]:
    if depth > _MAX_DEPTH:
        raise WireError(say("model.too_deep", limit=_MAX_DEPTH), start)
    if kind == _TENSOR:
        return _tensor(data, start, end, keep)
    children = _CHILDREN[kind]
    pieces: list[bytes] = []
    kept = start
    for field, head, body, after in _fields(data, start, end):
        child = children.get(field)
        if child is None or after - body <= INLINE_LIMIT_BYTES or body == head:
            continue
        pieces.append(bytes(data[kept:head]))
        inner = _message(data, body, after, child, keep, depth + 1)
        pieces.append(varint(field << 3 | _LENGTH_DELIMITED) + varint(sum(map(len, inner))))
        pieces.extend(inner)
        kept = after
    pieces.append(bytes(data[kept:end]))
    return pieces


def _tensor(data: memoryview, start: int, end: int, keep: _Keeper) -> list[bytes]:
    """The TensorProto without its payload; whole when it has none of size, or one in several pieces."""
    spans = [f for f in _fields(data, start, end) if f[0] in _PAYLOAD_FIELDS and f[2] != f[1]]
    if len(spans) != 1 or spans[0][3] - spans[0][2] <= INLINE_LIMIT_BYTES:
        return [bytes(data[start:end])]
    field, head, body, after = spans[0]
    location = keep.drop(FileSpan(body, after - body, field)).encode()
    entry = b"\x0a\x08location\x12" + varint(len(location)) + location
    mark = varint(13 << 3 | _LENGTH_DELIMITED) + varint(len(entry)) + entry + varint(14 << 3) + b"\x01"
    return [bytes(data[start:head]), bytes(data[after:end]), mark]


def _fields(data: memoryview, start: int, end: int) -> Iterator[tuple[int, int, int, int]]:
    """Fields of a message as (number, offset of the tag, offset of the body, offset behind it).

    For a field that is not length-delimited the offset of the body equals that of the tag.
    """
    position = start
    while position < end:
        tag, body = _read_varint(data, position, end)
        wire_type = tag & 7
        if tag >> 3 == 0:
            raise WireError(say("model.damaged", position=position), position)
        if wire_type == _LENGTH_DELIMITED:
            length, body = _read_varint(data, body, end)
            after = body + length
        elif wire_type == 0:
            _, after = _read_varint(data, body, end)
            body = position
        elif wire_type in _FIXED_BYTES:
            after = body + _FIXED_BYTES[wire_type]
            body = position
        else:
            raise WireError(say("model.damaged", position=position), position)
        if after > end:
            raise WireError(say("model.cut_short", position=position, missing=after - end), position)
        yield tag >> 3, position, body, after
        position = after


def _read_varint(data: memoryview, position: int, end: int) -> tuple[int, int]:
    value = shift = 0
    first = position
    while True:
        if position >= end:
            raise WireError(say("model.cut_short", position=first, missing=1), first)
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, position
        shift += 7
        if shift > 63:
            raise WireError(say("model.damaged", position=first), first)


def varint(value: int) -> bytes:
    """*value* (>= 0) in protobuf's variable-length encoding."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
