"""Number formats and comparisons over small models with known problems."""

from dataclasses import replace
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.model.infer import infer_shapes
from inspector.model.load import from_proto
from inspector.placement.catalog import load_catalog, resolve_target
from inspector.placement.compare import compare
from inspector.placement.engine import place
from inspector.placement.verdict import Verdict
from inspector.worker.client import InProcessRunner
from tests.golden.problems import PROBLEMS

CATALOG = load_catalog()
OFFERED = {
    "x5": ("int8", "int16"),
    "ultra": ("int8", "int16"),
    "s100": ("int8", "int16"),
    "j6p": ("float16", "int8", "int16"),
}
MODELS = {problem.id: infer_shapes(from_proto(problem.build()), InProcessRunner()) for problem in PROBLEMS}


def verdicts(placement):
    return {node: verdict.verdict for node, verdict in placement.verdicts.items()}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("platform", OFFERED)
def test_in_ptq_a_format_changes_no_verdict(name, platform):
    model = MODELS[name]
    formats = CATALOG.platform(platform).qtypes[resolve_target(CATALOG, platform).march]
    assert formats == OFFERED[platform]
    first, *others = (place(model, CATALOG, resolve_target(CATALOG, platform, qtype=qtype)) for qtype in formats)
    assert all(verdicts(other) == verdicts(first) for other in others)


@given(data=st.data())
def test_requests_for_single_nodes_change_formats_only(data):
    model = MODELS[data.draw(st.sampled_from(sorted(MODELS)))]
    platform = data.draw(st.sampled_from(sorted(OFFERED)))
    target = resolve_target(CATALOG, platform)
    formats = CATALOG.platform(platform).qtypes[target.march]
    asked = data.draw(st.dictionaries(st.sampled_from([n.id for n in model.nodes]), st.sampled_from(formats)))
    plain = place(model, CATALOG, target)
    wished = place(model, CATALOG, replace(target, qtypes=MappingProxyType(asked)))
    assert verdicts(wished) == verdicts(plain)
    for node, verdict in wished.verdicts.items():
        assert (verdict.qtype is None) is (verdict.verdict is Verdict.FOLDED)
        deviates = verdict.qtype is not asked.get(node, verdict.qtype) and verdict.fused_into is None
        explained = any(entry.pass_name == "format" for entry in verdict.because)
        assert explained or not deviates or verdict.qtype is None


@given(
    name=st.sampled_from(sorted(MODELS)),
    pair=st.tuples(*[st.sampled_from(["x3", "x5", "ultra", "s100", "j6p", "j6b"])] * 2),
)
def test_a_comparison_reads_the_same_backwards(name, pair):
    a, b = (place(MODELS[name], CATALOG, resolve_target(CATALOG, platform)) for platform in pair)
    there, back = compare(a, b), compare(b, a)
    assert [(c.node, c.before, c.after) for c in there.changes] == [(c.node, c.after, c.before) for c in back.changes]
    assert (there.better, there.worse) == (back.worse, back.better)
    assert there.graph == back.graph
    differing = [node for node, verdict in a.verdicts.items() if b.verdicts[node].verdict is not verdict.verdict]
    assert [change.node for change in there.changes] == differing
    for change in there.changes:
        for side in (change.before, change.after):
            assert side.checks or side.because or side.verdict in (Verdict.BPU, Verdict.FOLDED)
