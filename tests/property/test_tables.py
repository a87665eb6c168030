"""Properties of the tables: no file makes a judgement fail, and no clause passes because something is not known."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper

from inspector.model.load import from_proto
from inspector.placement.catalog import load_catalog, resolve_target
from inspector.placement.facts import context_flags, node_facts
from inspector.placement.graph_checks import graph_checks
from inspector.placement.local import decide, judge
from inspector.placement.target import Flow, Qtype
from inspector.placement.verdict import Outcome, Verdict
from inspector.text import LANGUAGES, render
from tests.helpers.facts import weakened

CATALOG = load_catalog()
PLATFORMS = ("x3", "x5", "ultra", "j6e", "j6p", "j6b")
OPERATORS = sorted({rules.op for table in CATALOG.tables.values() for rules in table.ops.values()})
NAMES = [
    "axis", "axes", "kernel_shape", "strides", "pads", "dilations", "group", "auto_pad", "mode", "keepdims", "split",
    "perm", "coordinate_transformation_mode", "output_padding", "transB", "blocksize", "direction", "p", "sorted",
]  # fmt: skip

numbers = st.integers(-3, 9)
values = st.one_of(
    numbers,
    st.lists(numbers, min_size=1, max_size=6),
    st.sampled_from(["SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET", "nearest", "linear", "", "x"]),
    st.floats(allow_nan=True),
    st.lists(st.floats(width=32), min_size=1, max_size=4),
)
sizes = st.lists(st.one_of(st.integers(0, 70000), st.none(), st.just("n")), max_size=6)
constants = st.one_of(
    st.lists(numbers, max_size=8).map(lambda v: np.array(v, np.int64)),
    st.lists(st.floats(width=32), max_size=8).map(lambda v: np.array(v, np.float32)),
    st.lists(st.integers(0, 4), max_size=5).map(lambda shape: np.zeros(shape, np.float32)),
)


@st.composite
def models(draw):
    """One node of any operator of the tables, with any inputs and attributes, sensible or not."""
    op = draw(st.sampled_from(OPERATORS))
    inputs = draw(st.lists(st.one_of(sizes, constants, st.just("left out")), max_size=4))
    attributes = draw(st.dictionaries(st.sampled_from(NAMES), values, max_size=5))
    dtype = draw(st.sampled_from([TensorProto.FLOAT, TensorProto.INT64, TensorProto.STRING, TensorProto.UNDEFINED]))
    names = ["" if isinstance(value, str) else f"i{index}" for index, value in enumerate(inputs)]
    node = helper.make_node(op, names, ["o"], "n", **attributes)
    declared = [
        helper.make_tensor_value_info(name, dtype, shape)
        for name, shape in zip(names, inputs, strict=True)
        if isinstance(shape, list)
    ]
    tensors = [
        numpy_helper.from_array(a, name) for name, a in zip(names, inputs, strict=True) if isinstance(a, np.ndarray)
    ]
    out = helper.make_tensor_value_info("o", TensorProto.FLOAT, draw(sizes))
    graph = helper.make_graph([node], "g", declared, [out], tensors)
    return from_proto(helper.make_model(graph, opset_imports=[helper.make_opsetid("", draw(st.integers(7, 21)))]))


@settings(max_examples=300)
@given(models())
def test_any_node_gets_a_verdict_with_its_reasons(model):
    for platform in PLATFORMS:
        target = resolve_target(CATALOG, platform)
        table = CATALOG.table(target)
        local = judge(model, model.nodes[0], table, target)
        if local.verdict is not Verdict.BPU:
            assert any(check.outcome is not Outcome.PASS for check in local.checks)
        for check in (*local.checks, *local.cpu_checks, *graph_checks(model, table, target)):
            for language in LANGUAGES:
                assert all(render(part, language) for part in (check.subject, check.found, check.allowed))
            assert str(check.source)


@settings(max_examples=60)
@given(models(), st.sampled_from(PLATFORMS))
def test_losing_a_fact_never_gives_a_node_to_the_bpu(model, platform):
    target = resolve_target(CATALOG, platform)
    node = model.nodes[0]
    rules = CATALOG.table(target).rules("", node.op.name)
    if rules is None:
        return
    flags = context_flags(model, node)
    facts = node_facts(model, node, qtype=target.qtype or Qtype.INT8, flow=Flow.PTQ, context=flags)
    before = decide(rules, facts)
    if before.verdict is Verdict.BPU:
        return
    for poorer in weakened(facts):
        assert decide(rules, poorer).verdict is not Verdict.BPU


@pytest.mark.parametrize("platform", [p.id for p in CATALOG.platforms])
def test_every_operator_of_a_table_can_be_judged(platform):
    target = resolve_target(CATALOG, platform)
    table = CATALOG.table(target)
    for op in {rules.op for rules in table.ops.values()}:
        graph = helper.make_graph([helper.make_node(op, ["x"], ["y"])], "g", [], [])
        model = from_proto(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)]))
        local = judge(model, model.nodes[0], table, target)
        assert local.listed
        assert local.verdict is not Verdict.BPU
