"""What is checked of the parts of a constraint file; `test_building` shows it on whole tables."""

import pytest

from inspector.errors import ConstraintDataError
from inspector.placement import structure


def test_good_parts_come_back():
    assert structure.keys({"a": 1}, frozenset("ab"), ("a",), "f", "k") == {"a": 1}
    assert structure.text_of({"en": "x", "zh_CN": "y"}, "f", "k")["en"] == "x"
    assert structure.string("x", "f", "k") == "x"
    assert structure.boolean(False, "f", "k") is False
    assert structure.sequence([1], "f", "k") == [1]
    assert structure.choice("a", ["a", "b"], "f", "k") == "a"
    assert structure.predicate({"all": [{"rank": {"eq": 4}}, {"expr": "C <= 4"}]}, "f", "k")


@pytest.mark.parametrize(
    ("check", "arguments"),
    [
        (structure.keys, ([], frozenset(), ())),
        (structure.keys, ({"a": 1}, frozenset(), ())),
        (structure.keys, ({}, frozenset("a"), ("a",))),
        (structure.text_of, ("x",)),
        (structure.string, ("",)),
        (structure.string, (1,)),
        (structure.boolean, ("yes",)),
        (structure.boolean, (1,)),
        (structure.sequence, ("x",)),
        (structure.choice, (["a"], ["a"])),
        (structure.predicate, ({},)),
        (structure.predicate, ({"rank": {}, "dim": {}},)),
        (structure.predicate, ({"note": True},)),
        (structure.predicate, ({"expr": 1},)),
        (structure.predicate, ({"expr": {"per": ["H"]}},)),
        (structure.predicate, ({"expr": {"is": "a", "let": {"b": "open('x')"}}},)),
        (structure.predicate, ({"rank": {"min": True}},)),
    ],
)
def test_bad_parts_name_file_and_key(check, arguments):
    with pytest.raises(ConstraintDataError) as error:
        check(*arguments, "the-file.yaml", "the.key")
    assert "the-file.yaml" in str(error.value)
    assert "the.key" in str(error.value)
    assert error.value.help is not None


def test_long_values_are_cut_in_messages():
    with pytest.raises(ConstraintDataError) as error:
        structure.string(list(range(1000)), "f", "k")
    assert len(str(error.value)) < 250
