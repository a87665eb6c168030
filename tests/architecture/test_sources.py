"""What every source file keeps to."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "inspector").rglob("*.py"))
PER_FILE = [pytest.param(path, id=str(path.relative_to(ROOT))) for path in SOURCES]


def test_there_are_sources():
    assert len(SOURCES) > 50


@pytest.mark.parametrize("path", PER_FILE)
def test_a_file_stays_readable(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 500


def code_lines(node, lines):
    """Lines of a function or class, blank ones and docstrings left out."""
    docs = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and ast.get_docstring(inner):
            docs |= set(range(inner.body[0].lineno, inner.body[0].end_lineno + 1))
    return sum(
        1 for number in range(node.lineno, node.end_lineno + 1) if number not in docs and lines[number - 1].strip()
    )


@pytest.mark.parametrize("path", PER_FILE)
def test_functions_and_classes_stay_readable(path):
    text = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)):
        limit = {ast.FunctionDef: 50, ast.AsyncFunctionDef: 50, ast.ClassDef: 300}.get(type(node))
        if limit is not None:
            assert code_lines(node, text.splitlines()) <= limit, f"{node.name} has more than {limit} lines of code"


@pytest.mark.parametrize("path", PER_FILE)
def test_no_failure_is_swallowed(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for handler in (node for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler)):
        assert handler.type is not None, f"bare except in line {handler.lineno}"
        assert not all(isinstance(line, ast.Pass) for line in handler.body), f"swallowed in line {handler.lineno}"


@pytest.mark.parametrize("path", PER_FILE)
def test_only_the_command_line_prints(path):
    if path.is_relative_to(ROOT / "inspector" / "cli"):
        return
    calls = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    assert not [call.lineno for call in calls if isinstance(call.func, ast.Name) and call.func.id == "print"]


@pytest.mark.parametrize("path", PER_FILE)
def test_nothing_is_left_unfinished(path):
    text = path.read_text(encoding="utf-8")
    assert not re.findall(r"\b(?:TODO|FIXME|XXX|NotImplementedError)\b", text)


def test_only_the_gui_imports_qt():
    for path in SOURCES:
        if not path.is_relative_to(ROOT / "inspector" / "gui"):
            assert not re.search(r"^\s*(from|import) PySide6", path.read_text(encoding="utf-8"), re.MULTILINE), path


def test_the_typing_marker_is_there():
    assert (ROOT / "inspector" / "py.typed").is_file()
