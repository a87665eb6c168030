"""Telling assistive technology what happened without a change of focus: a verdict, a finished job, a choice."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent


def announce(source: QObject, text: str) -> None:
    """Let a screen reader say *text*, which is about *source*; nothing happens where none listens."""
    if text:
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(source, text))
