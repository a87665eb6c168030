"""`explain NAME`: what a clause, a rewrite rule or an operator means, and who says so."""

import difflib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import indent
from typing import Final

from inspector.cli.common import Parser, print_json
from inspector.cli.examples import example_lines, example_of, example_value, write_example
from inspector.errors import UsageError
from inspector.placement.catalog import Catalog, ClauseHit, load_catalog
from inspector.placement.source_text import source_text
from inspector.placement.statements import CAUSES, Statement, only_in, statement
from inspector.placement.table import OpRules
from inspector.placement.verdict import Verdict
from inspector.report.documents import Explanation, explain_document
from inspector.report.specs import spec_text
from inspector.rewrite.registry import headings
from inspector.rewrite.registry import rules as all_rules
from inspector.rewrite.rule import Rule
from inspector.text import Message, render, say


def run(argv: Sequence[str], language: str) -> int:
    """Run the command; exit code 0.

    Raises:
        UsageError: nothing has that name.
    """
    parser = Parser("explain", language)
    parser.positional("name")
    parser.option("--platform", metavar="P", text="explain_platform")
    parser.option("--json", action="store_true")
    parser.options.add_argument("--example", metavar="FILE", help=render(say("example.option"), language))
    args = parser.parse_args(argv)
    catalog = load_catalog()
    answer = look_up(catalog, args.name)
    tables = None if args.platform is None else tables_of(catalog, args.platform)
    if answer.empty:
        raise UsageError(say("cli.explain_unknown", name=args.name), _hint(catalog, args.name))
    if tables is not None:
        answer = _only(answer, tables)
    if answer.empty:
        raise UsageError(
            say("cli.explain_elsewhere", name=args.name, platform=args.platform), say("cli.explain_anywhere")
        )
    broken = tuple(hit for hit in answer.clauses if hit.clause.id.casefold() == args.name.casefold())
    example = example_of(catalog, broken)
    if args.example is not None:
        write_example(example, Path(args.example))
    if args.json:
        value = None if example is None else example_value(catalog, *example, language)
        print_json(explain_document(answer, language) | {"example": value})
        return 0
    blocks = [_rule_text(rule, language) for rule in answer.rules]
    blocks += [_operator_text(table, entry, language) for table, entry in answer.operators.items()]
    blocks += _unlisted_texts(answer, language)
    if answer.statement is not None:
        blocks.append(_statement_text(answer.statement, language))
    if answer.rewrites:
        ids = ", ".join(rule.id for rule in answer.rewrites)
        op = answer.operator or ("" if answer.statement is None else answer.statement.operator)
        blocks.append(render(say("cli.rewrites", op=op, rules=ids), language))
    blocks += _clause_texts(answer.clauses, language)
    if example is not None:
        blocks.append(example_lines(catalog, *example, args.example, language))
    print("\n\n".join(blocks))
    return 0


def look_up(catalog: Catalog, query: str) -> Explanation:
    """Everything that *query* names: a clause, a rule by its id, an operator in any letter case."""
    operators = catalog.operator(query)
    operator = next((rules.op for rules in operators.values()), None) or _onnx_name(query)
    unlisted = {}
    stated = statement(catalog, query)
    if operator is not None:
        unlisted = {table.id: table.unlisted for table in catalog.tables.values() if table.id not in operators}
    return Explanation(
        query=query,
        clauses=catalog.clauses(query) if query else (),  # "" is the operator of clauses about the whole model
        operator=operator or "",
        operators=operators,
        unlisted=unlisted,
        rules=tuple(rule for rule in all_rules() if rule.id == query),
        rewrites=tuple(rule for rule in all_rules() if (operator or (stated and stated.operator)) in rule.anchors),
        statement=stated,
    )


def tables_of(catalog: Catalog, platform: str) -> frozenset[str]:
    """Ids of the tables that *platform* uses, its older toolchain versions included.

    Raises:
        UsageError: there is no such platform.
    """
    return frozenset(table for t in catalog.platform(platform).toolchains for table in t.tables.values())


def _only(answer: Explanation, tables: frozenset[str]) -> Explanation:
    """*answer* without what other tables say."""
    return replace(
        answer,
        clauses=tuple(hit for hit in answer.clauses if hit.table in tables),
        operators={table: rules for table, rules in answer.operators.items() if table in tables},
        unlisted={table: verdict for table, verdict in answer.unlisted.items() if table in tables},
        statement=None if answer.statement is None else only_in(answer.statement, tables),
    )


def _onnx_name(query: str) -> str | None:
    """The operator of ONNX's own domain that *query* spells, in any letter case."""
    from onnx import defs

    return next((s.name for s in defs.get_all_schemas() if not s.domain and s.name.lower() == query.lower()), None)


def _unlisted_texts(answer: Explanation, language: str) -> list[str]:
    """One line per verdict on an operator that tables do not list."""
    groups: dict[Verdict, list[str]] = {}
    for table, verdict in answer.unlisted.items():
        groups.setdefault(verdict, []).append(table)
    return [
        render(say("cli.unlisted", op=answer.operator, tables=", ".join(tables), verdict=verdict.value), language)
        for verdict, tables in groups.items()
    ]


def _hint(catalog: Catalog, name: str) -> Message:
    """What may have been meant by *name*; where the names are listed when nothing is like it."""
    names = _names(catalog)
    close = difflib.get_close_matches(name.replace("_", "-"), names, n=_CLOSE, cutoff=0.6)
    close += [known for known in names if name and name.casefold() in known.casefold() and known not in close][:_CLOSE]
    return say("cli.explain_unknown_help", names=", ".join(close)) if close else say("cli.explain_names_help")


_CLOSE: Final = 4
"""Names that are suggested for each way of being alike."""


def _names(catalog: Catalog) -> list[str]:
    """Everything that can be explained."""
    names = {clause.id for table in catalog.tables.values() for rules in table.ops.values() for clause in rules.clauses}
    names |= {clause.id for table in catalog.tables.values() for clause in table.graph}
    names |= {op for table in catalog.tables.values() for op in table.ops}
    return sorted(names | {rule.id for rule in all_rules()} | CAUSES.keys())


def _statement_text(stated: Statement, language: str) -> str:
    """What an id that is no clause states, and where and by whose word."""
    lines = [stated.id, render(stated.text, language)]
    for ground in stated.grounds:
        words = say("cli.stated_in", tables=", ".join(ground.tables), text=ground.text)
        lines.append(render(words, language))
        if ground.source is not None:
            standing = say(f"report.standing.{ground.source.standing.value}")
            lines.append(
                "  " + render(say("report.source", source=source_text(ground.source), standing=standing), language)
            )
    return "\n  ".join(lines)


def _rule_text(rule: Rule, language: str) -> str:
    """Id, title and the fixed headings of the rule's module, which are English in every language."""
    blocks = [f"{rule.id}: {render(rule.title, language)}"]
    for heading, text in headings(rule).items():
        blocks.append(f"{heading}:\n" + indent(text, "  "))
    return "\n\n".join(blocks)


def _operator_text(table: str, rules: OpRules, language: str) -> str:
    standing = say(f"report.standing.{rules.source.standing.value}")
    lines = [
        f"{rules.op} ({table})",
        render(say("cli.operator_bpu" if rules.bpu else "cli.operator_no_bpu"), language),
        render(say("cli.operator_cpu", kernel=say(f"cli.kernel.{rules.kernel.value}")), language),
        *(render(say("cli.lowering", text=text), language) for text in rules.lowering),
        render(say("report.source", source=source_text(rules.source), standing=standing), language),
    ]
    if rules.default_device is not None:
        device, option = rules.default_device.value.upper(), rules.force_option
        default = say("cli.default_device_option" if option else "cli.default_device", device=device, option=option)
        lines.append(render(default, language))
    if rules.stand_in is not None:
        lines.append(render(say("cli.stand_in", table=rules.stand_in), language))
    return "\n  ".join(lines)


def _clause_texts(hits: Sequence[ClauseHit], language: str) -> list[str]:
    """One block per clause; the tables that hold the same clause with the same ground are named together."""
    groups: dict[tuple[object, ...], list[ClauseHit]] = {}
    for hit in hits:
        clause = hit.clause
        limit = repr((clause.require, clause.when, clause.contradicted))
        groups.setdefault((clause.id, clause.text, source_text(clause.source), limit), []).append(hit)
    return [_clause_text(group, language) for group in groups.values()]


def _clause_text(group: Sequence[ClauseHit], language: str) -> str:
    clause = group[0].clause
    tables = ", ".join(dict.fromkeys(hit.table for hit in group))
    lines = [f"{clause.id} ({tables})", render(clause.text, language)]
    for name, spec in (("cli.when", clause.when), ("cli.require", clause.require)):
        if spec:
            lines.append(render(say(name, spec=spec_text(spec)), language))
    lines.append(render(say("cli.otherwise", verdict=clause.otherwise.value), language))
    standing = say(f"report.standing.{clause.source.standing.value}")
    lines.append(render(say("report.source", source=source_text(clause.source), standing=standing), language))
    if clause.contradicted is not None:
        lines.append(render(say("cli.contradicted", counts=clause.contradicted), language))
    return "\n  ".join(lines)
