"""The set-up script on machines that lack something: it says exactly what to run, or does it where it may."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

PYTHON = """#!/bin/sh
case "$2" in
*version_info\\ *) exit {too_old} ;;
*version_info*) echo 3.11 ;;
*ensurepip*) [ -e {marker} ] ;;
*) echo "python $*" >>{log}; [ "$1 $2" = "-m venv" ] && mkdir -p "$4/bin" && cp "$0" "$4/bin/python"; exit 0 ;;
esac
"""
APT = """#!/bin/sh
echo "apt-get $*" >>{log}
case "$*" in *venv*) touch {marker} ;; esac
"""


class Machine:
    """A machine made of stand-ins for python, apt-get, dpkg-query and id; everything else is real."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.log, self.marker = folder, folder / "log", folder / "venv-installed"
        self.log.touch()
        self.bin = folder / "bin"
        self.bin.mkdir()

    def program(self, name: str, text: str) -> None:
        path = self.bin / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def set_up(self, *, root: bool, too_old: bool = False, display: str = "") -> subprocess.CompletedProcess[str]:
        for name in ("python3", "python3.13", "python3.12", "python3.11"):
            self.program(name, PYTHON.format(too_old=int(too_old), marker=self.marker, log=self.log))
        self.program("apt-get", APT.format(marker=self.marker, log=self.log))
        self.program("dpkg-query", "#!/bin/sh\nexit 1\n")
        self.program("apt-cache", '#!/bin/sh\n[ "$2" != libglib2.0-0 ]\n')
        self.program("id", f"#!/bin/sh\necho {0 if root else 1000}\n")
        environment = {"PATH": f"{self.bin}{os.pathsep}/usr/bin{os.pathsep}/bin", "VENV": str(self.folder / "venv")}
        return subprocess.run(
            ["sh", str(ROOT / "scripts" / "setup.sh"), "run"],
            env=environment | ({"DISPLAY": display} if display else {}),
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            check=False,
        )


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def test_an_old_python_is_named_with_the_way_out(machine):
    answer = machine.set_up(root=True, too_old=True)
    assert answer.returncode == 1
    assert "make run PYTHON=" in answer.stderr
    assert machine.log.read_text(encoding="utf-8") == ""


def test_without_venv_and_without_root_there_is_one_line_to_run(machine):
    answer = machine.set_up(root=False)
    assert answer.returncode == 1
    assert answer.stderr == "setup: this Python has no venv module; run: sudo apt-get install -y python3-venv\n"


def test_without_venv_root_gets_it_and_the_libraries_that_the_release_has(machine):
    answer = machine.set_up(root=True)
    assert answer.returncode == 0, answer.stderr
    log = machine.log.read_text(encoding="utf-8")
    assert "install -y -qq --no-install-recommends python3.11-venv\n" in log
    assert "libegl1 libgl1 libfontconfig1 libxkbcommon0 libdbus-1-3 libglib2.0-0t64\n" in log
    assert "libxcb-cursor0" not in log
    assert "--require-hashes -r requirements.lock\n" in log


def test_a_display_wants_more_libraries(machine):
    machine.marker.touch()
    machine.set_up(root=True, display=":0")
    assert "libxcb-cursor0" in machine.log.read_text(encoding="utf-8")


def test_without_root_the_missing_libraries_are_one_line_and_no_obstacle(machine):
    machine.marker.touch()
    answer = machine.set_up(root=False)
    assert answer.returncode == 0
    assert "run: sudo apt-get install -y libegl1 libgl1" in answer.stderr
    assert "apt-get" not in machine.log.read_text(encoding="utf-8")


def test_the_second_time_nothing_is_done(machine):
    machine.marker.touch()
    machine.set_up(root=True)
    machine.log.write_text("", encoding="utf-8")
    answer = machine.set_up(root=True)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert machine.log.read_text(encoding="utf-8") == ""
