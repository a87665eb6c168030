"""Every text of the window is one entry of its catalogue: nothing is glued together, nothing stands in the code."""

import ast
import re
from pathlib import Path

import pytest

import inspector

GUI = Path(inspector.__file__).parent / "gui"
SETTERS = frozenset(
    (
        *("setText", "setToolTip", "setWindowTitle", "setPlaceholderText", "setAccessibleName", "setTitle"),
        *("setAccessibleDescription", "setTabText", "setStatusTip", "setInformativeText", "setItemText"),
        *("addAction", "addMenu", "addTab", "showMessage", "label", "button", "chip", "Elided", "caption"),
        *("QPushButton", "QLabel", "QAction", "QCheckBox", "QRadioButton"),
    )
)
"""Calls that put a text on screen: their first argument."""

SECOND = frozenset({"setTabText", "setItemText", "addTab", "caption"})
"""Those of them whose second argument is one, too."""

SAME_EVERYWHERE = frozenset({"BPU Graph Inspector", "BPU", "CPU", "PTQ", "QAT", "Ctrl K"})
"""Names that no language translates."""

WORD = re.compile(r"[^\W\d_]{2}")


def name_of(call):
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def is_translation(node):
    return isinstance(node, ast.Call) and name_of(node) in ("tr", "translate")


def holds_translation(node):
    """Whether a translated text, as it is or filled in, is a part of *node*."""
    if is_translation(node):
        return True
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        return holds_translation(node.func.value)
    if isinstance(node, ast.IfExp):
        return holds_translation(node.body) or holds_translation(node.orelse)
    return False


def is_made_up(node):
    if isinstance(node, ast.BinOp):
        return is_literal_text(node.left) or is_literal_text(node.right)
    return isinstance(node, ast.JoinedStr)


def is_literal_text(node):
    if isinstance(node, ast.JoinedStr):
        return any(is_literal_text(part) for part in node.values)
    if isinstance(node, ast.IfExp):
        return is_literal_text(node.body) or is_literal_text(node.orelse)
    return (
        isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(WORD.search(without_names(node.value)))
    )


def without_names(text):
    for name in sorted(SAME_EVERYWHERE, key=len, reverse=True):
        text = text.replace(name, "")
    return text


def faults(tree):
    for node in ast.walk(tree):
        if is_translation(node):
            texts = node.args[1:2] if name_of(node) == "translate" else node.args[:1]
            if any(is_made_up(text) for text in texts):
                yield node.lineno, "a text is made up before it is translated"
        added = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add)
        if added and (holds_translation(node.left) or holds_translation(node.right)):
            yield node.lineno, "translated texts are added together"
        if isinstance(node, ast.JoinedStr):
            parts = [part.value for part in node.values if isinstance(part, ast.FormattedValue)]
            if any(holds_translation(part) for part in parts):
                yield node.lineno, "a translated text is put into an f-string"
        if isinstance(node, ast.Call) and name_of(node) in SETTERS:
            for text in node.args[: 2 if name_of(node) in SECOND else 1]:
                if is_literal_text(text):
                    yield node.lineno, f"{ast.unparse(text)} is not translated"


@pytest.mark.parametrize("file", sorted(GUI.rglob("*.py")), ids=lambda file: str(file.relative_to(GUI)))
def test_texts_are_whole_entries_of_the_catalogue(file):
    found = [f"{file.name}:{line}: {fault}" for line, fault in faults(ast.parse(file.read_text(encoding="utf-8")))]
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        'self.tr(f"Saved {path}")',
        'self.tr("Saved " + path)',
        'x.setText(self.tr("Saved") + ": " + path)',
        "x.setText(f\"{self.tr('Saved')}: {path}\")",
        'x.setToolTip("Saved")',
        'x.setText(f"Saved {path}")',
        'button("Save", run)',
        'x = translate("C", f"a {b}")',
        'x = self.tr("{n} nodes").format(n=3) + more',
    ],
)
def test_the_search_finds_faults(line):
    assert list(faults(ast.parse(line)))


@pytest.mark.parametrize(
    "line",
    [
        'x.setText(self.tr("Saved {path}").format(path=path))',
        "x.setText(name)",
        'x.setText("·")',
        'x.setText(f"{a} · {b}")',
        'x.setText("BPU Graph Inspector")',
    ],
)
def test_the_search_lets_pass_what_is_right(line):
    assert list(faults(ast.parse(line))) == []
