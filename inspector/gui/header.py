"""`Header`: the bar at the top of the window, with the document tabs."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from inspector.gui.document_tabs import DocumentTabs, TabText
from inspector.gui.theme import Size, Space


class Header(QWidget):
    """The bar over the target bar.

    Attributes:
        documents: the strip of tabs.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make a bar without tabs."""
        super().__init__(parent)
        self.setProperty("role", "bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(Size.HEADER)
        self.documents = DocumentTabs()
        line = QHBoxLayout(self)
        line.setContentsMargins(Space.M, 0, Space.M, 0)
        line.setSpacing(Space.S)
        line.addWidget(self.documents, 1)

    def show_tabs(self, texts: Sequence[TabText], current: int) -> None:
        """Show these document tabs, the one at *current* in front."""
        self.documents.show_tabs(texts, current)

    def retranslate(self) -> None:
        """Set the fixed texts in the current language."""
        self.documents.retranslate()
