"""The rules on the shipped tables: they clear what they claim to fix, and what does not help is not called a fix."""

from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from onnx import defs, helper

from inspector.model.graph import Model
from inspector.model.infer import infer_shapes
from inspector.model.load import load_model
from inspector.placement.building import kebab
from inspector.placement.catalog import Catalog, load_catalog, resolve_target
from inspector.placement.engine import place
from inspector.placement.target import Flow
from inspector.placement.verdict import Verdict
from inspector.rewrite.find import apply_all, find, find_all
from inspector.rewrite.registry import rule as rule_of
from inspector.rewrite.registry import rules
from inspector.rewrite.rule import Preview
from inspector.worker.client import InProcessRunner
from tests.helpers.models import proto
from tests.helpers.rewriting import feeds_of, fix_all, max_rel, node_of, opened

DATA = Path(__file__).resolve().parents[1] / "data"
NODES_IN_NEED = (Verdict.CPU, Verdict.UNSUPPORTED, Verdict.UNKNOWN)


@cache
def catalog() -> Catalog:
    return load_catalog()


def placer(platform, flow=Flow.PTQ):
    target = resolve_target(catalog(), platform, flow=flow)
    return lambda model: place(model, catalog(), target)


def in_need(placement):
    return sum(placement.counts[verdict] for verdict in NODES_IN_NEED)


def occupancy_head() -> Model:
    """Three ConvTranspose3d 128->64 (5,2,2), 64->48 and 48->32 (2,2,2) between Relus, on a small plane."""
    rng = np.random.default_rng(0)
    nodes, tensors, value = [], {}, "x"
    layers = [(128, 64, (5, 2, 2)), (64, 48, (2, 2, 2)), (48, 32, (2, 2, 2))]
    for i, (channels, maps, kernel) in enumerate(layers):
        tensors[f"w{i}"] = (rng.standard_normal((channels, maps, *kernel)) / 16).astype(np.float32)
        tensors[f"b{i}"] = rng.standard_normal(maps).astype(np.float32)
        nodes.append(
            helper.make_node(
                "ConvTranspose", [value, f"w{i}", f"b{i}"], [f"u{i}"], f"up{i}", kernel_shape=kernel, strides=kernel
            )
        )
        value = f"u{i}"
        if i < 2:
            nodes.append(helper.make_node("Relu", [value], [f"r{i}"], f"relu{i}"))
            value = f"r{i}"
    return opened(proto(nodes, {"x": [1, 128, 1, 4, 5]}, {value: [1, 32, 20, 32, 40]}, tensors, opset=11))


def test_claimed_clauses_exist():
    known = {clause.id for table in catalog().tables.values() for ops in table.ops.values() for clause in ops.clauses}
    # An operator that a table does not list, or lists for the CPU alone, fails the check `.listed`.
    known |= {f"{kebab(schema.name)}.listed" for schema in defs.get_all_schemas() if not schema.domain}
    for rule in rules():
        for pattern in rule.fixes:
            assert any(fnmatchcase(clause, pattern) for clause in known), (rule.id, pattern)


@pytest.mark.parametrize("rule", ["convtranspose3d-to-2d", "convtranspose3d-to-conv3d"])
def test_occupancy_head_leaves_the_cpu_of_j6p(rule):
    model, put = occupancy_head(), placer("j6p")
    before = put(model)
    assert before.counts[Verdict.CPU] == 3
    reasons = {c.clause for v in before.verdicts.values() for c in v.failed}
    assert reasons == {"conv-transpose.kernel-depth", "conv-transpose.stride"}
    steps = list(apply_all(model, rule_of(rule), place=put))
    assert len(steps) == 3
    assert in_need(steps[-1].placement_after) == 0
    assert max_rel(model, steps[-1].after, feeds_of(model)) == 0.0
    claimed = rule_of(rule).fixes
    assert all(any(fnmatchcase(reason, pattern) for pattern in claimed) for reason in reasons)


def test_best_fixes_of_the_occupancy_head_are_the_two_dimensional_ones():
    model, put = occupancy_head(), placer("j6p")
    steps = list(fix_all(model, put(model), place=put))
    assert [s.match.rule for s in steps] == ["convtranspose3d-to-2d"] * 3
    assert in_need(steps[-1].placement_after) == 0


def test_trilinear_passes_the_quantised_interpolate_of_j6p():
    tensors = {"scales": np.array([1, 1, 2, 2, 2], np.float32), "roi": np.zeros(0, np.float32)}
    node = helper.make_node("Resize", ["x", "roi", "scales"], ["y"], "up", mode="linear")
    model = opened(proto([node], {"x": [1, 256, 5, 26, 26]}, {"y": [1, 256, 10, 52, 52]}, tensors, opset=11))
    put = placer("j6p", Flow.QAT)
    before = put(model)
    assert before.counts[Verdict.UNSUPPORTED] == 1
    found = find(model, before, node_of(model, "Resize"), place=put)
    assert {o.variant for o in found.fixes} == {"hw-then-d", "d-then-hw", "depth-conv"}
    (step,) = fix_all(model, before, place=put)
    assert in_need(step.placement_after) == 0
    assert max_rel(model, step.after, feeds_of(model)) <= 1e-6


def test_folding_is_a_clean_up_where_the_toolchain_folds_by_itself():
    model = infer_shapes(load_model(DATA / "secdet24_bn_kept_ts11.onnx"), InProcessRunner())
    put = placer("x3")
    placement = put(model)
    found = find(model, placement, node_of(model, "BatchNormalization"), place=put)
    assert found.fixes == ()
    assert [o.rule.id for o in found.cleanups] == ["bn-fold"]
    assert list(fix_all(model, placement, place=put)) == []


@pytest.mark.parametrize(("platform", "form"), [("x3", "conv-clip-mul"), ("x5", "hardsigmoid-mul")])
def test_form_of_hardswish_follows_the_chip(platform, form):
    weight = np.random.default_rng(0).standard_normal((8, 8, 3, 3)).astype(np.float32)
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"], "first"),
        helper.make_node("HardSwish", ["a"], ["b"], "act"),
        helper.make_node("Conv", ["b", "w"], ["y"], "last"),
    ]
    model = opened(proto(nodes, {"x": [1, 8, 16, 16]}, {"y": [1, 8, 12, 12]}, {"w": weight}, opset=14))
    put = placer(platform)
    found = find_all(model, put(model), place=put)
    offers = found[node_of(model, "HardSwish")].fixes
    assert offers[0].variant == form
    steps = [s for s in fix_all(model, put(model), place=put) if isinstance(s, Preview)]
    assert len(steps) == 1
    assert max_rel(model, steps[-1].after, feeds_of(model)) <= 1e-6
