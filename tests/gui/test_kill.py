"""A real process killed after an accepted rewrite: the next start offers the work and brings it back, proven."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from inspector.state import state_dir
from tests.gui.window import save_conv_bn

ROOT = Path(__file__).resolve().parents[2]
LIMIT_S = 120


def start(script, *models):
    words = [sys.executable, "-m", "tests.helpers.driven_window", script, *map(str, models)]
    return subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=os.environ | {"LANGUAGE": "en"})


def answer(script, *models):
    """What a driven window says."""
    with start(script, *models) as child:
        try:
            return child.communicate(timeout=LIMIT_S)[0].splitlines()
        finally:
            child.kill()


@pytest.fixture
def model(tmp_path):
    return save_conv_bn(tmp_path / "net.onnx")


def test_a_killed_window_loses_nothing(model):
    before = model.read_bytes()
    child = start("work", model)
    try:
        assert child.stdout.readline() == "accepted\n"
        assert answer("look") == ["session 0"], "the work of a living window is not on offer, nor is its session"
    finally:
        child.send_signal(signal.SIGKILL)
        child.communicate(timeout=LIMIT_S)
    assert answer("recover") == ["1 PASSED"]
    assert answer("look")[0].startswith("session"), "who closes and discards has decided"
    assert not list((state_dir() / "journals").iterdir())
    assert model.read_bytes() == before
    assert [path.name for path in model.parent.iterdir()] == ["net.onnx"]
