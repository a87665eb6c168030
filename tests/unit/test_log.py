import getpass
import logging
import subprocess
import sys
import traceback
from pathlib import Path

import pytest

from inspector.log import OTHERS, ROOT, catch_faults, hide_paths, own_log, release_faults, set_up


@pytest.fixture(autouse=True)
def _restored():
    loggers = [logging.getLogger(name) for name in (ROOT, *OTHERS)]
    before = [(logger.level, list(logger.handlers)) for logger in loggers]
    yield
    for logger, (level, handlers) in zip(loggers, before, strict=True):
        for handler in logger.handlers:
            handler.close()
        logger.level, logger.handlers[:] = level, handlers


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


@pytest.mark.expects_log
def test_records_are_found_by_level_and_text():
    ring = set_up(logging.DEBUG)
    logging.getLogger("inspector.gui").info("opened 模型.onnx")
    logging.getLogger("inspector.gui").error("Failed to open")
    logging.getLogger("qt").debug("painter")
    assert [r.text.rpartition(": ")[2] for r in ring.records(logging.WARNING)] == ["Failed to open"]
    assert [r.text.rpartition(": ")[2] for r in ring.records(text="OPEN")] == ["opened 模型.onnx", "Failed to open"]
    assert [r.number for r in ring.records()] == [0, 1, 2]


@pytest.mark.expects_log
def test_the_level_holds_for_all_loggers():
    ring = set_up(logging.WARNING)
    for name in (ROOT, *OTHERS):
        logging.getLogger(name).info("not kept")
        logging.getLogger(name).error("kept")
    assert len(ring.lines()) == 3


def test_the_file_is_rotated(tmp_path, monkeypatch):
    monkeypatch.setattr("inspector.log.FILE_BYTES", 300)
    set_up(file=tmp_path / "inspector.log")
    for number in range(50):
        logging.getLogger("inspector").info("record %d", number)
    assert len(list(tmp_path.iterdir())) == 4
    assert all(path.stat().st_size <= 300 for path in tmp_path.iterdir())


def test_each_process_has_a_log_file_of_its_own(tmp_path):
    first, claim = own_log(tmp_path / "log" / "inspector.log")
    second, other = own_log(tmp_path / "log" / "inspector.log")
    assert (first.name, second.name) == ("inspector.log", "inspector-2.log")
    claim.release()
    assert own_log(tmp_path / "log" / "inspector.log")[1].release() is None
    other.release()
    (tmp_path / "file").touch()
    assert own_log(tmp_path / "file" / "inspector.log") == (tmp_path / "file" / "inspector.log", None)


def test_a_crash_of_native_code_is_in_the_log_of_the_next_run(tmp_path):
    def run(rest):
        code = (
            "import sys, faulthandler; from pathlib import Path\n"
            "from inspector.log import catch_faults, release_faults, set_up\n"
            f"ring = set_up(); kept, earlier = catch_faults(Path(sys.argv[1]), 'inspector'); {rest}"
        )
        return subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False)

    assert run("faulthandler._sigsegv()").returncode != 0
    told = run("print(earlier, *ring.lines()); release_faults(kept)")
    assert told.returncode == 0
    assert told.stdout.startswith("True")
    assert "the last run ended in native code" in told.stdout
    assert "Segmentation fault" in told.stdout
    assert list(tmp_path.iterdir()) == []
    assert run("release_faults(kept); print(earlier, ring.lines())").stdout == "False ()\n"


@pytest.mark.expects_log
def test_without_a_folder_for_crashes_the_program_goes_on(tmp_path):
    assert catch_faults(tmp_path / "missing", "inspector") == (None, False)
    release_faults(None)


def test_a_report_can_go_without_paths():
    home, user = Path.home(), getpass.getuser()
    text = (
        f'File "{home}/my models/秘密 net.onnx", line 3\n'
        "cannot read /data/customer/net.onnx: No such file\n"
        r"C:\Users\Jane\net.onnx is gone, \\server\share\net.onnx too, ~/net.onnx" + "\n"
        f"opened by {user}xyz, net.onnx, 3/4 nodes, and/or http\n"
    )
    shown = hide_paths(text, ["net.onnx"])
    for secret in ("秘密", "customer", "Jane", "server", "net.onnx", str(home)):
        assert secret not in shown, secret
    assert "3/4 nodes, and/or http" in shown
    assert "No such file" in shown


def test_places_in_the_program_stay_in_a_report():
    try:
        set_up(level="no level")
    except ValueError as error:
        trace = "".join(traceback.format_exception(error))
    shown = hide_paths(trace)
    assert 'File "inspector/log.py", line' in shown
    assert str(Path(__file__).parent) not in shown
