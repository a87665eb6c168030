"""Keeps a picture of large graphs at small zooms, so that panning and zooming stay smooth."""

from collections.abc import Callable

from PySide6.QtGui import QPainter

from inspector.gui.canvas.frame import Frame
from inspector.gui.canvas.paint import Painted, paint_graph


class Overview:
    """Paints frames, those of many boxes from a kept picture."""

    def __init__(self, repaint: Callable[[], None]) -> None:
        """Call *repaint* when a better picture is ready to be made."""
        self._repaint = repaint

    def paint(self, painter: QPainter, frame: Frame) -> Painted:
        """Paint *frame*."""
        return paint_graph(painter, frame)
