import fcntl
import stat
import tempfile

import pytest

from inspector.worker import folders


@pytest.fixture
def parent(tmp_path, monkeypatch):
    """A temporary folder of the test's own, for a private folder of the test's own."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(folders, "_root", None)
    monkeypatch.setattr(folders, "_owner", None)
    yield tmp_path
    folders.remove_private_folder()


def test_private_and_one_per_process(parent):
    folder = folders.private_folder()
    assert folder.parent == parent
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert folders.private_folder() == folder
    folders.remove_private_folder()
    assert not folder.exists()
    assert list(parent.iterdir()) == []


def test_made_again_when_somebody_cleared_the_temporary_folder(parent):
    folder = folders.private_folder()
    (folder / "owner").unlink()
    folder.rmdir()
    again = folders.private_folder()
    assert again.is_dir()


def test_scratch_goes_even_after_a_failure(parent):
    seen = []

    def fail():
        with folders.scratch() as folder:
            seen.append(folder)
            (folder / "weights").write_bytes(b"secret")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert not seen[0].exists()
    assert [p.name for p in folders.private_folder().iterdir()] == ["owner"]


def test_sweep_takes_only_what_no_process_holds(tmp_path):
    stale, held, foreign = (tmp_path / f"{folders.PREFIX}{n}" for n in ("stale", "held", "foreign"))
    for folder in (stale, held, foreign):
        folder.mkdir()
        (folder / "run").mkdir()
    (stale / "owner").touch()
    (tmp_path / "unrelated").mkdir()
    link = tmp_path / f"{folders.PREFIX}link"
    link.symlink_to(tmp_path / "unrelated")
    with (held / "owner").open("wb") as owner:
        fcntl.flock(owner, fcntl.LOCK_EX)
        assert folders.sweep(tmp_path) == (stale,)
    assert not stale.exists()
    assert held.is_dir()
    assert foreign.is_dir(), "no owner file: not ours to judge"
    assert link.is_symlink()
    assert folders.sweep(tmp_path) == (held,)
