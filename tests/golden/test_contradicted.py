"""What real builds contradict of a limit does not fire, and not a step further: each such clause inside and beyond."""

from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from onnx import helper

from inspector.model.infer import infer_shapes
from inspector.model.load import from_proto
from inspector.placement.catalog import load_catalog, resolve_target
from inspector.placement.engine import place
from inspector.placement.graph_checks import graph_checks
from inspector.placement.target import Device, Qtype
from inspector.placement.verdict import Outcome, Standing, Verdict
from inspector.text import LANGUAGES, render
from inspector.worker.client import InProcessRunner
from tests.helpers.models import proto

CATALOG = load_catalog()


@dataclass(frozen=True)
class Net:
    """Inputs -> Sigmoid each (-> Transpose) -> the node -> (Transpose ->) Sigmoid per output -> model outputs."""

    op: str
    inputs: tuple
    attributes: dict = field(default_factory=dict)
    outputs: int = 1
    transposed: bool = False
    qtype: Qtype = Qtype.INT8

    def place(self, platform):
        nodes, tensors, inputs, names = [], {}, {}, []
        for index, value in enumerate(self.inputs):
            name = f"v{index}"
            names.append(name)
            if isinstance(value, np.ndarray):
                tensors[name] = value
                continue
            shape = list(reversed(value)) if self.transposed else value
            inputs[f"x{index}"] = shape
            nodes.append(helper.make_node("Sigmoid", [f"x{index}"], [f"s{index}" if self.transposed else name]))
            if self.transposed:
                nodes.append(helper.make_node("Transpose", [f"s{index}"], [name]))
        results = [f"r{i}" for i in range(self.outputs)]
        nodes.append(helper.make_node(self.op, names, results, "n", **self.attributes))
        for result in results:
            if self.transposed:
                nodes.append(helper.make_node("Transpose", [result], [f"{result}t"]))
            nodes.append(helper.make_node("Sigmoid", [f"{result}t" if self.transposed else result], [f"{result}y"]))
        message = proto(nodes, inputs, {f"{r}y": None for r in results}, tensors, opset=11, ir=7)
        model = infer_shapes(from_proto(message), InProcessRunner())
        node = next(node for node in model.nodes if node.name == "n")
        forced = {node.id: Device.BPU} if self.op == "Softmax" else {}
        target = replace(resolve_target(CATALOG, platform), qtypes={node.id: self.qtype}, forced=forced)
        return place(model, CATALOG, target).verdicts[node.id]


def weight(*shape):
    return np.ones(shape, np.float32)


def pieces(shape, axis, split):
    return Net("Split", (shape,), {"axis": axis, "split": split}, len(split))


CASES = {
    ("x5", "concat.general-rank-2", "concat.general-rank"): (
        [Net("Concat", ([1, 4], [1, 4]), {"axis": 1})],
        [
            Net("Concat", ([1, 4, 8], [1, 4, 8]), {"axis": 1}),
            Net("Concat", ([1, 4, 2, 8, 8], [1, 4, 2, 8, 8]), {"axis": 1}),
        ],
    ),
    ("x5", "matmul.same-rank-weight", "matmul.same-rank"): (
        [Net("MatMul", ([1, 8, 16], weight(16, 4)))],
        [
            Net("MatMul", ([1, 8, 16], [16, 4])),  # B is computed
            Net("MatMul", ([1, 4, 8, 16], weight(16, 4))),
            Net("MatMul", ([1, 4, 8, 16], [4, 16, 4])),
            Net("MatMul", ([8, 16], weight(1, 16, 4))),
            Net("MatMul", (weight(1, 8, 16), [16, 4])),
        ],
    ),
    ("x5", "reduce-max.keepdims-0", "reduce-max.keepdims"): (
        [Net("ReduceMax", ([1, 4, 8, 8],), {"axes": [1], "keepdims": 0})],
        [Net("ReduceMax", ([1, 4, 8, 8],), {"axes": [1], "keepdims": 2})],
    ),
    ("x5", "reduce-mean.keepdims-0", "reduce-mean.keepdims"): (
        [
            Net("ReduceMean", ([1, 4, 8, 8],), {"axes": [1], "keepdims": 0}),
            Net("ReduceMean", ([1, 4, 8, 8],), {"axes": [2, 3], "keepdims": 0}),
        ],
        [Net("ReduceMean", ([1, 4, 8, 8],), {"axes": [1], "keepdims": 2})],
    ),
    ("x5", "softmax.rank-3", "softmax.rank"): (
        [Net("Softmax", ([1, 8, 16],), {"axis": 2}, transposed=True)],
        [
            Net("Softmax", ([1, 8, 16],), {"axis": 2}),  # no Transposes
            Net("Softmax", ([8, 16],), {"axis": 1}, transposed=True),
            Net("Softmax", ([1, 2, 4, 8, 16],), {"axis": 4}, transposed=True),
        ],
    ),
    ("x5", "split.piece-count-3", "split.piece-count"): (
        [pieces([1, 2, 128, 8], 2, [32, 32, 64])],
        [pieces([1, 2, 8, 8], 2, [1, 1, 1, 1, 4]), pieces([2, 128, 8], 1, [32, 32, 64])],
    ),
    ("ultra", "split.piece-count-3", "split.piece-count"): (
        [pieces([1, 3, 8, 8, 85], 4, [2, 2, 81])],
        [pieces([1, 2, 128, 8], 2, [32, 32, 64]), pieces([1, 3, 8, 8, 85], 4, [2, 83])],
    ),
    ("ultra", "split.pieces-3", "split.pieces"): (
        [pieces([1, 3, 8, 8, 85], 4, [2, 2, 81])],
        [pieces([1, 3, 8, 8, 85], 4, [1, 2, 2, 80]), pieces([1, 3, 8, 85], 3, [2, 2, 81])],
    ),
}
"""(platform, contradicted clause, clause that still fires) -> models inside what was seen, models beyond it."""

IDS = [f"{platform}-{clause}" for platform, clause, _ in CASES]


def checks(verdict, clause):
    return [check for check in verdict.checks if check.clause == clause]


@pytest.mark.parametrize(("key", "case"), CASES.items(), ids=IDS)
def test_inside_what_builds_show_the_node_stays_on_the_bpu(key, case):
    platform, clause, other = key
    for net in case[0]:
        verdict = net.place(platform)
        assert verdict.verdict is Verdict.BPU, net
        assert verdict.standing in (Standing.REPORTED, Standing.INFERRED), net
        (check,) = checks(verdict, clause)
        assert check.outcome is Outcome.FAIL
        assert all(render(check.contradicted, language) for language in LANGUAGES)
        assert not checks(verdict, other)


@pytest.mark.parametrize(("key", "case"), CASES.items(), ids=IDS)
def test_beyond_it_the_documented_limit_fires(key, case):
    platform, clause, other = key
    for net in case[1]:
        verdict = net.place(platform)
        assert verdict.verdict in (Verdict.CPU, Verdict.UNSUPPORTED), net
        (check,) = checks(verdict, other)
        assert check in verdict.failed, net
        assert check.contradicted is None
        assert all(render(part, language) for part in (check.found, check.allowed) for language in LANGUAGES)
        assert check.source.document
        assert not checks(verdict, clause)


def test_an_int16_softmax_of_rank_3_falls_back_to_the_format_that_was_seen():
    verdict = Net("Softmax", ([1, 8, 16],), {"axis": 2}, transposed=True, qtype=Qtype.INT16).place("x5")
    assert (verdict.verdict, verdict.qtype) == (Verdict.BPU, Qtype.INT8)
    assert any(entry.pass_name == "format" for entry in verdict.because)


def test_pieces_that_do_not_divide_were_never_seen_on_x5():
    verdict = pieces([1, 3, 8, 85], 3, [2, 2, 81]).place("x5")
    assert verdict.verdict is Verdict.CPU
    assert [check.clause for check in verdict.failed] == ["split.pieces"]


@pytest.mark.parametrize(
    ("ir", "clause", "contradicted"),
    [
        (7, None, False),
        (8, "model.ir-version", False),
        (9, "model.ir-version-9", True),
        (10, "model.ir-version", False),
    ],
)
def test_ir_version_9_alone_was_seen_to_convert(ir, clause, contradicted):
    message = proto([helper.make_node("Relu", ["x"], ["y"])], {"x": [1, 3, 8, 8]}, {"y": None}, opset=11, ir=ir)
    target = resolve_target(CATALOG, "x5")
    failed = [c for c in graph_checks(from_proto(message), CATALOG.table(target), target) if c.outcome is Outcome.FAIL]
    assert [check.clause for check in failed] == ([clause] if clause else [])
    assert all((check.contradicted is not None) is contradicted for check in failed)


def test_a_batch_above_one_was_never_seen_to_convert():
    message = proto([helper.make_node("Relu", ["x"], ["y"])], {"x": [4, 3, 8, 8]}, {"y": None}, opset=11, ir=7)
    target = resolve_target(CATALOG, "x5")
    (failed,) = [
        c for c in graph_checks(from_proto(message), CATALOG.table(target), target) if c.outcome is Outcome.FAIL
    ]
    assert failed.clause == "model.input-batch"
    assert failed.contradicted is None


def test_every_contradicted_clause_is_here():
    platforms = {"bernoulli2/op-list": "x3", "bayes-e/op-list": "x5", "bayes/op-list": "ultra"}
    found = {
        (platforms[table.id], clause.id)
        for table in CATALOG.tables.values()
        if table.id in platforms
        for rules in table.ops.values()
        for clause in rules.clauses
        if clause.contradicted is not None
    }
    assert found == {key[:2] for key in CASES}
    graph = {c.id for table in CATALOG.tables.values() for c in table.graph if c.contradicted is not None}
    assert graph == {"model.ir-version-9"}
