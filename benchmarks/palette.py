"""The command palette at 10,000 nodes: processor time per letter that is typed, painted without a display.

A letter costs the search, the new rows and their painting. Preparing the nodes happens once per model, off the GUI
thread.
"""

import os
import time
from collections.abc import Iterator

from benchmarks.figures import Figure, cpu_s
from benchmarks.models import CORPUS
from inspector.model.graph import Model
from inspector.model.load import from_proto
from inspector.placement.query import NodeIndex

_NODES = 10_000
_BUDGET_S = 0.016
"""One frame at 60 Hz."""

_LINES = (
    "conv",
    "relu stage",
    "yulan",
    "op:relu rank:4",
    "zuijia xiufu",
    "/model/layer/3",
    "shape:*x8x8",
    "zzzz",
    "nd tbl",
)
"""Nodes, commands in English and pinyin, filters, a path, nothing at all."""


def figures() -> Iterator[Figure]:
    """Preparing the nodes for information; the median letter and the worst one against one frame."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    model = from_proto(next(iter(CORPUS.values()))(_NODES))
    yield Figure("palette.prepare", cpu_s(lambda: NodeIndex(model), 3), "s")
    spent = sorted(_letters(model))
    yield Figure("palette.letter.median", spent[len(spent) // 2], "s", _BUDGET_S)
    yield Figure("palette.letter.worst", spent[-1], "s", _BUDGET_S)


def _letters(model: Model) -> list[float]:
    """Processor time of every letter of every line, in seconds; the first round warms up."""
    from PySide6.QtWidgets import QMainWindow

    from inspector.gui.action_table import SPECS
    from inspector.gui.app import application
    from inspector.gui.i18n import Languages
    from inspector.gui.look import apply_theme
    from inspector.gui.palette import CommandPalette
    from inspector.gui.palette_entries import NodeTitles
    from inspector.gui.palette_search import Sources
    from inspector.gui.palette_sources import command_titles

    app = application()
    Languages(app).use("zh_CN")
    apply_theme("light")
    window = QMainWindow()
    window.resize(1600, 1000)
    window.show()
    palette = CommandPalette(window)
    palette.open_under(None, Sources(command_titles(SPECS), nodes=NodeTitles(NodeIndex(model))))
    spent: list[float] = []
    for measured in (False, True):
        for line in _LINES:
            for end in range(1, len(line) + 1):
                start = time.process_time()
                palette.field.setText(line[:end])
                app.processEvents()
                if measured:
                    spent.append(time.process_time() - start)
    window.close()
    return spent
