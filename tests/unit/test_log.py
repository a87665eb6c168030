import logging

import pytest

from inspector.log import ROOT, set_up


@pytest.fixture(autouse=True)
def _restored():
    root = logging.getLogger(ROOT)
    before = (root.level, list(root.handlers))
    yield
    for handler in root.handlers:
        handler.close()
    root.level, root.handlers[:] = before


def test_the_ring_keeps_the_last_records():
    ring = set_up()
    for number in range(600):
        logging.getLogger("inspector.model").info("record %d", number)
    lines = ring.lines()
    assert len(lines) == 500
    assert lines[-1].endswith("INFO inspector.model: record 599")
    assert lines[0].endswith("record 100")


def test_the_file_gets_the_same_records(tmp_path):
    path = tmp_path / "logs" / "inspector.log"
    set_up(file=path)
    logging.getLogger("inspector.gui").info("打开 %s", "m.onnx")
    assert "打开 m.onnx" in path.read_text(encoding="utf-8")


def test_setting_up_again_does_not_double_records(tmp_path):
    path = tmp_path / "inspector.log"
    set_up(file=path)
    ring = set_up(file=path)
    logging.getLogger("inspector").info("once")
    assert path.read_text(encoding="utf-8").count("once") == 1
    assert sum("once" in line for line in ring.lines()) == 1


@pytest.mark.expects_log
def test_a_log_file_that_cannot_be_written_does_not_stop_the_program(tmp_path):
    (tmp_path / "blocked").write_text("", encoding="utf-8")
    ring = set_up(file=tmp_path / "blocked" / "inspector.log")
    assert any("no log file" in line for line in ring.lines())


def test_only_warnings_reach_the_terminal(capsys):
    set_up(console=True)
    logging.getLogger("inspector").info("quiet")
    assert capsys.readouterr().err == ""
