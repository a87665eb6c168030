"""What a constraint file may hold: the keys of each part, checked while a table is built.

`constraints/schema.json` says the same for editors and tests; this is what a user's own table meets, with the file and
the key named.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from inspector.placement.expression import parse
from inspector.placement.facts import CONTEXT_FLAGS
from inspector.placement.predicates import PREDICATES
from inspector.placement.reader import bad

BOUNDS: Final = frozenset({"range", "min", "max", "eq", "in", "not_in"})
PARAMETERS: Final[Mapping[str, frozenset[str]]] = {
    "rank": BOUNDS | {"of"},
    "dim": BOUNDS | {"of", "axis", "rank"},
    "dtype": frozenset({"of", "in"}),
    "quant": frozenset({"io", "in", "integers"}),
    "attr": BOUNDS | {"name", "axes", "length", "symmetric", "present", "normalise"},
    "const": frozenset({"of", "is"}),
    "const_count": frozenset({"max"}),
    "n_inputs": BOUNDS,
    "n_outputs": BOUNDS,
    "opset": BOUNDS,
    "elements": frozenset({"of", "eq", "max", "range"}),
    "bytes": frozenset({"of", "max", "rank"}),
    "broadcast": frozenset({"axes", "mutual", "ranks_may_differ", "max_rank"}),
    "broadcast_merge": frozenset({"to", "drop_ones", "merge_stretched"}),
    "shapes": frozenset({"of", "any_of", "min"}),
    "same": frozenset({"of", "what"}),
    "changed_axes": frozenset({"max"}),
}
"""Predicate -> keys that its parameters may have, for predicates with named parameters."""

GRAPH_PREDICATES: Final = frozenset({
    "opset", "ir_version", "static_inputs", "input_rank", "input_batch", "n_model_inputs", "n_model_outputs",
    "tensor_bytes", "domains", "min_bpu_nodes",
})  # fmt: skip
"""Predicates about the whole model."""

TABLE_KEYS: Final = frozenset(
    {"title", "march", "complete", "stand_in", "sources", "source", "general", "graph", "ops"}
)
TABLE_REQUIRED: Final = ("title", "march", "complete", "sources", "source", "ops")
OP_KEYS: Final = frozenset({
    "row", "source", "domains", "bpu", "cpu", "kernel", "kernel_source", "fold", "default_device", "force_option",
    "lowering",
})  # fmt: skip
CLAUSE_KEYS: Final = frozenset({"id", "when", "otherwise", "text", "source", "contradicted"})
GRAPH_CLAUSE_KEYS: Final = (CLAUSE_KEYS - {"otherwise"}) | {"stated_for"}
SOURCE_KEYS: Final = frozenset({"document", "section", "version", "read_on", "standing"})


def keys(data: Any, allowed: frozenset[str], required: Sequence[str], file: str, key: str) -> Mapping[str, Any]:
    """*data* if it is a mapping with *required* keys and none beyond *allowed*.

    Raises:
        ConstraintDataError: it is not.
    """
    if not isinstance(data, dict):
        raise bad(file, key, _short(data), "a mapping")
    for name in data:
        if name not in allowed:
            raise bad(file, f"{key}.{name}", "an unknown key", ", ".join(sorted(allowed)))
    for name in required:
        if name not in data:
            raise bad(file, f"{key}.{name}", "nothing", "a value")
    return data


def text_of(data: Any, file: str, key: str) -> Mapping[str, str]:
    """A text in both languages."""
    entry = keys(data, frozenset({"en", "zh_CN"}), ("en", "zh_CN"), file, key)
    for language, value in entry.items():
        string(value, file, f"{key}.{language}")
    return entry


def string(data: Any, file: str, key: str) -> str:
    """*data* if it is text that is not empty."""
    if not isinstance(data, str) or not data:
        raise bad(file, key, _short(data), "text")
    return data


def boolean(data: Any, file: str, key: str) -> bool:
    """*data* if it is `true` or `false`; `yes` and `no` are text here."""
    if not isinstance(data, bool):
        raise bad(file, key, _short(data), "true or false")
    return data


def sequence(data: Any, file: str, key: str) -> Sequence[Any]:
    """*data* if it is a list."""
    if not isinstance(data, list):
        raise bad(file, key, _short(data), "a list")
    return data


def choice(data: Any, allowed: Sequence[str], file: str, key: str) -> str:
    """*data* if it is one of *allowed*."""
    if not isinstance(data, str) or data not in allowed:
        raise bad(file, key, _short(data), ", ".join(repr(value) for value in allowed))
    return data


def predicate(data: Any, file: str, key: str) -> Mapping[str, Any]:
    """*data* if it is one predicate that exists, with parameters that it knows.

    Raises:
        ConstraintDataError: it is not.
    """
    if not isinstance(data, dict) or len(data) != 1:
        raise bad(file, key, _short(data), "one predicate")
    name, parameters = next(iter(data.items()))
    where = f"{key}.{name}"
    if name not in PREDICATES or name == "note":
        raise bad(file, where, "an unknown predicate", ", ".join(sorted(PREDICATES)))
    if name in ("all", "any"):
        for index, part in enumerate(sequence(parameters, file, where)):
            predicate(part, file, f"{where}[{index}]")
    elif name == "not":
        predicate(parameters, file, where)
    elif name == "expr":
        _expression(parameters, file, where)
    elif name == "context":
        choice(parameters, CONTEXT_FLAGS, file, where)
    elif name in PARAMETERS:
        _parameters(keys(parameters, PARAMETERS[name], (), file, where), file, where)
    return data


def _parameters(parameters: Mapping[str, Any], file: str, where: str) -> None:
    for name in ("range",):
        if name in parameters:
            pair = sequence(parameters[name], file, f"{where}.{name}")
            if len(pair) != 2 or not all(isinstance(v, int | float) and not isinstance(v, bool) for v in pair):
                raise bad(file, f"{where}.{name}", _short(pair), "two numbers")
    for name in ("min", "max"):
        value = parameters.get(name, 0)
        if isinstance(value, bool) or not isinstance(value, int | float | dict):
            raise bad(file, f"{where}.{name}", _short(value), "a number")
    for name in ("in", "not_in"):
        if name in parameters:
            sequence(parameters[name], file, f"{where}.{name}")


def _expression(parameters: Any, file: str, where: str) -> None:
    texts = [parameters] if isinstance(parameters, str) else []
    if not texts:
        entry = keys(parameters, frozenset({"is", "per", "let"}), ("is",), file, where)
        texts = [entry["is"], *keys(entry.get("let", {}), frozenset(entry.get("let", {})), (), file, where).values()]
    for text in texts:
        try:
            parse(string(text, file, where))
        except ValueError as error:
            raise bad(file, where, error, "an expression") from error


def _short(data: Any) -> str:
    text = repr(data)
    return text if len(text) <= 60 else f"{text[:57]}..."
