"""The Log tab: records by level and text, copied as they are shown."""

import logging

import pytest
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication

from inspector.gui.panels.log import LogPanel
from inspector.log import set_up
from inspector.state import log_path

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")


@pytest.fixture
def panel(qtbot):
    ring = set_up(logging.DEBUG)
    made = LogPanel(ring)
    qtbot.addWidget(made)
    made.show()
    yield made
    set_up()


def fill():
    logging.getLogger("inspector.gui").info("opened <b>net</b>.onnx")
    logging.getLogger("qt").debug("painter\nsecond line")
    logging.getLogger("inspector.model").error("refused")
    logging.getLogger("py.warnings").warning("deprecated")


def lines(panel):
    return [line.rpartition(": ")[2] for line in panel.text.toPlainText().splitlines()]


@pytest.mark.expects_log
def test_records_are_shown_by_level_and_text(panel):
    fill()
    panel.refresh()
    assert lines(panel) == ["opened <b>net</b>.onnx", "painter", "second line", "refused", "deprecated"]
    assert panel.count.text().startswith("4 record")
    panel.level.setCurrentIndex(panel.level.findData(logging.WARNING))
    assert lines(panel) == ["refused", "deprecated"]
    assert panel.count.text() == "2 of 4"
    panel.search.setText("REFUS")
    assert lines(panel) == ["refused"]
    panel._copy.click()
    assert QApplication.clipboard().text() == panel.text.toPlainText()
    panel.search.clear()
    panel.level.setCurrentIndex(0)
    assert len(lines(panel)) == 5


@pytest.mark.expects_log
def test_the_place_that_is_read_stays_and_the_end_is_followed(panel, qtbot):
    panel.resize(400, 200)
    for number in range(100):
        logging.getLogger("inspector").info("record %d", number)
    panel.refresh()
    bar = panel.text.verticalScrollBar()
    assert bar.value() == bar.maximum()
    bar.setValue(10)
    fill()
    panel.refresh()
    assert bar.value() == 10


def test_the_folder_of_the_log_is_opened(panel, monkeypatch):
    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    log_path().parent.mkdir(parents=True)
    panel._folder.click()
    assert opened == [str(log_path().parent)]
