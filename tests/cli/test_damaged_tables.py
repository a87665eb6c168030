"""Invalid constraint data ends a command with exit code 4, the file and the key."""

import shutil
import subprocess
import sys

import pytest

from tests.helpers.cli import ROOT, environment


@pytest.fixture(scope="module")
def damaged(tmp_path_factory):
    """A copy of the program whose table of X5 has a key that no table may have."""
    copy = tmp_path_factory.mktemp("damaged")
    for folder in ("inspector", "constraints", "resources"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    table = copy / "constraints" / "bayes-e" / "op-list.yaml"
    table.write_text(table.read_text(encoding="utf-8") + "\nunheard_of: 1\n", encoding="utf-8")
    return copy


@pytest.mark.parametrize(
    "words", [("check", "resources/samples/occupancy-head.onnx", "--platform", "x5"), ("targets",)]
)
def test_the_file_and_the_key_are_named(damaged, words):
    answer = subprocess.run(
        [sys.executable, "-m", "inspector", *words],
        cwd=damaged,
        env={**environment(), "PYTHONPATH": str(damaged)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert answer.returncode == 4
    assert answer.stdout == ""
    assert "op-list.yaml" in answer.stderr
    assert "unheard_of" in answer.stderr
    assert "Traceback" not in answer.stderr
