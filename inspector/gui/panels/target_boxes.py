"""The boxes of the target bar: platforms, marches, toolchain versions; a comparison is asked for in the same list."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QStyle, QStyleOptionComboBox, QWidget

from inspector.gui.combo import ComboBox
from inspector.gui.i18n import language
from inspector.gui.theme import Space
from inspector.placement.catalog import Platform
from inspector.placement.toolchains import Toolchain
from inspector.text import render

_SHORT = Qt.ItemDataRole.UserRole + 1
_COMPARE = "compare with"


class TargetBox(ComboBox):
    """A list of choices, as wide as their short texts, that ends with the way to a comparison.

    Signals:
        compare_asked: a comparison with another target is wanted.
        picked: the user chose another entry.
    """

    compare_asked = Signal()
    picked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make an empty box."""
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._last = -1
        self.activated.connect(self._activated)

    def offer(self, text: str, value: str, *, short: str = "", tip: str = "") -> None:
        """Add an entry: *text* in the list, *short* in the closed box if that is another, *value* as its data."""
        self.addItem(text, value)
        row = self.count() - 1
        self.setItemData(row, short or text, _SHORT)
        if tip:
            self.setItemData(row, tip, Qt.ItemDataRole.ToolTipRole)

    def offer_comparison(self, text: str) -> None:
        """Add the way to a comparison, called *text*, behind a line."""
        self.insertSeparator(self.count())
        self.addItem(text, _COMPARE)

    def choose(self, value: str) -> None:
        """Show the entry *value*, or the first one when there is none such, without telling anybody."""
        self.setCurrentIndex(max(self.findData(value), 0))
        self._last = self.currentIndex()

    @property
    def shown_text(self) -> str:
        """What stands in the closed box."""
        return str(self.currentData(_SHORT) or self.currentText())

    def sizeHint(self) -> QSize:
        """As wide as the widest short text."""
        texts = [str(self.itemData(row, _SHORT) or "") for row in range(self.count())]
        wide = max((self.fontMetrics().horizontalAdvance(text) for text in texts), default=0)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        contents = QSize(wide + Space.S, self.fontMetrics().height())
        return self.style().sizeFromContents(QStyle.ContentsType.CT_ComboBox, option, contents, self)

    def minimumSizeHint(self) -> QSize:
        """The same: a version that is cut may be taken for another."""
        return self.sizeHint()

    def showPopup(self) -> None:
        """Open the list as wide as its texts."""
        metrics = self.fontMetrics()
        wide = max((metrics.horizontalAdvance(self.itemText(row)) for row in range(self.count())), default=0)
        self.view().setMinimumWidth(max(wide + 3 * Space.L, self.width()))
        super().showPopup()

    def _activated(self, row: int) -> None:
        if self.itemData(row) == _COMPARE:
            self.setCurrentIndex(self._last)
            self.compare_asked.emit()
        else:
            self._last = row
            self.picked.emit()


def platform_text(platform: Platform) -> str:
    """`Journey 6P · nash-p` in the current language."""
    return f"{render(platform.title, language())} · {platform.marches[0]}"


def lender_of(toolchain: Toolchain, platform: Platform, march: str) -> Toolchain | None:
    """The version whose published table *toolchain* uses for lack of its own; None when there is no such version."""
    if toolchain.own_table:
        return None
    table = toolchain.tables.get(march)
    return next((other for other in platform.toolchains if other.own_table and other.tables.get(march) == table), None)
