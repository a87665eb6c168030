"""`Workbench`: all parts of the window and how they share its space. It knows no document."""

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QStackedWidget, QTabBar, QTabWidget, QToolButton, QVBoxLayout, QWidget

from inspector.gui.canvas.view import GraphView
from inspector.gui.columns import Columns, Mode
from inspector.gui.icons import icon
from inspector.gui.look import look
from inspector.gui.panel_layout import Part
from inspector.gui.panels.banners import Banners
from inspector.gui.panels.breadcrumb import Breadcrumb
from inspector.gui.panels.diff import DiffPanel
from inspector.gui.panels.explain import ExplainPanel, Identity
from inspector.gui.panels.fixes import FixesPage
from inspector.gui.panels.history import HistoryPanel
from inspector.gui.panels.log import LogPanel
from inspector.gui.panels.node import NodePanel
from inspector.gui.panels.nodes import NodesPanel
from inspector.gui.panels.outline import OutlinePanel
from inspector.gui.panels.preview import PreviewView
from inspector.gui.panels.problems import ProblemsPanel
from inspector.gui.panels.rail import Rail
from inspector.gui.panels.rewrite import RewritePanel
from inspector.gui.panels.search import SearchPanel
from inspector.gui.panels.several import SeveralPanel
from inspector.gui.panels.start import StartPage
from inspector.gui.panels.summary import SummaryPanel
from inspector.gui.panels.target_bar import TargetBar
from inspector.gui.theme import Size
from inspector.log import Ring

_BEFORE_COUNT = "  "
"""Stands between the title of a tab and its count."""


class Workbench(QWidget):
    """Target bar on top; problems, canvas and inspector side by side; tables below the canvas.

    Attributes:
        columns: how these share the room.
    """

    def __init__(self, ring: Ring, start: StartPage | None = None, *, gradually: bool = False) -> None:
        """Make all parts, showing the start page.

        Args:
            ring: records for the log panel.
            start: a start page that is there already.
            gradually: leave the parts to `make`.
        """
        super().__init__()
        self.start = start or StartPage()
        if not gradually:
            for _part in self.make(ring):
                pass

    def make(self, ring: Ring) -> Iterator[None]:
        """Make the parts, a few milliseconds at a time; call it once, and go through it to the end."""
        self.target_bar = TargetBar()
        yield
        self.problems, self.search = ProblemsPanel(), SearchPanel()
        yield
        self.outline = OutlinePanel()
        yield
        self.left, self.rail = _tabs(), Rail()
        yield
        self.graph, self.preview = GraphView(), PreviewView()
        self._waiting = QWidget()
        self._waiting.setProperty("role", "ground")
        self._waiting.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        yield
        self.breadcrumb, self.banners = Breadcrumb(), Banners()
        self.pages = QStackedWidget()
        self.identity = Identity()
        yield
        self.explain, self.node, self.fixes = ExplainPanel(), NodePanel(), FixesPage()
        self.rewrite, self.summary, self.several = RewritePanel(), SummaryPanel(), SeveralPanel()
        self.inspector_tabs = _tabs()
        self.inspector_pages = QStackedWidget()
        yield
        self.nodes = NodesPanel()
        yield
        self.diff = DiffPanel()
        yield
        self.history, self.log = HistoryPanel(), LogPanel(ring)
        self.bottom = _tabs()
        self.right = QWidget()
        self._close_bottom = QToolButton()
        yield
        self._build()
        yield
        self.retranslate()

    def _build(self) -> None:
        groups: tuple[tuple[QTabWidget, tuple[QWidget, ...]], ...] = (
            (self.left, (self.problems, self.outline, self.search)),
            (self.inspector_tabs, (self.rewrite, self.explain, self.node, self.fixes)),
            (self.bottom, (self.nodes, self.diff, self.history, self.log)),
        )
        for tabs, panels in groups:
            for panel in panels:
                tabs.addTab(panel, "")
        canvas, ground = QWidget(), QWidget()
        _stack(ground, (self.pages, 1))
        _stack(canvas, (self.breadcrumb, 0), (self.banners, 0), (ground, 1))
        for page in (self._waiting, self.graph, self.preview):
            self.pages.addWidget(page)
        for inspected in (self.summary, self.several, self.inspector_tabs):
            self.inspector_pages.addWidget(inspected)
        _stack(self.right, (self.identity, 0), (self.inspector_pages, 1))
        self.right.setProperty("role", "inspector")
        self.right.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        parts = {Part.LEFT: self.left, Part.RIGHT: self.right, Part.BOTTOM: self.bottom}
        self.columns = Columns(parts, self.rail, canvas, ground)
        _stack(self, (self.target_bar, 0), (self.columns, 1))
        self.inspector_tabs.setTabVisible(0, False)
        self.bottom.setCornerWidget(self._close_bottom)
        self._connect()
        if self.start.parentWidget() is None:
            self.take_start()

    def take_start(self) -> None:
        """Show the start page here; until then it may stand somewhere else."""
        self.pages.insertWidget(0, self.start)
        self.show_empty()

    def _connect(self) -> None:
        self.rail.asked.connect(self._rail_asked)
        self.columns.covered.connect(self.graph.set_covered)
        self.breadcrumb.segments.toggled.connect(self.graph.set_segments_shown)
        self.breadcrumb.shapes.toggled.connect(self.graph.set_shapes_shown)
        self._close_bottom.clicked.connect(lambda: self.columns.show_part(Part.BOTTOM, False))
        self.bottom.tabBar().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A double click on the tabs below the canvas gives them its room, or gives it back."""
        if watched is self.bottom.tabBar() and event.type() == QEvent.Type.MouseButtonDblClick:
            self.columns.maximise(not self.columns.is_maximised)
            return True
        return False

    def retranslate(self) -> None:
        """Set all fixed texts in the current language and the theme's colours."""
        for panel in (
            self.target_bar,
            self.rail,
            self.problems,
            self.outline,
            self.search,
            self.breadcrumb,
            self.banners,
        ):
            panel.retranslate()
        for page in (self.preview, self.nodes, self.diff, self.log):
            page.retranslate()
        self._close_bottom.setIcon(icon("x"))
        self._close_bottom.setIconSize(QSize(Size.ICON, Size.ICON))
        self._close_bottom.setFixedSize(Size.CONTROL, Size.CONTROL)
        self._close_bottom.setToolTip(self.tr("Close the panel"))
        self._close_bottom.setAccessibleName(self.tr("Close the panel"))
        self.graph.set_theme(look())
        self.graph.setAccessibleName(self.tr("Graph"))
        titles: tuple[tuple[QTabWidget, QWidget, str], ...] = (
            (self.left, self.problems, self.tr("Problems")),
            (self.left, self.outline, self.tr("Outline")),
            (self.left, self.search, self.tr("Search")),
            (self.inspector_tabs, self.rewrite, self.tr("Rewrite")),
            (self.inspector_tabs, self.explain, self.tr("Explain")),
            (self.inspector_tabs, self.node, self.tr("Node")),
            (self.inspector_tabs, self.fixes, self.tr("Fixes")),
            (self.bottom, self.nodes, self.tr("Nodes")),
            (self.bottom, self.diff, self.tr("Numerical diff")),
            (self.bottom, self.history, self.tr("History")),
            (self.bottom, self.log, self.tr("Log")),
        )
        for tabs, tab, title in titles:
            index = tabs.indexOf(tab)
            _, between, count = tabs.tabText(index).partition(_BEFORE_COUNT)
            tabs.setTabText(index, title + between + count)
            tab.setAccessibleName(title)
        for part, name in (
            (self.left, self.tr("Left panel")),
            (self.inspector_tabs, self.tr("Inspector")),
            (self.bottom, self.tr("Bottom panel")),
            (self.start, self.tr("Start")),
            (self.summary, self.tr("Summary of the model")),
            (self.several, self.tr("Selected nodes")),
        ):
            part.setAccessibleName(name)

    def set_count(self, panel: QWidget, count: int) -> None:
        """Show *count* beside the title of a tab; 0 shows none."""
        for tabs in (self.left, self.inspector_tabs, self.bottom):
            index = tabs.indexOf(panel)
            if index >= 0:
                title = tabs.tabText(index).partition(_BEFORE_COUNT)[0]
                tabs.setTabText(index, f"{title}{_BEFORE_COUNT}{count}" if count else title)

    def open(self, page: QWidget) -> None:
        """Bring a page of the left or the bottom panel to the front, opening the panel if it is closed."""
        for part, tabs in ((Part.LEFT, self.left), (Part.BOTTOM, self.bottom)):
            if tabs.indexOf(page) >= 0:
                self.columns.show_part(part, True)
                tabs.setCurrentWidget(page)

    def show_empty(self) -> None:
        """The start page alone."""
        self.pages.setCurrentWidget(self.start)
        self.breadcrumb.hide()
        self.columns.set_mode(Mode.EMPTY)

    def forget(self) -> None:
        """Let go of the model; wrappers of deleted views may outlive their views."""
        self.outline.model.show(None, "")
        self.outline.set_index(None)
        self.nodes.model.show(None, None)
        self.nodes.set_index(None)

    def show_loading(self) -> None:
        """An empty canvas, on which a model will be drawn."""
        self.show_empty()
        self.pages.setCurrentWidget(self._waiting)

    def show_model(self) -> None:
        """The canvas with the panels that the user wants."""
        if self.pages.currentWidget() is not self.preview:
            self.pages.setCurrentWidget(self.graph)
            self.breadcrumb.show()
            self.columns.set_mode(Mode.MODEL)

    def show_preview(self, on: bool) -> None:
        """Switch between the canvas and the two panes of a preview."""
        if on == (self.pages.currentWidget() is self.preview):
            return
        self.pages.setCurrentWidget(self.preview if on else self.graph)
        tabs = self.inspector_tabs
        tabs.setTabVisible(tabs.indexOf(self.rewrite), on)
        tabs.setTabVisible(tabs.indexOf(self.fixes), not on)
        tabs.setCurrentWidget(self.rewrite if on else self.explain)
        if on:
            self.bottom.setCurrentWidget(self.diff)
        self.breadcrumb.setVisible(not on)
        self.columns.set_mode(Mode.PREVIEW if on else Mode.MODEL)

    def _rail_asked(self, name: str) -> None:
        pages = {"problems": self.problems, "outline": self.outline, "search": self.search, "history": self.history}
        self.open(pages[name])
        pages[name].setFocus()


def _tabs() -> QTabWidget:
    made = QTabWidget()
    made.setDocumentMode(True)
    made.setProperty("role", "panel")
    made.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    bar: QTabBar = made.tabBar()
    bar.setDrawBase(False)
    bar.setExpanding(False)
    bar.setUsesScrollButtons(False)
    bar.setElideMode(Qt.TextElideMode.ElideRight)
    return made


def _stack(parent: QWidget, *parts: tuple[QWidget, int]) -> None:
    column = QVBoxLayout(parent)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for widget, stretch in parts:
        column.addWidget(widget, stretch)
