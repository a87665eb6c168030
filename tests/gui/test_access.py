"""Everything that takes the focus has a name, in both languages; Tab goes through the window in reading order."""

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QApplication, QComboBox, QDialog, QLineEdit, QWidget

from tests.gui.window import save_conv_bn

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # the offscreen platform about any pop-up


def interactive(root):
    kinds = (QAbstractButton, QLineEdit, QComboBox)
    for widget in root.findChildren(QWidget):
        if isinstance(widget.parentWidget(), QAbstractSpinBox):
            continue  # its field, which is not met on its own
        if widget.isVisible() and (widget.focusPolicy() & Qt.FocusPolicy.TabFocus or isinstance(widget, kinds)):
            yield widget


def nameless(root):
    """What takes the focus or a click and has no name with a letter or a digit in it."""
    found = set()
    for widget in interactive(root):
        name = QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
        if not re.search(r"\w", name):
            parents = (
                type(part).__name__ for part in (widget, widget.parentWidget(), widget.parentWidget().parentWidget())
            )
            found.add(" in ".join(parents))
    return found


def every_tab(desk):
    """Bring every page of every panel to the front, one after the other."""
    for tabs in (desk.bench.left, desk.bench.inspector_tabs, desk.bench.bottom):
        for index in range(tabs.count()):
            if tabs.isTabVisible(index):
                tabs.setCurrentIndex(index)
                desk.idle()
                yield


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_everything_has_a_name(desk, language):
    desk.window.set_language(language)
    found = nameless(desk.window)
    desk.open()
    found |= nameless(desk.window)
    desk.window.actions_["view.next_problem"].trigger()
    desk.idle()
    for _ in every_tab(desk):
        found |= nameless(desk.window)
    desk.preview("convtranspose3d-to-2d", every_site=True)
    for _ in every_tab(desk):
        found |= nameless(desk.window)
    desk.document.accept()
    desk.idle()
    desk.bench.open(desk.bench.history)
    desk.window.quick.open_palette()
    desk.idle()
    found |= nameless(desk.window)
    assert found == set()


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_dialogs_name_what_is_in_them(desk, language, tmp_path):
    desk.window.set_language(language)
    desk.open(save_conv_bn(tmp_path / "m.onnx", dynamic=True))
    desk.window.quick.explain_clause("conv.kernel-size")
    found = set()
    for name in ("", "help.keys", "help.about", "view.compare", "file.sizes", "file.settings"):
        if name:
            desk.window.actions_[name].trigger()
        dialog = next(d for d in desk.window.findChildren(QDialog) if d.isVisible())
        found |= {f"{name}: {text}" for text in nameless(dialog)}
        dialog.close()
        desk.idle()
    assert found == set()


def test_tab_goes_from_header_to_bottom_panel(desk):
    desk.open()
    desk.window.activateWindow()
    desk.window.actions_["view.next_problem"].trigger()
    desk.idle()
    window, bench = desk.window, desk.bench
    panels = {
        "header": window.header,
        "target": bench.target_bar,
        "left": bench.left,
        "canvas": bench.pages,
        "inspector": bench.right,
        "bottom": bench.bottom,
    }
    window.header.menu.setFocus()
    seen = ["header"]
    for _ in range(250):
        desk.bot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        focus = QApplication.focusWidget()
        place = next((name for name, panel in panels.items() if panel.isAncestorOf(focus)), None)
        if place is not None and place != seen[-1]:
            seen.append(place)
        if seen[1:] and seen[-1] == "header":
            break
    assert seen == [*panels, "header"]
