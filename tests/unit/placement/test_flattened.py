"""Gemm on X3: its limits on height, width and channels are about the map that is flattened in front of it."""

import numpy as np
import pytest
from onnx import helper

from inspector.model.infer import infer_shapes
from inspector.model.load import from_proto
from inspector.placement.catalog import load_catalog, resolve_target
from inspector.placement.engine import PlacementCache, place
from inspector.placement.verdict import Verdict
from inspector.worker.client import InProcessRunner
from tests.helpers.models import proto

CATALOG = load_catalog()
FLATTEN = helper.make_node("Flatten", ["m"], ["f"])
RESHAPE = helper.make_node("Reshape", ["m", "to"], ["f"])


def network(shape, *before, columns=10, length=None, to=None, **attributes):
    """Input of *shape* -> Relu -> `m` -> *before* -> `f` -> Gemm `fc` -> Relu."""
    length = int(np.prod(shape[1:])) if length is None else length
    tensors = {"w": np.zeros((length, columns), np.float32)}
    if to is not None:
        tensors["to"] = np.array(to, np.int64)
    nodes = [helper.make_node("Relu", ["x"], ["m"]), *before, helper.make_node("Gemm", ["f", "w"], ["g"], "fc")]
    message = proto(
        [*nodes, helper.make_node("Relu", ["g"], ["y"])], {"x": shape}, {"y": None}, tensors, opset=11, ir=7
    )
    return infer_shapes(from_proto(message), InProcessRunner())


def gemm(model, platform="x3", cache=None):
    node = next(node for node in model.nodes if node.name == "fc")
    return place(model, CATALOG, resolve_target(CATALOG, platform), cache=cache).verdicts[node.id]


def failed(verdict):
    return [check.clause for check in verdict.failed]


@pytest.mark.parametrize(
    ("shape", "columns", "clause"),
    [
        ([1, 512, 7, 7], 4096, None),  # the first Gemm of VGG
        ([1, 32, 7, 7], 10, None),
        ([1, 32, 8, 8], 10, "gemm.map-size"),
        ([1, 32, 7, 8], 10, "gemm.map-size"),
        ([1, 2048, 2, 2], 10, None),
        ([1, 2049, 2, 2], 10, "gemm.channels-map"),
        ([1, 16384, 1, 1], 10, None),
        ([1, 16385, 1, 1], 10, "gemm.channels-vector"),
        ([1, 668, 7, 7], 10, None),  # 7 x 7/8 x 668/4 = 1022.9
        ([1, 669, 7, 7], 10, "gemm.size-int8-output"),  # 1024.4
        ([1, 512, 7, 7], 4097, "gemm.output-channels"),
    ],
)
@pytest.mark.parametrize("form", ["flatten", "reshape", "through a no-op"])
def test_limits_are_about_the_map(shape, columns, clause, form):
    if form == "flatten":
        model = network(shape, FLATTEN, columns=columns)
    elif form == "reshape":
        model = network(shape, RESHAPE, columns=columns, to=[1, -1])
    else:
        no_op = helper.make_node("Identity", ["v"], ["f"])
        model = network(shape, helper.make_node("Flatten", ["m"], ["v"]), no_op, columns=columns)
    verdict = gemm(model)
    assert verdict.verdict is (Verdict.BPU if clause is None else Verdict.CPU)
    expected = [] if clause is None else [clause]
    assert [found for found in failed(verdict) if found != "gemm.kernel-size"] == expected


def test_a_pooled_map_is_one_pixel():
    pool = helper.make_node("GlobalAveragePool", ["m"], ["p"])
    flat = helper.make_node("Flatten", ["p"], ["f"])
    assert gemm(network([1, 2048, 8, 8], pool, flat, length=2048)).verdict is Verdict.BPU


@pytest.mark.parametrize(
    ("shape", "before", "length", "to"),
    [
        ([1, 25088], helper.make_node("Sigmoid", ["m"], ["f"]), 25088, None),
        ([1, 25088], FLATTEN, 25088, None),
        ([2, 512, 7, 7], RESHAPE, 50176, [1, 50176]),  # mixes the images of a batch
        ([1, 25088, 2, 2], helper.make_node("Flatten", ["m"], ["f"], axis=2), 4, None),
    ],
    ids=["nothing", "vector", "batch", "other axis"],
)
def test_a_gemm_without_such_a_reshaping_is_a_map_of_one_pixel(shape, before, length, to):
    verdict = gemm(network(shape, before, length=length, to=to))
    assert ("gemm.channels-vector" in failed(verdict)) is (length > 16384)
    assert "gemm.map-size" not in failed(verdict)


def test_an_unknown_map_is_unknown():
    assert gemm(network([1, 512, "h", "w"], FLATTEN, length=25088)).verdict is Verdict.UNKNOWN
    assert gemm(network(["n", 512, "h", "w"], RESHAPE, length=25088, to=[-1, 25088])).verdict is Verdict.UNKNOWN


def test_a_map_that_others_read_flattened_is_not_absorbed():
    other = helper.make_node("Abs", ["f"], ["other"])
    assert failed(gemm(network([1, 512, 7, 7], FLATTEN, other))) == ["gemm.channels-vector"]


def test_other_rows_speak_of_the_weight_alone():
    assert failed(gemm(network([1, 512, 7, 7], FLATTEN), "x5")) == ["gemm.channels-per-group", "gemm.weight-channels"]
    assert gemm(network([1, 32, 8, 8], FLATTEN), "x5").verdict is Verdict.BPU


def test_models_that_share_a_cache_keep_their_maps_apart():
    cache = PlacementCache()
    small, large = network([1, 128, 4, 4], FLATTEN), network([1, 8, 16, 16], FLATTEN)  # vectors of 2048
    assert [gemm(model, cache=cache).verdict for model in (small, large)] == [Verdict.BPU, Verdict.CPU]
