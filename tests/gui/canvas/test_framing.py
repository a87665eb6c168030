"""What the camera shows: no empty ground while a part of the graph is hidden, and where overlays give way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QApplication

from inspector.gui.canvas.camera import Camera, within
from inspector.gui.canvas.minimap import _scales
from inspector.gui.canvas.view import GraphView
from tests.helpers.drawing import chain, drawn, placed

VIEW = QSizeF(900, 700)
MARGIN = 24.0


@given(st.floats(-5000, 5000), st.floats(0.1, 3.0), st.floats(100, 20_000))
def test_no_ground_is_shown_in_place_of_graph(y, scale, height):
    world = QRectF(0, 0, 300, height)
    seen = within(Camera(scale, 0, y), world, VIEW, MARGIN).seen(VIEW)
    space = MARGIN / scale
    if height + 2 * space <= seen.height():
        assert seen.center().y() == pytest.approx(height / 2)
    else:
        assert seen.top() >= -space - 1e-6
        assert seen.bottom() <= height + space + 1e-6


@given(st.floats(100, 50_000), st.floats(100, 50_000))
def test_the_minimap_holds_the_graph_and_stretches_its_short_side_only_so_far(width, height):
    across, down = _scales(QRectF(0, 0, width, height), QSizeF(130, 204))
    assert width * across <= 130 + 1e-6
    assert height * down <= 204 + 1e-6
    assert max(across, down) <= 6 * min(across, down) + 1e-9


@pytest.fixture
def shown(qtbot, tmp_path):
    """A chain of twelve nodes in a view of 900 x 700 pixels."""
    model, scene, layout = drawn(chain(*["Relu"] * 12), tmp_path)
    view = GraphView()
    view.reduce_motion = True
    qtbot.addWidget(view)
    view.resize(QSize(900, 700))
    view.show()
    view.set_scene(scene, layout)
    view.set_placement(placed(model))
    qtbot.waitExposed(view)
    return view, model


def test_the_first_node_is_shown_without_empty_ground_above(shown):
    view, model = shown
    view.centre_on(model.nodes[0].id, animated=False, scale=1.0)
    bounds = view.geometry_shown.bounds
    assert view.seen().top() >= bounds.top() - MARGIN - 1
    assert view.seen().contains(view.extent([model.nodes[0].id]))


def test_nodes_are_put_at_a_height(shown):
    view, model = shown
    extent = view.extent([model.nodes[3].id, model.nodes[4].id])
    view.show_at(extent, 76.0, 0.9)
    corner = view.camera.screen(QPointF(extent.center().x(), extent.top()))
    assert (corner.x(), corner.y()) == (pytest.approx(450), pytest.approx(76))
    assert view.extent([]).isEmpty()


def test_the_legend_folds_on_a_narrow_canvas_until_the_user_chooses(shown):
    view, _model = shown
    assert view.legend.unfolded
    view.resize(500, 700)
    QApplication.processEvents()
    assert not view.legend.unfolded
    view.legend._toggle()
    view.resize(480, 700)
    QApplication.processEvents()
    assert view.legend.unfolded


def test_the_focus_ring_is_for_those_who_use_keys(shown, qtbot):
    view, _model = shown
    corner = view.grab().toImage().pixelColor(1, 300)
    view.focusInEvent(QFocusEvent(QFocusEvent.Type.FocusIn, Qt.FocusReason.MouseFocusReason))
    view.setFocus()
    assert view.grab().toImage().pixelColor(1, 300) == corner
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert view.grab().toImage().pixelColor(1, 300) != corner
