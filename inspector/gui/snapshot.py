"""Pictures of the window without a display: for `make run` on a server, for the documentation, and for review."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QPoint, QSize, Qt
from PySide6.QtGui import QImage, QPainter

from inspector.errors import InspectorError
from inspector.gui.app import application, make_window
from inspector.gui.i18n import Languages
from inspector.gui.look import apply_theme
from inspector.gui.main_window import MainWindow
from inspector.gui.proposal import Proof
from inspector.gui.theme import Size, ThemeName
from inspector.log import set_up
from inspector.settings import Settings
from inspector.text import say

TIME_LIMIT_S = 120.0
"""Longest wait for one step, in seconds."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What the picture shows.

    Attributes:
        select: label of the node to select; None selects the worst problem, empty selects nothing.
        preview: id of the rule to preview at that node; empty for no preview.
        every_site: whether the preview covers all nodes that match.
    """

    select: str | None = None
    preview: str = ""
    every_site: bool = False


def render_window(
    model: Path,
    platform: str,
    out: Path,
    *,
    language: str = "en",
    theme: str = "light",
    scene: Scene = Scene(),
    scale: float = 1.0,
    size: tuple[int, int] = (Size.WINDOW_WIDTH, Size.WINDOW_HEIGHT),
) -> Path:
    """Open *model* on *platform* and write a PNG of the window to *out*.

    Args:
        model: model file.
        platform: platform id.
        out: PNG file; its folder is made when missing.
        language: `en` or `zh_CN`.
        theme: `light` or `dark`.
        scene: what is selected or previewed; a preview is proved before the picture is taken.
        scale: device pixels per logical pixel.
        size: width and height in logical pixels.

    Raises:
        InspectorError: the model cannot be opened, or a step took longer than `TIME_LIMIT_S`.
    """
    app = application()
    languages = Languages(app)
    languages.use(language)
    apply_theme(ThemeName(theme))
    window = make_window(Settings(platform=platform, language=language, animations=False), languages, set_up())
    window.keeps_settings = False
    try:
        window.resize(QSize(*size))
        window.show()
        _show(window, model, scene)
        grab(window, scale).save(str(_made(out)))
    finally:
        window.forget_changes()
        window.close()
        window.deleteLater()
        # Without a running event loop nobody else delivers it, and the next picture would style this window too.
        QCoreApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete)
        languages.use("en")
    return out


def grab(window: MainWindow, scale: float) -> QImage:
    """The window as a picture with *scale* device pixels per logical pixel."""
    picture = QImage(window.size() * scale, QImage.Format.Format_ARGB32_Premultiplied)
    picture.setDevicePixelRatio(scale)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    window.render(painter, QPoint())
    painter.end()
    return picture


def wait_until(done: Callable[[], bool], limit_s: float = TIME_LIMIT_S) -> bool:
    """Let the event loop run until *done* or the limit; whether it was done."""
    app, end = application(), time.monotonic() + limit_s
    while not done():
        if time.monotonic() > end:
            return False
        app.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
        time.sleep(0.002)
    app.processEvents()
    return True


def _show(window: MainWindow, model: Path, scene: Scene) -> None:
    errors: list[InspectorError] = []
    window.failed.connect(errors.append)
    window.open(model)
    _wait(errors, lambda: window.document.workspace is not None)
    _wait(errors, lambda: not window.is_busy)
    _select(window, scene.select)
    _wait(errors, lambda: not window.is_busy)
    node = window.document.selected
    if scene.preview and node is not None:
        window.document.propose(scene.preview, node, every_site=scene.every_site)
        _wait(errors, lambda: _proved(window))
    _wait(errors, lambda: not window.is_busy)


def _proved(window: MainWindow) -> bool:
    proposal = window.document.proposal
    return proposal is not None and proposal.proof is not Proof.RUNNING


def _select(window: MainWindow, name: str | None) -> None:
    workspace = window.document.workspace
    if name is None:
        window.controller.go_to_problem(1)
    elif name and workspace is not None:
        found = next((node for node in workspace.model.nodes if node.label == name), None)
        if found is not None:
            window.controller.go_to(found.id)


def _wait(errors: list[InspectorError], done: Callable[[], bool]) -> None:
    finished = wait_until(lambda: bool(errors) or done())
    if errors:
        raise errors[0]
    if not finished:
        raise InspectorError(say("gui.snapshot_time", limit=f"{TIME_LIMIT_S:.0f}"))


def _made(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path
