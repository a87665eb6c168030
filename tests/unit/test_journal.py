"""Journals: what is written is read again, whatever is damaged is an answer, and the model file is told apart."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.journal import (
    NO_TIME,
    SCHEMA,
    Aim,
    FileState,
    Journal,
    JournalError,
    ModelFile,
    Wish,
    file_state,
    read_journal,
    write_journal,
)
from inspector.model.files import FileStamp, sha256, stamp
from inspector.model.reference import NodeRef
from inspector.placement.target import Device, Flow, Qtype
from inspector.rewrite.recipe import RecipeStep

NAMES = st.text(max_size=8)
STEPS = st.builds(RecipeStep, NAMES, NAMES, NAMES, NAMES, st.lists(NAMES, max_size=3).map(tuple))
REFS = st.builds(NodeRef, NAMES, NAMES, st.lists(NAMES, max_size=3).map(tuple), NAMES)
WISHES = st.builds(Wish, REFS, st.none() | st.sampled_from(Device), st.none() | st.sampled_from(Qtype))
AIMS = st.builds(Aim, NAMES, st.none() | NAMES, st.none() | NAMES, st.sampled_from(Flow))


def groups_of(count):
    return st.just(()) if count == 0 else st.just((count,)) | st.just((1,) * count)


@st.composite
def journals(draw):
    steps = tuple(draw(st.lists(STEPS, max_size=4)))
    return Journal(
        ModelFile(Path("/models") / "模型.onnx", FileStamp(draw(st.integers(0, 2**62)), draw(st.integers(0, 2**62)))),
        draw(AIMS),
        MappingProxyType(draw(st.dictionaries(NAMES, st.integers(1, 9)))),
        steps,
        draw(groups_of(len(steps))),
        tuple(draw(st.lists(WISHES, max_size=3))),
        draw(st.datetimes(timezones=st.just(UTC)) | st.just(NO_TIME)),
    )


def sample(path=Path("/models/a.onnx")):
    steps = tuple(RecipeStep("bn-fold", "conv", "BatchNormalization", f"bn{i}", (f"y{i}",)) for i in range(3))
    wish = Wish(NodeRef("Conv", "c", ("t",)), Device.CPU)
    return Journal(ModelFile(path, FileStamp(10, 20), "ab"), Aim("j6p"), {"n": 2}, steps, (1, 2), (wish,))


@given(journals())
def test_reading_gives_what_was_written(journal):
    again = read_journal(write_journal(journal))
    assert again == journal
    assert bool(again) == bool(journal.steps or journal.wishes or journal.dims)


def test_a_newer_journal_is_told_apart_from_a_damaged_one():
    content = json.loads(write_journal(sample()))
    content["schema"] = "bpu-graph-inspector/journal/2"
    with pytest.raises(JournalError) as newer:
        read_journal(json.dumps(content))
    assert newer.value.message.key == "journal.newer"
    content["schema"] = "somebody-else/1"
    with pytest.raises(JournalError) as foreign:
        read_journal(json.dumps(content))
    assert foreign.value.message.key == "journal.schema"


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("model",), None),
        (("model", "path"), 7),
        (("model", "size_bytes"), "10"),
        (("model", "size_bytes"), 1.5),
        (("target", "flow"), "neither"),
        (("dims",), [1]),
        (("dims",), {"n": 0}),
        (("groups",), [3, 3]),
        (("groups",), [4, -1]),
        (("nodes", 0, "device"), "gpu"),
        (("nodes", 0, "node"), {}),
        (("recipe",), {"schema": "x"}),
        (("recipe", "steps", 0, "anchor"), None),
    ],
)
def test_every_damaged_part_is_an_answer(place, value):
    content = json.loads(write_journal(sample()))
    part = content
    for key in place[:-1]:
        part = part[key]
    part[place[-1]] = value
    with pytest.raises(JournalError) as damaged:
        read_journal(json.dumps(content))
    assert damaged.value.message.key == "journal.damaged"
    assert "model file itself" in damaged.value.text()


@given(st.text(max_size=40) | st.binary(max_size=40).map(lambda raw: raw.decode("latin-1")))
def test_no_text_breaks_the_reader(text):
    with pytest.raises(JournalError):
        read_journal(text)


@given(st.integers(0, 10_000))
def test_a_journal_cut_short_is_damaged(length):
    text = write_journal(sample()).rstrip()
    with pytest.raises(JournalError):
        read_journal(text[: length % len(text)])


@pytest.mark.parametrize("odd", ["", "yesterday", 12, None, "9999-99-99"])
def test_an_odd_time_costs_no_work(odd):
    content = json.loads(write_journal(sample())) | {"written": odd}
    read = read_journal(json.dumps(content))
    assert read.written == NO_TIME
    assert len(read.steps) == 3


def test_a_time_without_a_zone_is_utc():
    content = json.loads(write_journal(sample())) | {"written": "2026-01-02T03:04:05"}
    assert read_journal(json.dumps(content)).written == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def test_the_file_is_told_apart(tmp_path):
    path = tmp_path / "a.onnx"
    path.write_bytes(b"one")
    noted = ModelFile(path, stamp(path), sha256(path))
    assert file_state(noted) is FileState.SAME
    os.utime(path, ns=(0, 5_000_000_000))
    assert file_state(noted) is FileState.SAME, "the same bytes written again, or a clock that jumped"
    assert file_state(ModelFile(path, noted.stamp)) is FileState.CHANGED, "without a hash nobody knows"
    path.write_bytes(b"two")
    os.utime(path, ns=(0, 6_000_000_000))
    assert file_state(noted) is FileState.CHANGED
    path.write_bytes(b"longer")
    assert file_state(noted) is FileState.CHANGED
    path.unlink()
    assert file_state(noted) is FileState.GONE
    path.mkdir()
    assert file_state(noted) is FileState.GONE
    assert file_state(ModelFile(Path("bad\0name"), noted.stamp)) in (FileState.GONE, FileState.UNREADABLE)
    assert SCHEMA.endswith("/1")
