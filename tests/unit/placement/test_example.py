import pytest

from inspector.model.infer import infer_shapes
from inspector.model.load import from_proto
from inspector.placement.catalog import load_catalog
from inspector.placement.example import Case, case_of, explore, facts_of, hits, plainest
from inspector.placement.example_graph import graph_samples
from inspector.placement.example_model import build
from inspector.placement.local import judge
from inspector.placement.target import Target
from inspector.placement.verdict import Outcome
from inspector.worker.client import InProcessRunner
from tests.helpers.clauses import graph_outcome, rules_for

CLAUSES = [
    "conv-transpose.kernel-depth",
    "conv-transpose.stride",
    "conv.kernel-size",
    "conv.strides-before-add",
    "conv.depth-bytes",
    "matmul.operands",
    "matmul.leading-second-prefix",
    "softmax.place",
    "softmax.axis-exported",
    "cos.elements",
    "sigmoid.aligned-elements",
    "prelu.cpu-shapes",
    "lstm.cpu-inputs",
    "rnn.cpu-outputs",
    "resize.roi-border",
    "grid-sample.area",
    "split.pieces",
    "reduce-mean.axes-choice",
    "gather-elements.indices-extent",
    "general.bytes",
]


@pytest.fixture(scope="module")
def catalog():
    return load_catalog()


def outcome(catalog, hit, proto):
    table = catalog.tables[hit.table]
    model = infer_shapes(from_proto(proto), InProcessRunner())
    if not hit.op:
        return graph_outcome(catalog, table, hit.clause.id, model)
    local = judge(model, model.nodes[0], table, Target("", table.march, ""))
    checks = (*local.checks, *local.cpu_checks)
    return next((check.outcome for check in checks if check.clause == hit.clause.id), None)


def plain(catalog, hit, case):
    """The plainest model on one side of the limit."""
    table = catalog.tables[hit.table]
    if not hit.op:
        return build(graph_samples(hit.clause, table)[case.value][0])
    key, rules = next((key, rules) for key, rules in table.ops.items() if rules.op == hit.op)
    tried = plainest(explore(hit.clause, rules, key.rpartition("::")[0], wanted=case), case, rules)
    return build(tried.sample)


@pytest.mark.parametrize("clause", CLAUSES)
def test_a_sample_stands_on_its_side_of_the_limit(catalog, clause):
    hit = catalog.clauses(clause)[0]
    assert outcome(catalog, hit, plain(catalog, hit, Case.OUTSIDE)) is Outcome.FAIL
    assert outcome(catalog, hit, plain(catalog, hit, Case.INSIDE)) is Outcome.PASS


@pytest.mark.parametrize(
    "clause", ["model.opset", "model.static-inputs", "model.input-rank", "model.output-count", "model.min-bpu-nodes"]
)
def test_a_sample_about_the_whole_model_stands_on_its_side(catalog, clause):
    for hit in catalog.clauses(clause):
        assert outcome(catalog, hit, plain(catalog, hit, Case.OUTSIDE)) is Outcome.FAIL
        assert outcome(catalog, hit, plain(catalog, hit, Case.INSIDE)) is Outcome.PASS


def test_a_size_is_one_element_over_its_limit(catalog):
    hit = next(h for h in catalog.clauses("global-average-pool.area") if h.table.startswith("bernoulli2"))
    sizes = [d.dim_value for d in plain(catalog, hit, Case.OUTSIDE).graph.input[0].type.tensor_type.shape.dim]
    assert sizes[2] * sizes[3] > 8192
    assert min((sizes[2] - 1) * sizes[3], sizes[2] * (sizes[3] - 1)) <= 8192


def test_losing_a_fact_is_met_by_the_search(catalog):
    hit = next(h for h in hits(catalog) if h.clause.id == "conv-transpose.kernel-depth")
    explored = explore(hit.clause, rules_for(catalog.tables[hit.table], hit.op))
    missing = explored.of(Case.MISSING)
    assert missing
    assert all(case_of(hit.clause, facts_of(tried.sample)) is Case.MISSING for tried in missing)


def test_every_clause_is_listed_once_per_operator_and_general_ones_once(catalog):
    found = [(hit.table, hit.op, hit.clause.id) for hit in hits(catalog)]
    assert len(found) == len(set(found))
    general = [(table, clause) for table, _, clause in found if clause.startswith("general.")]
    assert len(general) == len(set(general))
    for table in catalog.tables.values():
        listed = {(op, clause) for name, op, clause in found if name == table.id}
        for rules in table.ops.values():
            for clause in rules.clauses:
                assert clause.id.startswith("general.") or (rules.op, clause.id) in listed
        assert {("", clause.id) for clause in table.graph} <= listed
