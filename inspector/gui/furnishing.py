"""`furnish`: makes the rest of a window whose first picture is on the screen, a few milliseconds at a time."""

from collections.abc import Callable, Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from inspector.gui.actions import Actions
from inspector.gui.arranging import Arranging
from inspector.gui.closing import Closing
from inspector.gui.habits import Habits
from inspector.gui.i18n import Languages
from inspector.gui.jobs import Jobs
from inspector.gui.keeping import Keeping
from inspector.gui.main_window import MainWindow
from inspector.gui.menu_bar import ClassicMenuBar
from inspector.gui.model_tab import ModelTab
from inspector.gui.model_tabs import ModelTabs
from inspector.gui.preferences import Preferences
from inspector.gui.quick import Quick
from inspector.gui.recents import Recents
from inspector.gui.service import Choice, Service
from inspector.gui.starting import Starting
from inspector.gui.telling import Telling
from inspector.gui.window_commands import WindowCommands
from inspector.gui.workbench import Workbench
from inspector.log import Ring
from inspector.placement.catalog import Catalog
from inspector.placement.target import Flow
from inspector.settings import Settings
from inspector.worker.client import WorkerClient, memory_limit


def furnish(
    window: MainWindow, settings: Settings, languages: Languages, ring: Ring, service: Service | None
) -> Iterator[None]:
    """Make the parts of *window*, and read the tables in a job.

    Args:
        window: window that shows its first picture.
        settings: the settings in force.
        languages: switches the language.
        ring: records for the log panel.
        service: answers of the core; None makes one with a worker of its own.
    """
    if service is None:
        memory = memory_limit(settings.worker_memory_percent)
        service = Service(WorkerClient(time_limit_s=float(settings.worker_timeout_s), memory_limit_bytes=memory))
    window.service = service
    furnisher = _Furnisher(window, ring)
    furnisher.make_parts(settings, languages)
    yield
    furnisher.bench = bench = Workbench(ring, window.start, gradually=True)
    yield from bench.make(ring)
    yield from furnisher.make_commands()
    furnisher.connect()
    yield
    focused = window.start.isAncestorOf(QApplication.focusWidget() or window)
    window.give_start()
    bench.take_start()
    window.tabs.start()
    window.set_ground(window.tabs.stack)
    if focused:
        window.start.setFocus()
    yield
    window.arranging.serve(window.actions_)
    window.retranslate()
    title = window.tr("Reading the tables")
    catalog = service
    window.base_jobs.run(title, "catalog", lambda _context: catalog.catalog, furnisher.take_catalog)


class _Furnisher:
    """Makes the parts of one window and joins them; afterwards it makes its tabs.

    Attributes:
        bench: views that the next tab takes; None makes new ones.
    """

    def __init__(self, window: MainWindow, ring: Ring) -> None:
        self._window, self._ring = window, ring
        self.bench: Workbench | None = None

    def make_parts(self, settings: Settings, languages: Languages) -> None:
        """Make what works behind the views."""
        window, service = self._window, self._window.service
        window.preferences = preferences = Preferences(settings, languages, service, window)
        window.base_jobs = jobs = Jobs(window)
        window.tabs = tabs = ModelTabs(self._new_tab, window)
        window.closing = Closing(tabs, window.close, window)
        window.telling = Telling(tabs, window.status, jobs, window)
        window.starting = Starting(service, jobs, tabs, lambda: window.settings, window)
        window.arranging = Arranging(tabs, preferences, window)
        window.keeping = Keeping(window, preferences, window.arranging, window.status.show_message)
        window.habits = Habits(window, tabs, service, jobs, self._ring)
        window.habits.set_autosave(settings.autosave)
        window.recents = Recents(tabs, preferences, lambda: window.keeps_settings, window)
        window.buttons = {}

    def make_commands(self) -> Iterator[None]:
        """Make menus, actions and the palette."""
        window = self._window
        bar = ClassicMenuBar(window)
        window.setMenuBar(bar)
        window.quick = Quick(window)
        window.commands = WindowCommands(window)
        yield
        run = window.commands.commands() | window.quick.commands() | window.arranging.commands()
        window.actions_ = Actions(window, bar, run)
        yield
        window.actions_.menu("file").insertMenu(window.actions_["file.reload"], window.recents.menu)
        window.header.serve(window.actions_)
        yield

    def connect(self) -> None:
        """Let the parts hear each other."""
        window = self._window
        window.tabs.added.connect(self._adopt)
        window.tabs.current_changed.connect(window.show_current)
        window.tabs.listed.connect(window.list_tabs)
        window.header.documents.picked.connect(lambda index: window.tabs.show(window.tabs.all[index]))
        window.header.documents.close_asked.connect(lambda index: window.close_tab(window.tabs.all[index]))
        window.header.documents.tabMoved.connect(window.tabs.move)
        window.telling.failed.connect(window.failed)
        window.base_jobs.changed.connect(window.telling.job)
        window.base_jobs.failed.connect(lambda _job, error: window.show_error(error))
        window.base_jobs.crashed.connect(window.crashed)
        window.habits.crashes.suppressed.connect(window.status.show_message)
        window.habits.failed.connect(window.show_error)
        window.habits.cards_changed.connect(lambda: window.starting.refresh(anew=True))
        window.recents.file_asked.connect(window.open)
        window.recents.changed.connect(window.keeping.save)
        window.recents.changed.connect(window.starting.refresh)
        preferences = window.preferences
        preferences.look_changed.connect(window.restyle)
        preferences.words_changed.connect(window.reword)
        preferences.canvas_changed.connect(lambda: window.tabs.set_up(window.settings))
        preferences.autosave_changed.connect(window.habits.set_autosave)
        preferences.layout_changed.connect(window.tabs.redraw)
        window.status.cancel_asked.connect(window.telling.cancel_job)

    def _new_tab(self) -> ModelTab:
        window, settings = self._window, self._window.settings
        choice = Choice(settings.platform, settings.toolchain or None, None, Flow(settings.flow))
        bench, self.bench = self.bench or Workbench(self._ring), None
        return ModelTab(window.service, choice, bench, window)

    def _adopt(self, tab: ModelTab) -> None:
        """Listen to a new tab; what another tab than the current one tells is not shown."""
        window = self._window

        def shown(show: Callable[[], None]) -> Callable[[], None]:
            def call() -> None:
                if window.tabs.current is tab:
                    show()

            return call

        document, bench = tab.document, tab.bench
        document.opened.connect(lambda: window.model_opened(tab))
        document.saved.connect(lambda path: window.telling.saved(tab, path))
        tab.whole.written.connect(lambda names: window.telling.saved(tab, names))
        document.failed.connect(lambda error: window.telling.failure(tab, error))
        document.placement_changed.connect(shown(window.telling.facts))
        document.picture_changed.connect(shown(window.telling.facts))
        document.proposal_changed.connect(shown(window.update_actions))
        tab.controller.state_changed.connect(shown(window.update_actions))
        tab.controller.sizes_asked.connect(tab.files.ask_sizes)
        tab.controller.menu.overriding.told.connect(lambda text: window.tell(tab, text))
        tab.changed.connect(shown(window.tab_changed))
        tab.jobs.changed.connect(shown(window.telling.job))
        tab.jobs.failed.connect(lambda _job, error: window.show_error(error))
        tab.jobs.crashed.connect(window.crashed)
        window.quick.adopt(tab)
        bench.target_bar.addAction(window.actions_["view.compare"])
        bench.target_bar.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        bench.target_bar.choice_changed.connect(window.choice_changed)
        bench.start.open_asked.connect(window.commands.ask_open)
        bench.start.file_asked.connect(window.open)
        bench.start.clear_asked.connect(window.recents.clear)
        bench.start.cards = window.habits.cards
        bench.start.platform_asked.connect(lambda platform: window.starting.choose(tab, platform))
        tab.set_up(window.settings)
        if not window.base_jobs.is_running("catalog"):
            bench.target_bar.set_catalog(window.service.catalog, document.choice)
        bench.target_bar.compare_asked.connect(window.actions_["view.compare"].trigger)
        window.buttons[tab] = {"rewrite.verify": bench.target_bar.verify, "file.save_as": bench.target_bar.save}
        for name, action_button in window.buttons[tab].items():
            action_button.clicked.connect(window.actions_[name].trigger)
        document.destroyed.connect(lambda: window.buttons.pop(tab, None))

    def take_catalog(self, catalog: Catalog) -> None:
        """Offer the platforms of *catalog*, and open what waited for them."""
        for tab in self._window.tabs.all:
            tab.bench.target_bar.set_catalog(catalog, tab.document.choice)
        self._window.starting.refresh()
        self._window.open_pending()
