"""The op-local judgement: verdict, standing and reasons, on the shipped tables."""

from dataclasses import replace
from zlib import crc32

import numpy as np
import pytest
from onnx import TensorProto

from inspector.placement.catalog import load_catalog, resolve_target
from inspector.placement.local import decide, judge
from inspector.placement.table import Clause, Fold, OpRules
from inspector.placement.target import Device, Flow, Qtype
from inspector.placement.verdict import Kernel, Outcome, Side, Source, Standing, Verdict
from inspector.text import Text, render
from tests.helpers.facts import check_of, facts_of, judged, one_node, rules_of

P, F, U = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN


def weight(*shape):
    return np.zeros(shape, np.float32)


def deconv3d(kernel, stride, channels=(8, 4), **rest):
    inputs = [[1, channels[0], 5, 26, 26], weight(*channels, *kernel)]
    return facts_of("ConvTranspose", inputs, [[1, channels[1], 5, 26, 26]], opset=11, strides=list(stride), **rest)


def trilinear(shape, flow):
    scales = np.array([1, 1] + [2] * (len(shape) - 2), np.float32)
    output = [shape[0], shape[1], *(2 * s for s in shape[2:])]
    return facts_of("Resize", [shape, None, scales], [output], flow=flow, mode="linear")


# The transposed convolutions of the field article: two clauses, each inside, outside and without its fact.


@pytest.mark.parametrize(
    ("kernel", "stride", "clause", "found", "allowed"),
    [
        ((5, 2, 2), (5, 2, 2), "conv-transpose.kernel-depth", "5", "1..2"),
        ((3, 2, 2), (1, 2, 2), "conv-transpose.kernel-depth", "3", "1..2"),
        ((2, 2, 2), (2, 2, 2), "conv-transpose.stride", "2, 2, 2", "not (2, 2, 2)"),
    ],
)
def test_a_3d_transposed_convolution_outside_the_limits_of_j6p(kernel, stride, clause, found, allowed):
    local = judged("j6p", deconv3d(kernel, stride))
    assert local.verdict is Verdict.CPU
    assert local.standing is Standing.REPORTED
    assert local.cpu is Kernel.EXISTS
    (failed,) = [check for check in local.checks if check.outcome is F]
    assert failed.clause == clause
    assert [render(part) for part in (failed.found, failed.allowed)] == [found, allowed]
    assert failed.source.standing is Standing.REPORTED


@pytest.mark.parametrize(("kernel", "stride"), [((1, 2, 2), (1, 2, 2)), ((2, 2, 2), (1, 2, 2)), ((2, 3, 3), (2, 2, 2))])
def test_a_3d_transposed_convolution_inside_the_limits_of_j6p(kernel, stride):
    local = judged("j6p", deconv3d(kernel, stride))
    assert local.verdict is Verdict.BPU
    assert local.standing is Standing.INFERRED
    assert [note.id for note in local.notes] == ["conv-transpose.depth-other-limits"]


def test_a_3d_transposed_convolution_of_an_unknown_kernel():
    inputs = [[1, 8, 5, 26, 26], [8, 4, None, 2, 2]]
    local = judged("j6p", facts_of("ConvTranspose", inputs, [[None] * 5]))
    assert local.verdict is Verdict.UNKNOWN
    assert {c.outcome for c in local.checks if c.clause == "conv-transpose.kernel-depth"} == {U}


def test_the_depth_clause_names_the_attribute():
    check = check_of("j6p", "conv-transpose.kernel-depth", deconv3d((5, 2, 2), (5, 2, 2)))
    assert render(check.subject) == "attribute kernel_shape[0]"


@pytest.mark.parametrize("platform", ["j6e", "j6m", "j6b", "s100"])
def test_nothing_is_known_of_3d_transposed_convolutions_on_other_nash_marches(platform):
    local = judged(platform, deconv3d((1, 2, 2), (1, 2, 2)))
    assert local.verdict is Verdict.CPU
    assert local.standing is Standing.INFERRED


def test_the_replacements_of_the_field_article_run_on_j6p():
    deconv = facts_of("ConvTranspose", [[5, 128, 26, 26], weight(128, 320, 2, 2)], [[5, 320, 52, 52]], strides=[2, 2])
    conv = facts_of("Conv", [[1, 128, 5, 26, 26], weight(1280, 128, 1, 1, 1)], [[1, 1280, 5, 26, 26]])
    wide = [1, 64, 5, 2, 2, 5, 26, 26]
    reshape = facts_of("Reshape", [[1, 1280, 5, 26, 26], np.array(wide)], [wide])
    transpose = facts_of("Transpose", [wide], [[1, 64, 5, 5, 26, 2, 26, 2]], perm=[0, 1, 5, 2, 6, 3, 7, 4])
    for facts in (deconv, conv, reshape, transpose):
        assert judged("j6p", replace(facts, qtype=Qtype.FLOAT16)).verdict is Verdict.BPU


@pytest.mark.parametrize("platform", ["x3", "x5", "ultra"])
def test_a_resize_without_a_region_has_a_cpu_kernel(platform):
    scales = np.array([1, 1, 2, 2], np.float32)
    cubic = facts_of("Resize", [[1, 8, 4, 4], None, scales], [[1, 8, 8, 8]], mode="cubic")
    assert judged(platform, cubic).verdict is Verdict.CPU


def test_what_builds_contradict_is_not_documented():
    local = judged("x5", facts_of("Concat", [[1, 4], [1, 4]], [[1, 8]], axis=1))
    assert (local.verdict, local.standing) == (Verdict.BPU, Standing.REPORTED)


def test_of_several_failed_limits_the_one_that_stops_the_toolchain_leads():
    local = judged("j6p", trilinear([1, 8, 4, 4, 4], Flow.QAT))
    assert local.checks[0].clause == "resize.rank-qat"


@pytest.mark.parametrize("platform", ["x3", "x5", "ultra"])
def test_limits_of_the_bpu_stand_before_those_of_the_cpu_kernel(platform):
    local = judged(platform, trilinear([1, 8, 4, 4, 4], Flow.PTQ))
    sides = [check.side for check in local.checks if check.outcome is F]
    assert sides == sorted(sides, key=[Side.BPU, Side.CPU].index)
    assert set(sides) == {Side.BPU, Side.CPU}


# Resize under training and after it.


@pytest.mark.parametrize(
    ("shape", "flow", "verdict"),
    [
        ((1, 8, 5, 6, 6), Flow.QAT, Verdict.UNSUPPORTED),
        ((1, 8, 6, 6), Flow.QAT, Verdict.BPU),
        ((1, 8, 6), Flow.QAT, Verdict.BPU),
        ((1, 8, 5, 6, 6), Flow.PTQ, Verdict.CPU),
        ((1, 8, 6, 6), Flow.PTQ, Verdict.BPU),
        ((8, 6), Flow.QAT, Verdict.UNSUPPORTED),
    ],
)
def test_resize_on_j6p(shape, flow, verdict):
    assert judged("j6p", trilinear(list(shape), flow)).verdict is verdict


def test_the_refusal_under_training_is_reported_and_final():
    local = judged("j6p", trilinear([1, 8, 5, 6, 6], Flow.QAT))
    assert local.standing is Standing.REPORTED
    check = next(c for c in local.checks if c.clause == "resize.rank-qat")
    assert (check.outcome, check.found, check.allowed) == (F, "5", "3, 4")
    assert check_of("j6p", "resize.rank-qat", trilinear([1, 8, 5, 6, 6], Flow.PTQ)) is None


def test_a_resize_of_unknown_rank_is_unknown_under_training():
    facts = trilinear([1, 8, 6, 6], Flow.QAT)
    blind = replace(facts, inputs=(replace(facts.inputs[0], shape=None), *facts.inputs[1:]))
    assert judged("j6p", blind).verdict is Verdict.UNKNOWN


# One sample or more per kind of row.

CONV = facts_of("Conv", [[1, 3, 8, 8], weight(4, 3, 3, 3)], [[1, 4, 6, 6]])


@pytest.mark.parametrize(
    ("platform", "facts", "verdict", "clause"),
    [
        ("x3", CONV, Verdict.BPU, None),
        ("x3", facts_of("Conv", [[1, 3, 32, 32], weight(4, 3, 7, 7)], [[1, 4, 26, 26]]), Verdict.BPU, None),
        ("x3", facts_of("Conv", [[1, 3, 32, 32], weight(4, 3, 8, 8)], [[1, 4, 25, 25]]), Verdict.CPU,
         "conv.kernel-shape"),
        ("x5", facts_of("Conv", [[1, 3, 64, 64], weight(4, 3, 31, 31)], [[1, 4, 34, 34]]), Verdict.BPU, None),
        ("x5", facts_of("Conv", [[1, 3, 64, 64], weight(4, 3, 32, 32)], [[1, 4, 33, 33]]), Verdict.CPU,
         "conv.kernel-shape"),
        ("x5", facts_of("Conv", [[1, 3, 64], weight(4, 3, 3)], [[1, 4, 62]]), Verdict.CPU, "conv.rank"),
        ("x5", facts_of("Concat", [[1, 3], [1, 3]], [[1, 6]], axis=-1), Verdict.BPU, None),
        ("x5", facts_of("Concat", [[1, 3], [1, 3]], [[2, 3]], axis=-2), Verdict.CPU, "concat.axis"),
        ("x5", facts_of("MaxPool", [[1, 3, 64], ], [[1, 3, 62]], kernel_shape=[3]), Verdict.UNSUPPORTED,
         "max-pool.general-rank"),
        ("x5", facts_of("Where", [[4], [4], [4]], [[4]], dtypes={0: TensorProto.BOOL}), Verdict.CPU, "where.bpu"),
        ("x5", facts_of("Einsum", [[4, 4], [4, 4]], [[4, 4]], opset=12, equation="ij,jk->ik"), Verdict.UNSUPPORTED,
         "einsum.cpu-kernel"),
        ("x3", facts_of("Pow", [[1, 2, 3, 3], np.array([2], np.float32)], [[1, 2, 3, 3]]), Verdict.BPU, None),
        ("x3", facts_of("Pow", [[1, 2, 3, 3], np.ones(3, np.float32)], [[1, 2, 3, 3]]), Verdict.CPU,
         "pow.exponent-elements"),
        ("ultra", facts_of("Div", [[1, 2, 3, 3], np.ones(1, np.float32)], [[1, 2, 3, 3]]), Verdict.CPU,
         "div.computed-inputs"),
        ("x3", facts_of("Tanh", [[1, 2, 64, 64]], [[1, 2, 64, 64]]), Verdict.BPU, None),
        ("x3", facts_of("Tanh", [[1, 2, 64, 65]], [[1, 2, 64, 65]]), Verdict.CPU, "tanh.elements"),
        ("x5", facts_of("Gemm", [[1, 8192], weight(8192, 10)], [[1, 10]]), Verdict.BPU, None),
        ("x5", facts_of("Gemm", [[1, 8193], weight(8193, 10)], [[1, 10]]), Verdict.CPU, "gemm.weight-channels"),
        ("j6p", facts_of("Neg", [[4]], [[4]]), Verdict.CPU, "neg.bpu"),
        ("j6p", facts_of("Relu", [[1] * 10], [[1] * 10]), Verdict.BPU, None),
        ("j6p", facts_of("Relu", [[1] * 11], [[1] * 11]), Verdict.CPU, "general.rank"),
    ],
)  # fmt: skip
def test_samples(platform, facts, verdict, clause):
    local = judged(platform, replace(facts, context={"consumer_on_bpu": True}))
    failed = {check.clause for check in local.checks if check.outcome is F and check.contradicted is None}
    assert local.verdict is verdict
    assert clause in failed if clause else not failed


@pytest.mark.parametrize("platform", ["x5", "j6p"])
@pytest.mark.parametrize("op", ["Relu", "Sigmoid", "Reshape", "Transpose", "MaxPool", "Softmax"])
def test_a_node_of_unknown_shape_is_never_green(platform, op):
    attributes = {"kernel_shape": [2, 2]} if op == "MaxPool" else {}
    facts = facts_of(op, [None, None], [None], **attributes)
    blind = replace(facts_of(op, [[4]], [[4]], **attributes))
    blind = replace(blind, inputs=tuple(replace(o, shape=None, dtype=None) for o in blind.inputs),
                    outputs=tuple(replace(o, shape=None, dtype=None) for o in blind.outputs))  # fmt: skip
    assert judged(platform, blind).verdict is Verdict.UNKNOWN
    assert judged(platform, facts).verdict is Verdict.UNKNOWN


def test_contradicted_limits_are_shown_and_do_not_fire():
    facts = facts_of("Split", [[1, 128, 4, 4]], [[1, 32, 4, 4]] * 2 + [[1, 64, 4, 4]], axis=1, split=[32, 32, 64])
    local = judged("x5", facts)
    assert local.verdict is Verdict.BPU
    check = next(check for check in local.checks if check.clause == "split.piece-count-3")
    assert check.outcome is F
    assert "6 of 6" in check.contradicted.en


@pytest.mark.parametrize(("qtype", "verdict"), [(Qtype.INT8, Verdict.BPU), (Qtype.INT16, Verdict.CPU)])
def test_number_formats_per_node(qtype, verdict):
    facts = facts_of("PRelu", [[1, 2, 3, 3], np.ones((2, 1, 1), np.float32)], [[1, 2, 3, 3]], qtype=qtype)
    assert judged("x5", facts).verdict is verdict


def test_a_format_chosen_for_one_node_decides():
    model, node = one_node("PRelu", [[1, 2, 3, 3], np.ones((2, 1, 1), np.float32)], [[1, 2, 3, 3]])
    target = resolve_target(load_catalog(), "x5")
    table = load_catalog().table(target)
    assert judge(model, node, table, target).verdict is Verdict.BPU
    assert judge(model, node, table, replace(target, qtypes={node.id: Qtype.INT16})).verdict is Verdict.CPU


def test_defaults_and_folds_are_passed_on():
    softmax = judged(
        "x5", facts_of("Softmax", [[1, 2, 3, 4]], [[1, 2, 3, 4]], axis=3, context={"exported_from_pytorch": False})
    )
    assert (softmax.verdict, softmax.default_device, softmax.force_option) == (Verdict.BPU, Device.CPU, "run_on_bpu")
    assert judged("x3", facts_of("Relu", [[1, 2]], [[1, 2]])).fold is Fold.INTO_CONV
    assert judged("x5", facts_of("Dropout", [[1, 2]], [[1, 2]])).fold is Fold.REMOVED
    assert judged("j6p", facts_of("Shape", [[1, 2]], [[2]])).fold is Fold.CONSTANT


def test_a_stand_in_says_so_and_is_inferred():
    local = judged("j6p", facts_of("Sigmoid", [[1, 2]], [[1, 2]]))
    assert (local.verdict, local.standing) == (Verdict.BPU, Standing.INFERRED)
    assert "X5" in local.stand_in.en


@pytest.mark.parametrize(
    ("platform", "verdict", "standing", "outcome"),
    [("x5", Verdict.UNSUPPORTED, Standing.DOCUMENTED, F), ("j6p", Verdict.UNKNOWN, Standing.INFERRED, U)],
)
def test_an_operator_in_no_table(platform, verdict, standing, outcome):
    model, node = one_node("HardSwish", [[1, 2]], opset=14)
    target = resolve_target(load_catalog(), platform)
    local = judge(model, node, load_catalog().table(target), target)
    assert (local.verdict, local.standing, local.listed) == (verdict, standing, False)
    (check,) = local.checks
    assert (check.clause, check.outcome, render(check.found)) == ("hard-swish.listed", outcome, "HardSwish")


@pytest.mark.parametrize(("domain", "verdict"), [("horizon", Verdict.BPU), ("", Verdict.UNSUPPORTED)])
def test_the_vendors_own_operator(domain, verdict):
    model, node = one_node("GridSample", [[1, 2, 8, 8], [1, 4, 4, 2]], [[1, 2, 4, 4]], domain=domain, opset=11,
                           mode="bilinear", padding_mode="zeros")  # fmt: skip
    target = resolve_target(load_catalog(), "x5")
    assert judge(model, node, load_catalog().table(target), target).verdict is verdict


def test_equal_nodes_are_judged_once():
    target = resolve_target(load_catalog(), "x5")
    table = load_catalog().table(target)
    first, second = (one_node("Relu", [[1, 2, 3, 17]], [[1, 2, 3, 17]]) for _ in range(2))
    one = judge(*first, table, target)
    assert judge(*second, table, target) is one
    assert judge(*one_node("Relu", [[1, 2, 3, 18]], [[1, 2, 3, 18]]), table, target) is not one
    assert judge(*second, table, replace(target, flow=Flow.QAT)) is not one


def test_context_can_be_given_by_a_caller_who_knows_better():
    model, node = one_node("Gemm", [[1, 40000], weight(40000, 4)], [[1, 4]])
    target = resolve_target(load_catalog(), "x3")
    table = load_catalog().table(target)
    checks = {c.clause for c in judge(model, node, table, target, {"consumer_on_bpu": True}).checks}
    assert "gemm.size-int8-output" in checks
    assert "gemm.size-int32-output" not in checks


# Rules made by hand: how outcomes combine.

ONE = Source("d", standing=Standing.DOCUMENTED)
SAID = Source("r", standing=Standing.REPORTED)
YES, NO, MAYBE = {"rank": {"of": "X", "eq": 4}}, {"rank": {"of": "X", "eq": 5}}, {"context": "consumer_on_bpu"}


def clause(require, *, side=Side.BPU, when=None, otherwise=Verdict.CPU, source=ONE, contradicted=None):
    name = f"conv.c{crc32(repr((require, side, when)).encode())}"
    return Clause(name, side, require, when, otherwise, Text("t", "文"), source, contradicted)


def outcome(*clauses, kernel=Kernel.EXISTS, bpu=True):
    return decide(OpRules("Conv", bpu, clauses, kernel, source=ONE, kernel_source=ONE), CONV)


@pytest.mark.parametrize(
    ("clauses", "kernel", "verdict", "cpu"),
    [
        ([clause(YES)], Kernel.EXISTS, Verdict.BPU, Kernel.EXISTS),
        ([clause(YES), clause(NO, side=Side.CPU)], Kernel.EXISTS, Verdict.BPU, Kernel.REFUSES),
        ([clause(NO)], Kernel.EXISTS, Verdict.CPU, Kernel.EXISTS),
        ([clause(NO)], Kernel.UNSTATED, Verdict.CPU, Kernel.UNSTATED),
        ([clause(NO)], Kernel.NONE, Verdict.UNSUPPORTED, Kernel.NONE),
        ([clause(NO), clause(NO, side=Side.CPU)], Kernel.EXISTS, Verdict.UNSUPPORTED, Kernel.REFUSES),
        ([clause(NO), clause(MAYBE, side=Side.CPU)], Kernel.EXISTS, Verdict.CPU, Kernel.UNKNOWN),
        ([clause(MAYBE)], Kernel.EXISTS, Verdict.UNKNOWN, Kernel.EXISTS),
        ([clause(MAYBE), clause(NO)], Kernel.EXISTS, Verdict.CPU, Kernel.EXISTS),
        ([clause(NO, otherwise=Verdict.UNSUPPORTED)], Kernel.EXISTS, Verdict.UNSUPPORTED, Kernel.EXISTS),
        ([clause(NO, contradicted=Text("1 of 1", "1 个"))], Kernel.EXISTS, Verdict.BPU, Kernel.EXISTS),
        ([clause(MAYBE, contradicted=Text("1 of 1", "1 个"))], Kernel.EXISTS, Verdict.BPU, Kernel.EXISTS),
        ([clause(NO, when=NO)], Kernel.EXISTS, Verdict.BPU, Kernel.EXISTS),
        ([clause(NO, when=MAYBE)], Kernel.EXISTS, Verdict.UNKNOWN, Kernel.EXISTS),
        ([clause(YES, when=MAYBE)], Kernel.EXISTS, Verdict.BPU, Kernel.EXISTS),
    ],
)
def test_how_outcomes_combine(clauses, kernel, verdict, cpu):
    local = outcome(*clauses, kernel=kernel)
    assert (local.verdict, local.cpu) == (verdict, cpu)


def test_standing_is_the_weakest_that_decided():
    assert outcome(clause(YES), clause(YES, source=SAID)).standing is Standing.REPORTED
    assert outcome(clause(NO), clause(NO, when=YES, source=SAID)).standing is Standing.DOCUMENTED
    assert outcome(clause(NO), kernel=Kernel.UNSTATED).standing is Standing.INFERRED
    assert outcome(clause(NO, source=SAID)).standing is Standing.REPORTED


def test_checks_stand_in_order_and_cpu_limits_only_where_they_matter():
    on_cpu = outcome(clause(YES), clause(NO), clause(MAYBE), clause(YES, side=Side.CPU))
    assert [check.outcome for check in on_cpu.checks] == [F, U, P, P]
    on_bpu = outcome(clause(YES), clause(NO, side=Side.CPU))
    assert [check.side for check in on_bpu.checks] == [Side.BPU]
    assert [check.outcome for check in on_bpu.cpu_checks] == [F]


def test_an_operator_that_the_bpu_lacks():
    local = outcome(bpu=False)
    assert local.verdict is Verdict.CPU
    assert [check.clause for check in local.checks] == ["conv.bpu"]


def test_rules_are_found_for_every_sample():
    assert rules_of("x5", "Conv").kernel is Kernel.EXISTS
    with pytest.raises(KeyError):
        rules_of("x5", "HardSwish")
