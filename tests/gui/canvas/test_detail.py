"""Boxes at the three levels of detail: their measures on screen, their badges, and edges that stay attached."""

import numpy as np
import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage

from inspector.gui.canvas.paint_text import badge_rect
from inspector.gui.canvas.scene import Kind
from inspector.gui.canvas.view import GraphView
from inspector.gui.theme import ThemeName, colour, theme
from inspector.layout.layout import lay_out
from inspector.layout.options import Direction, LayoutOptions
from inspector.placement.verdict import Verdict
from tests.helpers.drawing import chain, drawn, placed


@pytest.fixture
def shown(qtbot, tmp_path):
    """A chain of four nodes in a view of 900 x 700 pixels, the second on the CPU with a fix."""
    model, scene, layout = drawn(chain("Relu", "Softmax", "Relu", "Tanh"), tmp_path)
    view = GraphView(overlays=False)
    view.reduce_motion = True
    qtbot.addWidget(view)
    view.resize(QSize(900, 700))
    view.show()
    view.set_scene(scene, layout)
    view.set_placement(placed(model, {"Softmax": Verdict.CPU}), {model.nodes[1].id: 3})
    view.set_segments_shown(False)
    qtbot.waitExposed(view)
    return view, model


def boxes(frame):
    return np.flatnonzero(frame.scene.kind == Kind.NODE)


@pytest.mark.parametrize("scale", [0.36, 0.45, 0.6, 0.74])
def test_a_box_at_medium_detail_is_one_line(shown, scale):
    view, model = shown
    view.centre_on(model.nodes[1].id, animated=False, scale=scale)
    frame = view.frame()
    layout = view.geometry_shown.bottom - view.geometry_shown.top
    for box in boxes(frame).tolist():
        assert frame.on_screen(box).height() == pytest.approx(min(28.0, layout[box] * scale))
        assert frame.on_screen(box).top() == pytest.approx(
            frame.camera.screen(view.geometry_shown.rect(box).topLeft()).y()
        )


@pytest.mark.parametrize("scale", [0.2, 0.8, 1.0, 2.0])
def test_a_box_at_other_details_has_the_height_of_the_layout(shown, scale):
    view, model = shown
    view.centre_on(model.nodes[1].id, animated=False, scale=scale)
    frame = view.frame()
    for box in boxes(frame).tolist():
        assert frame.on_screen(box).height() == pytest.approx(view.geometry_shown.rect(box).height() * scale)


def test_the_header_is_26_the_spine_5_and_rows_18(shown):
    view, model = shown
    view.centre_on(model.nodes[1].id, animated=False, scale=1.0)
    frame = view.frame()
    rect = frame.on_screen(frame.scene.box_of[model.nodes[1].id])
    rows = bool(model.nodes[1].name) + bool(frame.scene.attributes[frame.scene.box_of[model.nodes[1].id]])
    assert rect.height() == pytest.approx(26 + 8 + 18 * rows)
    view.select(None)
    image, look = view.grab().toImage(), view.look
    y = round(rect.center().y() + 8)
    left = round(rect.left())
    assert image.pixelColor(left + 3, y) == colour(look.of(Verdict.CPU).fill)
    assert image.pixelColor(left + 8, y) == colour(look.raised)
    assert image.pixelColor(round(rect.right()) - 50, round(rect.top()) + 22) == colour(look.of(Verdict.CPU).soft)


def test_edges_reach_the_boxes_at_medium_detail(shown):
    """Between two boxes of a chain the line has no gap, although the boxes are lower than the layout made room for."""
    view, model = shown
    view.centre_on(model.nodes[1].id, animated=False, scale=0.6)
    frame = view.frame()
    upper, lower = (frame.on_screen(frame.scene.box_of[node.id]) for node in model.nodes[2:4])
    image, canvas = view.grab().toImage(), colour(view.look.canvas)
    middle = round(upper.center().x())
    for y in range(round(upper.bottom()) + 2, round(lower.top()) - 2):
        assert any(image.pixelColor(middle + dx, y) != canvas for dx in (-1, 0, 1)), y


def test_badges_stand_half_outside_and_at_medium_detail_beside_the_box(shown):
    view, model = shown
    for scale, beside in ((1.0, False), (0.5, True)):
        view.centre_on(model.nodes[1].id, animated=False, scale=scale)
        frame = view.frame()
        box = frame.scene.box_of[model.nodes[1].id]
        rect, badge = frame.on_screen(box), badge_rect(frame, box, "3")
        if beside:
            assert badge.left() > rect.right()
            assert badge.center().y() == pytest.approx(rect.center().y())
        else:
            assert (badge.width(), badge.height()) == (34.0, 20.0)
            assert badge.center().y() == pytest.approx(rect.top())
            assert rect.right() < badge.right() < rect.right() + badge.width()


def test_a_graph_that_flows_to_the_right_keeps_the_layouts_heights(qtbot, tmp_path):
    model, scene, _ = drawn(chain("Relu", "Softmax", "Relu"), tmp_path)
    view = GraphView(overlays=False)
    qtbot.addWidget(view)
    view.resize(QSize(900, 700))
    view.show()
    view.set_scene(scene, lay_out(scene.layout_graph(), options=LayoutOptions(direction=Direction.RIGHT)))
    view.set_placement(placed(model))
    view.centre_on(model.nodes[1].id, animated=False, scale=0.5)
    assert view.geometry_shown.sideways
    frame = view.frame()
    box = frame.scene.box_of[model.nodes[1].id]
    assert frame.on_screen(box).height() == pytest.approx(view.geometry_shown.rect(box).height() * 0.5)


@pytest.mark.parametrize("name", list(ThemeName))
def test_verdicts_differ_at_small_detail_without_colour(shown, name):
    """In grey, a block on the CPU carries a bar that one on the BPU lacks."""
    view, model = shown
    view.set_theme(theme(name))
    view.centre_on(model.nodes[1].id, animated=False, scale=0.3)
    frame = view.frame()
    image = view.grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    contrast = []
    for node in model.nodes[:2]:
        rect = frame.on_screen(frame.scene.box_of[node.id])
        middle = rect.center().toPoint()
        ground = image.pixelColor(round(rect.left()) + 5, middle.y()).value()
        contrast.append(abs(image.pixelColor(middle).value() - ground))
    assert contrast[0] < 40 < contrast[1]
