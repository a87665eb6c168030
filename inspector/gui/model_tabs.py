"""`ModelTabs`: the open documents of a window, one of which is shown."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication, QStackedWidget

from inspector.gui.model_tab import ModelTab
from inspector.settings import Settings


class ModelTabs(QObject):
    """Keeps the tabs in their order; there is always one, an empty one if need be.

    Attributes:
        stack: the widget that shows the views of the current tab.

    Signals:
        added: this `ModelTab` is new.
        current_changed: another tab is shown.
        listed: tabs came, went, moved, or are called otherwise.
    """

    added = Signal(object)
    current_changed = Signal()
    listed = Signal()

    def __init__(self, make: Callable[[], ModelTab], parent: QObject) -> None:
        """Take new tabs from *make*; call `start` once somebody listens."""
        super().__init__(parent)
        self._make = make
        self._tabs: list[ModelTab] = []
        self._retiring: list[ModelTab] = []
        self._fresh: set[ModelTab] = set()
        self._current: ModelTab | None = None
        self.stack = QStackedWidget()

    def start(self) -> None:
        """Make the first tab."""
        self.add()
        self.current_changed.emit()

    @property
    def all(self) -> Sequence[ModelTab]:
        """The tabs from left to right."""
        return tuple(self._tabs)

    @property
    def current(self) -> ModelTab:
        """The tab that is shown.

        Raises:
            LookupError: `start` was not called.
        """
        if self._current is None:
            raise LookupError("there is no tab yet")
        return self._current

    @property
    def is_busy(self) -> bool:
        """Whether a job runs for any tab, one that was closed included."""
        return bool(self._retiring) or any(tab.jobs.is_running() for tab in self._tabs)

    def add(self) -> ModelTab:
        """An empty tab at the end, not shown yet."""
        tab = self._make()
        self._tabs.append(tab)
        self._current = self._current or tab
        self.stack.addWidget(tab.bench)
        tab.changed.connect(self.listed)
        tab.abandoned.connect(lambda: self._abandoned(tab))
        self.added.emit(tab)
        self.listed.emit()
        return tab

    def show(self, tab: ModelTab) -> None:
        """Show *tab*."""
        if tab is self._current or tab not in self._tabs:
            return
        focus = QApplication.focusWidget()
        follows, last = focus is None or self.stack.isAncestorOf(focus), tab.bench.focusWidget()
        self._current = tab
        tab.freshen()
        self.current_changed.emit()
        self.stack.setCurrentWidget(tab.bench)
        if follows:
            page = last if last is not None and last.isVisible() else tab.bench.pages.currentWidget()
            if page is not None:
                page.setFocus(Qt.FocusReason.OtherFocusReason)

    def open(self, path: Path) -> ModelTab:
        """Show the tab of *path*, which is opened in an empty tab unless it is open already."""
        tab = next((tab for tab in self._tabs if tab.shows(path)), None)
        if tab is None:
            tab = self.for_file()
            tab.open(path)
        self.show(tab)
        return tab

    def for_file(self) -> ModelTab:
        """The tab to open another file in: the current one if it is empty, else a new one."""
        return self.current if self.current.is_free else self._added_for_a_file()

    def close(self, tab: ModelTab) -> None:
        """Take *tab* away without a question; an empty one takes the place of the last."""
        if tab not in self._tabs:
            return
        if len(self._tabs) == 1:
            self.add()
        index = self._tabs.index(tab)
        self._tabs.remove(tab)
        self._fresh.discard(tab)
        if tab is self._current:
            self.show(self._tabs[min(index, len(self._tabs) - 1)])
        self.stack.removeWidget(tab.bench)
        self._retiring.append(tab)
        tab.retire(lambda: self._retiring.remove(tab))
        self.listed.emit()

    def move(self, start: int, end: int) -> None:
        """Move the tab at *start* to *end*."""
        self._tabs.insert(end, self._tabs.pop(start))
        self.listed.emit()

    def step(self, by: int) -> None:
        """Show the tab *by* places further to the right; wraps round."""
        self.show(self._tabs[(self._tabs.index(self.current) + by) % len(self._tabs)])

    def set_up(self, settings: Settings) -> None:
        """Let the canvases of all tabs move and take the wheel as *settings* say."""
        for tab in self.all:
            tab.set_up(settings)

    def redraw(self) -> None:
        """Lay the graphs of all tabs out from scratch."""
        for tab in self.all:
            tab.document.redraw()

    def end(self) -> None:
        """Cancel all jobs and wait for them, when the window closes; nothing is unsaved from then on."""
        for tab in (*self._tabs, *self._retiring):
            tab.document.undo_stack.clear()
            tab.jobs.close()

    def _added_for_a_file(self) -> ModelTab:
        tab = self.add()
        self._fresh.add(tab)
        tab.document.opened.connect(lambda: self._fresh.discard(tab))
        return tab

    def _abandoned(self, tab: ModelTab) -> None:
        """A tab that was made for a file that could not be opened goes again."""
        if tab in self._fresh:
            self.close(tab)
