"""Start of the window and of commands: processor time of whole processes, as ratios to what nobody can do without.

The window ends once its first picture is on the screen; what is made behind it shows in the time to the first picture
of a model, which is taken from the start of the process. Medians of seven runs in turns, user and system time of
process and children.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import onnx

from benchmarks.figures import Figure
from benchmarks.models import CORPUS

_ROUNDS = 7
_ROUNDS_OF_MODELS = 3
_LIMIT_S = 300.0
_START, _HELP, _CHECK = 1.5, 3.0, 2.0
"""Largest ratios: to an empty window of Qt, to Python alone, to `import onnx` with loading and inferring shapes."""

_NOTHING = "pass"
_EMPTY = """
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow
app = QApplication([])
window = QMainWindow()
window.show()
QTimer.singleShot(0, app.quit)
app.exec()
"""
_WINDOW = """
import sys
from inspector.cli import main, window
def run(_argv, _language):
    from inspector.gui import app
    return app.main([], shown=app.QApplication.quit)
window.run = run
sys.argv = ["bpu-inspector"]
sys.exit(main.main())
"""
_MODEL = """
import os, sys
from pathlib import Path
from PySide6.QtCore import QTimer
from inspector.gui import app
from inspector.gui.main_window import MainWindow
def look():
    windows = [one for one in app.QApplication.topLevelWidgets() if isinstance(one, MainWindow) and one.is_whole]
    if windows and windows[0].document.picture is not None and windows[0].bench.graph.isVisible():
        windows[0].grab()
        windows[0].forget_changes()
        windows[0].close()
    else:
        QTimer.singleShot(5, look)
app.application()
QTimer.singleShot(0, look)
sys.exit(app.main([sys.argv[1], "--platform", "x5"]))
"""
_INFER = """
import sys, onnx
onnx.shape_inference.infer_shapes(onnx.load(sys.argv[1]))
"""
_COMMAND = """
import sys
from inspector.cli.main import main
sys.exit(main())
"""


def figures() -> Iterator[Figure]:
    """Ratios of the starts, and seconds of opening models."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        yield _ratio("start.window", [_WINDOW], [_EMPTY], _START, home)
        yield _ratio("start.help", [_COMMAND, "--help"], [_NOTHING], _HELP, home)
        for count in (1_000, 5_000):
            path = home / f"detector{count}.onnx"
            onnx.save(CORPUS["detector"](count), path)
            seconds = [_cpu_s([_MODEL, str(path)], home) for _ in range(_ROUNDS_OF_MODELS)]
            yield Figure(f"start.open.detector{count}", statistics.median(seconds), "s")
        path = home / "detector1000.onnx"
        yield _ratio(
            "start.check", [_COMMAND, "check", str(path), "--platform", "x5"], [_INFER, str(path)], _CHECK, home
        )


def _ratio(name: str, ours: list[str], least: list[str], budget: float, home: Path) -> Figure:
    """Median processor time of *ours* over that of *least*, taken in turns."""
    pairs = [(_cpu_s(ours, home), _cpu_s(least, home)) for _ in range(_ROUNDS + 1)][1:]
    own, other = (statistics.median(times) for times in zip(*pairs, strict=True))
    return Figure(name, own / other, "ratio", budget)


def _cpu_s(words: list[str], home: Path) -> float:
    """Processor time in seconds of Python on the program and arguments *words*, with empty settings in *home*."""
    settings = {"XDG_CONFIG_HOME": str(home / "config"), "XDG_STATE_HOME": str(home / "state")}
    environment = os.environ | settings | {"QT_QPA_PLATFORM": "offscreen"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", *words], env=environment, capture_output=True, check=False, timeout=_LIMIT_S)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
