"""`Recents`: the recent files of the window: what they looked like is noted, a menu and the start page offer them."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu, QWidget

from inspector.gui.model_tab import ModelTab
from inspector.gui.model_tabs import ModelTabs
from inspector.gui.preferences import Preferences
from inspector.recent import Glance, note_glance, read_glances
from inspector.settings import remember_file


class Recents(QObject):
    """Keeps the list and tells of it.

    Attributes:
        menu: submenu with the files; those that are missing are off.

    Signals:
        file_asked: open this `Path`.
        changed: the list is another one, and is to be saved.
    """

    changed = Signal()
    file_asked = Signal(object)

    def __init__(self, tabs: ModelTabs, preferences: Preferences, keeps: Callable[[], bool], window: QWidget) -> None:
        """Note what *tabs* open in the settings of *preferences*; *keeps* tells whether anything may be written."""
        super().__init__(window)
        self._keeps = keeps
        self._preferences = preferences
        self.menu = QMenu(window)
        self.menu.setToolTipsVisible(True)
        self.menu.aboutToShow.connect(self.fill)
        tabs.added.connect(self._follow)

    def retranslate(self) -> None:
        """Set the title of the menu in the current language."""
        self.menu.setTitle(self.tr("Open &recent"))

    def fill(self) -> None:
        """List the files as they are now."""
        self.menu.clear()
        glances = read_glances()
        for number, name in enumerate(self._preferences.settings.recent, 1):
            path, glance = Path(name), glances.get(name)
            shown = path.name.replace("&", "&&")
            title = f"&{number} {shown}" if number < 10 else shown
            if glance is not None:
                title = f"{title}\t{glance.platform.upper()}"
            action = self.menu.addAction(title, partial(self.file_asked.emit, path))
            there = path.is_file()
            action.setEnabled(there)
            action.setToolTip(str(path) if there else self.tr("file not found"))
        self.menu.addSeparator()
        clear = self.menu.addAction(self.tr("Clear list"), self.clear)
        clear.setEnabled(bool(self._preferences.settings.recent))

    def clear(self) -> None:
        """Forget which files are recent."""
        self._preferences.settings = replace(self._preferences.settings, recent=())
        self.changed.emit()

    def _follow(self, tab: ModelTab) -> None:
        tab.document.opened.connect(lambda: self._opened(tab))
        tab.document.placement_changed.connect(lambda: self._note(tab))
        tab.document.picture_changed.connect(lambda: self._note(tab))

    def _opened(self, tab: ModelTab) -> None:
        if tab.path is not None:
            self._preferences.settings = remember_file(self._preferences.settings, tab.path)
            self.changed.emit()

    def _note(self, tab: ModelTab) -> None:
        """Note how the model of *tab* looks as its file stands: rewrites that are not saved are no part of it."""
        workspace, path = tab.document.workspace, tab.path
        if not self._keeps() or workspace is None or path is None or workspace.groups:
            return
        placement = workspace.placement
        glance = Glance(placement.target.platform, placement.target.toolchain, placement.counts)
        note_glance(str(path.absolute()), glance, self._preferences.settings.recent)
