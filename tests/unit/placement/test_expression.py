"""Arithmetic conditions: what is allowed, three-valued logic, and the texts of a message."""

import pytest

from inspector.placement.expression import evaluate_number, parse


@pytest.mark.parametrize(
    ("text", "values", "holds"),
    [
        ("a*b <= 6", {"a": 2, "b": 3}, True),
        ("a*b <= 6", {"a": 2, "b": 4}, False),
        ("a*b <= 6", {"a": 2}, None),
        ("1 < a <= 8", {"a": 1}, False),
        ("1 < a <= 8", {"a": 8}, True),
        ("a % b == 0", {"a": 4, "b": 0}, None),
        ("a/2 <= 1.5", {"a": 3}, True),
        ("a // 2 == 1", {"a": 3}, True),
        ("not (a == 1 and b == 1)", {"a": 2}, True),
        ("not (a == 1 and b == 1)", {"a": 1}, None),
        ("a > 1 or b > 1", {"b": 2}, True),
        ("a > 1 or b > 1", {"b": 1}, None),
        ("a > 1 and b > 1", {"b": 1}, False),
        ("-a < 0", {"a": 1}, True),
        ("(a, b) in [(1, 1), (2, 2)]", {"a": 2, "b": 2}, True),
        ("(a, b) in [(1, 1), (2, 2)]", {"a": 1, "b": 2}, False),
        ("(a, b) in [(1, 1), (2, 2)]", {"a": 1}, None),
        ("align_up(a, 8) == 16", {"a": 9}, True),
        ("align_up(a, 8) == 8", {"a": 8}, True),
        ("is_power_of_two(a)", {"a": 4.0}, True),
        ("is_power_of_two(a)", {"a": 3}, False),
        ("is_power_of_two(a)", {"a": 0.5}, False),
        ("min(a, b) <= 3", {"a": 9, "b": 3}, True),
        ("min(a, b) <= 3", {"b": 3}, None),
    ],
)
def test_conditions(text, values, holds):
    assert parse(text).holds(values.get) is holds


@pytest.mark.parametrize(
    "text",
    ["a <=", "__import__('os')", "a.b < 1", "open('x')", "a[0] < 1", "[x for x in a]", "a << 2", "a is 1", "lambda: 1"],
)
def test_anything_else_is_refused(text):
    with pytest.raises(ValueError, match=r"not an expression|not allowed|something other"):
        parse(text)


def test_a_simple_limit_names_its_subject_value_and_bound():
    limit = parse("cin*kh <= 32767")
    assert (limit.subject, limit.allowed, limit.names) == ("cin * kh", "≤ 32767", ("cin", "kh"))
    assert limit.found({"cin": 100, "kh": 400}.get) == "40000"


def test_a_range_reads_as_a_range():
    assert parse("1 <= a <= 9").allowed == "1..9"
    assert parse("1 < a <= 9").allowed == "> 1, ≤ 9"


def test_other_conditions_show_every_name():
    condition = parse("a <= b")
    assert condition.found({"a": 3}.get) == "a = 3, b = ?"
    assert condition.subject == condition.allowed == "a <= b"


def test_an_unknown_single_name_is_a_question_mark():
    assert parse("a <= 3").found({}.get) == "?"


def test_numbers():
    assert evaluate_number("(a - 1)/b + 1", {"a": 5, "b": 2}.get) == 3
    assert evaluate_number("a/b", {"a": 5, "b": 0}.get) is None
