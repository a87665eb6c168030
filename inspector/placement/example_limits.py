"""Clauses one step away from a clause: each figure moved by one, each entry of a list added or left out.

A model is just inside or just outside a limit when such a step changes the answer about it.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from inspector.placement.example_schema import DTYPES, known_types
from inspector.placement.table import Clause, Spec


@dataclass(frozen=True)
class Step:
    """A changed clause.

    Attributes:
        clause: with the change; None when it is left out altogether.
        change: what was changed, `require.attr.range[1]: 7 -> 8`.
    """

    clause: Clause | None
    change: str


def steps(clause: Clause, op: str) -> Iterator[Step]:
    """*clause*, a limit of *op*, left out, and every clause one step away from it that a model can tell apart."""
    yield Step(None, "left out")
    of = clause.require.get("dtype", {}).get("of", "all")
    for change, spec in _specs(clause.require, "require"):
        kind, _, added = change.rpartition(": with ")
        if not kind.startswith("require.dtype") or added in known_types(op, of):
            yield Step(replace(clause, require=spec), change)
    if clause.when is not None:
        yield Step(replace(clause, when=None), "when: left out")
        for change, spec in _specs(clause.when, "when"):
            yield Step(replace(clause, when=spec), change)


_Changed = Iterator[tuple[str, Any]]


def _specs(spec: Spec, path: str) -> _Changed:
    name, parameters = next(iter(spec.items()))
    here = f"{path}.{name}"
    if name in ("all", "any"):
        changes = _parts(parameters, here)
    elif name == "not":
        changes = _specs(parameters, here)
    elif name == "expr":
        changes = _expressions(parameters, here)
    elif isinstance(parameters, Mapping):
        changes = _parameters(name, parameters, here)
    elif isinstance(parameters, list):
        changes = _members(parameters, _OTHERS.get(name, ()), here)
    else:
        changes = iter(())
    for change, inner in changes:
        yield change, {name: inner}


def _parts(parts: Sequence[Spec], path: str) -> _Changed:
    """One part left out, or one part changed."""
    for index, part in enumerate(parts):
        before, after = parts[:index], parts[index + 1 :]
        if before or after:
            yield f"{path}[{index}]: left out", [*before, *after]
        for change, inner in _specs(part, f"{path}[{index}]"):
            yield change, [*before, inner, *after]


_OTHERS: Final[Mapping[str, Sequence[Any]]] = {
    "pad_axes": (0, 1),
    "resize_axes": (0, 1),
    "domain": ("ai.onnx",),
    "attrs_allowed": ("auto_pad", "direction"),
    "dtype": DTYPES,
    "quant": ("int8", "int16", "float16"),
}
"""What may be added to a list, by predicate."""


_BOUNDED: Final = frozenset({"rank", "dim", "attr", "opset", "n_inputs", "n_outputs"})
"""Predicates that take any bound on a figure."""


def _parameters(name: str, parameters: Mapping[str, Any], path: str) -> _Changed:
    for key, value in parameters.items():
        for change, inner in _parameter(name, key, value, f"{path}.{key}"):
            yield change, {**parameters, key: inner}
    expected = parameters.get("eq")
    if isinstance(expected, int) and name in _BOUNDED:
        rest = {k: v for k, v in parameters.items() if k != "eq"}
        yield f"{path}: = becomes ≤", {**rest, "max": expected}
        yield f"{path}: = becomes ≥", {**rest, "min": expected}
    for key in ("axes", "min"):
        if key in parameters and name in ("attr", "shapes") and len(parameters) > 1:
            yield f"{path}.{key}: left out", {k: v for k, v in parameters.items() if k != key}


def _parameter(name: str, key: str, value: Any, path: str) -> _Changed:
    if isinstance(value, bool):
        yield f"{path}: {value} -> {not value}", not value
    elif isinstance(value, int) and key not in ("axis", "normalise", "rank"):
        yield from ((f"{path}: {value} -> {moved}", moved) for moved in (value - 1, value + 1))
    elif isinstance(value, list):
        yield from _listed(name, key, value, path)
    elif key == "of" and isinstance(value, str):
        yield from _operands(value, path)


def _listed(name: str, key: str, values: Sequence[Any], path: str) -> _Changed:
    if key == "range":
        for index, delta in ((0, -1), (0, 1), (1, -1), (1, 1)):
            moved = [*values[:index], values[index] + delta, *values[index + 1 :]]
            yield f"{path}: {values} -> {moved}", moved
    elif key in ("in", "not_in", "integers"):
        yield from _members(values, _additions(name, values), path)
    elif key in ("axis", "axes"):
        yield from _members(values, (), path)
    elif key == "any_of":
        yield from _members(values, ("equal", "single"), path)


def _operands(value: str, path: str) -> _Changed:
    if value == "all":
        yield f"{path}: all -> outputs", "outputs"
        yield f"{path}: all -> inputs", "inputs"
    parts = value.split(",")
    for index, part in enumerate(parts if len(parts) > 1 else ()):
        yield f"{path}: without {part}", ",".join(parts[:index] + parts[index + 1 :])


def _additions(name: str, value: Sequence[Any]) -> Sequence[Any]:
    if name in _OTHERS:
        return _OTHERS[name]
    numbers = [v for v in value if isinstance(v, int)]
    if numbers:
        return (min(numbers) - 1, *range(min(numbers), max(numbers)), max(numbers) + 1)
    return ("other", "cubic")


def _members(values: Sequence[Any], others: Sequence[Any], path: str) -> _Changed:
    for index, value in enumerate(values):
        rest = [*values[:index], *values[index + 1 :]]
        if rest:
            yield f"{path}: without {value}", rest
    for other in others:
        if other not in values:
            yield f"{path}: with {other}", [*values, other]


def _expressions(parameters: Any, path: str) -> _Changed:
    text = parameters if isinstance(parameters, str) else parameters["is"]
    for changed in dict.fromkeys(_texts(text)):
        yield f"{path}: {changed}", changed if isinstance(parameters, str) else {**parameters, "is": changed}


def _texts(text: str) -> Iterator[str]:
    """*text* with one figure, one comparison or one part of a conjunction changed."""
    tree = ast.parse(text, mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            original = node.value
            for node.value in (original - 1, original + 1):
                yield ast.unparse(tree)
            node.value = original
        elif isinstance(node, ast.Compare):
            yield from _compared(tree, node)
        elif isinstance(node, ast.BoolOp) and len(node.values) > 1:
            values = node.values
            for index in range(len(values)):
                node.values = values[:index] + values[index + 1 :]
                yield ast.unparse(tree)
            node.values = values


_COMPARISONS: Final[Mapping[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.LtE,
}  # fmt: skip


def _compared(tree: ast.Expression, node: ast.Compare) -> Iterator[str]:
    for index, op in enumerate(node.ops):
        other = _COMPARISONS.get(type(op))
        if other is not None:
            node.ops[index] = other()
            yield ast.unparse(tree)
            node.ops[index] = op
