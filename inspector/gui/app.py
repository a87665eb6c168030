"""Start-up of the window: Qt application, high-DPI, language, theme, log, crash hook."""

import argparse
import logging
import sys
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import Qt, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from inspector import __version__
from inspector.errors import InspectorError, SettingsError
from inspector.gui.appearance import apply_appearance
from inspector.gui.i18n import Languages, system_language
from inspector.gui.main_window import MainWindow
from inspector.gui.service import Service
from inspector.log import Ring, set_up
from inspector.settings import Settings, load_settings, log_path, set_aside
from inspector.text import LANGUAGES
from inspector.worker.client import WorkerClient, memory_limit

_SWITCH_S = 0.0005
"""Seconds that a job may hold the interpreter while the GUI thread waits for it, ten times less than the default."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Open the window and wait until it is closed.

    Args:
        arguments: `[MODEL…] [--lang L] [--platform P] [--theme light|dark]`; None takes those of the process.

    Returns:
        Qt's exit code.
    """
    parser = argparse.ArgumentParser(prog="bpu-inspector")
    parser.add_argument("models", nargs="*", type=Path)
    parser.add_argument("--lang", choices=LANGUAGES)
    parser.add_argument("--platform")
    parser.add_argument("--theme", choices=("light", "dark"))
    options = parser.parse_args(arguments)
    ring = set_up(file=log_path())
    app = application()
    settings, problem = _settings()
    settings = _overridden(settings, options.platform)
    languages = Languages(app)
    languages.use(options.lang or settings.language or system_language())
    if options.theme is not None:
        settings = replace(settings, theme=options.theme)
    apply_appearance(settings)
    window = make_window(settings, languages, ring)
    _install_hooks(window)
    window.restore_geometry()
    window.show()
    if problem is not None:
        window.show_error(problem)
    window.open_all(options.models)
    return app.exec()


def application() -> QApplication:
    """The Qt application, made on the first call."""
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    app = QApplication(["bpu-inspector"])
    app.setApplicationName("BPU Graph Inspector")
    app.setApplicationVersion(__version__)
    app.setStyle("Fusion")
    sys.setswitchinterval(_SWITCH_S)
    return app


def make_window(settings: Settings, languages: Languages, ring: Ring, service: Service | None = None) -> MainWindow:
    """A window on *service*; None gives it a worker of its own."""
    if service is None:
        memory = memory_limit(settings.worker_memory_percent)
        service = Service(WorkerClient(time_limit_s=float(settings.worker_timeout_s), memory_limit_bytes=memory))
    return MainWindow(service, settings, languages, ring)


def _settings() -> tuple[Settings, InspectorError | None]:
    try:
        return load_settings()[0], None
    except SettingsError as error:
        set_aside()
        return Settings(), error


def _overridden(settings: Settings, platform: str | None) -> Settings:
    return settings if platform is None else replace(settings, platform=platform, toolchain="")


def _install_hooks(window: MainWindow) -> None:
    """Send what nobody caught to the crash dialog, and Qt's own messages to the log."""

    def show(_kind: type[BaseException], error: BaseException, _trace: TracebackType | None) -> None:
        window.crashed.emit(error)

    def show_thread(arguments: threading.ExceptHookArgs) -> None:
        if arguments.exc_value is not None:
            window.crashed.emit(arguments.exc_value)

    def log_qt(kind: QtMsgType, _context: object, text: str) -> None:
        level = logging.DEBUG if kind is QtMsgType.QtDebugMsg else logging.INFO
        logging.getLogger("inspector.gui.qt").log(level, text)

    sys.excepthook = show
    threading.excepthook = show_thread
    qInstallMessageHandler(log_qt)
