"""`MainWindow`: menu, header, the current document's workbench, status bar; settings, theme and language."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QMainWindow,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from inspector.errors import InspectorError
from inspector.gui.actions import Actions
from inspector.gui.appearance import with_theme
from inspector.gui.arranging import Arranging
from inspector.gui.closing import Closing
from inspector.gui.comparing import Comparing
from inspector.gui.controller import Controller
from inspector.gui.document import Document
from inspector.gui.document_tabs import TabText
from inspector.gui.files import Files
from inspector.gui.habits import Habits
from inspector.gui.header import Header
from inspector.gui.i18n import Languages
from inspector.gui.jobs import Jobs
from inspector.gui.keeping import Keeping
from inspector.gui.look import apply_theme, look
from inspector.gui.menu_bar import ClassicMenuBar
from inspector.gui.model_tab import ModelTab
from inspector.gui.model_tabs import ModelTabs
from inspector.gui.panel_focus import focus_next_widget
from inspector.gui.panels.status import StatusBar
from inspector.gui.preferences import Preferences
from inspector.gui.quick import Quick
from inspector.gui.recents import Recents
from inspector.gui.service import Choice, Service
from inspector.gui.starting import Starting
from inspector.gui.telling import Telling
from inspector.gui.theme import Size, ThemeName
from inspector.gui.window_commands import WindowCommands
from inspector.gui.workbench import Workbench
from inspector.log import Ring
from inspector.placement.catalog import Catalog
from inspector.placement.target import Flow
from inspector.settings import Settings


class MainWindow(QMainWindow):
    """The window. What it shows of a model comes from the document of the current tab.

    Attributes:
        tabs: the open documents.

    Signals:
        failed: an `InspectorError` of any tab that is shown to the user.
        crashed: an exception that nobody expected; may be emitted from any thread.
    """

    failed = Signal(object)
    crashed = Signal(object)

    def __init__(self, service: Service, settings: Settings, languages: Languages, ring: Ring) -> None:
        """Make the window; it reads the platforms in a job and shows the start page meanwhile."""
        super().__init__()
        self.setObjectName("main")
        self.service, self._ring = service, ring
        self.preferences = Preferences(settings, languages, service, self)
        self._pending: list[Path] = []
        self.base_jobs = Jobs(self)
        self.status = StatusBar()
        self.tabs = ModelTabs(self._new_tab, self)
        self.closing = Closing(self.tabs, self.close, self)
        self.telling = Telling(self.tabs, self.status, self.base_jobs, self)
        self.starting = Starting(service, self.base_jobs, self.tabs, lambda: self.settings, self)
        self.arranging = Arranging(self.tabs, self.preferences, self)
        self.keeping = Keeping(self, self.preferences, self.arranging, self.status.show_message)
        self.habits = Habits(self, self.tabs, service, self.base_jobs, ring)
        self.habits.set_autosave(settings.autosave)
        self.recents = Recents(self.tabs, self.preferences, lambda: self.keeps_settings, self)
        self._bar = ClassicMenuBar(self)
        self.setMenuBar(self._bar)
        self.quick = Quick(self)
        self.commands = WindowCommands(self)
        run = self.commands.commands() | self.quick.commands() | self.arranging.commands()
        self.actions_ = Actions(self, self._bar, run)
        self.actions_.menu("file").insertMenu(self.actions_["file.reload"], self.recents.menu)
        self.header = Header(self.actions_)
        self._buttons: dict[ModelTab, dict[str, QPushButton]] = {}
        self._layout()
        self._connect()
        self.setAcceptDrops(True)
        self.resize(Size.WINDOW_WIDTH, Size.WINDOW_HEIGHT)
        self.setMinimumSize(Size.WINDOW_MIN_WIDTH, Size.WINDOW_MIN_HEIGHT)
        self.tabs.start()
        self.arranging.serve(self.actions_)
        self.retranslate()
        self.base_jobs.run(self.tr("Reading the tables"), "catalog", lambda _context: service.catalog, self._catalog)

    @property
    def settings(self) -> Settings:
        """The settings in force; set them so only where nothing on screen follows from them."""
        return self.preferences.settings

    @settings.setter
    def settings(self, settings: Settings) -> None:
        self.preferences.settings = settings

    # The current tab

    @property
    def document(self) -> Document:
        """The document of the current tab."""
        return self.tabs.current.document

    @property
    def bench(self) -> Workbench:
        """The views of the current tab."""
        return self.tabs.current.bench

    @property
    def controller(self) -> Controller:
        """What joins those two."""
        return self.tabs.current.controller

    @property
    def comparing(self) -> Comparing:
        """The comparison in the current tab."""
        return self.tabs.current.comparing

    @property
    def files(self) -> Files:
        """Opening and saving in the current tab."""
        return self.tabs.current.files

    @property
    def jobs(self) -> Jobs:
        """What runs for the current tab."""
        return self.tabs.current.jobs

    @property
    def is_busy(self) -> bool:
        """Whether any job runs, for any tab or for the window."""
        return self.tabs.is_busy or self.base_jobs.is_running()

    # Making

    def _layout(self) -> None:
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self.tabs.stack, 1)
        column.addWidget(self.status)
        self.setCentralWidget(body)

    def _connect(self) -> None:
        self.tabs.added.connect(self._adopt)
        self.tabs.current_changed.connect(self._switched)
        self.tabs.listed.connect(self._list_tabs)
        self.header.documents.picked.connect(lambda index: self.tabs.show(self.tabs.all[index]))
        self.header.documents.close_asked.connect(lambda index: self.close_tab(self.tabs.all[index]))
        self.header.documents.tabMoved.connect(self.tabs.move)
        self.header.new_tab_asked.connect(self.commands.new_tab)
        self.header.command_asked.connect(self.quick.open_palette)
        self.telling.failed.connect(self.failed)
        self.base_jobs.changed.connect(self.telling.job)
        self.base_jobs.failed.connect(lambda _job, error: self.show_error(error))
        self.base_jobs.crashed.connect(self.crashed)
        self.crashed.connect(self.habits.crashes.show)
        self.habits.crashes.suppressed.connect(self.status.show_message)
        self.habits.failed.connect(self.show_error)
        self.habits.cards_changed.connect(lambda: self.starting.refresh(anew=True))
        self.recents.file_asked.connect(self.open)
        self.recents.changed.connect(self.keeping.save)
        self.recents.changed.connect(self.starting.refresh)
        preferences = self.preferences
        preferences.look_changed.connect(self._restyle)
        preferences.words_changed.connect(self._reword)
        preferences.canvas_changed.connect(lambda: self.tabs.set_up(self.settings))
        preferences.autosave_changed.connect(self.habits.set_autosave)
        preferences.layout_changed.connect(self.tabs.redraw)
        self.status.cancel_asked.connect(self.telling.cancel_job)

    def _new_tab(self) -> ModelTab:
        settings = self.settings
        choice = Choice(settings.platform, settings.toolchain or None, None, Flow(settings.flow))
        return ModelTab(self.service, self._ring, choice, self)

    def _adopt(self, tab: ModelTab) -> None:
        """Listen to a new tab; what another tab than the current one tells is not shown."""

        def shown(show: Callable[[], None]) -> Callable[[], None]:
            def call() -> None:
                if self.tabs.current is tab:
                    show()

            return call

        document, bench = tab.document, tab.bench
        document.opened.connect(lambda: self._opened(tab))
        document.saved.connect(lambda path: self.telling.saved(tab, path))
        document.failed.connect(lambda error: self.telling.failure(tab, error))
        document.placement_changed.connect(shown(self.telling.facts))
        document.picture_changed.connect(shown(self.telling.facts))
        document.proposal_changed.connect(shown(self._update_actions))
        tab.controller.state_changed.connect(shown(self._update_actions))
        tab.controller.sizes_asked.connect(tab.files.ask_sizes)
        tab.controller.menu.overriding.told.connect(lambda text: self.tell(tab, text))
        tab.changed.connect(shown(self._tab_changed))
        tab.jobs.changed.connect(shown(self.telling.job))
        tab.jobs.failed.connect(lambda _job, error: self.show_error(error))
        tab.jobs.crashed.connect(self.crashed)
        self.quick.adopt(tab)
        bench.target_bar.addAction(self.actions_["view.compare"])
        bench.target_bar.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        bench.target_bar.choice_changed.connect(self._choice_changed)
        bench.start.open_asked.connect(self.commands.ask_open)
        bench.start.file_asked.connect(self.open)
        bench.start.clear_asked.connect(self.recents.clear)
        bench.start.cards = self.habits.cards
        bench.start.platform_asked.connect(lambda platform: self.starting.choose(tab, platform))
        tab.set_up(self.settings)
        if not self.base_jobs.is_running("catalog"):
            bench.target_bar.set_catalog(self.service.catalog, document.choice)
        bench.target_bar.compare_asked.connect(self.actions_["view.compare"].trigger)
        self._buttons[tab] = {"rewrite.verify": bench.target_bar.verify, "file.save_as": bench.target_bar.save}
        for name, action_button in self._buttons[tab].items():
            action_button.clicked.connect(self.actions_[name].trigger)
        document.destroyed.connect(lambda: self._buttons.pop(tab, None))

    def _catalog(self, catalog: Catalog) -> None:
        for tab in self.tabs.all:
            tab.bench.target_bar.set_catalog(catalog, tab.document.choice)
        self.starting.refresh()
        paths, self._pending = self._pending, []
        self.open_all(paths)

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

    def close_tab(self, tab: ModelTab) -> None:
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

    def show_error(self, error: InspectorError) -> None:
        """Show an expected failure as a banner over the current document."""
        self.telling.error(error)

    def tell(self, tab: ModelTab, text: str) -> None:
        """Show *text* in the status bar as the last result of *tab*, and announce it."""
        self.telling.result(tab, text)

    def _opened(self, tab: ModelTab) -> None:
        self.telling.checked(tab)
        if tab is not self.tabs.current:
            return
        self.bench.show_model()
        # The canvas must have its final size before it fits the graph.
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        self.bench.graph.setFocus()
        self._title()

    def _switched(self) -> None:
        """Show the tab that is current now."""
        self.starting.page()
        self._list_tabs()
        self._title()
        self.telling.job()
        self.quick.follow()
        self.status.show_message(self.tabs.current.message)

    def _list_tabs(self) -> None:
        texts = [
            TabText(tab.name or self.tr("Start"), str(tab.path or ""), tab.document.unsaved) for tab in self.tabs.all
        ]
        self.header.show_tabs(texts, self.tabs.all.index(self.tabs.current))

    def _title(self) -> None:
        name = self.tabs.current.name
        shown = name.replace("[*]", "[*][*]")  # doubled, the mark of unsaved work is only text
        self.setWindowTitle(f"{shown}[*] - BPU Graph Inspector" if name else "BPU Graph Inspector[*]")
        self.setWindowModified(self.document.unsaved)
        self._update_actions()
        self.telling.facts()

    def _tab_changed(self) -> None:
        self.starting.page()
        self._title()

    def _update_actions(self) -> None:
        tab = self.tabs.current
        for name, reason in tab.reasons.of(self.document, self.controller.best_offer() is not None).items():
            self.actions_.set_off(name, reason)
        if len(self.tabs.all) > 1 or tab.is_loading:
            self.actions_.set_off("file.close", "")
        for name, action_button in self._buttons[tab].items():
            action_button.setEnabled(self.actions_[name].isEnabled())
            action_button.setToolTip(self.actions_[name].toolTip())

    # Keys

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes through the panels in reading order, whichever was made first."""
        return focus_next_widget(self.quick.panels, 1 if forward else -1) or super().focusNextPrevChild(forward)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leaves what is in front: a running job, a preview, a filter, the selection."""
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

    def set_theme(self, name: ThemeName) -> None:
        """Show the window in the theme *name*."""
        self.preferences.apply(with_theme(self.settings, name))
        if look().name is not name:
            apply_theme(name)
            self._restyle()

    def _restyle(self) -> None:
        self.actions_["view.theme"].setChecked(look().dark)
        self._outdate(words=False)

    def set_language(self, name: str) -> None:
        """Show the window in the language *name*."""
        self.preferences.apply(replace(self.settings, language=name))

    def _reword(self) -> None:
        self.retranslate()
        self.telling.checked(self.tabs.current)

    def retranslate(self) -> None:
        """Show all texts anew."""
        self.actions_.retranslate()
        self.actions_["view.theme"].setChecked(look().dark)
        self.quick.retranslate()
        self.recents.retranslate()
        self._outdate(words=True)
        self._switched()

    def _outdate(self, *, words: bool) -> None:
        """Show the current tab in other colours, sizes or *words*; the others follow when they are shown."""
        self.header.retranslate()
        for tab in self.tabs.all:
            tab.outdate(words=words)
        self.tabs.current.freshen()
        self.starting.refresh()

    def _choice_changed(self, choice: Choice) -> None:
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
        """Give the window the place, and its panels the arrangement, that they had when it was last closed.

        *afresh* leaves it as it is before it was ever closed.
        """
        self.keeping.restore(afresh=afresh)
        self.bench.start.setFocus()
        QTimer.singleShot(0, self._title)
