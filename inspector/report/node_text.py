"""One node as text for the clipboard: as YAML with all that is known, or its attributes alone."""

import numpy as np
import onnx
import yaml

from inspector.model.graph import AttributeValue, Model, Node, Value
from inspector.placement.verdict import NodeVerdict
from inspector.report.values import Json, node_value, shape_value

_LONGEST = 64
"""Entries of an attribute that are written out; longer lists are cut, and say so."""


def node_yaml(model: Model, verdict: NodeVerdict, language: str) -> str:
    """The node of *verdict*: operator, attributes, tensors with shapes, verdict, and every check with its source."""
    node = model.node(verdict.node)
    judged = node_value(model, verdict, language)
    document: Json = {
        "name": node.name,
        "op": str(node.op),
        "opset": node.op.version,
        "attributes": attributes(node),
        "inputs": [_tensor(value) for value in model.input_values(node)],
        "outputs": [_tensor(value) for value in model.output_values(node)],
    }
    document |= {key: judged[key] for key in ("verdict", "standing", "qtype", "kernel", "because", "checks")}
    return _dump({key: value for key, value in document.items() if value not in (None, [], {})})


def attributes_yaml(node: Node) -> str:
    """The attributes that the file sets, one a line; empty without any."""
    return _dump(attributes(node)) if node.attributes else ""


def attributes(node: Node) -> Json:
    """Attribute -> its value as YAML can hold it; tensors and graphs by their kind and size."""
    return {name: _plain(value) for name, value in node.attributes.items()}


def _plain(value: AttributeValue) -> object:
    if isinstance(value, onnx.TensorProto):
        return f"tensor {'x'.join(str(dim) for dim in value.dims) or 'scalar'}"
    if isinstance(value, onnx.AttributeProto):
        return onnx.AttributeProto.AttributeType.Name(value.type).lower()
    if isinstance(value, tuple):
        shown: list[object] = [_number(entry) for entry in value[:_LONGEST]]
        return shown if len(value) <= _LONGEST else [*shown, f"... {len(value)} entries"]
    return _number(value)


def _number(value: object) -> object:
    """A number as it is meant: the file holds floats with 32 bits, and `0.1` shall not read `0.10000000149011612`."""
    return float(str(np.float32(value))) if isinstance(value, float) else value


def _tensor(value: Value) -> Json:
    if not value.name:
        return {"name": None}
    dtype = None if value.dtype is None else value.dtype.value
    return {"name": value.name, "dtype": dtype, "shape": shape_value(value.shape)}


def _dump(document: Json) -> str:
    return yaml.dump(document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120)


class _Dumper(yaml.SafeDumper):
    """Lists of numbers stand on one line, as people write shapes."""

    def represent_sequence(self, tag: str, sequence: object, flow_style: bool | None = None) -> yaml.SequenceNode:
        entries = list(sequence) if isinstance(sequence, list | tuple) else []
        flat = bool(entries) and not any(isinstance(entry, dict | list) for entry in entries)
        return super().represent_sequence(tag, entries, flow_style=flat or flow_style)
