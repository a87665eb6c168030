"""Start-up: the entry point opens the window on a model, in the language and theme asked for."""

import faulthandler
import logging
import sys
import threading

import pytest
from PySide6.QtCore import qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from inspector.gui import app
from inspector.gui.i18n import Languages
from inspector.gui.look import apply_theme
from inspector.gui.main_window import MainWindow
from inspector.log import set_up
from inspector.settings import load_settings, settings_path
from tests.gui.window import SAMPLE

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")


@pytest.fixture
def restored():
    hooks = sys.excepthook, threading.excepthook, sys.unraisablehook
    yield
    sys.excepthook, threading.excepthook, sys.unraisablehook = hooks
    logging.captureWarnings(False)
    faulthandler.enable(sys.__stderr__)
    qInstallMessageHandler(None)
    Languages(app.application()).use("en")
    apply_theme("light")
    set_up()


def windows():
    return [w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow) and w.isVisible()]


def test_main_opens_the_model_and_remembers_the_choices(qtbot, monkeypatch, restored):
    seen = {}

    def run(*_):
        (window,) = windows()
        qtbot.waitUntil(lambda: window.document.workspace is not None, timeout=60_000)
        seen["target"] = window.document.workspace.target.platform
        seen["title"] = window.actions_["file.open"].text()
        qtbot.waitUntil(lambda: not window.jobs.is_running(), timeout=60_000)
        window.close()
        return 0

    monkeypatch.setattr(QApplication, "exec", run)
    assert app.main([str(SAMPLE), "--lang", "zh_CN", "--platform", "x5", "--theme", "dark"]) == 0
    assert seen == {"target": "x5", "title": "打开(&O)…"}
    settings, notes = load_settings()
    assert settings.recent == (str(SAMPLE),)
    assert not notes


def test_broken_settings_are_said_and_not_fatal(qtbot, monkeypatch, restored):
    settings_path().parent.mkdir(parents=True, exist_ok=True)
    settings_path().write_text("language = [", encoding="utf-8")
    said = []

    def run(*_):
        (window,) = windows()
        said.extend(banner.title for banner in window.bench.banners.shown)
        qtbot.waitUntil(lambda: not window.jobs.is_running(), timeout=60_000)
        window.keeps_settings = False
        window.close()
        return 0

    monkeypatch.setattr(QApplication, "exec", run)
    assert app.main([]) == 0
    assert any("settings.toml" in title for title in said)
