"""The first picture of the window: what it does without, and what a user may do before the rest is made."""

import json
import os
import subprocess
import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from inspector.gui.action_table import BY_ID, keys_of
from inspector.gui.app import application
from inspector.gui.header import ActionButton
from inspector.gui.i18n import Languages
from inspector.gui.main_window import MainWindow
from inspector.log import set_up
from inspector.settings import Settings
from tests.gui.window import SAMPLE

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")

HEAVY = ("numpy", "onnx", "google.protobuf", "networkx", "yaml", "jsonschema", "pyqtgraph", "onnxruntime")
LATER = (
    "inspector.model.graph",
    "inspector.placement.catalog",
    "inspector.worker.client",
    "inspector.gui.service",
    "inspector.gui.workbench",
    "inspector.gui.controller",
    "inspector.gui.palette",
    "inspector.gui.actions",
)
PROGRAM = """
import json, sys
from inspector.cli import main, window
def run(_argv, _language):
    from inspector.gui import app
    def shown():
        print(json.dumps(sorted(sys.modules)))
        app.QApplication.quit()
    return app.main([], shown=shown)
window.run = run
sys.argv = ["bpu-inspector"]
sys.exit(main.main())
"""


@pytest.fixture
def early(qtbot, service):
    """A window of which only the first picture is there."""
    languages = Languages(application())
    languages.use("en")
    window = MainWindow(Settings(platform="j6p", animations=False), languages, set_up(), service)
    window.show_first()
    window.show()
    yield window
    if window.is_whole:
        window.keeps_settings = False
        window.forget_changes()
    window.close()
    window.deleteLater()


def idle(qtbot, window):
    qtbot.waitUntil(lambda: not window.is_busy, timeout=60_000)
    for _ in range(3):
        QApplication.processEvents()


def texts(window):
    return {label.text() for label in window.findChildren(QLabel) if label.isVisible()}


def test_first_picture_needs_no_model_library_and_no_worker(tmp_path):
    settings = {"XDG_CONFIG_HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=os.environ | settings, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    modules = set(json.loads(done.stdout.splitlines()[-1]))
    assert "inspector.gui.shell" in modules
    assert not modules & {*HEAVY, *LATER}


def test_window_becomes_whole_behind_its_first_picture(qtbot, early):
    assert "Drop a model here" in texts(early)
    assert not early.is_whole
    page = early.start
    early.begin()
    qtbot.waitUntil(lambda: early.is_whole, timeout=60_000)
    idle(qtbot, early)
    assert early.bench.start is page
    assert page.isVisible()
    assert {"Drop a model here", "What the colours mean", "Which chip do you deploy to?"} <= texts(early)


def test_what_is_asked_for_early_is_made_then(qtbot, early):
    early.start.file_asked.emit(SAMPLE)
    assert early.is_whole
    idle(qtbot, early)
    assert early.document.workspace.model.origin == SAMPLE
    assert len(early.tabs.all) == 1


def test_the_first_tab_alone_answers_the_start_page(qtbot, early, monkeypatch):
    early.finish()
    idle(qtbot, early)
    asked = []

    def choose(*_):
        asked.append(1)
        return [], ""

    monkeypatch.setattr("inspector.gui.window_commands.QFileDialog.getOpenFileNames", choose)
    (button,) = [b for b in early.start.findChildren(QPushButton) if b.text() == "Open model…" and b.isVisibleTo(early)]
    button.click()
    assert asked == [1]


def test_keys_and_header_act_before_there_are_actions(qtbot, early):
    dark = next(one for one in early.header.findChildren(ActionButton) if one.name == "view.theme")
    qtbot.mouseClick(dark, Qt.MouseButton.LeftButton)
    assert early.is_whole
    assert early.settings.theme == "dark"


def test_a_shortcut_pressed_early_is_obeyed(qtbot, early):
    qtbot.keyClick(early, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    assert early.is_whole
    assert early.quick.palette.isVisible()


def test_closed_before_it_is_whole(qtbot, early):
    early.begin()
    early.close()
    assert not early.isVisible()
    qtbot.wait(50)
    assert not early.is_whole


def test_focus_stays_on_the_start_page(qtbot, early):
    early.activateWindow()
    early.start.setFocus()
    early.finish()
    focus = QApplication.focusWidget()
    assert focus is not None
    assert early.start.isAncestorOf(focus)


def test_start_page_names_the_keys_of_the_table():
    assert keys_of(BY_ID["file.open"])[0] == QKeySequence(QKeySequence.StandardKey.Open)
