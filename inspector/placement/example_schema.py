"""What ONNX's own definitions let a sample have: attributes and element types per operator."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

import onnx

DTYPES: Final = (
    "float32", "float64", "float16", "int64", "int32", "int16", "int8", "uint8", "uint16", "uint32", "uint64", "bool",
)  # fmt: skip
"""Element types that a search tries."""

_FATAL: Final = "num_outputs"
"""Attribute of Split that ends the process within onnx's shape inference when it disagrees with the outputs."""


@cache
def attribute_kinds(op: str, opset: int) -> Mapping[str, str]:
    """Attributes of *op* and the type of their values: `INT`, `INTS`, `STRING`, ...; empty where ONNX defines none."""
    for version in (opset or 11, onnx.defs.onnx_opset_version()):
        try:
            schema = onnx.defs.get_schema(op, version, "")
        except onnx.defs.SchemaError:
            continue
        kinds = {name: str(attribute.type).rpartition(".")[2] for name, attribute in schema.attributes.items()}
        return {name: kind for name, kind in kinds.items() if name != _FATAL}
    return {}


@cache
def allowed_types(op: str, opset: int, index: int) -> frozenset[str]:
    """Element types that ONNX allows for input *index* of *op*; all of `DTYPES` where it does not define *op*."""
    try:
        schema = onnx.defs.get_schema(op, opset or 11, "")
    except onnx.defs.SchemaError:
        return frozenset(DTYPES)
    if not schema.inputs:
        return frozenset()
    formal = schema.inputs[min(index, len(schema.inputs) - 1)]
    return frozenset(_plain(formal.types) & set(DTYPES))


@cache
def known_types(op: str, of: str) -> frozenset[str]:
    """Element types that ONNX allows for the operands *of* names (see `NodeFacts.operands`) in any opset up to 20."""
    found: set[str] = set()
    for opset in range(7, 21):
        try:
            schema = onnx.defs.get_schema(op, opset, "")
        except onnx.defs.SchemaError:
            continue
        formals = (*schema.inputs, *schema.outputs)
        named = [f for f in formals if f.name.casefold() in [word.strip().casefold() for word in of.split(",")]]
        for formal in named or [f for f in formals if len(f.types) > 1]:
            found |= _plain(formal.types)
    return frozenset(found & set(DTYPES)) or frozenset(DTYPES)


def _plain(types: Iterable[str]) -> set[str]:
    """ONNX's names of tensor types as tables write element types."""
    words = {word.removeprefix("tensor(").removesuffix(")") for word in types}
    return {{"float": "float32", "double": "float64"}.get(word, word) for word in words}
