"""Where the window stands: brought back from one run to the next, within the screens that there are."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSettings, QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow, QWidget

from inspector.gui.theme import Size

GEOMETRY = "geometry"

_SHARE = 0.85
"""Share of the screen that a window takes at first where its usual size is too large."""


def store() -> QSettings:
    """What is kept of the window itself."""
    return QSettings("bpu-graph-inspector", "window")


def first_size(window: QWidget) -> QSize:
    """Size of *window* before it was ever closed: the usual one, or a share of a smaller screen."""
    usual = QSize(Size.WINDOW_WIDTH, Size.WINDOW_HEIGHT)
    room = window.screen().availableGeometry().size()
    fits = room.width() >= usual.width() and room.height() >= usual.height()
    return usual if fits else room * _SHARE


def restore_place(window: QMainWindow, *, afresh: bool = False) -> None:
    """Give *window* the place that it had when it was last closed; *afresh* the one before it was ever closed."""
    geometry = None if afresh else store().value(GEOMETRY)
    if geometry is None:
        window.resize(first_size(window))
    else:
        window.restoreGeometry(geometry)


def pull_on_screen(window: QWidget, screens: Sequence[QRect] | None = None) -> None:
    """Move *window* onto a screen when its title cannot be reached, as after a monitor was unplugged.

    *screens* are the areas windows may use; those of the system when None.
    """
    if screens is None:
        screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    frame = window.frameGeometry()
    grip = QRect(frame.left(), frame.top(), frame.width(), max(frame.height() // 10, 1))
    if not screens or any(_reachable(screen.intersected(grip), grip) for screen in screens):
        return
    area = screens[0]
    size = window.size().boundedTo(area.size())
    window.resize(size)
    window.move(area.center().x() - size.width() // 2, area.center().y() - size.height() // 2)


def _reachable(seen: QRect, grip: QRect) -> bool:
    return seen.width() * 4 >= grip.width() and seen.height() * 2 >= grip.height()
