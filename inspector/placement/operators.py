"""What ONNX itself says about an operator: formal names, which operands carry data, attribute types and defaults."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, Final

import onnx

from inspector.model.graph import OpKey

_ONLY_BOOL = frozenset({"tensor(bool)"})


class Unknown:
    """Marks an attribute that the node has but whose value cannot be told."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = Unknown()
"""Value of an attribute or parameter that is given but not known before run time."""


@dataclass(frozen=True, slots=True)
class OperatorForm:
    """How ONNX defines an operator.

    Attributes:
        inputs: formal name of each input, and whether it carries data rather than an index, a count or a condition.
        outputs: likewise.
        defaults: attribute -> default value, for attributes that have one.
        kinds: attribute -> type of its values, and whether it is a list of them.
    """

    inputs: tuple[tuple[str, bool], ...]
    outputs: tuple[tuple[str, bool], ...]
    defaults: Mapping[str, Any]
    kinds: Mapping[str, tuple[type, bool]]


@cache
def operator_form(op: OpKey) -> OperatorForm:
    """Formal names, with whether each carries data, and attribute defaults; generic where ONNX defines nothing."""
    schema = _find_schema(op)
    if schema is None:
        return OperatorForm((), (), {}, {})
    allowed = {c.type_param_str: frozenset(c.allowed_type_strs) for c in schema.type_constraints}
    wide = {name for name, types in allowed.items() if len(types) > 1 and types != _ONLY_BOOL}
    formals = [tuple((p.name, p.type_str in wide) for p in side) for side in (schema.inputs, schema.outputs)]
    defaults = {
        name: _plain(onnx.helper.get_attribute_value(attribute.default_value))
        for name, attribute in schema.attributes.items()
        if attribute.default_value.type != onnx.AttributeProto.UNDEFINED
    }
    kinds = {name: _KINDS[a.type] for name, a in schema.attributes.items() if a.type in _KINDS}
    return OperatorForm(formals[0], formals[1], MappingProxyType(defaults), MappingProxyType(kinds))


_TYPE: Final = onnx.defs.OpSchema.AttrType
_KINDS: Final[Mapping[Any, tuple[type, bool]]] = {
    _TYPE.INT: (int, False),
    _TYPE.FLOAT: (float, False),
    _TYPE.STRING: (str, False),
    _TYPE.INTS: (int, True),
    _TYPE.FLOATS: (float, True),
    _TYPE.STRINGS: (str, True),
}
"""Type of an attribute -> type of its values, and whether it is a list of them."""


def well_typed(value: Any, kind: tuple[type, bool]) -> bool:
    """Whether a file's attribute or parameter has the type that ONNX gives it (see `OperatorForm.kinds`)."""
    values = value if kind[1] else (value,)
    return isinstance(values, tuple) and all(isinstance(one, kind[0]) for one in values)


def _find_schema(op: OpKey) -> onnx.defs.OpSchema | None:
    """ONNX's definition of *op*; that of ONNX's operator of the same name for a vendor's variant of it."""
    latest = onnx.defs.onnx_opset_version()
    domain = "" if op.domain == "ai.onnx" else op.domain
    for version, where in ((op.version, domain), (latest, "")):
        try:
            return onnx.defs.get_schema(op.name, version if version is not None else latest, where)
        except onnx.defs.SchemaError:
            continue
    return None


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return tuple(_plain(v) for v in value) if isinstance(value, list | tuple) else value
