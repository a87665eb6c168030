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


@pytest.mark.parametrize("path", PER_FILE)
def test_functions_and_classes_stay_readable(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        limit = {ast.FunctionDef: 60, ast.AsyncFunctionDef: 60, ast.ClassDef: 300}.get(type(node))
        if limit is not None:
            assert (node.end_lineno or 0) - node.lineno + 1 <= limit, f"{node.name} is longer than {limit} lines"


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
