"""Curves, label places, hits and paths, from arrays."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QPainterPath

from inspector.gui.canvas.camera import LARGEST, SMALLEST, Camera, fitted
from inspector.gui.canvas.geometry import Geometry
from inspector.gui.canvas.hit import box_at, edge_at
from inspector.gui.canvas.lod import Level, level_for, visible_boxes, visible_edges
from inspector.gui.canvas.paths import path_of, polygons, rectangles, rounded
from inspector.gui.canvas.travel import Way, step
from inspector.gui.measures import Measure
from inspector.layout.result import GraphLayout
from tests.helpers.drawing import diamond, drawn

pytestmark = pytest.mark.usefixtures("qapp")


def one_edge(*points: tuple[float, float], cut: bool = False) -> Geometry:
    box = np.zeros(1)
    return Geometry.of(
        GraphLayout(
            *(box, box, box, box),
            np.zeros(1, np.int64),
            np.array(points, dtype=float),
            np.array([0, len(points)]),
            np.array([cut]),
            (0.0, 0.0, 100.0, 100.0),
        )
    )


def test_a_path_holds_the_points_it_was_given() -> None:
    points = np.array([[0.0, 0.0], [10.0, 0.0], [20.0, 5.0], [20.0, 9.0]])
    path = path_of(points, np.array([False, True, False, True]))
    expected = QPainterPath(QPointF(0, 0))
    expected.lineTo(10, 0)
    expected.moveTo(20, 5)
    expected.lineTo(20, 9)
    assert [(path.elementAt(i).x, path.elementAt(i).y) for i in range(4)] == [tuple(p) for p in points]
    assert [path.elementAt(i).isMoveTo() for i in range(4)] == [expected.elementAt(i).isMoveTo() for i in range(4)]


def test_paths_of_nothing_are_empty() -> None:
    none = np.zeros(0)
    assert path_of(np.zeros((0, 2)), np.zeros(0, bool)).isEmpty()
    assert polygons(np.zeros((0, 4, 2))).isEmpty()
    assert rectangles(none, none, none, none).isEmpty()
    assert rounded(none, none, none, none, 8.0).isEmpty()


def test_rounded_rectangles_keep_their_bounds_and_lose_their_corners() -> None:
    a = np.array
    path = rounded(a([10.0]), a([20.0]), a([100.0]), a([40.0]), 8.0)
    assert path.boundingRect() == QRectF(10, 20, 100, 40)
    assert path.contains(QPointF(60, 40))
    assert not path.contains(QPointF(10.5, 20.5))
    header = rounded(a([10.0]), a([20.0]), a([100.0]), a([40.0]), 8.0, corners="ne")
    assert not header.contains(QPointF(10.5, 20.5))
    assert header.contains(QPointF(10.5, 59.5))


def test_the_radius_never_exceeds_half_of_the_shorter_side() -> None:
    a = np.array
    path = rounded(a([0.0]), a([0.0]), a([100.0]), a([6.0]), 50.0)
    assert path.boundingRect() == QRectF(0, 0, 100, 6)


def test_a_straight_edge_stays_straight_and_ends_before_the_arrow() -> None:
    geometry = one_edge((50, 0), (50, 100))
    points, joined = geometry.curved.of(np.array([0]))
    assert points[:, 0].tolist() == [50, 50]
    assert 100 - Measure.ARROW <= points[-1, 1] < 100
    assert joined.tolist() == [False, True]
    assert geometry.tip.tolist() == [[50, 100]]
    assert geometry.direction.tolist() == [[0, 1]]


def test_corners_become_curves_inside_the_corner() -> None:
    points, joined = one_edge((0, 0), (0, 50), (80, 50), (80, 100)).curved.of(np.array([0]))
    assert len(points) == 2 + 2 * 5
    assert joined.sum() == len(points) - 1
    assert points[:, 0].min() >= 0
    assert points[:, 0].max() <= 80
    assert not any(np.allclose(p, (0, 50)) for p in points)
    assert any(np.allclose(p, (0, 40)) for p in points)


def test_a_cut_edge_is_two_separate_stubs() -> None:
    geometry = one_edge((0, 0), (0, 50), (80, 900), (80, 950), cut=True)
    assert geometry.straight.joined.tolist() == [False, True, False, True]
    assert edge_at(geometry, QPointF(0, 25), 3.0) == 0
    assert edge_at(geometry, QPointF(40, 475), 3.0) is None


def test_labels_stand_on_the_horizontal_piece_or_beside_the_line() -> None:
    bent = one_edge((0, 0), (0, 50), (80, 50), (80, 100))
    assert bent.label.tolist() == [[40, 50]]
    assert bent.label_room.tolist() == [60]
    straight = one_edge((50, 0), (50, 44))
    assert straight.label.tolist() == [[50, Measure.LABEL_DEPTH]]
    assert straight.label_room.tolist() == [0]


def test_labels_of_a_graph_that_flows_right_stand_at_the_start_of_the_edge_and_end_before_the_next_column() -> None:
    boxes = np.array([0.0, 200.0, 500.0]), np.array([0.0, 0.0, 80.0])
    sizes = np.full(3, 100.0), np.full(3, 40.0)
    corners = [(100, 20), (200, 20), (300, 20), (400, 20), (400, 100), (500, 100)]
    edges = np.array(corners, dtype=float), np.array([0, 2, 6])
    geometry = Geometry.of(GraphLayout(*boxes, *sizes, np.arange(3), *edges, np.zeros(2, bool), (0, 0, 600, 120)))
    assert geometry.sideways
    assert geometry.label.tolist() == [[100, 20], [300, 20]]
    assert geometry.label_room.tolist() == [100 - Measure.ARROW, 200 - Measure.ARROW]


def test_curves_of_some_edges_come_in_the_order_asked_for(tmp_path: Path) -> None:
    _, _, layout = drawn(diamond(), tmp_path)
    straight = Geometry.of(layout).straight
    points, joined = straight.of(np.array([3, 1]))
    assert points[0].tolist() == layout.points[layout.start[3]].tolist()
    assert np.flatnonzero(~joined).tolist() == [0, layout.start[4] - layout.start[3]]
    assert len(straight.of(np.array([], dtype=np.int64))[0]) == 0


def test_a_graph_without_edges_has_a_geometry(tmp_path: Path) -> None:
    _, _, layout = drawn(diamond(), tmp_path)
    bare = replace(layout, points=np.zeros((0, 2)), start=np.zeros(1, np.int64), cut=np.zeros(0, bool))
    geometry = Geometry.of(bare)
    assert visible_edges(geometry, QRectF(-1e6, -1e6, 2e6, 2e6)).tolist() == []


def test_hits_find_the_box_its_slack_and_nothing(tmp_path: Path) -> None:
    _, _, layout = drawn(diamond(), tmp_path)
    geometry = Geometry.of(layout)
    for box in range(len(layout.x)):
        assert box_at(geometry, geometry.rect(box).center()) == box
        assert box_at(geometry, geometry.rect(box).topLeft() - QPointF(2, 2), 3.0) == box
    assert box_at(geometry, QPointF(1e6, 1e6)) is None
    middle = (layout.points[layout.start[0]] + layout.points[layout.start[0] + 1]) / 2
    assert edge_at(geometry, QPointF(*middle), 2.0) == 0


def test_culling_answers_with_what_touches_the_view(tmp_path: Path) -> None:
    _, _, layout = drawn(diamond(), tmp_path)
    geometry = Geometry.of(layout)
    view = geometry.rect(2)
    expected = [b for b in range(len(layout.x)) if geometry.rect(b).intersects(view)]
    assert visible_boxes(geometry, view).tolist() == expected == [2]


def test_levels_of_detail() -> None:
    assert [level_for(s) for s in (0.01, 0.34, 0.35, 0.74, 0.75, 3.0)] == [
        *(Level.SMALL, Level.SMALL, Level.MEDIUM, Level.MEDIUM, Level.FULL, Level.FULL),
    ]


@pytest.mark.parametrize(
    ("start", "way", "end"),
    [
        ("top", Way.CONSUMER, "left"),
        ("left", Way.RIGHT, "right"),
        ("right", Way.LEFT, "left"),
        ("left", Way.LEFT, None),
        ("right", Way.CONSUMER, "bottom"),
        ("bottom", Way.PRODUCER, "left"),
    ],
)
def test_travel(tmp_path: Path, start: str, way: Way, end: str | None) -> None:
    model, scene, layout = drawn(diamond(), tmp_path)
    boxes = {n.name: scene.box_of[n.id] for n in model.nodes}
    assert step(scene, Geometry.of(layout), boxes[start], way) == (None if end is None else boxes[end])


finite = st.floats(-1e5, 1e5)


@given(scale=st.floats(0.01, 3.0), x=finite, y=finite, factor=st.floats(0.3, 3.0), px=st.floats(0, 2e3))
def test_zoom_keeps_the_point_under_the_pointer(scale: float, x: float, y: float, factor: float, px: float) -> None:
    camera, at = Camera(scale, x, y), QPointF(px, 300.0)
    before, after = camera.world(at), camera.zoomed(factor, at).world(at)
    assert after.x() == pytest.approx(before.x(), abs=1e-4)
    assert after.y() == pytest.approx(before.y(), abs=1e-4)


def test_zoom_has_limits() -> None:
    assert Camera().zoomed(1e9, QPointF()).scale == LARGEST
    assert Camera().zoomed(1e-9, QPointF()).scale == SMALLEST


@given(w=st.floats(1, 1e5), h=st.floats(1, 1e5))
def test_fit_shows_everything_and_never_magnifies(w: float, h: float) -> None:
    world, view = QRectF(-50, 7, w, h), QSizeF(1400, 900)
    camera = fitted(world, view)
    assert camera.scale <= 1.0
    if camera.scale > SMALLEST:
        assert camera.seen(view).adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(world)
