"""Every clause of every table: models just inside, just outside, with a fact missing, and where it does not apply.

The cases are committed and never written by a test. `scripts/clause_cases.py` adds cases for clauses that have none;
`scripts/mutate_tables.py` shows that each clause is guarded.
"""

import json
from collections import defaultdict

import pytest

from inspector.model.infer import infer_shapes
from inspector.model.load import from_proto
from inspector.placement.catalog import load_catalog
from inspector.placement.example import Case, facts_of, hits, model_of
from inspector.placement.example_model import build
from inspector.placement.local import judge
from inspector.placement.target import Target
from inspector.worker.client import InProcessRunner
from tests.helpers.clauses import (
    EXPECTED,
    REGISTER,
    WITHOUT,
    golden_cases,
    graph_outcome,
    node_outcome,
    register,
    rules_for,
    sample_of,
)

NEEDED = (Case.INSIDE, Case.OUTSIDE, Case.MISSING)
BY_OP = defaultdict(list)
for one in golden_cases():
    BY_OP[one["op"]].append(one)


@pytest.fixture(scope="module")
def catalog():
    return load_catalog()


@pytest.mark.parametrize("op", sorted(op for op in BY_OP if op))
def test_each_case_has_its_outcome(catalog, op):
    wrong = []
    for case in BY_OP[op]:
        facts = facts_of(sample_of(case))
        for table in case["tables"]:
            found = node_outcome(rules_for(catalog.tables[table], op), case["clause"], facts)
            if found is not EXPECTED[Case(case["case"])]:
                wrong.append((table, case["clause"], case["case"], found, str(sample_of(case).as_json())))
    assert not wrong


def test_each_case_about_the_whole_model_has_its_outcome(catalog):
    wrong = []
    for case in BY_OP[""]:
        model = model_of(sample_of(case))
        for table in case["tables"]:
            found = graph_outcome(catalog, catalog.tables[table], case["clause"], model)
            if found is not EXPECTED[Case(case["case"])]:
                wrong.append((table, case["clause"], case["case"], found, str(sample_of(case).as_json())))
    assert not wrong


def test_every_clause_has_its_cases_or_a_reason(catalog):
    have = {(t, c["op"], c["clause"], Case(c["case"])) for c in golden_cases() for t in c["tables"]}
    reasons = {
        (table, entry["op"], entry["clause"], Case(entry["case"]))
        for entry in json.loads(WITHOUT.read_text(encoding="utf-8"))
        for table in entry["tables"]
    }
    wanted = {(h.table, h.op, h.clause.id, case) for h in hits(catalog) if not h.clause.note for case in NEEDED}
    assert wanted - have - reasons == set(), "run scripts/clause_cases.py"
    assert reasons & have == set(), "a reason for a case that exists"
    assert reasons - wanted == set(), "a reason for a clause that is gone"
    assert {(t, op, clause) for t, op, clause, _ in have - wanted} <= {w[:3] for w in wanted}, "a clause is gone"


def test_every_clause_leads_where_it_did(catalog):
    assert register(catalog) == json.loads(REGISTER.read_text(encoding="utf-8"))


@pytest.mark.parametrize("op", ["Conv", "Softmax", "Resize", "MatMul", "PRelu"])
def test_a_whole_model_is_judged_as_its_facts_are(catalog, op):
    for case in BY_OP[op][::7]:
        sample = sample_of(case)
        model = infer_shapes(from_proto(build(sample)), InProcessRunner())
        node = next(node for node in model.main.nodes if node.name == "n")
        for name in case["tables"]:
            table = catalog.tables[name]
            local = judge(model, node, table, Target("", table.march, "", sample.flow, sample.qtype))
            checks = {check.clause: check.outcome for check in (*local.checks, *local.cpu_checks)}
            assert checks.get(case["clause"]) is EXPECTED[Case(case["case"])], case
