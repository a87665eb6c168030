"""What every test gets: no display needed, the same random numbers each time, no stray warning unseen."""

import logging
import os
import random
from itertools import count

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
os.environ["LANGUAGE"] = os.environ["LC_ALL"] = "C.UTF-8"

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "ci", derandomize=True, deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow], database=None
)
settings.register_profile("explore", deadline=None, max_examples=500, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


_numbers = count()


@pytest.fixture(autouse=True)
def _isolated(monkeypatch, tmp_path_factory):
    """Settings, logs and journals of the tests never touch those of the user."""
    # `mktemp` would look through the folders of all tests before to find the next number.
    folder = tmp_path_factory.getbasetemp() / "config" / str(next(_numbers))
    folder.mkdir(parents=True)
    for name in ("XDG_CONFIG_HOME", "APPDATA", "XDG_STATE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(folder))
    random.seed(20260)
    np.random.seed(20260)


@pytest.fixture(autouse=True)
def _no_stray_log_warning(request, caplog):
    """Fail a test that logs a warning, unless it is marked `expects_log`."""
    with caplog.at_level(logging.WARNING, logger="inspector"):
        yield
    if request.node.get_closest_marker("expects_log"):
        return
    stray = [r for when in ("setup", "call") for r in caplog.get_records(when) if r.levelno >= logging.WARNING]
    ours = [r.getMessage() for r in stray if r.name.startswith("inspector")]
    if ours:
        pytest.fail(f"unexpected log records: {ours}")
