"""The session: models, targets, selection and view come back; a bad start does not repeat itself."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QPushButton, QWidget

from inspector.gui.app import application
from inspector.gui.i18n import Languages
from inspector.gui.panels.last_session import LastSessionCard
from inspector.gui.placing import pull_on_screen
from inspector.gui.session import Session, read_session, write_session
from inspector.state import state_dir
from tests.gui.window import Desk, choose, save_conv_bn

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")


@pytest.fixture
def start(qtbot, service):
    """Opens windows one after the other, each as the next start of the program."""
    made = []

    def begin(*, reopen=False):
        if made:
            made[-1].close()
        languages = Languages(application())
        languages.use("en")
        made.append(Desk(qtbot, languages, service))
        made[-1].window.habits.start(reopen=reopen)
        made[-1].idle()
        return made[-1]

    yield begin
    made[-1].close()


@pytest.fixture
def models(tmp_path):
    return [save_conv_bn(tmp_path / f"{name}.onnx", dynamic=name == "b") for name in "abc"]


def names(desk):
    return [tab.name for tab in desk.window.tabs.all]


def test_models_come_back_as_they_were_looked_at(start, models):
    desk = start()
    for path in models:
        desk.open(path)
    desk.window.tabs.show(desk.window.tabs.all[1])
    desk.document.bind({"batch": 3})
    desk.idle()
    choose(desk, "x5")
    desk.idle()
    desk.window.controller.go_to(desk.node("BatchNormalization").id)
    desk.bench.graph.zoom(1.4)
    desk.idle()
    camera = desk.bench.graph.camera
    again = start(reopen=True)
    assert names(again) == ["a.onnx", "b.onnx", "c.onnx"]
    assert again.window.tabs.current.name == "b.onnx"
    assert again.document.workspace.target.platform == "x5"
    assert dict(again.model.dims) == {"batch": 3}
    assert again.document.selected == again.node("BatchNormalization").id
    shown = again.bench.graph.camera
    assert (shown.scale, shown.x, shown.y) == pytest.approx((camera.scale, camera.x, camera.y), abs=1.0)
    assert [tab.document.workspace.target.platform for tab in again.window.tabs.all] == ["j6p", "x5", "j6p"]


def test_without_the_setting_the_start_page_offers_them(start, models):
    desk = start()
    desk.open(models[0])
    desk.open(models[2])
    models[2].unlink()
    again = start()
    assert names(again) == [""]
    (card,) = again.bench.start.findChildren(LastSessionCard)
    (button,) = card.findChildren(QPushButton)
    assert button.text().startswith("Reopen 2")
    button.click()
    again.idle()
    assert names(again) == ["a.onnx"]
    assert [b.title for b in again.bench.banners.shown if b.key == "session"] == ["Not reopened: c.onnx"]
    assert not again.errors


def test_a_start_that_died_is_not_repeated(start, models):
    start().open(models[0])
    desk = start()
    (state_dir() / "session.reopening").write_text("a.onnx\n", encoding="utf-8")
    desk.window.habits.sessions.close = lambda: None  # it was killed
    desk.window.habits.sessions._claim.release()
    again = start(reopen=True)
    assert names(again) == [""]
    assert again.window.habits.sessions.failed_over == ("a.onnx",)
    (card,) = again.bench.start.findChildren(LastSessionCard)
    assert "a.onnx" in " ".join(label.text() for label in card.findChildren(QWidget) if hasattr(label, "text"))
    assert not (state_dir() / "session.reopening").exists()
    card.findChildren(QPushButton)[0].click()
    again.idle()
    assert names(again) == ["a.onnx"]


def test_a_second_window_keeps_no_session(start, qtbot, service, models):
    first = start()
    first.open(models[0])
    languages = Languages(application())
    second = Desk(qtbot, languages, service)
    second.window.habits.start(reopen=True)
    second.open(models[1])
    assert names(second) == ["b.onnx"]
    second.close()
    first.window.habits.sessions.save()
    saved = read_session((state_dir() / "session.json").read_text(encoding="utf-8"))
    assert [path.name for path, _ in saved.tabs] == ["a.onnx"]


@pytest.mark.parametrize("text", ["", "{", '{"schema": "bpu-graph-inspector/session/9", "tabs": []}', "[1]", "null"])
def test_a_damaged_session_is_an_empty_one(start, text):
    state_dir().mkdir(parents=True, exist_ok=True)
    (state_dir() / "session.json").write_text(text, encoding="utf-8")
    desk = start(reopen=True)
    assert names(desk) == [""]
    assert not desk.errors


@given(st.text(max_size=30))
def test_no_text_breaks_the_reader(text):
    assert read_session(text) == Session()


def test_every_damaged_part_gives_an_empty_session(start, models):
    desk = start()
    desk.open(models[0])
    content = json.loads(write_session(desk.window.habits.sessions.now()))
    assert len(read_session(json.dumps(content)).tabs) == 1
    for key, odd in (("path", 3), ("target", {}), ("dims", {"n": 0}), ("selected", []), ("sight", {"scale": "x"})):
        broken = json.loads(json.dumps(content))
        broken["tabs"][0][key] = odd
        assert read_session(json.dumps(broken)) == Session(), key


@pytest.mark.parametrize(
    ("place", "moved"),
    [
        (QRect(100, 50, 400, 300), False),
        (QRect(-350, 50, 400, 300), True),
        (QRect(5000, 5000, 400, 300), True),
        (QRect(100, -200, 400, 300), True),
    ],
)
def test_a_window_off_the_screens_is_pulled_back(qtbot, place, moved):
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.setGeometry(place)
    screens = [QRect(0, 0, 800, 600), QRect(800, 0, 800, 600)]
    pull_on_screen(widget, screens)
    assert (widget.geometry() != place) is moved
    assert screens[0].intersects(widget.geometry())
