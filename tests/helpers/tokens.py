"""Finds colours and sizes that are written down where no token is."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TOKEN_MODULES = frozenset({"theme.py", "measures.py", "fonts.py"})

_HEX = re.compile(r"^#[0-9A-Fa-f]{3,8}$|#[0-9A-Fa-f]{6}\b")
_PIXELS = re.compile(r"\b(?:[2-9]|\d\d+)(?:\.\d+)?p[xt]\b")
_NAMED = re.compile(
    r"^(?:white|black|red|green|blue|gray|grey|yellow|cyan|magenta|orange|dark\w+|light\w+)$", re.IGNORECASE
)
_SIZING = re.compile(
    r"^(?:set(?:Fixed|Minimum|Maximum|Base)(?:Width|Height|Size)|setContentsMargins|set\w*Spacing|addSpacing|set\w*Margins?"
    r"|setPointSizeF?|setPixelSize|setIndentation|setColumnWidth|setRowHeight|resizeSection|set\w*SectionSize|setIconSize"
    r"|set(?:Row|Column)Minimum(?:Height|Width)|QSizeF?|QMarginsF?|QPen|setWidthF?|sized|lettering)$"
)
_SIZE_NAMES = re.compile(r"(?:WIDTH|HEIGHT|SIZE|MARGIN|PADDING|RADIUS|NARROWEST|WIDEST_|ABOVE|INDENT|PIXELS|PX)(?:_|$)")


def stray_tokens(path: Path) -> Iterator[str]:
    """`LINE: what` for every colour or size that *path* writes down itself."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docs = _docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            if _HEX.search(node.value):
                yield f"{node.lineno}: colour {node.value!r}"
            elif _PIXELS.search(node.value):
                yield f"{node.lineno}: size {_PIXELS.search(node.value)[0]!r}"  # type: ignore[index]
        elif isinstance(node, ast.Attribute) and _global_colour(node):
            yield f"{node.lineno}: colour {node.attr}"
        elif isinstance(node, ast.Call):
            yield from _call(node)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            yield from _constant(node)


def _docstrings(tree: ast.Module) -> set[int]:
    """Constants that stand alone, which are texts about the code."""
    return {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}


def _global_colour(node: ast.Attribute) -> bool:
    """Whether *node* is a colour by name, `Qt.GlobalColor.white` or `Qt.white`; nothing at all is no colour."""
    return ast.unparse(node.value) in ("Qt.GlobalColor", "Qt") and _NAMED.match(node.attr) is not None


def _call(node: ast.Call) -> Iterator[str]:
    name = ast.unparse(node.func).rpartition(".")[2]
    if name in ("QColor", "fromRgb", "setRgb", "fromHsv", "fromString"):
        if any(isinstance(part, ast.Constant) for argument in node.args for part in ast.walk(argument)):
            yield f"{node.lineno}: colour {name}(…)"
        return
    sizes = [*node.args] if _SIZING.match(name) else []
    sizes += [keyword.value for keyword in node.keywords if keyword.arg in ("margins", "spacing")]
    for argument in sizes:
        for number in _lengths(argument):
            yield f"{node.lineno}: size {number} in {name}"


def _lengths(node: ast.expr) -> Iterator[float]:
    """Numbers over 1 that are lengths themselves, not factors of one."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, int | float) and not isinstance(node.value, bool) and abs(node.value) > 1:
            yield node.value
    elif isinstance(node, ast.UnaryOp):
        yield from _lengths(node.operand)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        yield from _lengths(node.left)
        yield from _lengths(node.right)
    elif isinstance(node, ast.Tuple):
        for element in node.elts:
            yield from _lengths(element)
    elif isinstance(node, ast.IfExp):
        yield from _lengths(node.body)
        yield from _lengths(node.orelse)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("max", "min", "round"):
        for argument in node.args:
            yield from _lengths(argument)


def _constant(node: ast.Assign | ast.AnnAssign) -> Iterator[str]:
    """Constants of a module whose name says that they are sizes."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    for target in targets:
        paired = isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
        names = target.elts if isinstance(target, ast.Tuple) else [target]
        values = node.value.elts if paired else [node.value]  # type: ignore[union-attr]
        for name, value in zip(names, values, strict=False):
            if isinstance(name, ast.Name) and name.id.isupper() and _SIZE_NAMES.search(name.id) and value is not None:
                for number in _lengths(value):
                    yield f"{node.lineno}: size {number} in {name.id}"
