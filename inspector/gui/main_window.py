"""`MainWindow`: menu, header, the current document's workbench, status bar; settings, theme and language.

Its first picture is that of a `Shell`, and `furnishing` makes the rest, so nothing that a model needs is imported here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QPushButton

from inspector.gui.appearance import with_theme
from inspector.gui.document_tabs import TabText
from inspector.gui.look import apply_theme, look
from inspector.gui.placing import restore_place
from inspector.gui.shell import Shell

if TYPE_CHECKING:
    from inspector.errors import InspectorError
    from inspector.gui.actions import Actions
    from inspector.gui.arranging import Arranging
    from inspector.gui.closing import Closing
    from inspector.gui.comparing import Comparing
    from inspector.gui.controller import Controller
    from inspector.gui.document import Document
    from inspector.gui.files import Files
    from inspector.gui.habits import Habits
    from inspector.gui.i18n import Languages
    from inspector.gui.jobs import Jobs
    from inspector.gui.keeping import Keeping
    from inspector.gui.model_tab import ModelTab
    from inspector.gui.model_tabs import ModelTabs
    from inspector.gui.preferences import Preferences
    from inspector.gui.quick import Quick
    from inspector.gui.recents import Recents
    from inspector.gui.service import Choice, Service
    from inspector.gui.starting import Starting
    from inspector.gui.telling import Telling
    from inspector.gui.theme import ThemeName
    from inspector.gui.window_commands import WindowCommands
    from inspector.gui.workbench import Workbench
    from inspector.log import Ring
    from inspector.settings import Settings


class MainWindow(Shell):
    """The window. What it shows of a model comes from the document of the current tab.

    Attributes:
        tabs: the open documents.
        buttons: buttons of each tab that run an action, by the id of the action.

    Signals:
        failed: an `InspectorError` of any tab that is shown to the user.
        crashed: an exception that nobody expected; may be emitted from any thread.
    """

    failed = Signal(object)
    crashed = Signal(object)

    service: "Service"
    preferences: "Preferences"
    base_jobs: "Jobs"
    tabs: "ModelTabs"
    closing: "Closing"
    telling: "Telling"
    starting: "Starting"
    arranging: "Arranging"
    keeping: "Keeping"
    habits: "Habits"
    recents: "Recents"
    quick: "Quick"
    commands: "WindowCommands"
    actions_: "Actions"
    buttons: "dict[ModelTab, dict[str, QPushButton]]"

    def __init__(
        self, settings: "Settings", languages: "Languages", ring: "Ring", service: "Service | None" = None
    ) -> None:
        """Make a window of which only the first picture is there.

        Args:
            settings: the settings in force.
            languages: switches the language.
            ring: records for the log panel.
            service: answers of the core; None makes one with a worker of its own.
        """
        super().__init__()
        self._basis = (settings, languages, ring, service)
        self._pending: list[Path] = []
        self.header.action_asked.connect(lambda name: self.actions_[name].trigger())
        self.header.command_asked.connect(lambda: self.quick.open_palette())
        self.header.new_tab_asked.connect(lambda: self.commands.new_tab())
        self.start.open_asked.connect(self._ask_first)
        self.start.file_asked.connect(self._open_first)
        self.start.clear_asked.connect(self._clear_first)
        self.crashed.connect(lambda error: self.habits.crashes.show(error))

    def give_start(self) -> None:
        """Let go of the start page, which the first tab answers from now on."""
        self.start.open_asked.disconnect(self._ask_first)
        self.start.file_asked.disconnect(self._open_first)
        self.start.clear_asked.disconnect(self._clear_first)

    def _ask_first(self) -> None:
        self.commands.ask_open()

    def _open_first(self, path: Path) -> None:
        self.open(path)

    def _clear_first(self) -> None:
        self.recents.clear()

    def _furnish(self) -> Iterator[None]:
        from inspector.gui.furnishing import furnish

        return furnish(self, *self._basis)

    @property
    def settings(self) -> "Settings":
        """The settings in force; set them so only where nothing on screen follows from them."""
        return self.preferences.settings

    @settings.setter
    def settings(self, settings: "Settings") -> None:
        self.preferences.settings = settings

    # The current tab

    @property
    def document(self) -> "Document":
        """The document of the current tab."""
        return self.tabs.current.document

    @property
    def bench(self) -> "Workbench":
        """The views of the current tab."""
        return self.tabs.current.bench

    @property
    def controller(self) -> "Controller":
        """What joins those two."""
        return self.tabs.current.controller

    @property
    def comparing(self) -> "Comparing":
        """The comparison in the current tab."""
        return self.tabs.current.comparing

    @property
    def files(self) -> "Files":
        """Opening and saving in the current tab."""
        return self.tabs.current.files

    @property
    def jobs(self) -> "Jobs":
        """What runs for the current tab."""
        return self.tabs.current.jobs

    @property
    def is_busy(self) -> bool:
        """Whether any job runs, for any tab or for the window."""
        return self.tabs.is_busy or self.base_jobs.is_running()

    # Files

    def open(self, path: Path) -> None:
        """Show the model *path* in a tab, the one that it is open in already if there is one."""
        if self.base_jobs.is_running("catalog"):
            self._pending.append(path)
        else:
            self.tabs.open(path)

    def open_all(self, paths: Sequence[Path]) -> None:
        """Open each of *paths* in a tab of its own; the first is shown."""
        for path in paths:
            self.open(path)
        if len(paths) > 1 and not self._pending:
            first = next((tab for tab in self.tabs.all if tab.shows(paths[0])), None)
            if first is not None:
                self.tabs.show(first)

    def open_pending(self) -> None:
        """Open what was asked for before the tables were read."""
        paths, self._pending = self._pending, []
        self.open_all(paths)

    def close_tab(self, tab: "ModelTab") -> None:
        """Close *tab*, after asking about unsaved work in it."""
        self.closing.close_tab(tab)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the dropped files."""
        files = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        event.acceptProposedAction()
        # Later, so that the program that the files come from need not wait.
        QTimer.singleShot(0, self, lambda: self.open_all(files))

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about the unsaved work of every tab, then end the jobs and the worker."""
        if self.give_up():
            event.accept()
            return
        if not self.closing.may_close():
            event.ignore()
            return
        self.keeping.save()
        self.habits.close()
        self.tabs.end()
        self.base_jobs.close()
        self.service.close()
        event.accept()

    def forget_changes(self) -> None:
        """Give up all unsaved work, so that closing asks nothing."""
        self.closing.forget_changes()

    # What happened

    def show_error(self, error: "InspectorError") -> None:
        """Show an expected failure as a banner over the current document."""
        self.telling.error(error)

    def tell(self, tab: "ModelTab", text: str) -> None:
        """Show *text* in the status bar as the last result of *tab*, and announce it."""
        self.telling.result(tab, text)

    def model_opened(self, tab: "ModelTab") -> None:
        """Show the model that was opened in *tab*, if that is the current one."""
        self.telling.checked(tab)
        if tab is not self.tabs.current:
            return
        self.bench.show_model()
        # The canvas must have its final size before it fits the graph.
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        self.bench.graph.setFocus()
        self._title()

    def show_current(self) -> None:
        """Show the tab that is current now."""
        self.starting.page()
        self.list_tabs()
        self._title()
        self.telling.job()
        self.quick.follow()
        self.status.show_message(self.tabs.current.message)

    def list_tabs(self) -> None:
        """Show the tabs in the header."""
        texts = [
            TabText(tab.name or self.tr("Start"), str(tab.path or ""), tab.document.unsaved) for tab in self.tabs.all
        ]
        self.header.show_tabs(texts, self.tabs.all.index(self.tabs.current))

    def _title(self) -> None:
        name = self.tabs.current.name
        shown = name.replace("[*]", "[*][*]")  # doubled, the mark of unsaved work is only text
        self.setWindowTitle(f"{shown}[*] - BPU Graph Inspector" if name else "BPU Graph Inspector[*]")
        self.setWindowModified(self.document.unsaved)
        self.update_actions()
        self.telling.facts()

    def tab_changed(self) -> None:
        """Show what the current tab is called now."""
        self.starting.page()
        self._title()

    def update_actions(self) -> None:
        """Say of every action whether it can be run in the current tab."""
        tab = self.tabs.current
        for name, reason in tab.reasons.of(self.document, self.controller.best_offer() is not None).items():
            self.actions_.set_off(name, reason)
        if len(self.tabs.all) > 1 or tab.is_loading:
            self.actions_.set_off("file.close", "")
        for name, action_button in self.buttons[tab].items():
            action_button.setEnabled(self.actions_[name].isEnabled())
            action_button.setToolTip(self.actions_[name].toolTip())

    # Keys

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes through the panels in reading order, whichever was made first."""
        if not self.is_whole:
            return super().focusNextPrevChild(forward)
        from inspector.gui.panel_focus import focus_next_widget

        return focus_next_widget(self.quick.panels, 1 if forward else -1) or super().focusNextPrevChild(forward)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leaves what is in front: a running job, a preview, a filter, the selection."""
        if self.press_early(event):
            return
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.jobs.current is not None:
            self.telling.cancel_job()
        elif self.document.proposal is not None:
            self.document.reject()
        elif self.controller.navigator.active:
            self.controller.navigator.end()
        else:
            self.bench.target_bar.clear_filter()
            self.document.select(None)

    # Theme and language

    def set_theme(self, name: "ThemeName") -> None:
        """Show the window in the theme *name*."""
        self.preferences.apply(with_theme(self.settings, name))
        if look().name is not name:
            apply_theme(name)
            self.restyle()

    def restyle(self) -> None:
        """Show the window in the colours and sizes that are in force."""
        self.actions_["view.theme"].setChecked(look().dark)
        self._outdate(words=False)

    def set_language(self, name: str) -> None:
        """Show the window in the language *name*."""
        self.preferences.apply(replace(self.settings, language=name))

    def reword(self) -> None:
        """Show the window in the language in force, with what it told last."""
        self.retranslate()
        self.telling.checked(self.tabs.current)

    def retranslate(self) -> None:
        """Show all texts anew."""
        self.actions_.retranslate()
        self.actions_["view.theme"].setChecked(look().dark)
        self.quick.retranslate()
        self.recents.retranslate()
        self._outdate(words=True)
        self.show_current()

    def _outdate(self, *, words: bool) -> None:
        """Show the current tab in other colours, sizes or *words*; the others follow when they are shown."""
        self.header.retranslate()
        for tab in self.tabs.all:
            tab.outdate(words=words)
        self.tabs.current.freshen()
        self.starting.refresh()

    def choice_changed(self, choice: "Choice") -> None:
        """Start with *choice* the next time."""
        self.keeping.choice(choice)
        self.starting.refresh()

    @property
    def keeps_settings(self) -> bool:
        """Whether settings and geometry are written; off for pictures and tests."""
        return self.keeping.enabled

    @keeps_settings.setter
    def keeps_settings(self, on: bool) -> None:
        self.keeping.enabled = on

    def restore_geometry(self, *, afresh: bool = False) -> None:
        """Give the window the place that it had when it was last closed, the panels theirs once there are any.

        *afresh* leaves it as it is before it was ever closed.
        """
        restore_place(self, afresh=afresh)
        self.furnished.connect(lambda: self.keeping.restore(afresh=afresh))
        self.start.setFocus()
