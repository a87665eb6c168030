"""Every clause of every table: its example fails in it with the very options that `explain` prints, or the reason."""

import json
from collections import defaultdict
from dataclasses import replace

import onnx
import pytest

from inspector.cli.analysis import chosen_target, parse_forced, parse_qtypes
from inspector.cli.common import Parser, add_target_options
from inspector.cli.examples import options
from inspector.model.infer import infer_shapes
from inspector.model.load import from_proto
from inspector.placement.catalog import ClauseHit, load_catalog
from inspector.placement.engine import place
from inspector.placement.example import hits
from inspector.placement.example_find import find_example, kept_example, search_example
from inspector.placement.example_model import Sample, build, is_valid, tensors
from inspector.placement.example_run import Example, Lack, example, places, targets
from inspector.placement.target import Target
from inspector.placement.verdict import Outcome, Side, Verdict
from inspector.worker.client import InProcessRunner
from tests.helpers.clauses import WITHOUT, golden_cases, sample_of

CATALOG = load_catalog()
HITS = tuple(hits(CATALOG))
TABLES = sorted(CATALOG.tables)
REASONS = {Lack.NOTE, Lack.ALWAYS, Lack.INVALID, Lack.UNOFFERED, Lack.FOLDED}
OUTSIDE = defaultdict(list)
for case in golden_cases():
    if case["case"] == "outside":
        for name in case["tables"]:
            OUTSIDE[name, case["op"], case["clause"]].append(case)


@pytest.fixture(scope="module")
def kept():
    """Clause -> what is kept for it, the same text in several tables being looked at once."""
    return {(hit.table, hit.op, hit.clause.id): kept_example(CATALOG, hit) for hit in HITS}


def of_table(kept, table):
    return [(hit, kept[hit.table, hit.op, hit.clause.id]) for hit in HITS if hit.table == table]


def placed(found):
    """Verdict on the node and failed checks, as the command line with the printed options comes to them."""
    parser = Parser("check", "en")
    add_target_options(parser)
    args = parser.parse_args(options(CATALOG, found))
    model = infer_shapes(from_proto(onnx.load_from_string(found.model.SerializeToString())), InProcessRunner())
    target = chosen_target(CATALOG, args)
    asked = Target(target.platform, target.march, target.toolchain, target.flow, target.qtype,
                   parse_qtypes(model, CATALOG, target, args.node_qtype), parse_forced(model, args.force))  # fmt: skip
    placement = place(model, CATALOG, asked)
    node = next(node.id for node in model.main.nodes if node.name == "n")
    checks = (*placement.graph_checks, *placement.verdicts[node].checks)
    return placement.verdicts[node].verdict, {(c.clause, c.side) for c in checks if c.outcome is Outcome.FAIL}


@pytest.mark.parametrize("table", TABLES)
def test_every_clause_has_an_example_or_a_reason(kept, table):
    lacking = [hit.clause.id for hit, found in of_table(kept, table) if found is None]
    assert lacking == [], "run scripts/clause_examples.py"
    reasons = {found for _, found in of_table(kept, table) if isinstance(found, Lack)}
    assert reasons <= REASONS


@pytest.mark.parametrize("table", TABLES)
def test_every_example_fails_in_its_clause_with_the_options_that_are_printed(kept, table):
    wrong = []
    for hit, found in of_table(kept, table):
        if not isinstance(found, Example):
            continue
        clause = hit.clause
        verdict, failed = placed(found)
        leads = {Verdict.UNSUPPORTED} | ({Verdict.CPU} if clause.otherwise is Verdict.CPU else set())
        if clause.side is Side.CPU:
            leads = {Verdict.UNSUPPORTED}
        follows = clause.side is Side.GRAPH or clause.contradicted is not None or verdict in leads
        if not is_valid(found.model) or (clause.id, clause.side) not in failed or not follows:
            wrong.append((clause.id, found.sample.as_json(), options(CATALOG, found), verdict))
        assert CATALOG.table(found.target) is CATALOG.tables[table]
    assert wrong == []


@pytest.mark.parametrize("table", TABLES)
def test_a_reason_for_no_example_is_true(kept, table):
    """No committed model that breaks the clause could be shown, for the very reason that is given."""
    always = {(t, e["op"], e["clause"]) for e in json.loads(WITHOUT.read_text(encoding="utf-8"))
              for t in e["tables"] if e["case"] == "outside"}  # fmt: skip
    for hit, reason in of_table(kept, table):
        if not isinstance(reason, Lack) or reason is Lack.NOTE:
            continue
        key = (table, hit.op, hit.clause.id)
        samples = [sample_of(case) for case in OUTSIDE[key]]
        assert (reason is Lack.ALWAYS) == (key in always), key
        for sample in samples:
            assert example(CATALOG, hit, sample) is None, key
            offered = list(targets(CATALOG, table, sample))
            if reason is Lack.INVALID:
                assert not is_valid(build(sample)), key
            elif reason is Lack.UNOFFERED:
                assert not offered or not is_valid(build(sample)), key
            elif reason is Lack.FOLDED:
                assert set(places(CATALOG, table, sample)) <= {Verdict.FOLDED}, key


def test_notes_alone_are_notes(kept):
    for hit in HITS:
        assert (kept[hit.table, hit.op, hit.clause.id] is Lack.NOTE) == hit.clause.note


def the_hit(clause, table=""):
    return next(hit for hit in CATALOG.clauses(clause) if table in hit.table)


def test_an_example_is_a_small_model():
    found = find_example(CATALOG, the_hit("conv-transpose.kernel-depth"))
    assert [node.op_type for node in found.model.graph.node] == ["ConvTranspose"]
    assert list(found.model.graph.initializer[0].dims)[2] == 3  # the limit is 2
    assert onnx.parser.parse_model(onnx.printer.to_text(found.model)).graph.node[0].op_type == "ConvTranspose"
    assert (found.others, found.forced, found.qtype) == (0, None, None)


def test_a_search_finds_the_same_again_where_nothing_is_kept():
    hit = the_hit("tile.changed-axes")
    first, second = search_example(CATALOG, hit), search_example(CATALOG, hit)
    assert first == second
    assert first.verdict is Verdict.CPU


def test_a_kept_example_of_another_limit_is_not_shown():
    """A table that was changed gets a new search."""
    hit = the_hit("conv-transpose.kernel-depth")
    wide = replace(hit.clause, require={"attr": {"name": "kernel_shape", "axes": ["D"], "range": [1, 4]}})
    rules = {key: replace(row, clauses=tuple(wide if c is hit.clause else c for c in row.clauses))
             for key, row in CATALOG.tables[hit.table].ops.items()}  # fmt: skip
    table = replace(CATALOG.tables[hit.table], ops=rules, memory={})
    catalog = replace(CATALOG, tables={**CATALOG.tables, hit.table: table})
    changed = ClauseHit(hit.table, hit.op, wide)
    assert kept_example(catalog, changed) is None
    found = find_example(catalog, changed)
    assert list(found.model.graph.initializer[0].dims)[2] == 5


def test_a_model_that_breaks_nothing_or_that_onnx_refuses_is_no_example():
    hit = the_hit("conv-transpose.kernel-depth")
    shape = "float32[1,4,4,8,8]"
    deep, good = Sample("ConvTranspose", tensors([shape, "=float32[4,4,3,2,2]"])), "=float32[4,4,2,2,2]"
    assert example(CATALOG, hit, deep) is not None
    assert example(CATALOG, hit, replace(deep, inputs=tensors([shape, good]))) is None
    assert example(CATALOG, hit, replace(deep, attributes={"strides": (1, 1)})) is None
