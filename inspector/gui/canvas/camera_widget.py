"""`CameraWidget`: a widget that owns a camera, moves it, and tells when it moved."""

from PySide6.QtCore import QEasingCurve, QPointF, QRectF, QSizeF, QVariantAnimation, Signal
from PySide6.QtWidgets import QWidget

from inspector.gui.canvas.camera import Camera
from inspector.gui.measures import Motion, scale


class CameraWidget(QWidget):
    """A view onto a world.

    Attributes:
        reduce_motion: whether the camera jumps instead of gliding.

    Signals:
        viewportChanged: the user or the program moved the camera (Camera); not emitted by `set_camera`.
    """

    viewportChanged = Signal(object)  # noqa: N815 - named as Qt names signals

    def __init__(self, parent: QWidget | None = None) -> None:
        """Start at 100 %, with the world's origin at the top left."""
        super().__init__(parent)
        self._camera, self._middle = Camera(), QPointF()
        self._motion = QVariantAnimation(self)
        self._motion.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._motion.setStartValue(0.0)
        self._motion.setEndValue(1.0)
        self._motion.valueChanged.connect(self._glide)
        self._path = (self._camera, self._camera)
        self.reduce_motion = False
        self._covered_right = 0

    def set_covered(self, pixels: int) -> None:
        """Say that something lies over this many *pixels* of the widget at its right; the view ends where it begins."""
        if pixels != self._covered_right:
            self._covered_right = pixels
            self._camera_moved()

    @property
    def covered_right(self) -> int:
        """Pixels of the widget at its right that something lies over."""
        return self._covered_right

    @property
    def camera(self) -> Camera:
        """What part of the graph is on screen."""
        return self._camera

    def view_size(self) -> QSizeF:
        """Size of the view in pixels of 100 % scale, which the camera and everything that is painted count in."""
        return QSizeF(max(self.width() - self._covered_right, 1), self.height()) / scale()

    def at(self, position: QPointF) -> QPointF:
        """The widget's *position*, as events tell it, in the pixels of `view_size`."""
        return position / scale()

    def seen(self) -> QRectF:
        """World rectangle on screen."""
        return self._camera.seen(self.view_size())

    def set_camera(self, camera: Camera) -> None:
        """Show what *camera* shows, at once and without the `viewportChanged` signal, as linked panes need it."""
        self._motion.stop()
        if camera != self._camera:
            self._camera, self._middle = camera, camera.seen(self.view_size()).center()
            self._camera_moved()

    def _camera_moved(self) -> None:
        self.update()

    def move_camera(self, camera: Camera, *, animated: bool = False) -> None:
        """Go to *camera*, gliding when *animated* and motion is not reduced; tells `viewportChanged`."""
        self._motion.stop()
        if animated and not self.reduce_motion and self.isVisible():
            self._path = (self._camera, camera)
            self._motion.setDuration(Motion.CAMERA)
            self._motion.start()
            return
        self._jump(camera)

    def _glide(self, share: float) -> None:
        self._jump(self._path[0].between(self._path[1], float(share)))

    def _jump(self, camera: Camera) -> None:
        if camera != self._camera:
            self._camera, self._middle = camera, camera.seen(self.view_size()).center()
            self._camera_moved()
            self.viewportChanged.emit(camera)

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom by *factor* about the view's point *at*, or about its middle."""
        middle = QPointF(self.view_size().width() / 2, self.view_size().height() / 2)
        self.move_camera(self._camera.zoomed(factor, middle if at is None else at))

    def zoom_in(self) -> None:
        """One step closer."""
        self.zoom(1.25)

    def zoom_out(self) -> None:
        """One step away."""
        self.zoom(1 / 1.25)

    def actual_size(self) -> None:
        """100 %, about the middle of the view."""
        self.zoom(1.0 / self._camera.scale)
