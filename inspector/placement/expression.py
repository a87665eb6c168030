"""Arithmetic conditions of clauses (`cin_per_group*kh*kw <= 32767`), evaluated with unknowns.

Allowed: numbers, strings, names, `+ - * / // %`, comparisons and their chains, `in` over a list, `and or not`, and the
functions of `FUNCTIONS`. An unknown name makes its term unknown; `and`, `or`, `not` follow three-valued logic.
"""

import ast
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

Lookup = Callable[[str], Any]
"""Name -> value; None when unknown."""


def _align_up(value: float, step: float) -> float:
    """Smallest multiple of *step* that is not below *value*."""
    return -(-value // step) * step


def _is_power_of_two(value: float) -> bool:
    """Whether *value* is 1, 2, 4, ..."""
    return value >= 1 and float(value).is_integer() and int(value) & (int(value) - 1) == 0


FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    "min": min,
    "max": max,
    "align_up": _align_up,
    "is_power_of_two": _is_power_of_two,
}
"""Functions that an expression may call."""

_BINARY: Final[dict[type[ast.operator], Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_COMPARE: Final[dict[type[ast.cmpop], Callable[[Any, Any], bool]]] = {
    ast.LtE: operator.le,
    ast.Lt: operator.lt,
    ast.GtE: operator.ge,
    ast.Gt: operator.gt,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.In: lambda a, b: a in b,
}
_SIGNS: Final[dict[type[ast.cmpop], str]] = {ast.LtE: "≤", ast.Lt: "<", ast.GtE: "≥", ast.Gt: ">", ast.Eq: "="}


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed condition.

    Attributes:
        text: as the table has it.
        names: names it reads, in order of appearance.
        subject: the part whose value is limited, for a message; the whole text when it is not a simple limit.
        allowed: the limit, `≤ 32767` or `1..32767`; the whole text when it is not a simple limit.
        limits: the conditions that must all hold, each a simple bound on a size; the whole text alone otherwise.
    """

    text: str
    names: tuple[str, ...]
    subject: str
    allowed: str
    limits: tuple[str, ...]
    _tree: ast.expr
    _limited: ast.expr | None

    def holds(self, lookup: Lookup) -> bool | None:
        """Whether the condition holds; None when an unknown name decides."""
        value = _value(self._tree, lookup)
        return None if value is None else bool(value)

    def found(self, lookup: Lookup) -> str:
        """What the model has: the limited part's value, or the values of all names."""
        if self._limited is not None and not isinstance(self._limited, ast.Name):
            value = _value(self._limited, lookup)
            if value is not None:
                return _number(value)
        if len(self.names) == 1 and self._limited is not None:
            return _number(lookup(self.names[0]))
        return ", ".join(f"{name} = {_number(lookup(name))}" for name in self.names) or self.text


@cache
def parse(text: str) -> Expression:
    """Parse a condition.

    Raises:
        ValueError: the text is not an expression of the allowed kind; the message says what is not allowed.
    """
    try:
        tree = ast.parse(text, mode="eval").body
    except SyntaxError as error:
        raise ValueError(f"{text!r} is not an expression: {error.msg}") from error
    _validate(tree, text)
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    names = dict.fromkeys(n.id for n in _walk(tree) if isinstance(n, ast.Name) and id(n) not in called)
    limited, allowed = _limit(tree)
    subject = ast.unparse(limited) if limited is not None else text
    return Expression(text, tuple(names), subject, allowed or text, _limits(tree, text), tree, limited)


def evaluate_number(text: str, lookup: Lookup) -> Any:
    """Value of an arithmetic expression (not a condition); None when a name in it is unknown."""
    return _value(parse(text)._tree, lookup)


def _walk(tree: ast.AST) -> Iterator[ast.AST]:
    """Nodes in source order."""
    yield tree
    for child in ast.iter_child_nodes(tree):
        yield from _walk(child)


def _validate(tree: ast.expr, text: str) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            known = isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS and not node.keywords
            if not known:
                raise ValueError(f"{text!r} calls something other than {', '.join(FUNCTIONS)}")
        elif isinstance(node, ast.BinOp):
            if type(node.op) not in _BINARY:
                raise ValueError(f"{text!r} uses an operator that is not allowed")
        elif isinstance(node, ast.Compare):
            if any(type(op) not in _COMPARE for op in node.ops):
                raise ValueError(f"{text!r} uses a comparison that is not allowed")
        elif not isinstance(node, _PLAIN):
            raise ValueError(f"{text!r} holds {type(node).__name__}, which is not allowed")


_PLAIN = (ast.BoolOp, ast.UnaryOp, ast.Constant, ast.Name, ast.List, ast.Tuple, ast.expr_context, ast.boolop,
          ast.unaryop, ast.operator, ast.cmpop)  # fmt: skip


def _limit(tree: ast.expr) -> tuple[ast.expr | None, str]:
    """The limited part and the limit's text, for `part OP constant` and `constant <= part <= constant`."""
    if not isinstance(tree, ast.Compare):
        return None, ""
    signs = [_SIGNS.get(type(op), "?") for op in tree.ops]
    first, *rest = tree.comparators
    if not rest and isinstance(first, ast.Constant):
        return tree.left, f"{signs[0]} {first.value!r}"
    if len(rest) == 1 and isinstance(tree.left, ast.Constant) and isinstance(rest[0], ast.Constant):
        low, high = repr(tree.left.value), repr(rest[0].value)
        return first, f"{low}..{high}" if signs == ["≤", "≤"] else f"> {low}, {signs[1]} {high}"
    return None, ""


def _limits(tree: ast.expr, text: str) -> tuple[str, ...]:
    if not (isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And)):
        return (text,)
    bounds = [_limit(part)[1].startswith(("≤", "<", "≥", ">")) for part in tree.values]
    return tuple(ast.unparse(part) for part in tree.values) if all(bounds) else (text,)


def _value(node: ast.expr, lookup: Lookup) -> Any:
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return lookup(node.id)
    if isinstance(node, ast.BoolOp):
        return _logic(node, lookup)
    if isinstance(node, ast.UnaryOp):
        inner = _value(node.operand, lookup)
        if inner is None:
            return None
        return not inner if isinstance(node.op, ast.Not) else -inner
    if isinstance(node, ast.Compare):
        return _comparison(node, lookup)
    if isinstance(node, ast.BinOp):
        left, right = _value(node.left, lookup), _value(node.right, lookup)
        if left is None or right is None or (right == 0 and isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod)):
            return None
        return _BINARY[type(node.op)](left, right)
    items = [_value(item, lookup) for item in (node.args if isinstance(node, ast.Call) else getattr(node, "elts", []))]
    if None in items:
        return None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return FUNCTIONS[node.func.id](*items)
    return tuple(items)


def _logic(node: ast.BoolOp, lookup: Lookup) -> bool | None:
    values = [_value(value, lookup) for value in node.values]
    decisive = isinstance(node.op, ast.Or)
    if any(value is not None and bool(value) is decisive for value in values):
        return decisive
    return None if None in values else not decisive


def _comparison(node: ast.Compare, lookup: Lookup) -> bool | None:
    operands = [_value(operand, lookup) for operand in (node.left, *node.comparators)]
    results: list[bool | None] = []
    for op, left, right in zip(node.ops, operands, operands[1:], strict=False):
        results.append(None if left is None or right is None else _COMPARE[type(op)](left, right))
    if False in results:
        return False
    return None if None in results else True


def _number(value: Any) -> str:
    if value is None:
        return "?"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else f"{value:.6g}"
    return str(value)
