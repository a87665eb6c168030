"""Keys that move the focus: F6 from panel to panel, to where it was in each, and Tab in reading order."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from inspector.gui.canvas.view import GraphView


def focus_next_panel(panels: Sequence[QWidget], step: int) -> None:
    """Give the focus to the next of *panels* that is shown, or with *step* -1 to the one before; wraps round."""
    usable = [panel for panel in panels if panel.isVisible() and entrance(panel) is not None]
    focus = QApplication.focusWidget()
    if not usable:
        return
    place = next((i for i, panel in enumerate(usable) if focus is not None and panel.isAncestorOf(focus)), None)
    goal = usable[(place + step) % len(usable)] if place is not None else usable[0]
    inner = goal.focusWidget()
    into = inner if inner is not None and inner is not goal and _takes_focus(inner) else entrance(goal)
    if into is not None:
        into.setFocus(Qt.FocusReason.ShortcutFocusReason)


def focus_next_widget(panels: Sequence[QWidget], step: int) -> bool:
    """Give the focus to what follows in the order of *panels*, or with *step* -1 to what comes before; wraps round.

    Inside a panel the order is Qt's own; False when the focus is in none of them, and then nothing happens.
    """
    focus = QApplication.focusWidget()
    usable = [widget for panel in panels if panel.isVisible() for widget in _usable(panel)]
    place = next((i for i, widget in enumerate(usable) if widget is focus), None)
    if place is None:
        return False
    reason = Qt.FocusReason.TabFocusReason if step > 0 else Qt.FocusReason.BacktabFocusReason
    usable[(place + step) % len(usable)].setFocus(reason)
    return True


def entrance(panel: QWidget) -> QWidget | None:
    """The canvas of *panel*, if it shows one, else the first thing in it that takes the focus; None if nothing does."""
    usable = list(_usable(panel))
    canvases = [widget for widget in usable if isinstance(widget, GraphView)]
    return next(iter(canvases or usable), None)


def _usable(panel: QWidget) -> Iterator[QWidget]:
    """The widgets inside *panel* that take the focus, in the order of the Tab key."""
    widget = panel.nextInFocusChain()
    while widget is not None and widget is not panel:
        if widget.isVisible() and panel.isAncestorOf(widget) and _takes_focus(widget):
            yield widget
        widget = widget.nextInFocusChain()


def _takes_focus(widget: QWidget) -> bool:
    by_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return by_tab and widget.isVisible() and widget.isEnabled()
