from dataclasses import replace

import pytest

from inspector.model.graph import NodeId
from inspector.placement.verdict import Because, Check, Kernel, NodeVerdict, Outcome, Side, Standing, Verdict
from inspector.report.markdown import markdown_report
from inspector.report.text import node_lines, placement_lines
from inspector.rewrite.rule import Refusal
from inspector.text import Text, say
from tests.unit.report.test_values import FAILED, SOURCE, model, placement


def test_a_finding_reads_headline_figures_ground_help():
    of = model()
    conv = of.nodes[0].id
    verdict = NodeVerdict(conv, Verdict.CPU, Standing.REPORTED, (FAILED,))
    assert node_lines(of, verdict, "en", ["some-rule"]) == [
        "cpu[conv.kernel]: `y` (Conv) falls back to the CPU",
        "  attribute kernel_shape[0] is 5, allowed 1..2",
        "  note: depth; operator list, Conv, 3.0 (reported)",
        "  help: some-rule applies here",
    ]
    assert node_lines(of, verdict, "zh_CN")[:3] == [
        "cpu[conv.kernel]：`y`（Conv）回退到 CPU",
        "  attribute kernel_shape[0] 为 5，允许 1..2",
        "  说明：深度；operator list, Conv, 3.0（报告）",
    ]


def kernel_line(verdict, kernel, because=(), language="en"):
    of = model()
    judged = NodeVerdict(of.nodes[0].id, verdict, Standing.DOCUMENTED, (FAILED,), because, kernel=kernel)
    start = "  CPU kernel: " if language == "en" else "  CPU 实现："
    return [line.removeprefix(start) for line in node_lines(of, judged, language) if line.startswith(start)]


def test_what_is_known_of_the_cpu_kernel_is_told_where_the_headline_leaves_it_open():
    assert kernel_line(Verdict.CPU, Kernel.EXISTS) == []
    assert kernel_line(Verdict.CPU, Kernel.UNSTATED) == ["not stated by the table, taken as existing"]
    assert kernel_line(Verdict.UNSUPPORTED, Kernel.EXISTS) == ["exists and takes these parameters"]
    assert kernel_line(Verdict.UNSUPPORTED, Kernel.REFUSES, language="zh_CN") == ["存在，但不接受这些参数"]
    assert kernel_line(Verdict.UNKNOWN, Kernel.EXISTS) == []
    assert kernel_line(Verdict.UNKNOWN, Kernel.NONE) == ["none is integrated"]
    assert kernel_line(Verdict.UNSUPPORTED, None) == []
    said = Because("kernel-refuses", say("context.kernel-refuses", op="Conv"))
    assert kernel_line(Verdict.UNSUPPORTED, Kernel.REFUSES, (said,)) == []
    body = Because("clause", say("context.body", op="If"), NodeId(7))
    assert kernel_line(Verdict.UNSUPPORTED, Kernel.EXISTS, (body,)) == [], "a neighbour decided"


def test_an_open_limit_of_the_cpu_kernel_is_told_apart_from_one_of_the_bpu():
    of = model()
    checks = tuple(
        Check("conv.x", side, Outcome.UNKNOWN, "rank of X", "?", "4", SOURCE) for side in (Side.BPU, Side.CPU)
    )
    lines = node_lines(of, NodeVerdict(of.nodes[0].id, Verdict.UNKNOWN, Standing.DOCUMENTED, checks), "en")
    assert lines[1] == "  rank of X is not known (?), allowed 4"
    assert lines[3] == "  CPU kernel: rank of X is not known (?), allowed 4"


def test_a_refusal_is_told_only_where_nothing_helps():
    of = model()
    conv = of.nodes[0].id
    verdict = NodeVerdict(conv, Verdict.CPU, Standing.REPORTED, (FAILED,))
    refusal = Refusal("some-rule", conv, say("report.stage.model"))
    assert node_lines(of, verdict, "en", (), [refusal])[-1] == "  no fix by some-rule: whole model"
    assert "no fix" not in "".join(node_lines(of, verdict, "en", ["other"], [refusal]))


def test_a_contradicted_check_is_not_given_as_the_reason():
    of = model()
    conv = of.nodes[0].id
    contradicted = Check("a", Side.BPU, Outcome.FAIL, "rank", "5", "4", SOURCE, None, Text("3 of 3", "3/3"))
    because = Because("stand-in", say("report.stage.model"))
    verdict = NodeVerdict(conv, Verdict.UNKNOWN, Standing.INFERRED, (contradicted,), (because,))
    assert node_lines(of, verdict, "en")[0] == "unknown[stand-in]: where `y` (Conv) runs is not known"


@pytest.mark.parametrize("verdict", Verdict)
def test_what_builds_contradict_stays_visible_with_its_counts(verdict):
    of = model()
    conv = of.nodes[0].id
    broken = Check("a.limit", Side.BPU, Outcome.FAIL, "rank", "5", "4", SOURCE, None, Text("3 of 3 ran", "3 个全部"))
    met = Check("b.limit", Side.BPU, Outcome.PASS, "rank", "4", "4", SOURCE, None, Text("2 of 2 ran", "2 个全部"))
    checks = (broken, met)
    placed = placement(of)
    verdicts = {**placed.verdicts, conv: NodeVerdict(conv, verdict, Standing.REPORTED, checks)}
    placed = replace(placed, verdicts=verdicts, graph_checks=(replace(broken, clause="model.limit", side=Side.GRAPH),))
    lines = placement_lines(of, placed, {}, {}, "en")
    assert lines.count("  contradicted by builds, so a.limit does not fire: 3 of 3 ran") == 1
    assert lines.count("contradicted by builds, so model.limit does not fire: 3 of 3 ran") == 1
    assert "2 of 2" not in "".join(lines)
    assert "  实际编译与 a.limit 矛盾，该约束不生效：3 个全部" in placement_lines(of, placed, {}, {}, "zh_CN")


def test_only_findings_are_listed_in_graph_order():
    of = model()
    lines = placement_lines(of, placement(of), {}, {}, "en")
    assert lines[0] == "-: 2 nodes on j6p (nash-p), toolchain 3.0, PTQ"
    assert lines[1] == "BPU 0  CPU 2  UNSUPPORTED 0  UNKNOWN 0  FOLDED 0  (1 inferred)"
    assert [line for line in lines if line.startswith("cpu[")] == [
        "cpu[conv.kernel]: `y` (Conv) falls back to the CPU",
        "cpu[fuse]: `act` (Relu) falls back to the CPU",
    ]


def test_a_markdown_report_names_model_target_and_reasons():
    of = model()
    text = markdown_report(of, placement(of), of, placement(of), (), None, "en")
    assert text.startswith("# - on j6p (nash-p), toolchain 3.0, PTQ\n")
    assert (
        "- cpu[conv.kernel]: `y` (Conv) falls back to the CPU\n  - attribute kernel_shape[0] is 5, allowed 1..2\n"
        in text
    )
    assert "abcd0123" in text
    chinese = markdown_report(of, placement(of), of, placement(of), (), None, "zh_CN")
    assert "## 当前的运行位置" in chinese
