"""Operators over platforms: the document `ops/1` and its text for a terminal."""

from collections.abc import Sequence
from typing import Final
from unicodedata import east_asian_width

from inspector import __version__
from inspector.placement.catalog import Catalog
from inspector.placement.matrix import Cell, Column, Condition, Matrix, Support, conditions, row
from inspector.placement.source_text import source_text
from inspector.placement.verdict import Side, Standing
from inspector.report.specs import spec_text
from inspector.report.values import Json, sentence
from inspector.text import render, say

MARKS: Final = {
    Support.BPU: "BPU",
    Support.CONDITIONAL: "BPU*",
    Support.FOLDED: "fold",
    Support.CPU: "CPU",
    Support.NONE: "-",
    Support.UNKNOWN: "?",
}
"""What stands in the text of the matrix; `~` behind it says that the statement is inferred."""


def ops_document(catalog: Catalog, found: Matrix, keys: Sequence[str], language: str, *, detail: bool) -> Json:
    """The answer of `ops`: one entry per operator of *keys*; with *detail* its conditions too."""
    return {
        "schema": "bpu-inspector/ops/1",
        "generator": __version__,
        "catalog": catalog.digest,
        "platforms": [_column_value(column, language) for column in found.columns],
        "operators": [_operator_value(found, key, language, detail=detail) for key in keys],
    }


def matrix_lines(found: Matrix, language: str) -> list[str]:
    """One line per operator, one column per platform, below a legend."""
    names = [column.target.platform for column in found.columns]
    width = max(len(key) for key in found.rows) + 2
    head = render(say("report.ops_operator"), language)
    lines = [render(say("report.ops_legend"), language), ""]
    lines.append(_padded(head, width) + "".join(f"{name:<7}" for name in names).rstrip())
    for key, cells in found.rows.items():
        lines.append(f"{key:<{width}}" + "".join(f"{_mark(cell):<7}" for cell in cells).rstrip())
    return lines


def operator_lines(found: Matrix, key: str, language: str) -> list[str]:
    """One operator: what each platform says, then each condition with the platforms that share it."""
    lines = [key]
    for column, cell in zip(found.columns, _cells(found, key), strict=True):
        lines.append("  " + _platform_line(column, cell, language))
        lines += ["    " + line for line in _cell_lines(cell, language)]
    side: Side | None = None
    heading = ""
    for condition in conditions(found, key):
        if condition.clause.side is not side:
            side = condition.clause.side
            lines += ["", "  " + render(say("report.ops_bpu" if side is Side.BPU else "report.ops_cpu"), language)]
        named = say("report.ops_condition", clause=condition.clause.id, text=condition.clause.text)
        clause = "    " + render(named, language)
        if clause != heading:
            lines.append(clause)
            heading = clause
        lines += ["      " + line for line in _condition_lines(condition, language)]
    return lines


def _padded(text: str, width: int) -> str:
    """*text* filled up to *width* columns of a terminal, where a Chinese character takes two."""
    return text + " " * (width - sum(1 + (east_asian_width(char) in "WF") for char in text))


def _cells(found: Matrix, key: str) -> tuple[Cell, ...]:
    return found.rows.get(key) or row(found.columns, key)


def _mark(cell: Cell) -> str:
    return MARKS[cell.support] + ("~" if cell.standing is Standing.INFERRED and cell.rules is not None else "")


def _platform_line(column: Column, cell: Cell, language: str) -> str:
    support = say(f"report.support.{cell.support.value}")
    standing = say(f"report.standing.{cell.standing.value}")
    return render(
        say(
            "report.ops_platform",
            platform=f"{column.target.platform:<6}",
            support=support,
            source=source_text(cell.source),
            standing=standing,
        ),
        language,
    )


def _cell_lines(cell: Cell, language: str) -> list[str]:
    rules = cell.rules
    if rules is None:
        return []
    lines = []
    if rules.stand_in is not None:
        lines.append(render(say("report.ops_stand_in", table=rules.stand_in), language))
    if rules.default_device is not None:
        device, option = rules.default_device.value.upper(), rules.force_option or "node_info"
        lines.append(render(say("report.ops_default", device=device, option=option), language))
    return lines + [render(say("report.ops_becomes", text=text), language) for text in rules.lowering]


def _condition_lines(condition: Condition, language: str) -> list[str]:
    clause = condition.clause
    standing = say(f"report.standing.{clause.source.standing.value}")
    where = say("report.ops_where", platforms=", ".join(condition.platforms), source=source_text(clause.source),
                standing=standing)  # fmt: skip
    lines = [render(where, language)]
    if not clause.note:
        lines.append("  " + spec_text(clause.require))
    if clause.when is not None:
        lines.append("  " + render(say("report.ops_when", spec=spec_text(clause.when)), language))
    if clause.contradicted is not None:
        lines.append("  " + render(say("report.ops_contradicted", counts=clause.contradicted), language))
    return lines


def _column_value(column: Column, language: str) -> Json:
    target, table = column.target, column.table
    return {
        "id": target.platform,
        "march": target.march,
        "toolchain": target.toolchain,
        "table": table.id,
        "title": render(table.title, language),
        "complete": table.complete,
    }


def _operator_value(found: Matrix, key: str, language: str, *, detail: bool) -> Json:
    domain, _, name = key.rpartition("::")
    cells = zip(found.columns, _cells(found, key), strict=True)
    document: Json = {
        "op": name,
        "domain": domain,
        "platforms": {column.target.platform: _cell_value(cell, language) for column, cell in cells},
    }
    if detail:
        document["conditions"] = [_condition_value(condition, language) for condition in conditions(found, key)]
    return document


def _cell_value(cell: Cell, language: str) -> Json:
    rules = cell.rules
    return {
        "support": cell.support.value,
        "standing": cell.standing.value,
        "source": render(source_text(cell.source), language),
        "kernel": None if rules is None else rules.kernel.value,
        "default_device": None if rules is None or rules.default_device is None else rules.default_device.value,
        "force_option": "" if rules is None else rules.force_option,
        "stand_in": None if rules is None else sentence(rules.stand_in, language),
        "clauses": [] if rules is None else [clause.id for clause in rules.clauses],
    }


def _condition_value(condition: Condition, language: str) -> Json:
    clause = condition.clause
    return {
        "clause": clause.id,
        "side": clause.side.value,
        "platforms": list(condition.platforms),
        "text": render(clause.text, language),
        "require": None if clause.note else spec_text(clause.require),
        "when": None if clause.when is None else spec_text(clause.when),
        "otherwise": clause.otherwise.value,
        "source": render(source_text(clause.source), language),
        "standing": clause.source.standing.value,
        "contradicted": sentence(clause.contradicted, language),
    }
