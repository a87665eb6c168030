"""Recent files: what was noted is read again, damage costs only the notes."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.placement.verdict import Verdict
from inspector.recent import Glance, glances_path, note_glance, read_glances

GLANCES = st.builds(
    Glance, st.text(max_size=6), st.text(max_size=6), st.dictionaries(st.sampled_from(Verdict), st.integers(1))
)


@given(glance=GLANCES)
def test_what_was_noted_is_read(tmp_path_factory, glance):
    path = tmp_path_factory.mktemp("recent") / "deep" / "recent.json"
    note_glance("/m/模型.onnx", glance, (), path)
    assert read_glances(path) == {"/m/模型.onnx": glance}


def test_only_recent_files_are_kept():
    old, new = (Glance("x5", "1.2.8", {Verdict.BPU: n}) for n in (1, 2))
    for name in "abc":
        note_glance(name, old, "abc")
    note_glance("b", new, ("b", "c", "never seen"))
    assert read_glances() == {"b": new, "c": old}


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"schema": "x", "files": {}}', '{"schema": "bpu-graph-inspector/recent/1", "files": 3}']
)
def test_a_damaged_file_is_an_empty_one_and_is_replaced(text):
    glances_path().parent.mkdir(parents=True, exist_ok=True)
    glances_path().write_text(text, encoding="utf-8")
    assert read_glances() == {}
    note_glance("a", Glance("x5", "1", {}), ())
    assert list(read_glances()) == ["a"]


@pytest.mark.parametrize("counts", [{"BPU": -1}, {"GPU": 1}, {"BPU": "many"}, 3])
def test_odd_counts_are_not_believed(counts):
    note_glance("a", Glance("x5", "1", {}), ())
    content = json.loads(glances_path().read_text(encoding="utf-8"))
    content["files"]["a"]["counts"] = counts
    glances_path().write_text(json.dumps(content), encoding="utf-8")
    assert read_glances() == {}


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path):
    (tmp_path / "file").touch()
    note_glance("a", Glance("x5", "1", {}), (), tmp_path / "file" / "recent.json")
    assert read_glances(tmp_path / "file" / "recent.json") == {}
