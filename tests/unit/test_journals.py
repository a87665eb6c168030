"""The folder of journals: what a killed process left is found once, and nothing hostile in it does harm."""

import os
import signal
import stat
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from inspector.journal import Aim, Journal, JournalError, ModelFile, write_journal
from inspector.journals import LARGEST_BYTES, Journals
from inspector.model.files import FileStamp
from inspector.rewrite.recipe import RecipeStep

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
WORK = (
    "import sys; from pathlib import Path; from inspector.journal import read_journal;"
    "from inspector.journals import Journals\n"
    "kept = Journals(Path(sys.argv[1])); text = Path(sys.argv[2]).read_text(encoding='utf-8')\n"
    "for number in (1, 2): kept.write(number, read_journal(text))\n"
    "print('written', flush=True); sys.stdin.read()"
)


def journal(name="a.onnx", written=NOW):
    step = RecipeStep("bn-fold", "conv", "BatchNormalization", "bn", ("y",))
    return Journal(ModelFile(Path("/models") / name, FileStamp(1, 2)), Aim("x5"), {}, (step,), (1,), (), written)


def left_by_the_dead(folder, name, text):
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}.json"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def other(tmp_path):
    """A living process with two journals."""
    text = tmp_path / "text"
    text.write_text(write_journal(journal()), encoding="utf-8")
    words = [sys.executable, "-c", WORK, str(tmp_path / "kept"), str(text)]
    child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "written\n"
    yield child
    child.kill()
    child.communicate()


@pytest.fixture
def store():
    """Makes stores that are closed at the end."""
    made = []

    def make(folder):
        made.append(Journals(folder))
        return made[-1]

    yield make
    for kept in made:
        kept.close()


def test_only_the_dead_leave_something(other, tmp_path, store):
    kept = store(tmp_path / "kept")
    kept.write(1, journal("mine.onnx"))
    assert kept.left() == ()
    other.send_signal(signal.SIGKILL)
    other.wait()
    first, second = kept.left()
    assert first.journal == second.journal == journal()
    assert kept.take(first)
    assert kept.take(second), "one claim covers all journals of a dead process"
    rival = store(tmp_path / "kept")
    assert rival.left() == ()
    assert not rival.take(first)
    kept.discard(first)
    assert not rival.take(second)
    kept.give_back(second)
    assert [left.path for left in rival.left()] == [second.path]
    rival.discard(second)
    kept.remove(1)
    kept.close()
    assert list((tmp_path / "kept").iterdir()) == []


def test_nothing_is_made_before_there_is_something_to_keep(tmp_path, store):
    kept = store(tmp_path / "kept")
    assert kept.left() == ()
    kept.remove(1)
    kept.close()
    assert not (tmp_path / "kept").exists()


def test_a_newer_journal_replaces_the_older_one_of_its_document(tmp_path, store):
    kept = store(tmp_path / "kept")
    first = kept.write(3, journal("a.onnx"))
    assert kept.write(3, journal("b.onnx")) == first
    kept.close()
    (left,) = store(tmp_path / "kept").left()
    assert left.journal.model.path.name == "b.onnx"
    assert stat.S_IMODE(first.parent.stat().st_mode) == 0o700, "nobody else needs to know what is worked on"


def test_hostile_files_are_answers_or_left_alone(tmp_path, store):
    folder = tmp_path / "kept"
    newer = left_by_the_dead(folder, "1-a-1", '{"schema": "bpu-graph-inspector/journal/9"}')
    torn = left_by_the_dead(folder, "2-a-1", write_journal(journal())[:50])
    binary = left_by_the_dead(folder, "3-a-1", "")
    binary.write_bytes(b"\xff\xfe\x00")
    long = left_by_the_dead(folder, "4-a-1", "")
    os.truncate(long, LARGEST_BYTES + 1)
    good = left_by_the_dead(folder, "5-a-1", write_journal(journal()))
    (folder / "6-a-1.json").symlink_to(good)
    (folder / "7-a-1.json").mkdir()
    (folder / "notes.txt").write_text("x", encoding="utf-8")
    found = {left.path: left for left in store(folder).left()}
    assert set(found) == {newer, torn, binary, long, good}
    assert found[good].journal == journal()
    keys = {path: found[path].problem.key for path in (newer, torn, binary, long)}
    assert keys == {
        newer: "journal.newer",
        torn: "journal.damaged",
        binary: "journal.reason",
        long: "journal.too_long",
    }
    for left in found.values():
        store(folder).discard(left)
    assert sorted(path.name for path in folder.iterdir()) == ["6-a-1.json", "7-a-1.json", "notes.txt"]


def test_a_journal_of_another_user_is_left_alone(tmp_path, store, monkeypatch):
    path = left_by_the_dead(tmp_path / "kept", "1-a-1", write_journal(journal()))
    monkeypatch.setattr(os, "getuid", lambda: path.stat().st_uid + 1)
    assert store(tmp_path / "kept").left() == ()
    assert path.exists()


def test_two_hundred_journals_come_newest_first_whatever_the_clock_did(tmp_path, store):
    for number in range(200):
        written = NOW + timedelta(days=(number * 37 % 200) - 100)
        left_by_the_dead(tmp_path / "kept", f"{number}-a-1", write_journal(journal(f"{number}.onnx", written)))
    found = store(tmp_path / "kept").left()
    times = [left.journal.written for left in found]
    assert len(times) == 200
    assert times == sorted(times, reverse=True)


def test_stale_locks_without_a_journal_are_swept(tmp_path, store):
    (tmp_path / "1-a.lock").touch()
    assert store(tmp_path).left() == ()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_told(tmp_path, store):
    (tmp_path / "file").write_text("", encoding="utf-8")
    kept = store(tmp_path / "file" / "kept")
    with pytest.raises(JournalError) as refused:
        kept.write(1, journal())
    assert refused.value.message.key == "journal.unwritable"
    assert kept.left() == ()
    kept.close()


def test_a_full_disk_leaves_the_older_journal(tmp_path, monkeypatch, store):
    kept = store(tmp_path)
    path = kept.write(1, journal("old.onnx"))

    def full(_descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(JournalError, match="no space left"):
        kept.write(1, journal("new.onnx"))
    assert "old.onnx" in path.read_text(encoding="utf-8")
    assert sorted(entry.suffix for entry in tmp_path.iterdir()) == [".json", ".lock"]
