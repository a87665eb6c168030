"""Placement: processor time on models of 10,000 nodes, of the kinds in `benchmarks.models`.

Of a first placement against onnx's own shape inference on the same model, of another platform, of one seen before, and
of the model after one node was rewritten. Every round measures all of them one after the other, so that a busy machine
slows down both sides of a ratio; medians of the rounds. The worst kind is held against the budget.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median

import onnx

from benchmarks.figures import Figure
from benchmarks.models import CORPUS
from inspector.model.edit import Editor
from inspector.model.graph import Model
from inspector.model.infer import infer_shapes
from inspector.model.load import from_proto
from inspector.placement.catalog import Catalog, load_catalog, resolve_target
from inspector.placement.engine import PlacementCache, place
from inspector.worker.client import InProcessRunner

_NODES = 10_000
_ROUNDS = 5
_BUDGETS = {"first": 2.0, "other_target": 0.1, "seen_target": 0.1, "after_rewrite": 0.1}
"""Largest share of onnx's shape inference for the first placement; seconds of processor time for the others."""

_REPLACED = frozenset({"Softmax", "Sigmoid", "Relu"})


def figures() -> Iterator[Figure]:
    """All figures of placement: per kind of model for information, and the worst of each against its budget."""
    worst: dict[str, float] = {}
    for kind, make in CORPUS.items():
        for name, value in _measured(make(_NODES)).items():
            worst[name] = max(value, worst.get(name, 0.0))
            yield Figure(f"placement.{name}.{kind}", value, _unit(name))
    for name, value in worst.items():
        yield Figure(f"placement.{name}.worst", value, _unit(name), _BUDGETS[name])


def _unit(name: str) -> str:
    return "ratio" if name == "first" else "s"


def _measured(message: onnx.ModelProto) -> dict[str, float]:
    """Medians for one model; the first round warms up what tables remember and does not count."""
    catalog = load_catalog()
    rounds = [_round(message, catalog) for _ in range(_ROUNDS + 1)][1:]
    return {name: median(spent[name] for spent in rounds) for name in _BUDGETS}


def _round(message: onnx.ModelProto, catalog: Catalog) -> dict[str, float]:
    x5, x3 = resolve_target(catalog, "x5"), resolve_target(catalog, "x3")
    model, cache = infer_shapes(from_proto(message), InProcessRunner()), PlacementCache()
    inference = _cpu_s(partial(onnx.shape_inference.infer_shapes, message, data_prop=True))
    first = _cpu_s(partial(place, model, catalog, x5, cache=cache))
    other = _cpu_s(partial(place, model, catalog, x3, cache=cache))
    seen = _cpu_s(partial(place, model, catalog, x5, cache=cache))
    rewritten = _cpu_s(partial(place, edited(model), catalog, x5, cache=cache))
    return {"first": first / inference, "other_target": other, "seen_target": seen, "after_rewrite": rewritten}


def _cpu_s(action: Callable[[], object]) -> float:
    start = time.process_time()
    action()
    return time.process_time() - start


def edited(model: Model) -> Model:
    """*model* with one activation in its middle replaced."""
    activations = [node for node in model.main.nodes if node.op.name in _REPLACED]
    node = activations[len(activations) // 2]
    editor = Editor(model, rule="benchmark")
    editor.remove(node.id)
    editor.node("HardSigmoid", node.inputs, node.outputs, base=node)
    return editor.finish()
