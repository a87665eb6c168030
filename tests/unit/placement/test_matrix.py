"""Operators over platforms."""

import pytest

from inspector.errors import UsageError
from inspector.placement.catalog import load_catalog
from inspector.placement.matrix import Support, conditions, find_operators, matrix, row
from inspector.placement.verdict import Standing

CATALOG = load_catalog()
ALL = matrix(CATALOG)


def cell(op, platform):
    names = [column.target.platform for column in ALL.columns]
    return ALL.rows[op][names.index(platform)]


def test_every_platform_has_a_column_and_every_operator_of_a_table_a_row():
    assert [column.target.platform for column in ALL.columns] == [platform.id for platform in CATALOG.platforms]
    for column in ALL.columns:
        assert ALL.rows.keys() >= column.table.ops.keys()
    assert all(len(cells) == len(ALL.columns) for cells in ALL.rows.values())
    assert list(ALL.rows) == sorted(ALL.rows, key=str.casefold)


@pytest.mark.parametrize(
    ("op", "platform", "support", "standing"),
    [
        ("Relu", "x5", Support.BPU, Standing.DOCUMENTED),
        ("Abs", "x3", Support.CPU, Standing.DOCUMENTED),
        ("Abs", "x5", Support.CONDITIONAL, Standing.DOCUMENTED),
        ("Abs", "j6b", Support.CONDITIONAL, Standing.INFERRED),
        ("BitShift", "x5", Support.NONE, Standing.DOCUMENTED),
        ("BatchNormalization", "x3", Support.FOLDED, Standing.DOCUMENTED),
        ("ConvTranspose", "j6p", Support.CONDITIONAL, Standing.REPORTED),
    ],
)
def test_a_cell_tells_what_the_table_says(op, platform, support, standing):
    assert (cell(op, platform).support, cell(op, platform).standing) == (support, standing)


def test_an_operator_that_no_table_lists_is_none_where_complete_and_unknown_elsewhere():
    cells = dict(zip((c.target.platform for c in ALL.columns), row(ALL.columns, "LayerNormalization"), strict=True))
    assert cells["x5"].support is Support.NONE
    assert cells["j6p"].support is Support.UNKNOWN
    assert all(str(one.source) for one in cells.values())


@pytest.mark.parametrize(
    ("query", "keys"),
    [("conv", ("Conv",)), ("layernormalization", ("LayerNormalization",)), ("Convv", ()), ("", ())],
)
def test_an_operator_is_found_in_any_letter_case(query, keys):
    assert find_operators(ALL, query) == keys


def test_a_custom_operator_is_found_by_its_name_alone():
    assert "horizon::GridSample" in find_operators(ALL, "gridsample")


def test_equal_conditions_stand_once_with_their_platforms():
    found = conditions(ALL, "Abs")
    ranks = [one for one in found if one.clause.id == "abs.rank"]
    assert ranks[0].platforms[0] == "x5"
    ultra = next(one for one in conditions(matrix(CATALOG, ["ultra", "j5"]), "Abs") if one.clause.id == "abs.quant")
    assert ultra.platforms == ("ultra", "j5")
    sides = [one.clause.side.value for one in found]
    assert sides == sorted(sides)


def test_no_condition_of_a_table_is_lost():
    for column in ALL.columns:
        for key, rules in column.table.ops.items():
            shown = [one for one in conditions(ALL, key) if column.target.platform in one.platforms]
            assert len(shown) == len(rules.clauses)


def test_platforms_can_be_chosen():
    chosen = matrix(CATALOG, ["x3", "x5"])
    assert [column.target.march for column in chosen.columns] == ["bernoulli2", "bayes-e"]
    with pytest.raises(UsageError):
        matrix(CATALOG, ["x6"])
