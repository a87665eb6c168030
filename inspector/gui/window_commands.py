"""`WindowCommands`: what the actions do that concern the window, its tabs and the open document as a whole."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog

from inspector.gui.appearance import brightness_toggled
from inspector.gui.dialogs.about import AboutDialog
from inspector.gui.i18n import language
from inspector.gui.look import look

if TYPE_CHECKING:
    from inspector.gui.main_window import MainWindow


class WindowCommands(QObject):
    """Acts on its window, and on the tab that is current when an action runs."""

    def __init__(self, window: "MainWindow") -> None:
        """Serve *window*."""
        super().__init__(window)
        self._window = window

    def commands(self) -> dict[str, Callable[[], object]]:
        """Action id -> what it does, for the actions that this object serves."""
        window = self._window
        return {
            "file.open": self.ask_open,
            "file.reload": window.habits.reload,
            "file.save": lambda: window.files.save(),
            "file.save_as": lambda: window.files.ask_save(),
            "file.sizes": lambda: window.files.ask_sizes(),
            "file.settings": window.preferences.ask,
            "file.close": lambda: window.close_tab(window.tabs.current),
            "file.quit": window.close,
            "edit.undo": lambda: window.document.undo(),
            "edit.redo": lambda: window.document.redo(),
            "edit.find": self.find,
            "edit.find_next": lambda: window.bench.search.next(1),
            "edit.find_previous": lambda: window.bench.search.next(-1),
            "rewrite.preview": lambda: window.controller.preview_best(),
            "rewrite.preview_all": lambda: window.controller.preview_best(every_site=True),
            "rewrite.accept": lambda: window.tabs.current.accepting.accept(),
            "rewrite.reject": lambda: window.document.reject(),
            "rewrite.verify": self.verify,
            **self._model_commands(),
            "view.next_problem": lambda: window.controller.go_to_problem(1),
            "view.previous_problem": lambda: window.controller.go_to_problem(-1),
            "view.next_tab": lambda: window.tabs.step(1),
            "view.previous_tab": lambda: window.tabs.step(-1),
            "view.compare": lambda: window.comparing.ask(),
            "view.full_screen": self.toggle_full_screen,
            "view.theme": self.toggle_theme,
            "view.language": self.toggle_language,
            "help.about": self.about,
        }

    def _model_commands(self) -> dict[str, Callable[[], object]]:
        tabs = self._window.tabs
        return {
            "model.freeze": lambda: tabs.current.whole.freeze(),
            "model.fold": lambda: tabs.current.whole.use("fold-constants"),
            "model.prune": lambda: tabs.current.whole.use("remove-dead"),
            "model.opset": lambda: tabs.current.whole.convert(),
            "model.rename": lambda: tabs.current.whole.use("rename-duplicates"),
            "model.nhwc": lambda: tabs.current.whole.use("nhwc-outputs", {"outputs": []}),
            "model.simplify": lambda: tabs.current.whole.use("simplify"),
            "model.extract": lambda: tabs.current.whole.extract(),
            "model.cut": lambda: tabs.current.whole.cut(),
        }

    def ask_open(self) -> None:
        """Let the user choose model files, in the folder of the last one at first."""
        window = self._window
        folder = str(Path(window.settings.recent[0]).parent) if window.settings.recent else ""
        names, _ = QFileDialog.getOpenFileNames(window, self.tr("Open models"), folder, self.tr("ONNX models (*.onnx)"))
        window.open_all([Path(name) for name in names])

    def new_tab(self) -> None:
        """Show an empty tab, a new one if there is none."""
        tabs = self._window.tabs
        tabs.show(next((tab for tab in tabs.all if tab.is_free), None) or tabs.add())

    def verify(self) -> None:
        """Compare with the original, or prove the open preview, and show the result."""
        bench = self._window.bench
        bench.open(bench.diff)
        self._window.document.verify()

    def find(self) -> None:
        """Go to the field of the search panel."""
        bench = self._window.bench
        bench.open(bench.search)
        bench.search.field.setFocus()
        bench.search.field.selectAll()

    def toggle_full_screen(self) -> None:
        """Fill the screen, or stop doing so."""
        self._window.setWindowState(self._window.windowState() ^ Qt.WindowState.WindowFullScreen)

    def toggle_theme(self) -> None:
        """Light or dark, whichever it is not now."""
        preferences = self._window.preferences
        preferences.apply(brightness_toggled(preferences.settings, dark=not look().dark))

    def toggle_language(self) -> None:
        """English or Chinese, whichever it is not now."""
        preferences = self._window.preferences
        preferences.apply(replace(preferences.settings, language="en" if language() == "zh_CN" else "zh_CN"))

    def about(self) -> None:
        """Versions of the program and its parts, with a copy button."""
        window = self._window
        digest = window.service.catalog.digest if not window.base_jobs.is_running("catalog") else ""
        AboutDialog(digest, window).open()
