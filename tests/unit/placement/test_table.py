"""Lookups in a table."""

from inspector.placement.table import OpRules, Table
from inspector.placement.verdict import Kernel, Verdict
from inspector.text import Text


def table(*, complete=True):
    rules = OpRules("Grid", True, (), Kernel.NONE)
    return Table("a/b", Text("A", "甲"), "a", complete, {"horizon::Grid": rules}, (), {})


def test_operators_are_found_by_domain():
    assert table().rules("horizon", "Grid") is not None
    assert table().rules("", "Grid") is None


def test_what_an_unlisted_operator_is():
    assert table().unlisted is Verdict.UNSUPPORTED
    assert table(complete=False).unlisted is Verdict.UNKNOWN


def test_what_a_table_remembers_is_no_part_of_its_value():
    one, other = table(), table()
    one.memory["x"] = 1
    assert one == other
