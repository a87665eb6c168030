"""`Closing`: tabs and the window close only once every piece of unsaved work was saved or given up."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from inspector.gui.model_tab import ModelTab
from inspector.gui.model_tabs import ModelTabs


class Closing(QObject):
    """Asks about unsaved work, one tab after the other."""

    def __init__(self, tabs: ModelTabs, close: Callable[[], object], parent: QObject) -> None:
        """Close *tabs*; *close* closes the window."""
        super().__init__(parent)
        self._tabs, self._close = tabs, close
        self._let_go = False

    def close_tab(self, tab: ModelTab) -> None:
        """Close *tab*, after asking about unsaved work in it."""
        if tab.document.unsaved:
            self._tabs.show(tab)
        tab.files.release(lambda: self._tabs.close(tab))

    def may_close(self) -> bool:
        """Whether the window may close now; if not, the user is being asked and the window closes after the answers."""
        if self._let_go or not any(tab.document.unsaved for tab in self._tabs.all):
            return True
        self._ask(frozenset())
        return False

    def forget_changes(self) -> None:
        """Give up all unsaved work, so that closing asks nothing."""
        self._let_go = True

    def _ask(self, asked: frozenset[ModelTab]) -> None:
        """Ask about the first tab with unsaved work that was not *asked* about yet; close after the last."""
        tab = next((tab for tab in self._tabs.all if tab.document.unsaved and tab not in asked), None)
        if tab is None:
            self._let_go = True
            self._close()
            return
        self._tabs.show(tab)
        tab.files.release(lambda: self._ask(asked | {tab}))
