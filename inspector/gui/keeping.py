"""`Keeping`: what the window remembers from one run to the next: settings, its place on the screen, its panels."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMainWindow

from inspector.errors import InspectorError
from inspector.gui.arranging import Arranging
from inspector.gui.i18n import language
from inspector.gui.placing import GEOMETRY, store
from inspector.gui.preferences import Preferences
from inspector.gui.service import Choice
from inspector.settings import save_settings


class Keeping(QObject):
    """Writes settings and geometry down, and brings the geometry back.

    Attributes:
        enabled: whether anything is written; off for pictures and tests.
    """

    def __init__(
        self, window: QMainWindow, preferences: Preferences, arranging: Arranging, tell: Callable[[str], object]
    ) -> None:
        """Keep the place of *window*, its *preferences* and *arranging*; *tell* shows what went wrong."""
        super().__init__(window)
        self._window, self._preferences, self._arranging, self._tell = window, preferences, arranging, tell
        self.enabled = True

    def choice(self, choice: Choice) -> None:
        """Start with *choice* the next time; written when the window closes."""
        self._preferences.settings = replace(
            self._preferences.settings,
            platform=choice.platform,
            toolchain=choice.toolchain or "",
            flow=choice.flow.value,
        )

    def save(self) -> None:
        """Write everything down."""
        if not self.enabled:
            return
        kept = store()
        kept.setValue(GEOMETRY, self._window.saveGeometry())
        self._arranging.keep(kept)
        try:
            save_settings(self._preferences.settings)
        except InspectorError as error:
            self._tell(error.text(language()))

    def restore(self, *, afresh: bool = False) -> None:
        """Give the panels the arrangement that they had when the window was last closed; *afresh* leaves them."""
        if not afresh:
            self._arranging.restore(store())
