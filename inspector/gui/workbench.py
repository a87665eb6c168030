"""`Workbench`: all parts of the window and how they share its space. It knows no document."""

from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QSplitter, QStackedWidget, QTabBar, QTabWidget, QVBoxLayout, QWidget

from inspector.gui.canvas.view import GraphView
from inspector.gui.look import look
from inspector.gui.panels.banners import Banners
from inspector.gui.panels.diff import DiffPanel
from inspector.gui.panels.explain import ExplainPanel, Identity
from inspector.gui.panels.fixes import FixesPage
from inspector.gui.panels.history import HistoryPanel
from inspector.gui.panels.log import LogPanel
from inspector.gui.panels.node import NodePanel
from inspector.gui.panels.nodes import NodesPanel
from inspector.gui.panels.preview import PreviewView
from inspector.gui.panels.problems import ProblemsPanel
from inspector.gui.panels.rewrite import RewritePanel
from inspector.gui.panels.search import SearchPanel
from inspector.gui.panels.start import StartPage
from inspector.gui.panels.summary import SummaryPanel
from inspector.gui.panels.target_bar import TargetBar
from inspector.gui.theme import Size
from inspector.log import Ring


@dataclass(frozen=True, slots=True)
class PanelSizes:
    """What the user gave the panels by dragging: widths of the left one and the inspector, height of the bottom."""

    left: int
    right: int
    bottom: int


class Workbench(QWidget):
    """Target bar on top; problems, canvas and inspector side by side; tables below the canvas.

    Attributes:
        panel_sizes: the sizes of the panels, also of those that are hidden, as long as no preview is open.

    Signals:
        panels_resized: the user dragged a border; `panel_sizes` has the new sizes.
    """

    panels_resized = Signal()

    def __init__(self, ring: Ring, parent: QWidget | None = None) -> None:
        """Make all parts, showing the start page."""
        super().__init__(parent)
        self.target_bar = TargetBar()
        self.problems, self.search = ProblemsPanel(), SearchPanel()
        self.left = _tabs()
        self.start, self.graph, self.preview = StartPage(), GraphView(), PreviewView()
        self.banners = Banners()
        self.pages = QStackedWidget()
        self.identity = Identity()
        self.explain, self.node, self.fixes = ExplainPanel(), NodePanel(), FixesPage()
        self.rewrite, self.summary = RewritePanel(), SummaryPanel()
        self.inspector_tabs = _tabs()
        self.inspector_pages = QStackedWidget()
        self.nodes, self.diff = NodesPanel(), DiffPanel()
        self.history, self.log = HistoryPanel(), LogPanel(ring)
        self.bottom = _tabs()
        self.right = QWidget()
        self._left_shown = True
        self.panel_sizes = PanelSizes(Size.LEFT, Size.INSPECTOR, Size.BOTTOM)
        self._columns = QSplitter(Qt.Orientation.Horizontal)
        self._rows = QSplitter(Qt.Orientation.Vertical)
        self._build()
        self.retranslate()

    def _build(self) -> None:
        groups: tuple[tuple[QTabWidget, tuple[QWidget, ...]], ...] = (
            (self.left, (self.problems, self.search)),
            (self.inspector_tabs, (self.rewrite, self.explain, self.node, self.fixes)),
            (self.bottom, (self.nodes, self.diff, self.history, self.log)),
        )
        for tabs, panels in groups:
            for panel in panels:
                tabs.addTab(panel, "")
        canvas = QWidget()
        canvas.setMinimumSize(QSize(Size.CANVAS_MIN_WIDTH, Size.CANVAS_MIN_HEIGHT))
        _stack(canvas, (self.banners, 0), (self.pages, 1))
        for page in (self.start, self.graph, self.preview):
            self.pages.addWidget(page)
        self.inspector_pages.addWidget(self.summary)
        self.inspector_pages.addWidget(self.inspector_tabs)
        _stack(self.right, (self.identity, 0), (self.inspector_pages, 1))
        self.right.setProperty("role", "panel")
        self.right.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._rows.addWidget(canvas)
        self._rows.addWidget(self.bottom)
        for widget in (self.left, self._rows, self.right):
            self._columns.addWidget(widget)
        self._columns.setStretchFactor(1, 1)
        self._rows.setStretchFactor(0, 1)
        self._columns.setSizes([Size.LEFT, Size.WINDOW_WIDTH - Size.LEFT - Size.INSPECTOR, Size.INSPECTOR])
        self._rows.setSizes([Size.WINDOW_HEIGHT - Size.BOTTOM, Size.BOTTOM])
        self.left.setMinimumWidth(Size.LEFT_MIN)
        self.right.setMinimumWidth(Size.INSPECTOR_MIN)
        self.bottom.setMinimumHeight(Size.BOTTOM_MIN)
        for splitter in (self._columns, self._rows):
            splitter.setChildrenCollapsible(False)
            splitter.splitterMoved.connect(lambda *_: self._dragged())
        _stack(self, (self.target_bar, 0), (self._columns, 1))
        self.inspector_tabs.setTabVisible(0, False)
        self.show_empty()

    def retranslate(self) -> None:
        """Set all fixed texts in the current language and the theme's colours."""
        for panel in (self.target_bar, self.problems, self.search, self.preview, self.nodes, self.diff, self.log):
            panel.retranslate()
        self.graph.set_theme(look())
        self.graph.setAccessibleName(self.tr("Graph"))
        titles: tuple[tuple[QTabWidget, QWidget, str], ...] = (
            (self.left, self.problems, self.tr("Problems")),
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
        for tabs, page, title in titles:
            tabs.setTabText(tabs.indexOf(page), title)

    def set_count(self, panel: QWidget, count: int) -> None:
        """Show *count* beside the title of a tab; 0 shows none."""
        for tabs in (self.left, self.inspector_tabs, self.bottom):
            index = tabs.indexOf(panel)
            if index >= 0:
                title = tabs.tabText(index).partition("  ")[0]
                tabs.setTabText(index, f"{title}  {count}" if count else title)

    def show_empty(self) -> None:
        """The start page alone."""
        self.pages.setCurrentWidget(self.start)
        for widget in (self.left, self.right, self.bottom):
            widget.hide()

    def show_model(self, *, left: bool, right: bool, bottom: bool) -> None:
        """The canvas with the panels that the user wants."""
        if self.pages.currentWidget() is self.start:
            self.pages.setCurrentWidget(self.graph)
        self.left.setVisible(left)
        self.right.setVisible(right)
        self.bottom.setVisible(bottom)

    def set_panel_sizes(self, sizes: PanelSizes) -> None:
        """Give the panels the *sizes* that the user gave them in another tab."""
        self.panel_sizes = sizes
        width, height = max(sum(self._columns.sizes()), 1), max(sum(self._rows.sizes()), 1)
        self._columns.setSizes([sizes.left, width - sizes.left - sizes.right, sizes.right])
        if self.pages.currentWidget() is not self.preview:
            self._rows.setSizes([height - sizes.bottom, sizes.bottom])

    def drag_panels(self, *, left: int, right: int) -> None:
        """Do as if the user dragged the borders of the left panel and the inspector to these widths."""
        width = sum(self._columns.sizes())
        self._columns.setSizes([left, width - left - right, right])
        self._dragged()

    def _dragged(self) -> None:
        (left, _, right), (_, bottom), known = self._columns.sizes(), self._rows.sizes(), self.panel_sizes
        if self.pages.currentWidget() is self.preview:
            bottom = 0
        self.panel_sizes = PanelSizes(left or known.left, right or known.right, bottom or known.bottom)
        self.panels_resized.emit()

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
            self._left_shown = self.left.isVisibleTo(self)
        self.left.setVisible(not on and self._left_shown)
        if on:
            self.bottom.setCurrentWidget(self.diff)
        total = sum(self._rows.sizes()) or Size.WINDOW_HEIGHT
        wanted = Size.BOTTOM_PREVIEW if on else self.panel_sizes.bottom
        self._rows.setSizes([total - wanted, wanted])


def _tabs() -> QTabWidget:
    made = QTabWidget()
    made.setDocumentMode(True)
    made.setProperty("role", "panel")
    made.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    bar: QTabBar = made.tabBar()
    bar.setDrawBase(False)
    bar.setExpanding(False)
    return made


def _stack(parent: QWidget, *parts: tuple[QWidget, int]) -> None:
    column = QVBoxLayout(parent)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for widget, stretch in parts:
        column.addWidget(widget, stretch)
