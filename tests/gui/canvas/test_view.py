"""The canvas as a user meets it: real events on real widgets."""

import gc
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import ClassVar

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper
from PySide6.QtCore import QEvent, QPoint, QPointF, QSizeF, Qt, QTranslator
from PySide6.QtGui import QColor, QContextMenuEvent, QHelpEvent, QImage, QPainter, QWheelEvent
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from inspector.gui.canvas.camera import Camera
from inspector.gui.canvas.marks import Change
from inspector.gui.canvas.overview import Overview
from inspector.gui.canvas.paint import paint_graph
from inspector.gui.canvas.scene import build_scene
from inspector.gui.canvas.view import GraphView
from inspector.gui.theme import ThemeName, colour, mixed, theme
from inspector.model.graph import Model, NodeId
from inspector.placement.verdict import Verdict
from tests.helpers.drawing import chain, diamond, drawn, placed, stacked, tiled
from tests.helpers.models import proto

Shown = tuple[GraphView, Model]


@pytest.fixture
def show(qtbot: QtBot, tmp_path: Path) -> Callable[..., Shown]:
    """Shows a model in a view of 900 x 700 pixels at 100 %."""

    def made(built: onnx.ModelProto, verdicts: dict[str, Verdict] | None = None, overlays: bool = False) -> Shown:
        model, scene, layout = drawn(built, tmp_path)
        view = GraphView(overlays=overlays)
        view.reduce_motion = True
        qtbot.addWidget(view)
        view.resize(900, 700)
        view.show()
        view.set_scene(scene, layout)
        view.set_placement(placed(model, verdicts))
        qtbot.waitExposed(view)
        return view, model

    return made


def node(model: Model, name: str) -> NodeId:
    return next(n.id for n in model.nodes if n.name == name)


def where(view: GraphView, wanted: NodeId) -> QPoint:
    frame = view.frame()
    assert frame is not None
    return frame.on_screen(frame.scene.box_of[wanted]).center().toPoint()


def wheel(view: GraphView, at: QPoint, turn: int, modifiers: Qt.KeyboardModifier) -> None:
    event = QWheelEvent(
        QPointF(at),
        QPointF(view.mapToGlobal(at)),
        QPoint(),
        QPoint(0, turn),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view, event)


def test_a_click_on_a_box_picks_its_node_and_on_the_ground_nothing(show, qtbot) -> None:
    view, model = show(diamond())
    with qtbot.waitSignal(view.nodePicked) as picked:
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=where(view, node(model, "right")))
    assert picked.args == [node(model, "right")]
    assert view.selected_node() == node(model, "right")
    with qtbot.waitSignal(view.nodePicked) as picked:
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert picked.args == [None]
    assert view.selected_node() is None


def test_a_pill_can_be_selected_but_is_no_node(show, qtbot) -> None:
    view, _ = show(diamond())
    with qtbot.waitSignal(view.nodePicked) as picked:
        at = view.frame().on_screen(0).center().toPoint()
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=at)
    assert picked.args == [None]
    assert "x" in view.accessibleDescription()


def test_double_click_and_enter_activate(show, qtbot) -> None:
    view, model = show(diamond())
    with qtbot.waitSignal(view.nodeActivated) as activated:
        qtbot.mouseDClick(view, Qt.MouseButton.LeftButton, pos=where(view, node(model, "top")))
    assert activated.args == [node(model, "top")]
    view.select(node(model, "left"))
    with qtbot.waitSignal(view.nodeActivated) as activated:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert activated.args == [node(model, "left")]


def test_the_wheel_zooms_at_the_pointer(show) -> None:
    view, model = show(diamond())
    at = where(view, node(model, "left"))
    before, scale = view.camera.world(QPointF(at)), view.camera.scale
    wheel(view, at, 240, Qt.KeyboardModifier.NoModifier)
    after = view.camera.world(QPointF(at))
    assert view.camera.scale > scale
    assert (after.x(), after.y()) == pytest.approx((before.x(), before.y()), abs=1e-6)


def test_shift_wheel_pans_sideways(show) -> None:
    view, _ = show(diamond())
    before = view.camera
    wheel(view, QPoint(100, 100), 120, Qt.KeyboardModifier.ShiftModifier)
    assert view.camera.scale == before.scale
    assert view.camera.y == before.y
    assert view.camera.x != before.x


@pytest.mark.parametrize("button", [Qt.MouseButton.MiddleButton, Qt.MouseButton.LeftButton])
def test_dragging_moves_the_content_with_the_pointer(show, qtbot, button) -> None:
    view, _ = show(diamond())
    picks: list[object] = []
    view.nodePicked.connect(picks.append)
    before, start = view.camera, QPoint(8, 300)
    qtbot.mousePress(view, button, pos=start)
    qtbot.mouseMove(view, start + QPoint(20, 10))
    qtbot.mouseMove(view, start + QPoint(60, 40))
    qtbot.mouseRelease(view, button, pos=start + QPoint(60, 40))
    assert (before.x - view.camera.x) * before.scale == pytest.approx(60)
    assert (before.y - view.camera.y) * before.scale == pytest.approx(40)
    assert picks == []


def test_space_drag_pans_even_over_a_box(show, qtbot) -> None:
    view, model = show(diamond())
    before, start = view.camera, where(view, node(model, "top"))
    qtbot.keyPress(view, Qt.Key.Key_Space)
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(view, start + QPoint(30, 0))
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=start + QPoint(30, 0))
    qtbot.keyRelease(view, Qt.Key.Key_Space)
    assert (before.x - view.camera.x) * before.scale == pytest.approx(30)
    assert view.selected_node() is None


def test_hover_tells_each_node_once_and_its_end(show, qtbot) -> None:
    view, model = show(diamond())
    told: list[object] = []
    view.nodeHovered.connect(told.append)
    at = where(view, node(model, "top"))
    qtbot.mouseMove(view, at)
    qtbot.mouseMove(view, at + QPoint(3, 1))
    qtbot.mouseMove(view, QPoint(5, 300))
    assert told == [node(model, "top"), None]


def test_recolouring_moves_nothing_and_changes_the_picture(show) -> None:
    view, model = show(chain("Relu", "Softmax"))
    camera, geometry, scene = view.camera, view.geometry_shown, view.scene
    view.select(node(model, "/softmax_1"))
    before = view.grab().toImage()
    view.set_placement(placed(model, {"Softmax": Verdict.UNSUPPORTED}))
    assert view.camera == camera
    assert view.geometry_shown is geometry
    assert view.scene is scene
    assert view.selected_node() == node(model, "/softmax_1")
    assert view.grab().toImage() != before


def test_arrow_keys_travel_and_keep_the_selection_in_view(show, qtbot) -> None:
    view, model = show(diamond())
    view.select(node(model, "top"))
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert view.selected_node() == node(model, "left")
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view.selected_node() == node(model, "right")
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert view.selected_node() == node(model, "bottom")
    qtbot.keyClick(view, Qt.Key.Key_Up)
    qtbot.keyClick(view, Qt.Key.Key_Up)
    assert view.selected_node() == node(model, "top")
    view.zoom(4.0)
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert view.seen().intersects(view.geometry_shown.rect(view.marks.selected))


def test_the_first_arrow_key_starts_at_the_beginning(show, qtbot) -> None:
    view, _ = show(diamond())
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert view.marks.selected == 0


def test_keys_zoom_fit_and_clear(show, qtbot) -> None:
    view, model = show(diamond())
    qtbot.keyClick(view, Qt.Key.Key_Plus)
    assert view.camera.scale == pytest.approx(1.25)
    qtbot.keyClick(view, Qt.Key.Key_0, Qt.KeyboardModifier.ControlModifier)
    assert view.camera.scale == pytest.approx(1.0)
    qtbot.keyClick(view, Qt.Key.Key_Minus)
    view.centre_on(node(model, "bottom"))
    qtbot.keyClick(view, Qt.Key.Key_F)
    assert view.seen().contains(view.geometry_shown.bounds)
    view.select(node(model, "bottom"))
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert view.selected_node() is None


def test_context_menu_selects_the_node_under_the_pointer(show) -> None:
    view, model = show(diamond())
    asked: list[object] = []
    view.contextMenuAsked.connect(lambda wanted, _point: asked.append(wanted))
    for at in (where(view, node(model, "left")), QPoint(5, 5)):
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, view.mapToGlobal(at))
        QApplication.sendEvent(view, event)
    assert asked == [node(model, "left"), None]
    assert view.selected_node() == node(model, "left")


def test_the_menu_key_asks_at_the_selected_box(show) -> None:
    view, model = show(diamond())
    view.select(node(model, "right"))
    asked: list[tuple[object, QPoint]] = []
    view.contextMenuAsked.connect(lambda wanted, point: asked.append((wanted, point)))
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(0, 0), QPoint(0, 0))
    QApplication.sendEvent(view, event)
    assert asked == [(node(model, "right"), view.mapToGlobal(where(view, node(model, "right"))))]


def test_only_visible_boxes_are_painted(show) -> None:
    view, model = show(chain(*["Relu"] * 60))
    view.centre_on(node(model, "/relu_30"), scale=1.0)
    view.grab()
    expected = sum(view.seen().intersects(view.geometry_shown.rect(b)) for b in range(len(view.scene)))
    assert expected <= view.painted.boxes <= expected + 2
    assert view.painted.edges < 15
    view.fit()
    view.grab()
    assert view.painted.boxes == 62


def test_a_long_graph_opens_readable_at_its_start_and_a_short_one_fits(show) -> None:
    short, _ = show(chain("Relu"))
    assert short.seen().contains(short.geometry_shown.bounds)
    long, _ = show(chain(*["Relu"] * 60))
    assert long.camera.scale == 0.8
    assert long.seen().intersects(long.geometry_shown.rect(0))


def test_linked_views_follow_without_an_echo(show) -> None:
    one, _ = show(diamond())
    two, _ = show(diamond())
    one.viewportChanged.connect(two.set_camera)
    two.viewportChanged.connect(one.set_camera)
    one.zoom(1.5, QPointF(10, 10))
    assert two.camera == one.camera
    two.move_camera(two.camera.panned(50, 0))
    assert one.camera == two.camera


def test_camera_glides_unless_motion_is_reduced(show, qtbot) -> None:
    view, model = show(chain(*["Relu"] * 30))
    view.reduce_motion = False
    view.centre_on(node(model, "/relu_29"), scale=1.0)
    assert view.camera.scale == 0.8
    qtbot.waitUntil(lambda: view.camera.scale == 1.0, timeout=3000)
    assert view.seen().contains(view.geometry_shown.rect(view.scene.box_of[node(model, "/relu_29")]))


def test_filter_by_verdict_and_by_predicate_dims_the_rest(show) -> None:
    view, model = show(chain("Relu", "Softmax", "Relu"), {"Softmax": Verdict.CPU})
    view.show_only({Verdict.CPU})
    assert view.marks.dimmed.tolist() == [True, True, False, True, True]
    view.set_dimmed(lambda wanted: wanted == node(model, "/softmax_1"))
    assert view.marks.dimmed.tolist() == [False, False, True, False, False]
    view.grab()
    view.show_only(())
    assert view.marks.dimmed is None


def test_hits_and_changes_show_in_the_picture_at_every_level(show) -> None:
    view, model = show(diamond(), {"Tanh": Verdict.CPU, "Add": Verdict.UNSUPPORTED, "Sigmoid": Verdict.UNKNOWN})
    for scale in (0.2, 0.5, 1.0):
        view.move_camera(Camera(scale).centred(view.geometry_shown.bounds.center(), view.view_size()))
        pictures = [view.grab().toImage()]
        view.set_search_hits([node(model, "left"), NodeId(999)])
        pictures.append(view.grab().toImage())
        view.set_changes({node(model, "top"): Change.ADDED, node(model, "bottom"): Change.REMOVED})
        pictures.append(view.grab().toImage())
        view.set_fixes({node(model, "right"): 2})
        pictures.append(view.grab().toImage())
        different = [a != b for a, b in pairwise(pictures)]
        assert different == ([True, True, False] if scale == 0.2 else [True, True, True])
        view.set_search_hits([])
        view.set_changes({})
        view.set_fixes({})
    assert view.marks.hits == frozenset()


def test_labels_can_be_switched_off(show) -> None:
    view, _ = show(diamond())
    before = view.grab().toImage()
    view.set_shapes_shown(False)
    assert view.grab().toImage() != before


@pytest.mark.parametrize("name", list(ThemeName))
def test_every_theme_paints_its_own_canvas(show, name) -> None:
    view, model = show(diamond(), {"Tanh": Verdict.CPU}, overlays=True)
    view.set_theme(theme(name))
    view.select(node(model, "left"))
    picture = view.grab().toImage()
    assert picture.pixelColor(450, 3) in (
        colour(theme(name).canvas),
        colour(theme(name).accent),
        colour(theme(name).dot),
    )


def test_another_scene_keeps_a_selected_node_that_it_still_has(show, tmp_path) -> None:
    view, model = show(diamond())
    view.select(node(model, "left"))
    again = build_scene(model)
    camera = view.camera
    view.set_scene(again, stacked(again), keep_camera=True)
    assert view.selected_node() == node(model, "left")
    assert view.camera == camera
    view.set_scene(None, None)
    assert view.selected_node() is None
    assert view.box_under(QPointF(10, 10)) is None


def test_the_empty_view_says_so_and_survives_every_input(qtbot) -> None:
    view = GraphView()
    qtbot.addWidget(view)
    view.show()
    empty = view.grab().toImage()
    view.set_empty_text("nothing here")
    assert view.grab().toImage() != empty
    for key in (Qt.Key.Key_Down, Qt.Key.Key_F, Qt.Key.Key_Return, Qt.Key.Key_Escape):
        qtbot.keyClick(view, key)
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(20, 20))
    wheel(view, QPoint(20, 20), 120, Qt.KeyboardModifier.NoModifier)
    view.centre_on(NodeId(3))
    view.reveal(NodeId(3))
    view.show_only({Verdict.BPU})
    assert view.describe(NodeId(3)) == ""


def test_a_graph_without_nodes_says_so(show) -> None:
    view, _ = show(proto([], {}, {}))
    empty = view.grab().toImage()
    view.set_scene(None, None)
    assert view.grab().toImage() != empty


def test_the_selected_node_is_told_to_assistive_technology(show, qtbot) -> None:
    view, model = show(chain("Relu", "Softmax"), {"Softmax": Verdict.CPU})
    view.set_fixes({node(model, "/softmax_1"): 3})
    view.select(node(model, "/softmax_1"))
    assert view.accessibleName() == "Model graph"
    assert view.accessibleDescription().startswith("Softmax, CPU, /softmax_1, 3 fix")
    assert view.accessibleDescription().endswith("2 of 2")
    view.select(None)
    assert view.accessibleDescription() == ""


@pytest.mark.qt_log_ignore("This plugin does not support raise")  # the offscreen platform, on any tooltip
def test_the_tooltip_tells_the_whole_name(show) -> None:
    view, model = show(diamond())
    at = where(view, node(model, "left"))
    QApplication.sendEvent(view, QHelpEvent(QEvent.Type.ToolTip, at, view.mapToGlobal(at)))
    assert "Sigmoid" in QToolTip.text()


def test_painting_does_not_eat_references_to_none(show) -> None:
    """Some PySide6 releases drop one reference to None per call and abort after some thousands."""
    view, model = show(diamond(), {"Tanh": Verdict.CPU, "Add": Verdict.UNSUPPORTED})
    view.set_fixes({node(model, "right"): 2})
    view.select(node(model, "left"))
    view.move_camera(Camera(1.0).centred(view.geometry_shown.bounds.center(), QSizeF(300, 300)))
    frame = replace(view.frame(), size=QSizeF(300, 300))
    image = QImage(300, 300, QImage.Format.Format_ARGB32_Premultiplied)

    def paint(times: int) -> None:
        for _ in range(times):
            painter = QPainter(image)
            paint_graph(painter, frame)
            painter.end()

    paint(5)
    gc.collect()
    before = sys.getrefcount(None)
    paint(250)  # some 100 calls into Qt each
    gc.collect()
    assert abs(sys.getrefcount(None) - before) < 100


def many(tmp_path: Path):
    model, scene, layout = drawn(chain(*["Relu"] * 98), tmp_path)
    return model, *tiled(scene, layout, 30)


def test_a_large_graph_is_painted_from_a_kept_picture(qtbot, tmp_path) -> None:
    model, scene, layout = many(tmp_path)
    view = GraphView(overlays=False)
    view.reduce_motion = True
    qtbot.addWidget(view)
    view.resize(900, 700)
    view.show()
    view.set_scene(scene, layout)
    view.set_placement(placed(model))
    view.fit()
    view.grab()
    assert view.painted.boxes == 3000
    kept = view._overview.picture
    assert kept is not None
    view.move_camera(view.camera.panned(40, 10))
    view.select(model.nodes[5].id)
    view.grab()
    assert view._overview.picture is kept
    view.set_placement(placed(model, {"Relu": Verdict.CPU}))
    view.grab()
    assert view._overview.picture is not kept
    recoloured = view._overview.picture
    view.zoom(1.1)
    view.grab()
    assert view._overview.picture is recoloured
    qtbot.waitUntil(lambda: view._overview.picture is not recoloured, timeout=5000)
    view.actual_size()
    view.grab()
    assert view._overview.picture is None


def test_the_kept_picture_shows_what_direct_painting_shows(qtbot, tmp_path) -> None:
    model, scene, layout = many(tmp_path)
    view = GraphView(overlays=False)
    view.reduce_motion = True
    qtbot.addWidget(view)
    view.resize(900, 700)
    view.show()
    view.set_scene(scene, layout)
    view.set_placement(placed(model, {"Relu": Verdict.CPU}))
    view.fit()
    frame = view.frame()
    pictures = []
    for paint in (paint_graph, Overview(lambda: None).paint):
        image = QImage(900, 700, QImage.Format.Format_RGB32)
        painter = QPainter(image)
        paint(painter, frame)
        painter.end()
        pictures.append(np.frombuffer(image.constBits(), np.uint8).astype(int))
    assert (np.abs(pictures[0] - pictures[1]) > 40).mean() < 0.05


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_text_is_painted_with_device_pixels(show, ratio) -> None:
    """At a higher ratio the picture has detail that scaling up the plain one cannot give."""
    view, _ = show(diamond())
    frame = view.frame()
    image = QImage(round(900 * ratio), round(700 * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    painter = QPainter(image)
    paint_graph(painter, replace(frame, ratio=ratio))
    painter.end()
    plain = QImage(900, 700, QImage.Format.Format_RGB32)
    painter = QPainter(plain)
    paint_graph(painter, frame)
    painter.end()
    grown = plain.scaled(image.width(), image.height())
    image.setDevicePixelRatio(1.0)
    assert (grown == image) == (ratio == 1.0)
    assert image.width() == round(900 * ratio)


class Chinese(QTranslator):
    """A catalogue of a few words."""

    words: ClassVar = {"Legend": "图例", "Unknown": "未知", "Model graph": "模型图"}

    def translate(self, _context, text, _disambiguation=None, _n=-1) -> str:
        return self.words.get(text, text)

    def isEmpty(self) -> bool:
        return False


def test_the_canvas_follows_a_change_of_language(show, qapp) -> None:
    view, _ = show(diamond(), {"Tanh": Verdict.UNKNOWN}, overlays=True)
    translator = Chinese()
    before = view.legend.grab().toImage()
    qapp.installTranslator(translator)
    qapp.processEvents()
    try:
        assert view.accessibleName() == "模型图"
        assert view.legend.accessibleName() == "图例"
        assert "未知 1" in view.legend.accessibleDescription()
        assert view.legend.grab().toImage() != before
    finally:
        qapp.removeTranslator(translator)


def test_the_legend_counts_and_folds(show, qtbot) -> None:
    view, _ = show(chain("Relu", "Softmax"), {"Softmax": Verdict.CPU}, overlays=True)
    rows = {(verdict, inferred): count for verdict, inferred, _, count in view.legend.rows()}
    assert rows[Verdict.CPU, False] == "1"
    assert rows[Verdict.BPU, False] == "1"
    height, bottom = view.legend.height(), view.legend.geometry().bottom()
    qtbot.mouseClick(view.legend, Qt.MouseButton.LeftButton, pos=QPoint(20, 10))
    assert not view.legend.unfolded
    assert view.legend.height() < height
    assert view.legend.geometry().bottom() == bottom
    qtbot.keyClick(view.legend, Qt.Key.Key_Space)
    assert view.legend.unfolded


def test_the_minimap_moves_the_view(show, qtbot) -> None:
    view, _ = show(chain(*["Relu"] * 60), overlays=True)
    minimap = view.minimap
    qtbot.mouseClick(minimap, Qt.MouseButton.LeftButton, pos=QPoint(minimap.width() // 2, minimap.height() - 12))
    assert view.seen().center().y() > 0.8 * view.geometry_shown.bounds.height()
    scale = view.camera.scale
    event = QWheelEvent(
        QPointF(5, 5),
        QPointF(5, 5),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(minimap, event)
    assert view.camera.scale > scale


def test_overlays_hide_where_there_is_no_room(show) -> None:
    view, _ = show(diamond(), overlays=True)
    assert view.minimap.isVisible()
    assert view.legend.isVisible()
    view.resize(300, 400)
    assert not view.minimap.isVisible()
    assert not view.legend.isVisible()


def test_the_pill_of_a_cut_edge_leads_to_its_other_end(show, qtbot) -> None:
    view, model = show(chain(*["Relu"] * 12))
    layout = stacked(view.scene)
    edge = 0
    (x, y), (end_x, end_y) = layout.points[layout.start[edge]], layout.points[layout.start[edge + 1] - 1]
    stubs = np.array([[x, y], [x, y + 22], [end_x, end_y - 22], [end_x, end_y]])
    points = np.concatenate([stubs, layout.points[layout.start[1] :]])
    start = np.concatenate([[0], layout.start[1:] + 2])
    cut = layout.cut.copy()
    cut[edge] = True
    scene = replace(view.scene, edge_target=np.where(np.arange(len(cut)) == edge, 12, view.scene.edge_target))
    view.set_scene(scene, replace(layout, points=points, start=start, cut=cut), keep_camera=True)
    view.move_camera(Camera(1.0, float(x) - 300, float(y) - 100))
    pill = view.frame().point(float(x), float(y) + 22).toPoint()
    assert view.stub_under(QPointF(pill)) == 12
    with qtbot.waitSignal(view.nodePicked) as picked:
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=pill)
    assert picked.args == [node(model, "/relu_11")]
    assert view.seen().contains(view.geometry_shown.rect(12))


def test_an_unknown_size_of_a_crossing_is_no_number(show) -> None:
    view, _ = show(chain("Relu", "Softmax"), {"Softmax": Verdict.CPU})
    known = view.placement
    unknown = replace(known, crossings=tuple(replace(c, bytes=None) for c in known.crossings))
    view.set_placement(unknown)
    assert list(view.colouring.chip.values()) == ["BPU → CPU ? B"]


def test_segments_are_tinted_only_where_there_are_several(show) -> None:
    view, model = show(chain("Relu", "Softmax", "Relu"), {"Softmax": Verdict.CPU})
    look, rect = view.look, view.frame().on_screen(view.scene.box_of[node(model, "/softmax_1")])
    beside = QPoint(round(rect.left()) - 8, round(rect.center().y()))
    cpu = QColor(mixed(look.of(Verdict.CPU).fill, look.canvas, 0.16))
    assert view.grab().toImage().pixelColor(beside) == cpu
    view.set_segments_shown(False)
    assert view.grab().toImage().pixelColor(beside) in (colour(look.canvas), colour(look.dot))
    view.set_segments_shown(True)
    placement = view.placement
    whole = replace(placement.segments[0], nodes=tuple(n.id for n in model.nodes))
    view.set_placement(replace(placement, segments=(whole,)))
    assert view.grab().toImage().pixelColor(beside) in (colour(look.canvas), colour(look.dot))


def test_a_folded_constant_leads_to_its_consumer(show) -> None:
    value = numpy_helper.from_array(np.ones(4, np.float32))
    nodes = [
        helper.make_node("Constant", [], ["c"], "constant", value=value),
        helper.make_node("Add", ["x", "c"], ["y"], "add"),
    ]
    view, model = show(proto(nodes, {"x": [1, 4]}, {"y": [1, 4]}))
    view.select(node(model, "constant"))
    assert view.selected_node() == node(model, "add")
    assert view.describe(node(model, "constant")).startswith("Add")
    view.set_changes({node(model, "constant"): Change.REMOVED})
    assert view.marks.changes == {}
