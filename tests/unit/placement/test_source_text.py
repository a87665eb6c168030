"""Titles of sources speak Chinese in Chinese: every word of the constraint data has an entry, names stay."""

import re

import pytest
import yaml

from inspector.assets import constraints_dir
from inspector.placement.source_text import is_known, source_text
from inspector.placement.verdict import Source, Standing
from inspector.text import render

NAMES = re.compile(
    r"[\d.]+(-rc\d+)?|hb_mapper [\d.]+|J6E/M|J6P|ONNX|Interpolate|HorizonRobotics OE-Skills|flagos-ai/Torch-FL|"
    r"X[35] operator list|Ultra operator list"
)
"""Versions, chips, operators and repositories, which are the same in every language."""


def sources():
    for path in sorted(constraints_dir().rglob("*.yaml")):
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        for entry in (data.get("sources") or {}).values():
            yield path.name, Source(entry["document"], entry.get("section", ""), str(entry.get("version", "")))


def test_every_part_of_every_title_is_a_name_or_translated():
    parts = {part for _, source in sources() for part in str(source).split(", ")}
    assert len(parts) > 30
    assert [part for part in sorted(parts) if not is_known(part) and not NAMES.fullmatch(part)] == []


@pytest.mark.parametrize(
    ("source", "chinese"),
    [
        (Source("RDK X operator support list", "X5 ONNX table, row 312"), "RDK X 算子支持列表，X5 ONNX 表，第 312 行"),
        (Source("our inference", "nothing is published for this case"), "我们的推断，这种情况没有公开资料"),
        (
            Source("HorizonRobotics OE-Skills", "", "3.9.0-rc4, commit 0c35b73"),
            "HorizonRobotics OE-Skills，3.9.0-rc4，提交 0c35b73",
        ),
        (Source("", standing=Standing.REPORTED), "报告"),
    ],
)
def test_chinese_titles(source, chinese):
    assert render(source_text(source), "zh_CN") == chinese


def test_english_titles_are_those_of_the_data():
    for _, source in sources():
        assert render(source_text(source), "en") == str(source)
