import pytest

from inspector.model.infer import infer_shapes
from inspector.model.load import from_proto
from inspector.placement.catalog import load_catalog, resolve_target
from inspector.placement.engine import place
from inspector.placement.target import Flow
from inspector.placement.verdict import Outcome, Verdict
from inspector.text import render
from inspector.worker.client import InProcessRunner
from tests.golden.problems import MODEL, PROBLEMS, REJECT, occupancy_head

CASES = [(p, platform, node, verdict) for p in PROBLEMS for platform, node, verdict in p.expects]


@pytest.fixture(scope="module")
def catalog():
    return load_catalog()


def placed(proto, catalog, platform, flow="ptq"):
    model = infer_shapes(from_proto(proto), InProcessRunner())
    return model, place(model, catalog, resolve_target(catalog, platform, flow=Flow(flow)))


@pytest.mark.parametrize(
    ("problem", "platform", "node", "verdict"), CASES, ids=[f"{p.id}-{pl}-{n}" for p, pl, n, _ in CASES]
)
def test_where_it_runs(catalog, problem, platform, node, verdict):
    model, placement = placed(problem.build(), catalog, platform, problem.flow)
    if node == MODEL:
        assert verdict == REJECT
        assert placement.graph_failures
        return
    found = next(n for n in model.main.nodes if n.name == node)
    got = placement.verdicts[found.id]
    wanted = {Verdict(verdict), Verdict.FOLDED} if verdict == "BPU" else {Verdict(verdict)}
    reasons = [c.clause for c in got.failed], [render(b.message) for b in got.because]
    assert got.verdict in wanted, reasons
    if verdict in ("CPU", "UNSUPPORTED"):
        assert got.failed or got.because, "a node off the BPU must say why"


def test_all_problems_are_here():
    assert len({p.id.partition("-")[0] for p in PROBLEMS}) == 29


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda p: p.id)
@pytest.mark.parametrize("platform", ["x3", "x5", "j6p"])
def test_failed_checks_are_complete(catalog, problem, platform):
    _, placement = placed(problem.build(), catalog, platform)
    failed = [c for v in placement.verdicts.values() for c in v.failed] + list(placement.graph_failures)
    for check in failed:
        for language in ("en", "zh_CN"):
            assert render(check.found, language)
            assert render(check.allowed, language)
            assert render(check.subject, language)
        assert str(check.source)


def test_occupancy_head_says_depth_or_stride(catalog):
    model, placement = placed(occupancy_head(), catalog, "j6p")
    assert [n.name for n in model.main.nodes] == ["up0", "up1", "up2"]
    for node in model.main.nodes:
        verdict = placement.verdicts[node.id]
        assert verdict.verdict is Verdict.CPU
        reasons = [c.clause for c in verdict.checks if c.outcome is Outcome.FAIL]
        assert any("depth" in clause or "stride" in clause for clause in reasons), reasons
    first = placement.verdicts[model.main.nodes[0].id]
    assert any(render(c.found) == "5" for c in first.failed)
