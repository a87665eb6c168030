"""Open small models, apply a rule, and hold the result against the model before by running both."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import onnx
import onnxruntime as ort
from onnx.reference import ReferenceEvaluator

from inspector.model.graph import Model, NodeId
from inspector.model.infer import infer_shapes
from inspector.model.load import from_proto
from inspector.model.save import full_proto
from inspector.placement.verdict import Placement
from inspector.rewrite.find import PROBLEMS, find
from inspector.rewrite.preview import Placer, preview
from inspector.rewrite.registry import rule as rule_of
from inspector.rewrite.rule import Match, Preview, Refusal
from inspector.worker.client import InProcessRunner

Arrays = Mapping[str, npt.NDArray[np.generic]]


def opened(proto: onnx.ModelProto, dims: Mapping[str, int] | None = None) -> Model:
    """*proto* as the program opens it, with shapes."""
    return infer_shapes(from_proto(proto), InProcessRunner(), dims)


def node_of(model: Model, op: str, index: int = 0) -> NodeId:
    """Id of the node number *index* of operator *op*."""
    return [n for n in model.nodes if n.op.name == op][index].id


def match_of(model: Model, rule: str, op: str, index: int = 0) -> Match:
    """The match of *rule* at a node that it must fit."""
    reply = rule_of(rule).match(model, node_of(model, op, index))
    assert isinstance(reply, Match), reply
    return reply


def refusal_of(model: Model, rule: str, op: str, index: int = 0) -> Refusal:
    """The refusal of *rule* at a node that it must not fit."""
    reply = rule_of(rule).match(model, node_of(model, op, index))
    assert isinstance(reply, Refusal), reply
    return reply


def reason_of(model: Model, rule: str, op: str, index: int = 0) -> str:
    """Last part of the key of the refusal."""
    return refusal_of(model, rule, op, index).reason.key.rpartition(".")[2]


def applied(model: Model, rule: str, op: str, variant: str | None = None, index: int = 0) -> Preview:
    """The rewrite, after the checks that hold for every rewrite."""
    built = preview(model, rule_of(rule), match_of(model, rule, op, index), variant)
    check_form(model, built)
    return built


def fix_all(model: Model, placement: Placement, *, place: Placer) -> list[Preview]:
    """The best fix at every problem node that has one, each built on the model before it."""
    steps: list[Preview] = []
    for node in model.main.nodes:
        now, verdicts = (steps[-1].after, steps[-1].placement_after) if steps else (model, placement)
        if now.find_node(node.id) is None or verdicts.verdicts[node.id].verdict not in PROBLEMS:
            continue
        found = find(now, verdicts, node.id, place=place)
        steps += [found.fixes[0].preview] if found.fixes else []
    return steps


def check_form(before: Model, built: Preview) -> None:
    """What every rewrite keeps: interface, opset, IR version, unique names, validity; and *before* itself."""
    after = built.after
    assert after.main.inputs == before.main.inputs
    assert after.main.outputs == before.main.outputs
    assert dict(after.opsets) == dict(before.opsets)
    assert after.ir_version == before.ir_version
    names = [n.name for n in after.nodes if n.name]
    assert len(names) == len(set(names))
    kept = {n.id: n for n in before.nodes}
    assert all(n is kept[n.id] for n in after.nodes if n.id in kept)
    for node_id in built.added:
        entries = {e.key: e.value for e in after.node(node_id).proto.metadata_props}
        assert entries["inspector.rule"] == built.match.rule
        assert all(v.shape is not None and v.dtype is not None for v in after.output_values(after.node(node_id)))
    check_indices(after)
    onnx.checker.check_model(full_proto(after), full_check=True)


def check_indices(model: Model) -> None:
    """The indices that *model* took over are those that it would make itself."""
    fresh = replace(model)
    for graph in model.graphs:
        names = {name for node in graph.nodes for name in (*node.inputs, *node.outputs)} | set(
            model.values[graph.index]
        )
        for name in names:
            assert model.producer(graph.index, name) is fresh.producer(graph.index, name)
            assert model.consumers(graph.index, name) == fresh.consumers(graph.index, name)
    assert [model.find_node(NodeId(i)) for i in range(model.next_id)] == [
        fresh.find_node(NodeId(i)) for i in range(model.next_id)
    ]


def run(model: Model, feeds: Arrays) -> list[npt.NDArray[np.generic]]:
    """Outputs of *model* under onnxruntime, its own graph changes switched off."""
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    session = ort.InferenceSession(full_proto(model).SerializeToString(), options, providers=["CPUExecutionProvider"])
    return list(session.run(None, dict(feeds)))


def run_reference(model: Model, feeds: Arrays) -> list[npt.NDArray[np.generic]]:
    """Outputs of *model* under the reference implementation of onnx."""
    return list(ReferenceEvaluator(full_proto(model)).run(None, dict(feeds)))


def feeds_of(model: Model, seed: int = 0, scale: float = 1.0, **open_dims: int) -> dict[str, npt.NDArray[np.generic]]:
    """Normal random inputs; *open_dims* gives sizes of dynamic dimensions by symbol."""
    rng = np.random.default_rng(seed)
    feeds = {}
    for name in model.main.inputs:
        value = model.value(0, name)
        sizes = [open_dims.get(d.symbol, d.size) for d in value.shape]
        feeds[name] = np.asarray(rng.standard_normal(sizes) * scale).astype(value.dtype.numpy)
    return feeds


def max_rel(before: Model, after: Model, feeds: Arrays) -> float:
    """Largest |difference| over the largest |value| of the reference, over all outputs of equal shape and dtype."""
    worst = 0.0
    for a, b in zip(run(before, feeds), run(after, feeds), strict=True):
        worst = max(worst, difference(a, b))
    return worst


def difference(a: npt.NDArray[np.generic], b: npt.NDArray[np.generic]) -> float:
    """max |a - b| / max |a|; both zero: 0."""
    assert a.shape == b.shape
    assert a.dtype == b.dtype
    assert np.isfinite(a).all()
    largest = float(np.abs(a.astype(np.float64) - b.astype(np.float64)).max(initial=0.0))
    size = float(np.abs(a.astype(np.float64)).max(initial=0.0))
    return largest / size if largest else 0.0
