"""`Frame`: everything that one picture of the graph depends on, as a value."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF

from inspector.gui.canvas.camera import Camera
from inspector.gui.canvas.colouring import Colouring
from inspector.gui.canvas.geometry import Floats, Geometry, Ints
from inspector.gui.canvas.lod import Level, level_for
from inspector.gui.canvas.marks import Marks
from inspector.gui.canvas.scene import Kind, Scene
from inspector.gui.theme import Measure, Theme, faded


@dataclass(frozen=True)
class Frame:
    """One picture to paint.

    Attributes:
        scene: texts and sizes.
        geometry: positions.
        colouring: verdicts.
        marks: selection, hits, dimming, signs.
        look: theme.
        camera: what part is shown.
        size: view size in pixels of 100 % scale.
        ratio: device pixels per such pixel.
    """

    scene: Scene
    geometry: Geometry
    colouring: Colouring
    marks: Marks
    look: Theme
    camera: Camera
    size: QSizeF
    ratio: float = 1.0

    @property
    def level(self) -> Level:
        """Level of detail."""
        return level_for(self.camera.scale)

    @property
    def seen(self) -> QRectF:
        """World rectangle on screen, with a rim for what boxes carry outside their edges."""
        rim = Measure.MARGIN / self.camera.scale
        return self.camera.seen(self.size).adjusted(-rim, -rim, rim, rim)

    def on_screen(self, box: int) -> QRectF:
        """Rectangle of *box* in view pixels, as it is painted."""
        rect = self.geometry.rect(box)
        rect.setHeight(float(self.heights(np.array([box]))[0]))
        return QRectF(self.camera.screen(rect.topLeft()), self.camera.screen(rect.bottomRight()))

    def heights(self, boxes: Ints) -> Floats:
        """`[boxes]` heights that *boxes* are painted with, from their upper edge: one line at medium detail."""
        height = self.geometry.bottom[boxes] - self.geometry.top[boxes]
        if self.level is not Level.MEDIUM or self.geometry.sideways:
            return height
        line = Measure.MEDIUM / self.camera.scale
        return np.where(self.scene.kind[boxes] == Kind.NODE, np.minimum(height, line), height)

    def point(self, x: float, y: float) -> QPointF:
        """View position of a world point."""
        return self.camera.screen(QPointF(x, y))

    def faint(self) -> Self:
        """The same picture in the faded colours of what a filter leaves out."""
        return replace(self, look=faded(self.look.name))
