"""A real window on a real worker, for stories through real widgets."""

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from inspector.gui.app import application
from inspector.gui.i18n import Languages
from inspector.gui.look import apply_look, apply_theme
from tests.gui.window import Desk, SharedService


@pytest.fixture(autouse=True)
def _no_window_stays():
    """Delete the windows that a test leaves: each later change of look would go through all their widgets."""
    before = set(QApplication.topLevelWidgets())
    yield
    for window in QApplication.topLevelWidgets():
        if window.parent() is None and window not in before:
            window.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture(scope="session")
def service():
    """Tables and worker, shared by all windows."""
    made = SharedService()
    yield made
    made.client.close()


@pytest.fixture
def desk(qtbot, service):
    """A window in English, light theme, without animations; closed at the end with nothing left running."""
    languages = Languages(application())
    languages.use("en")
    apply_theme("light")
    made = Desk(qtbot, languages, service)
    yield made
    made.close()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # what follows goes through all widgets there are
    languages.use("en")
    apply_look("light", 100, system_fonts=False)
