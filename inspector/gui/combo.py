"""`ComboBox`: the combo box of the window. Apart from `widgets`, because the style classes of it load slowly."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter, QWidget

from inspector.gui.look import look
from inspector.gui.theme import Space, Stroke, colour


class ComboBox(QComboBox):
    """A combo box as wide as its widest entry, with a chevron drawn in the text colour."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make an empty box."""
        super().__init__(parent)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)

    @property
    def shown_text(self) -> str:
        """What stands in the closed box."""
        return self.currentText()

    @property
    def text_room(self) -> int:
        """Width in pixels that the style leaves for that text."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        field = QStyle.SubControl.SC_ComboBoxEditField
        return self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, self).width()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the box with its text cut where it does not fit, then the chevron."""
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        cut = Qt.TextElideMode.ElideRight
        option.currentText = self.fontMetrics().elidedText(self.shown_text, cut, self.text_room)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colour(look().text2), Stroke.THIN))
        centre = QPointF(self.width() - Space.M, self.height() / 2)
        reach = QPointF(Space.XS, Space.XS / 2)
        below = centre + QPointF(0, reach.y())
        painter.drawPolyline(QPolygonF([centre - reach, below, centre + QPointF(reach.x(), -reach.y())]))
        painter.end()
