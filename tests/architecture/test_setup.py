"""The set-up script on machines that lack something: it says exactly what to run, or does it where it may."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

PYTHON = """#!/bin/sh
case "$2" in
*version_info\\ *) exit {too_old} ;;
*version_info*) echo 3.11 ;;
*ensurepip*) [ -e {marker} ] ;;
*) echo "python $*" >>{log}
   for last in "$@"; do :; done
   [ "$1 $2" != "-m venv" ] || {{ mkdir -p "$last/bin" && cp "$0" "$last/bin/python" && cp "$0" "$last/bin/pip"; }} ;;
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
        self.venv = folder / "venv"
        self.log.touch()
        self.bin = folder / "bin"
        self.bin.mkdir()

    def program(self, name: str, text: str) -> None:
        path = self.bin / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def set_up(
        self, *, root: bool, too_old: bool = False, apt: bool = True, display: str = ""
    ) -> subprocess.CompletedProcess[str]:
        for name in ("python3", "python3.13", "python3.12", "python3.11"):
            self.program(name, PYTHON.format(too_old=int(too_old), marker=self.marker, log=self.log))
        self.program("apt-get", APT.format(marker=self.marker, log=self.log))
        self.program("dpkg-query", "#!/bin/sh\nexit 1\n")
        self.program("apt-cache", '#!/bin/sh\n[ "$2" != libglib2.0-0 ]\n')
        self.program("id", f"#!/bin/sh\necho {0 if root else 1000}\n")
        path = f"{self.bin}{os.pathsep}/usr/bin{os.pathsep}/bin"
        if not apt:
            (self.bin / "apt-get").unlink()
            for name in ("sh", "env", "dirname", "cat", "cksum", "tr", "grep", "mkdir", "cp", "rm", "sed"):
                (self.bin / name).symlink_to(shutil.which(name))
            path = str(self.bin)
        environment = {"PATH": path, "VENV": str(self.venv)}
        return subprocess.run(
            [shutil.which("sh"), str(ROOT / "scripts" / "setup.sh"), "run"],
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
    assert answer.stderr == "setup: this Python has no venv module; run: sudo apt-get install -y python3.11-venv\n"


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


def test_without_venv_and_without_apt_no_apt_is_named(machine):
    answer = machine.set_up(root=True, apt=False)
    assert answer.returncode == 1
    assert "apt" not in answer.stderr
    assert "make run PYTHON=" in answer.stderr


def test_an_environment_that_was_moved_is_made_again(machine):
    machine.marker.touch()
    machine.set_up(root=True)
    (machine.venv / ".made-in").write_text("/elsewhere\n", encoding="utf-8")
    machine.log.write_text("", encoding="utf-8")
    assert machine.set_up(root=True).returncode == 0
    assert f"-m venv {machine.venv}" in machine.log.read_text(encoding="utf-8")


def test_an_environment_whose_scripts_do_not_run_is_made_again(machine):
    machine.marker.touch()
    machine.set_up(root=True)
    (machine.venv / ".made-in").unlink()
    (machine.venv / "bin" / "pip").write_text("#!/gone/python\n", encoding="utf-8")
    assert machine.set_up(root=True).returncode == 0
    assert "-m venv" in machine.log.read_text(encoding="utf-8").partition("editable")[2]


def test_an_environment_of_somebody_else_is_used_and_never_cleared(machine):
    machine.marker.touch()
    machine.set_up(root=True)
    (machine.venv / ".made-in").unlink()
    machine.log.write_text("", encoding="utf-8")
    assert machine.set_up(root=True).returncode == 0
    assert "-m venv" not in machine.log.read_text(encoding="utf-8")


def test_a_place_that_cannot_be_written_is_named_with_the_way_out(machine):
    machine.marker.touch()
    machine.venv.write_text("a file", encoding="utf-8")
    answer = machine.set_up(root=True)
    assert answer.returncode == 1
    assert "make run VENV=" in answer.stderr
