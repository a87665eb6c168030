"""Breadcrumb bar over the canvas: model, scopes and node of what is selected, and the switches of the view."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QPushButton, QSizePolicy, QWidget

from inspector.gui.fonts import Role, font
from inspector.gui.icons import icon
from inspector.gui.theme import Size, Space
from inspector.gui.widgets import Elided, ElidedButton, label
from inspector.gui.words import plain_tip

_SEPARATOR = "›"
_HIDDEN = "…"


class Breadcrumb(QWidget):
    """Where the selection stands. Scopes that do not fit go into a menu behind `…`.

    Attributes:
        segments: switch of the tint that the nodes of a segment share.
        shapes: switch of the shapes on edges.
        sideways: switch of the direction that the graph is laid out in; whoever answers its click sets it.

    Signals:
        model_asked: the name of the model was clicked.
        scope_asked: a scope was clicked; its index.
    """

    model_asked = Signal()
    scope_asked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make an empty bar."""
        super().__init__(parent)
        self.setProperty("role", "bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._model = _crumb()
        self._model.clicked.connect(lambda: self.model_asked.emit())
        self._more = QPushButton(_HIDDEN)
        self._more.setProperty("role", "crumb")
        self._more.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._more.clicked.connect(lambda: self._show_hidden())
        self._node = Elided("", Role.TEXT)
        self._scopes: tuple[tuple[int, str], ...] = ()
        self._crumbs: list[tuple[QLabel, ElidedButton]] = []
        self._ends = (_separator(), _separator())
        self.segments, self.shapes, self.sideways = _toggle(), _toggle(), _toggle()
        self.sideways.setChecked(False)
        self._trail = QHBoxLayout()
        self._trail.setSpacing(0)
        line = QHBoxLayout(self)
        line.addLayout(self._trail, 1)
        for switch in self._switches:
            line.addWidget(switch)
        for widget in (self._model, self._ends[0], self._more, self._ends[1], self._node):
            self._trail.addWidget(widget)
        self._trail.setStretchFactor(self._node, 1)
        self.retranslate()

    def retranslate(self) -> None:
        """Set the fixed texts in the current language, and sizes and fonts of the current scale."""
        self.setFixedHeight(Size.BREADCRUMB)
        line = self.layout()
        if line is not None:
            line.setContentsMargins(Space.S, 0, Space.S, 0)
            line.setSpacing(Space.S)
        self._node.setFont(font(Role.TEXT, weight=600))
        self._more.setAccessibleName(self.tr("Scopes in between"))
        self._more.setToolTip(self.tr("Scopes in between"))
        self.segments.setText(self.tr("Segments"))
        self.segments.setToolTip(self.tr("Tint the nodes of a BPU segment"))
        self.shapes.setText(self.tr("Shapes"))
        self.shapes.setToolTip(self.tr("Write the shapes of tensors on the edges"))
        self.sideways.setIcon(icon("arrow-right"))
        self.sideways.setIconSize(QSize(Size.ICON, Size.ICON))
        self.sideways.setToolTip(self.tr("Lay the graph out from left to right"))
        self.sideways.setAccessibleName(self.tr("Lay the graph out from left to right"))
        self._fit()

    @property
    def _switches(self) -> tuple[QPushButton, ...]:
        return self.segments, self.shapes, self.sideways

    def show_path(self, model: str, scopes: Sequence[tuple[int, str]], node: str) -> None:
        """Show *model*, then *scopes* (index and name, outermost first), then *node*; empty without a selection."""
        self._model.show_text(model, self.tr("Select nothing: figures of the whole model"))
        if tuple(scopes) != self._scopes:
            self._scopes = tuple(scopes)
            self._make_crumbs()
        self._node.setText(node)
        self._node.setToolTip(plain_tip(node))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the scopes that do not fit."""
        super().resizeEvent(event)
        self._fit()

    def _make_crumbs(self) -> None:
        for pair in self._crumbs:
            for widget in pair:
                self._trail.removeWidget(widget)
                widget.hide()
                widget.deleteLater()
        self._crumbs = []
        place = self._trail.indexOf(self._ends[1])
        for scope, name in self._scopes:
            mark, crumb = _separator(), _crumb()
            crumb.show_text(name, self.tr("Select all nodes of this scope"))
            crumb.clicked.connect(partial(self.scope_asked.emit, scope))
            self._trail.insertWidget(place, mark)
            self._trail.insertWidget(place + 1, crumb)
            place += 2
            self._crumbs.append((mark, crumb))

    def _fit(self) -> None:
        """Hide the outermost scopes until the rest fits; the innermost and the node stay."""
        self._ends[1].setVisible(bool(self._node.text()))
        taken = sum(switch.sizeHint().width() + Space.S for switch in self._switches) + 2 * Space.S
        room = self.width() - taken - self._model.sizeHint().width() - self._ends[1].sizeHint().width()
        room -= min(self._node.fontMetrics().horizontalAdvance(self._node.text()), room // 2)
        wide = [sum(widget.sizeHint().width() for widget in pair) for pair in self._crumbs]
        hidden = 0
        while hidden < len(wide) - 1 and sum(wide[hidden:]) + (self._more.sizeHint().width() if hidden else 0) > room:
            hidden += 1
        for number, pair in enumerate(self._crumbs):
            for widget in pair:
                widget.setVisible(number >= hidden)
        self._ends[0].setVisible(hidden > 0)
        self._more.setVisible(hidden > 0)

    def _show_hidden(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for (scope, name), (_, crumb) in zip(self._scopes, self._crumbs, strict=True):
            if crumb.isHidden():
                menu.addAction(name.replace("&", "&&"), partial(self.scope_asked.emit, scope))
        menu.popup(self._more.mapToGlobal(self._more.rect().bottomLeft()))


def _crumb() -> ElidedButton:
    return ElidedButton(role="crumb")


def _separator() -> QLabel:
    made = label(_SEPARATOR, tone="third")
    made.setContentsMargins(Space.XS, 0, Space.XS, 0)
    made.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
    return made


def _toggle() -> QPushButton:
    made = QPushButton()
    made.setCheckable(True)
    made.setChecked(True)
    made.setProperty("role", "toggle")
    made.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
    return made
