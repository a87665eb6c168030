"""Names of segments stand where no edge runs through them."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QSize

from inspector.gui.canvas.lod import visible_boxes, visible_edges
from inspector.gui.canvas.marks import Marks
from inspector.gui.canvas.segment_names import segment_names
from inspector.gui.canvas.view import GraphView
from inspector.placement.verdict import Verdict
from tests.helpers.drawing import chain, diamond, drawn, placed


@pytest.fixture
def show(qtbot, tmp_path):
    """Shows a model in a view of 900 x 700 pixels at 100 %, Softmax on the CPU; gives the frame that is painted."""

    def shown(model, *, fixes=0):
        made, scene, layout = drawn(model, tmp_path)
        view = GraphView(overlays=False)
        view.reduce_motion = True
        qtbot.addWidget(view)
        view.resize(QSize(900, 700))
        view.show()
        view.set_scene(scene, layout)
        view.set_placement(placed(made, {"Softmax": Verdict.CPU}), {node.id: fixes for node in made.nodes})
        view.centre_on(made.nodes[1].id, animated=False, scale=1.0)
        return view.frame()

    return shown


def names(frame):
    return segment_names(frame, visible_boxes(frame.geometry, frame.seen), visible_edges(frame.geometry, frame.seen))


def runs_through(frame, rect):
    """Whether a point of an edge's line lies in *rect*, in view pixels."""
    straight = frame.geometry.straight
    for first, second, joined in zip(straight.points, straight.points[1:], straight.joined[1:], strict=False):
        steps = np.linspace(0.0, 1.0, 200)[:, None]
        line = first + (second - first) * steps if joined else np.zeros((0, 2))
        if any(rect.contains(frame.camera.screen(QPointF(*point))) for point in line.tolist()):
            return True
    return False


@pytest.mark.parametrize("fixes", [0, 3])
@pytest.mark.parametrize("model", [chain("Relu", "Softmax", "Relu"), diamond()], ids=["chain", "diamond"])
def test_no_edge_runs_through_the_name_of_a_segment(show, model, fixes):
    frame = show(model, fixes=fixes)
    found = names(frame)
    assert len(found) >= 3
    for name in found:
        assert not name.crossed
        assert not runs_through(frame, name.rect)


def test_the_name_stands_at_the_right_corner_and_a_badge_moves_it_to_the_left(show):
    plain, moved = names(show(chain("Relu", "Softmax"))), names(show(chain("Relu", "Softmax"), fixes=2))
    assert [name.text for name in plain] == ["segment 1", "CPU island 1"]
    for before, after in zip(plain, moved, strict=True):
        assert after.rect.left() < before.rect.left()


def test_names_are_switched_off_with_the_segments(show):
    frame = show(chain("Relu", "Softmax"))
    assert names(frame)
    assert not names(replace(frame, marks=Marks(segments=False)))
