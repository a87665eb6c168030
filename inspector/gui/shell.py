"""`Shell`: what the first picture of a window needs, and nothing else: header, start page, status bar.

Whatever a model needs is neither imported nor made before that picture is on the screen. `Shell.begin` gets it ready
behind the picture, `Shell.finish` at once; an attribute that is not made yet is made when somebody asks for it.
"""

import sys
from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages
from time import monotonic
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QPaintEvent
from PySide6.QtWidgets import QMainWindow, QVBoxLayout, QWidget

from inspector import __version__, gui
from inspector.gui.document_tabs import TabText
from inspector.gui.header import Header
from inspector.gui.icons import only_for
from inspector.gui.panels.start import StartContent, StartPage
from inspector.gui.panels.status import StatusBar
from inspector.gui.theme import Size

_SLICE_S = 0.006
"""Seconds after which what is made behind the first picture lets the event loop turn."""

_CORE = (
    "inspector.worker.client",
    "inspector.prove",
    "inspector.replay",
    "inspector.layout.layout",
    "inspector.rewrite.find",
)
"""Modules that the views need and that need most of the core themselves."""


class Shell(QMainWindow):
    """A window with a start page, which becomes whole behind its first picture.

    Attributes:
        header: the bar at the top; it has no menus and no actions yet.
        start: the start page, which the first tab takes over.
        status: the bar at the foot.

    Signals:
        first_shown: the first picture is on the screen.
        furnished: everything is made.
    """

    first_shown = Signal()
    furnished = Signal()

    def __init__(self) -> None:
        """Make header, an empty start page and status bar."""
        super().__init__()
        self.setObjectName("main")
        with only_for(self.devicePixelRatioF()):
            self.header, self.start, self.status = Header(), StartPage(), StatusBar()
        self._waits_for_picture = True
        self._steps: Iterator[None] | None = None
        self._is_making = self._is_whole = self._is_closed = False
        self.header.menu_asked.connect(self._show_menu)
        self._ground = QWidget()
        self._body = QVBoxLayout()
        self._lay_out()
        self.setAcceptDrops(True)
        self.resize(Size.WINDOW_WIDTH, Size.WINDOW_HEIGHT)
        self.setMinimumSize(Size.WINDOW_MIN_WIDTH, Size.WINDOW_MIN_HEIGHT)

    def _lay_out(self) -> None:
        body = QWidget()
        self._body = _column(body)
        strip = QWidget()  # in place of the target bar, so that nothing moves when that comes
        strip.setProperty("role", "bar")
        strip.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        strip.setFixedHeight(Size.TARGET_BAR)
        ground = _column(self._ground)
        ground.addWidget(strip)
        ground.addWidget(self.start, 1)
        self._body.addWidget(self.header)
        self._body.addWidget(self._ground, 1)
        self._body.addWidget(self.status)
        self.setCentralWidget(body)

    def show_first(self) -> None:
        """Fill header and status bar for an empty window."""
        translate = QCoreApplication.translate
        with only_for(self.devicePixelRatioF()):
            self.header.show_tabs([TabText(translate("MainWindow", "Start"), "", False)], 0)
            self.start.show_start(StartContent(), brief=True)
        self.status.show_facts((translate("Telling", "Version {version}").format(version=__version__),))
        self.setWindowTitle("BPU Graph Inspector[*]")
        self.start.setFocus()

    # Becoming whole

    def begin(self) -> None:
        """Make everything else behind what is on the screen; `furnished` tells when that is done."""
        if self._steps is None and not self._is_whole:
            QTimer.singleShot(0, self, self._go_on)

    @property
    def is_whole(self) -> bool:
        """Whether everything is made."""
        return self._is_whole

    def finish(self) -> None:
        """Make everything else now, unless it is made."""
        while not self._is_whole:
            self._step()

    def give_up(self) -> bool:
        """Make nothing any more if nothing is made yet, because the window closes; whether it was so."""
        if self._is_whole or self._steps is not None:
            self.finish()
            return False
        self._is_closed = True
        return True

    def _furnish(self) -> Iterator[None]:
        """Makes the rest of the window, a few milliseconds at a time; a bare shell has none."""
        return iter(())

    def _all_steps(self) -> Iterator[None]:
        """Import the core and the views, one module in each step, then make the rest.

        All on the GUI thread: classes of widgets that are made on another thread while this one runs the event loop
        end in a crash now and then.
        """
        for name in _CORE:
            import_module(name)
            yield
        for module in walk_packages(gui.__path__, f"{gui.__name__}."):
            if module.name not in sys.modules:
                import_module(module.name)
                yield
        yield from self._furnish()

    def _go_on(self) -> None:
        """Make some more, and let the event loop turn."""
        end = monotonic() + _SLICE_S
        while not (self._is_whole or self._is_closed) and monotonic() < end:
            self._step()
        if not (self._is_whole or self._is_closed):
            QTimer.singleShot(1, self, self._go_on)

    def _step(self) -> None:
        self._steps = self._steps or self._all_steps()
        self._is_making = True
        try:
            next(self._steps)
        except StopIteration:
            self._is_whole = True
        finally:
            self._is_making = False
        if self._is_whole:
            self.furnished.emit()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """What is annotated and not made yet is made now."""
            if name not in type(self).__annotations__ or self._is_making or self._is_whole:
                raise AttributeError(name)
            self.finish()
            return getattr(self, name)

    def press_early(self, event: QKeyEvent) -> bool:
        """Do what a key asks for whose action was not made when it was pressed; False in a whole window."""
        if self._is_whole:
            return False
        self.finish()
        wanted = QKeySequence(event.keyCombination())
        for action in self.actions():
            if wanted in action.shortcuts():
                action.trigger()
                break
        return True

    def _show_menu(self) -> None:
        """Open the menu, which was asked for before there was one."""
        self.finish()
        self.header.menu.showMenu()

    def set_ground(self, widget: QWidget) -> None:
        """Put *widget* where the start page was."""
        old, self._ground = self._ground, widget
        self._body.replaceWidget(old, widget)
        self._body.setStretchFactor(widget, 1)
        old.hide()
        old.deleteLater()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Tell that the window is on the screen, once its parts are painted, too."""
        super().paintEvent(event)
        if self._waits_for_picture:
            self._waits_for_picture = False
            QTimer.singleShot(0, self, self.first_shown.emit)


def _column(parent: QWidget) -> QVBoxLayout:
    column = QVBoxLayout(parent)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    return column
