"""Claims: one living process per name, free again however it ended."""

import os
import signal
import subprocess
import sys

import pytest

from inspector import state
from inspector.state import Claim, state_dir

HOLD = (
    "import sys; from pathlib import Path; from inspector.state import Claim\n"
    "claim = Claim.fresh(Path(sys.argv[1])); print(claim.name, flush=True); sys.stdin.read()"
)


@pytest.fixture
def other(tmp_path):
    """Another process that holds a claim; its name."""
    child = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    child.name = child.stdout.readline().strip()
    yield child
    child.kill()
    child.communicate()


def test_what_a_living_process_claims_is_taken_when_it_is_killed(other, tmp_path):
    assert other.name.startswith(f"{other.pid}-")
    assert Claim.take(tmp_path, other.name) is None
    other.send_signal(signal.SIGKILL)
    other.wait()
    claim = Claim.take(tmp_path, other.name)
    assert claim is not None
    claim.release()
    assert not list(tmp_path.iterdir())


def test_a_claim_excludes_another_one_of_the_same_process(tmp_path):
    claim = Claim.fresh(tmp_path / "made")
    assert Claim.take(tmp_path / "made", claim.name) is None
    claim.release()
    again = Claim.take(tmp_path / "made", claim.name)
    assert again is not None
    again.release()


def test_where_there_are_no_locks_the_process_id_decides(monkeypatch, tmp_path):
    monkeypatch.setattr(state, "try_lock", lambda _handle: None)
    dead = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    assert Claim.take(tmp_path, f"{os.getppid()}-abc") is None
    for claim in (Claim.take(tmp_path, f"{int(dead.stdout)}-abc"), Claim.fresh(tmp_path)):
        assert claim is not None
        claim.release()


def test_a_folder_that_cannot_be_written_is_an_error_of_the_system(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(OSError, match="file"):
        Claim.fresh(tmp_path / "file" / "below")


def test_the_folder_is_that_of_the_system(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    assert state_dir() == tmp_path / "bpu-graph-inspector"
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    monkeypatch.setattr(sys, "platform", "win32")
    assert state_dir() == tmp_path / "local" / "BPU Graph Inspector"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert state_dir().parts[-4:-1] == ("Library", "Application Support", "BPU Graph Inspector")
