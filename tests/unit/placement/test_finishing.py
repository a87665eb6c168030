"""Verdicts in columns say what the verdicts say one by one."""

from collections import Counter
from dataclasses import replace
from types import MappingProxyType

import pytest

from inspector.model.infer import infer_shapes
from inspector.model.load import from_proto
from inspector.placement.catalog import load_catalog, resolve_target
from inspector.placement.engine import place
from inspector.placement.target import Device
from inspector.placement.verdict import Standing, Verdict
from inspector.worker.client import InProcessRunner
from tests.golden.problems import PROBLEMS

CATALOG = load_catalog()


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.id)
@pytest.mark.parametrize("platform", ["x3", "x5", "j6p"])
def test_columns_and_verdicts_agree(problem, platform):
    model = infer_shapes(from_proto(problem.build()), InProcessRunner())
    target = resolve_target(CATALOG, platform)
    forced = MappingProxyType({node.id: Device.CPU for node in model.nodes[::2]})
    for wanted in (target, replace(target, forced=forced)):
        placement = place(model, CATALOG, wanted)
        assert list(placement.verdicts) == [node.id for node in model.nodes]
        assert {key: one.verdict for key, one in placement.verdicts.items()} == placement.verdict
        assert {key: one.standing for key, one in placement.verdicts.items()} == placement.standing
        assert all(key == one.node for key, one in placement.verdicts.items())
        plain = replace(placement, verdicts=dict(placement.verdicts))
        assert plain == placement
        assert (plain.counts, plain.inferred) == (placement.counts, placement.inferred)
        assert plain.counts == {v: Counter(one.verdict for one in plain.verdicts.values())[v] for v in Verdict}
        guesses = Counter(one.verdict for one in plain.verdicts.values() if one.standing is Standing.INFERRED)
        assert plain.inferred == {v: guesses[v] for v in Verdict}


def test_a_verdict_is_the_same_object_each_time_and_none_is_made_up():
    model = infer_shapes(from_proto(PROBLEMS[0].build()), InProcessRunner())
    verdicts = place(model, CATALOG, resolve_target(CATALOG, "x5")).verdicts
    first = model.nodes[0].id
    assert verdicts[first] is verdicts[first]
    assert -1 not in verdicts
    assert verdicts.get(-1) is None
    with pytest.raises(KeyError):
        verdicts[-1]
