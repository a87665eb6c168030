"""Start-up: the entry point opens the window on a model, in the language and theme asked for."""

import faulthandler
import logging
import sys
import threading
import warnings

import pytest
from PySide6.QtCore import qInstallMessageHandler, qWarning
from PySide6.QtWidgets import QApplication

from inspector.gui import app
from inspector.gui.dialogs.crash import CrashDialog
from inspector.gui.i18n import Languages
from inspector.gui.look import apply_theme
from inspector.gui.main_window import MainWindow
from inspector.gui.proposal import Proof
from inspector.journals import Journals
from inspector.log import set_up
from inspector.settings import load_settings, settings_path
from inspector.state import log_path
from tests.gui.window import SAMPLE, save_conv_bn

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


def save_and_leave(qtbot, monkeypatch, arguments, steps):
    """Run the program with *arguments*; *steps* does to the window what the user does."""

    def run(*_):
        (window,) = windows()
        qtbot.waitUntil(lambda: not window.is_busy, timeout=60_000)
        steps(window)
        if window.isVisible():
            window.forget_changes()
            window.close()
        return 0

    monkeypatch.setattr(QApplication, "exec", run)
    assert app.main([*arguments, "--lang", "en"]) == 0


def test_several_files_open_in_tabs_and_the_log_tells(qtbot, monkeypatch, restored, tmp_path):
    paths = [save_conv_bn(tmp_path / name) for name in ("a.onnx", "b.onnx")]
    seen = []

    def look(window):
        seen.extend(tab.name for tab in window.tabs.all)
        seen.append(window.tabs.current.name)
        logging.getLogger("inspector.gui").debug("a detail")

    save_and_leave(qtbot, monkeypatch, [*map(str, paths), "--log-level", "debug"], look)
    assert seen == ["a.onnx", "b.onnx", "a.onnx"]
    log = log_path().read_text(encoding="utf-8")
    assert "bpu-inspector" in log.splitlines()[0]
    assert "a detail" in log
    assert sorted(path.name for path in log_path().parent.iterdir()) == ["inspector.log"]


def test_reset_ui_brings_the_first_size_back(qtbot, monkeypatch, restored):
    sizes = []

    def enlarge(window):
        sizes.append(window.size())
        window.resize(window.width(), window.height() + 50)
        sizes.append(window.size())

    def look(window):
        sizes.append(window.size())
        window.keeps_settings = False

    save_and_leave(qtbot, monkeypatch, [], enlarge)
    save_and_leave(qtbot, monkeypatch, [], look)
    save_and_leave(qtbot, monkeypatch, ["--reset-ui"], look)
    first, large, again, reset = sizes
    assert first != large
    assert again == large
    assert reset == first


@pytest.mark.expects_log
def test_restart_after_a_fault_leaves_the_work_for_the_next_start(qtbot, monkeypatch, restored, tmp_path):
    started = []
    monkeypatch.setattr(app.QProcess, "startDetached", lambda *words: started.append(words))

    def fail(window):
        document = window.document
        node = next(n for n in document.workspace.model.nodes if n.op.name == "BatchNormalization")
        document.propose("bn-fold", node.id)
        qtbot.waitUntil(lambda: document.proposal is not None and document.proposal.proof is Proof.PASSED)
        document.accept()
        sys.excepthook(ValueError, ValueError("planted"), None)
        (dialog,) = window.findChildren(CrashDialog)
        dialog.restart_asked.emit()

    save_and_leave(qtbot, monkeypatch, [str(save_conv_bn(tmp_path / "net.onnx"))], fail)
    assert started == [(sys.executable, ["-m", "inspector"])]
    kept = Journals()
    (left,) = kept.left()
    assert [step.rule for step in left.journal.steps] == ["bn-fold"]
    kept.close()


@pytest.mark.expects_log
def test_a_crash_of_native_code_is_told_at_the_next_start(qtbot, monkeypatch, restored):
    log_path().parent.mkdir(parents=True)
    log_path().with_suffix(".faults").write_text("Fatal Python error: Segmentation fault", encoding="utf-8")
    told = []
    save_and_leave(qtbot, monkeypatch, [], lambda window: told.extend(b.title for b in window.bench.banners.shown))
    assert told == ["The last run ended in native code"]
    assert "Segmentation fault" in log_path().read_text(encoding="utf-8")
    assert not log_path().with_suffix(".faults").exists()


@pytest.mark.expects_log
def test_what_python_and_qt_say_goes_into_the_log(qtbot, monkeypatch, restored):
    def complain(window):
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            logging.captureWarnings(True)
            warnings.warn("old ways", DeprecationWarning, stacklevel=1)
        qWarning("qt complains")

    save_and_leave(qtbot, monkeypatch, [], complain)
    log = log_path().read_text(encoding="utf-8")
    assert "WARNING py.warnings" in log
    assert "old ways" in log
    assert "WARNING qt: qt complains" in log
