"""Pictures of the window, made without a display."""

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from inspector.errors import InspectorError
from inspector.gui.main_window import MainWindow
from inspector.gui.snapshot import Scene, render_window
from tests.gui.window import SAMPLE


def windows():
    return sum(isinstance(widget, MainWindow) for widget in QApplication.topLevelWidgets())


def test_picture_shows_the_window_at_the_asked_scale(tmp_path):
    before = windows()
    out = render_window(SAMPLE, "j6p", tmp_path / "deep" / "w.png", scale=1.5, size=(1200, 760))
    picture = QImage(str(out))
    assert (picture.width(), picture.height()) == (1800, 1140)
    colours = {picture.pixelColor(x, y).name() for x in range(0, 1800, 7) for y in range(0, 1140, 7)}
    assert len(colours) > 50
    assert windows() == before, "a picture leaves no window"


def test_broken_model_is_an_error_and_no_picture(tmp_path):
    bad = tmp_path / "bad.onnx"
    bad.write_bytes(b"\x00")
    with pytest.raises(InspectorError):
        render_window(bad, "j6p", tmp_path / "w.png", scene=Scene())
    assert not (tmp_path / "w.png").exists()
