"""`Quick`: palette, cheat sheet, keys that lead through panels and graph, and what is announced, for one window."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings, Qt
from PySide6.QtWidgets import QApplication, QWidget

from inspector.gui import pinyin
from inspector.gui.announce import Announcer
from inspector.gui.canvas.travel import Way
from inspector.gui.canvas.view import GraphView
from inspector.gui.dialogs.clause import ClauseDialog
from inspector.gui.dialogs.keys import CheatSheet
from inspector.gui.i18n import language
from inspector.gui.jobs import JobContext
from inspector.gui.navigation import BOOKMARKS, Navigator
from inspector.gui.node_menu import NodeMenu
from inspector.gui.palette import CommandPalette
from inspector.gui.palette_entries import Entry, Kind, Titles
from inspector.gui.palette_search import Sources
from inspector.gui.palette_sources import clause_titles, command_titles, help_titles, target_titles
from inspector.gui.panel_focus import focus_next_panel
from inspector.gui.proof_watch import ProofWatch
from inspector.gui.service import Choice, Service

if TYPE_CHECKING:
    from inspector.gui.main_window import MainWindow
    from inspector.gui.model_tab import ModelTab

_MOST_RECENT = 12
"""Choices of the palette that come first the next time."""

_RECENT = "palette/recent"

_FROM_CANVAS = {"go.producer": Way.PRODUCER, "go.consumer": Way.CONSUMER, "go.left": Way.LEFT, "go.right": Way.RIGHT}


class Quick(QObject):
    """Acts on the current tab of its window.

    Attributes:
        palette: the command palette.
    """

    def __init__(self, window: "MainWindow") -> None:
        """Serve *window*, whose actions are made with `commands`."""
        super().__init__(window)
        self._window = window
        self.palette = CommandPalette(window)
        self.palette.chosen.connect(self._chosen)
        self._titles: dict[tuple[Kind, str], Titles] = {}
        self._recent: tuple[str, ...] | None = None

    def commands(self) -> dict[str, Callable[[], object]]:
        """Action id -> what it does, for the actions that this object serves."""
        window = self._window
        found: dict[str, Callable[[], object]] = {
            "view.palette": self.open_palette,
            "help.keys": self.show_keys,
            "edit.copy_name": lambda: self._menu.copying.name(),
            "edit.copy_row": lambda: self._menu.copying.row(),
            "edit.copy_attributes": lambda: self._menu.copying.attributes(),
            "edit.copy_yaml": lambda: self._menu.copying.yaml(),
            "edit.copy_info": self._copy_info,
            "edit.copy_picture": lambda: self._menu.copying.picture(self.canvas),
            "go.back": lambda: self._navigator.back(),
            "go.forward": lambda: self._navigator.forward(),
            "go.trace_up": lambda: self._navigator.trace(Way.PRODUCER),
            "go.trace_down": lambda: self._navigator.trace(Way.CONSUMER),
            "go.path": lambda: self._navigator.begin_path(),
            "go.end_trace": lambda: self._navigator.end(),
            "go.table": self._show_in_table,
            "go.canvas": self._show_on_canvas,
            "go.next_panel": lambda: self._cycle(1),
            "go.previous_panel": lambda: self._cycle(-1),
            "view.segments": lambda: window.bench.breadcrumb.segments.toggle(),
            "view.shapes": lambda: window.bench.breadcrumb.shapes.toggle(),
            "view.fit": lambda: self.canvas.fit(),
            "view.actual": lambda: self.canvas.actual_size(),
            "view.zoom_in": lambda: self.canvas.zoom_in(),
            "view.zoom_out": lambda: self.canvas.zoom_out(),
        }
        found |= {name: partial(self._travel, way) for name, way in _FROM_CANVAS.items()}
        for n in BOOKMARKS:
            found[f"go.bookmark_{n}"] = lambda n=n: window.controller.navigator.digit(n)  # type: ignore[misc]
            found[f"go.set_bookmark_{n}"] = lambda n=n: window.controller.navigator.set_bookmark(n)  # type: ignore[misc]
        return found

    def adopt(self, tab: "ModelTab") -> None:
        """Give the canvases of a new *tab* their keys and menus, and announce what happens in it."""
        window, bench, controller = self._window, tab.bench, tab.controller
        for view in (bench.graph, bench.preview.before, bench.preview.after):
            window.actions_.attach(view)
        controller.menu.actions = window.actions_
        bench.explain.clause_asked.connect(self.explain_clause)
        bench.diff.values.tools.failed.connect(tab.document.failed)
        ProofWatch(tab.document, tab.jobs, bench.diff, window.service, tab)
        for switch in (bench.breadcrumb.segments, bench.breadcrumb.shapes):
            switch.toggled.connect(lambda _on: self.follow())
        for source in (controller.navigator.told, controller.menu.copying.told):
            source.connect(partial(self._tell, tab))
        Announcer(tab.document, window.status, lambda: tab is window.tabs.current, tab)

    def follow(self) -> None:
        """Let the switches of the menu show those of the current tab."""
        crumbs = self._window.bench.breadcrumb
        for name, switch in (("view.segments", crumbs.segments), ("view.shapes", crumbs.shapes)):
            self._window.actions_[name].setChecked(switch.isChecked())

    def retranslate(self) -> None:
        """Take the language and the colours that the window has now."""
        self.palette.retranslate()
        self.palette.close_palette()

    @property
    def canvas(self) -> GraphView:
        """The canvas that keys and commands move: the one with the focus, else the first that is shown."""
        bench = self._window.bench
        focus = QApplication.focusWidget()
        if isinstance(focus, GraphView):
            return focus
        return bench.graph if self._window.document.proposal is None else bench.preview.before

    # Palette

    def open_palette(self, line: str = "") -> None:
        """Open the palette with *line* typed; clauses and targets follow as soon as the tables are read."""
        self.palette.open_under(self._anchor(), self._sources(), line)
        self._prepare_clauses()

    def _anchor(self) -> QWidget | None:
        return getattr(self._window.header, "command", None)

    def _sources(self) -> Sources:
        window, spoken = self._window, language()
        commands = self._kept(Kind.COMMAND, lambda: command_titles(window.actions_.specs))
        workspace, targets = window.document.workspace, None
        if not window.base_jobs.is_running("catalog"):
            targets = self._kept(Kind.TARGET, lambda: target_titles(window.service.catalog))
        return Sources(
            commands=commands.with_reasons(lambda entry: window.actions_.reason(entry.id)),
            clauses=self._titles.get((Kind.CLAUSE, spoken)),
            targets=targets,
            help=self._kept(Kind.HELP, help_titles),
            nodes=window.controller.titles if workspace is not None else None,
            placement=workspace.placement if workspace is not None else None,
            recent=self.recent,
        )

    @property
    def recent(self) -> tuple[str, ...]:
        """Ids of what was chosen in the palette lately, in earlier sessions too, newest first."""
        if self._recent is None:
            kept = _store().value(_RECENT) if self._window.keeps_settings else None
            self._recent = tuple(str(name) for name in kept)[:_MOST_RECENT] if isinstance(kept, list) else ()
        return self._recent

    def _remember(self, name: str) -> None:
        self._recent = (name, *(other for other in self.recent if other != name))[:_MOST_RECENT]
        if self._window.keeps_settings:
            _store().setValue(_RECENT, list(self._recent))

    def _kept(self, kind: Kind, make: Callable[[], Titles]) -> Titles:
        key = (kind, language())
        if key not in self._titles:
            self._titles[key] = make()
        return self._titles[key]

    def _prepare_clauses(self) -> None:
        window, key = self._window, (Kind.CLAUSE, language())
        if key in self._titles or window.base_jobs.is_running("clauses"):
            return

        def done(titles: Titles) -> None:
            self._titles[key] = titles
            self.palette.set_sources(self._sources())

        service = window.service
        title = self.tr("Reading the clauses")
        window.base_jobs.run(
            title, "clauses", lambda _context: clause_titles(service.catalog, key[1]), done, quiet=True
        )

    def _chosen(self, entry: Entry) -> None:
        if entry.kind is Kind.NODE and entry.node is not None:
            self._window.controller.go_to(entry.node)
            return
        self._remember(entry.id)
        if entry.kind is Kind.COMMAND:
            self._window.actions_[entry.id].trigger()
        elif entry.kind is Kind.CLAUSE:
            self.explain_clause(entry.id)
        elif entry.kind is Kind.TARGET:
            self._retarget(entry.id)

    def _retarget(self, name: str) -> None:
        """Choose the platform and version called *name*, `x5@1.2.8`, as a click in the target bar would."""
        window = self._window
        platform, _, version = name.partition("@")
        flows = window.service.catalog.platform(platform).flows
        flow = window.document.choice.flow if window.document.choice.flow in flows else flows[0]
        bar = window.bench.target_bar
        choice = Choice(platform, version or None, None, flow)
        bar.show_choice(choice)
        bar.choice_changed.emit(choice)

    def explain_clause(self, clause: str) -> None:
        """Show what the clause called *clause* says, and who says so."""
        window = self._window
        hits = tuple(hit for hit in window.service.catalog.clauses(clause) if hit.clause.id == clause)
        if not hits:
            return
        workspace = window.document.workspace
        failing = None
        if workspace is not None:
            verdicts = workspace.placement.verdicts.values()
            failing = sum(any(check.clause == clause for check in verdict.failed) for verdict in verdicts)
        dialog = ClauseDialog(hits, failing, window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.nodes_asked.connect(lambda: self._find(f"clause:{clause}"))
        dialog.open()

    def _find(self, line: str) -> None:
        self._window.actions_["edit.find"].trigger()
        self._window.bench.search.field.setText(line)

    def show_keys(self) -> None:
        """Show every command with its keys."""
        dialog = CheatSheet(self._window.actions_.specs, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    # Commands

    @property
    def _navigator(self) -> Navigator:
        return self._window.controller.navigator

    @property
    def _menu(self) -> NodeMenu:
        return self._window.controller.menu

    def _copy_info(self) -> None:
        document = self._window.document
        if document.selected is not None:
            self._menu.overriding.copy(document.choice.overrides.only(document.selected))

    def _travel(self, way: Way) -> None:
        self.canvas.travel(way)

    def _show_in_table(self) -> None:
        bench = self._window.bench
        bench.open(bench.nodes)
        bench.nodes.show_selected(self._window.document.selected)
        bench.nodes.table.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _show_on_canvas(self) -> None:
        selected = self._window.document.selected
        if selected is not None:
            self._window.controller.go_to(selected)
            self.canvas.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _cycle(self, step: int) -> None:
        """Give the focus to the next panel, or with *step* -1 to the one before."""
        focus_next_panel(self.panels, step)

    @property
    def panels(self) -> tuple[QWidget, ...]:
        """Header, target bar, left panel or its rail, canvas, inspector and bottom panel: the order of Tab and F6."""
        bench = self._window.bench
        canvas = bench.pages.parentWidget() or bench.pages
        return (self._window.header, bench.target_bar, bench.rail, bench.left, canvas, bench.right, bench.bottom)

    def _tell(self, tab: "ModelTab", text: str) -> None:
        self._window.tell(tab, text)


def _store() -> QSettings:
    return QSettings("bpu-graph-inspector", "window")


def _clauses(service: Service, spoken: str, _context: JobContext) -> Titles:
    pinyin.readings()  # read here, so that the first letter that is typed need not wait for it
    return clause_titles(service.catalog, spoken)
