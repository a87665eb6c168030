"""The focus ring: whatever can have the focus shows that it has it, in every theme."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget

from inspector.gui.dialogs.settings import SettingsDialog
from inspector.gui.look import apply_look, look
from inspector.gui.theme import colour
from inspector.settings import Settings

LEAST_PIXELS = 24
"""Of a ring that somebody can see: about half of that around a checkbox."""


def focusable(root):
    """Visible, enabled widgets under *root* that Tab reaches."""
    return [
        widget
        for widget in root.findChildren(QWidget)
        if widget.isVisible() and widget.isEnabled() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.focusProxy() is None and widget.width() > 1 and widget.height() > 1
    ]  # fmt: skip


def turned(before, after):
    """How many pixels took one of the colours of the ring between two pictures."""
    one, other = (pixels(image) for image in (before, after))
    ring = np.isin(other, [colour(token).rgb() & 0xFFFFFF for token in (look().accent, look().on_accent)])
    return int((ring & (one != other)).sum())


def pixels(image):
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(image.constBits(), dtype=np.uint32).reshape(image.height(), -1) & 0xFFFFFF


def shows_focus(widget):
    """Whether the picture of *widget* gains a ring when it gets the focus by the keyboard."""
    if QApplication.focusWidget() is not None:
        QApplication.focusWidget().clearFocus()
    QApplication.processEvents()
    before = picture(widget)
    widget.setFocus(Qt.FocusReason.TabFocusReason)
    QApplication.processEvents()
    return widget.hasFocus() and turned(before, picture(widget)) >= LEAST_PIXELS


def picture(widget):
    area = widget.rect()
    if isinstance(widget, QAbstractScrollArea) or area.width() * area.height() > 40_000:
        area = area.adjusted(0, 0, -max(0, area.width() - 400), -max(0, area.height() - 100))
    return widget.grab(area).toImage()


@pytest.mark.parametrize("theme", ["light", "dark", "contrast-light", "contrast-dark"])
def test_every_control_of_the_settings_shows_the_focus(qtbot, theme):
    apply_look(theme, 100, system_fonts=False)
    try:
        dialog = SettingsDialog(Settings())
        qtbot.addWidget(dialog)
        dialog.show()
        dialog.activateWindow()
        qtbot.waitUntil(dialog.isActiveWindow)
        dark = [type(widget).__name__ for widget in focusable(dialog) if not shows_focus(widget)]
        assert "; ".join(dark) == ""
    finally:
        apply_look("light", 100, system_fonts=False)


@pytest.mark.parametrize("state", ["start", "model", "preview"])
def test_everything_that_tab_reaches_in_the_window_shows_the_focus(desk, state):
    desk.window.activateWindow()
    desk.bot.waitUntil(desk.window.isActiveWindow)
    if state != "start":
        desk.open()
        desk.document.select(desk.node("ConvTranspose").id)
        desk.idle()
    if state == "preview":
        desk.preview("convtranspose3d-to-2d")
    widgets = focusable(desk.window)
    assert len(widgets) > 5
    unseen = [
        f"{type(widget).__name__} {widget.accessibleName() or getattr(widget, 'text', str)()}"
        for widget in widgets
        if widget.isVisible() and not shows_focus(widget)
    ]
    assert "; ".join(unseen) == ""
