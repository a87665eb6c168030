"""The wheel: everything that the program reads at run time is inside, and it works from a fresh environment."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DATA = "inspector/_data/"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel of this checkout."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def fresh(wheel, tmp_path_factory):
    """Python of a new environment with the wheel in it; the dependencies are those of the running one."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder, with_pip=False)
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    python = scripts / "python"
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps", "--no-index", str(wheel)]
    subprocess.run(install, capture_output=True, check=True)
    site = next(folder.rglob("site-packages"))
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return scripts


def sources(folder):
    """Files below *folder*, as the wheel names them; an unpacked archive has no git to ask."""
    files = (path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(ROOT).as_posix() for path in files}


def test_the_data_is_inside(wheel):
    inside = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("constraints", "resources"):
        missing = {name for name in sources(folder) if DATA + name not in inside}
        assert sources(folder)
        assert not missing


def test_every_module_is_inside_and_no_test(wheel):
    inside = set(zipfile.ZipFile(wheel).namelist())
    assert sources("inspector") <= inside
    assert not [name for name in inside if name.startswith(("tests/", "benchmarks/", "scripts/"))]


def test_the_licence_is_inside(wheel):
    assert any(name.endswith("/LICENSE") for name in zipfile.ZipFile(wheel).namelist())


def without_sources():
    """The environment without the path on which the sources of this checkout may lie."""
    return {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--version"], "bpu-inspector "),
        (["targets"], "x5"),
        (["rules"], "bn-fold"),
        (["explain", "Softmax"], "Softmax"),
    ],
)
def test_the_installed_program_works(fresh, tmp_path, words, expected):
    answer = subprocess.run(
        [str(fresh / "bpu-inspector"), *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=without_sources(),
        check=False,
    )
    assert (answer.returncode, answer.stderr) == (0, "")
    assert expected in answer.stdout


def test_the_installed_package_is_the_one_that_runs(fresh, tmp_path):
    code = "import inspector, inspector.assets as a; print(inspector.__file__); print(a.constraints_dir())"
    answer = subprocess.run(
        [str(fresh / "python"), "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=without_sources(),
        check=True,
    )
    for line in answer.stdout.splitlines():
        assert Path(line).is_relative_to(fresh.parent)
