"""Longest stall of the GUI thread: processor time between two turns of the event loop, in a real window off screen.

Each turn handles what is waiting, for a millisecond at most unless one piece of work takes longer; that piece is the
stall. Processor time of the GUI thread alone is held against the budget, since a busy machine stops every thread;
garbage collection that falls into it counts. The best of three rounds.
"""

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import MappingProxyType

import onnx
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QSize
from PySide6.QtWidgets import QApplication

from benchmarks.figures import Figure
from benchmarks.models import CORPUS
from inspector.gui.app import application, make_window
from inspector.gui.i18n import Languages
from inspector.gui.look import apply_theme
from inspector.gui.main_window import MainWindow
from inspector.gui.service import Choice
from inspector.log import set_up
from inspector.placement.verdict import Verdict
from inspector.settings import Settings

_BUDGET_S = 0.1
_LIMIT_S = 300.0
_ROUNDS = 3
_QUIET_TURNS = 150
"""Turns without work after which an operation is over."""

_MODELS = MappingProxyType(
    {"detector5k": ("detector", 5_000), "decoder10k": ("decoder", 10_000), "decoder20k": ("decoder", 20_000)}
)


def figures() -> Iterator[Figure]:
    """The longest stall of each operation on each model, in seconds of processor time."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    languages = Languages(application())
    with tempfile.TemporaryDirectory() as folder:
        for name, (kind, count) in _MODELS.items():
            path = Path(folder) / f"{name}.onnx"
            onnx.save(CORPUS[kind](count), path)
            rounds = [_round(path, languages) for _ in range(_ROUNDS)]
            for operation in rounds[0]:
                best = min(stalls[operation] for stalls in rounds)
                yield Figure(f"stalls.{operation}.{name}", best, "s", _BUDGET_S)


def _round(path: Path, languages: Languages) -> dict[str, float]:
    """Longest stall of each operation in a window of its own."""
    app = application()
    languages.use("en")
    apply_theme("light")
    window = make_window(Settings(platform="x5", language="en", animations=False), languages, set_up())
    window.keeps_settings = False
    window.resize(QSize(1400, 900))
    window.show()
    document = window.document
    operations: dict[str, Callable[[], object]] = {
        "open": lambda: window.open(path),
        "recolour": lambda: document.retarget(Choice("j6p")),
        "theme": lambda: apply_theme("dark"),
        "language": lambda: languages.use("zh_CN"),
        "chip": lambda: window.bench.target_bar.filter_changed.emit(frozenset({Verdict.CPU})),
        "no_chip": lambda: window.bench.target_bar.filter_changed.emit(frozenset()),
        "outline": lambda: window.bench.left.setCurrentWidget(window.bench.outline),
        "select_all": window.bench.nodes.table.selectAll,
        "preview": lambda: _preview(window),
        "new_tab": window.commands.new_tab,
        "tab": lambda: window.tabs.show(window.tabs.all[0]),
    }
    try:
        _longest(app, window, lambda: None)
        return {name: _longest(app, window, act) for name, act in operations.items()}
    finally:
        window.forget_changes()
        window.close()
        window.deleteLater()
        # Without a running event loop nobody else delivers it, and the next round would restyle this window too.
        QCoreApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete)
        languages.use("en")


def _preview(window: MainWindow) -> None:
    """Preview and prove the best fix of the model, if it has one."""
    window.document.select(None)
    window.controller.preview_best()


def _longest(app: QApplication, window: MainWindow, act: Callable[[], object]) -> float:
    """Longest turn of the event loop in seconds, from *act* until nothing has happened for a while."""
    end, quiet, longest = time.monotonic() + _LIMIT_S, 0, 0.0
    start = time.thread_time()
    act()
    while quiet < _QUIET_TURNS and time.monotonic() < end:
        app.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 1)
        longest = max(longest, time.thread_time() - start)
        quiet = 0 if window.is_busy else quiet + 1
        time.sleep(0.002)
        start = time.thread_time()
    return longest
