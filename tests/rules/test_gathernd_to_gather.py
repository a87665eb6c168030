"""gathernd-to-gather: tuples of any width, negative ones, and what does not fit the shape."""

import numpy as np
import pytest
from onnx import TensorProto, helper

from tests.helpers.models import proto
from tests.helpers.rewriting import match_of, opened, reason_of
from tests.helpers.rule_cases import hold

RULE = "gathernd-to-gather"


def gathered(shape, indices, *, opset=13, dtype=TensorProto.FLOAT, batch_dims=None, fed=False):
    """Elements of x at the tuples *indices*."""
    indices = np.asarray(indices, np.int64)
    attributes = {} if batch_dims is None else {"batch_dims": batch_dims}
    node = helper.make_node("GatherND", ["x", "i"], ["y"], "pick", **attributes)
    out = [*indices.shape[:-1], *shape[(batch_dims or 0) + indices.shape[-1] :]]
    kinds = {"x": dtype, "y": dtype, "i": TensorProto.INT64}
    shapes = {"x": list(shape)} | ({"i": list(indices.shape)} if fed else {})
    return proto([node], shapes, {"y": out}, {} if fed else {"i": indices}, opset=opset, dtypes=kinds)


def case(random):
    """Tuples of drawn width into a drawn shape, standing in a drawn shape themselves."""
    shape = [random.randint(1, 5) for _ in range(random.randint(1, 4))]
    width = random.randint(1, len(shape))
    lead = [random.randint(1, 4) for _ in range(random.randint(0, 2))]
    rng = np.random.default_rng(random.randrange(2**31))
    indices = np.stack([rng.integers(-size, size, lead) for size in shape[:width]], axis=-1)
    return gathered(shape, indices, opset=random.choice((11, 12, 13)), dtype=random.choice((1, TensorProto.INT64)))


test_random_cases = hold(RULE, case)


def test_slices_are_for_a_few_tuples():
    few, many = (opened(gathered((20, 3), np.arange(n)[:, None])) for n in (8, 9))
    assert match_of(few, RULE, "GatherND").variants == ("gather", "slices-concat")
    assert match_of(many, RULE, "GatherND").variants == ("gather",)


@pytest.mark.parametrize("indices", [[[3]], [[-4]], [[0, 5]]])
def test_tuples_outside_the_shape_are_refused(indices):
    assert reason_of(opened(gathered((3, 2), indices)), RULE, "GatherND") == "gathernd_indices"


def test_batches_fed_indices_and_open_sizes_are_refused():
    assert reason_of(opened(gathered((2, 3), [[0], [1]], batch_dims=1)), RULE, "GatherND") == "gathernd_batch"
    assert reason_of(opened(gathered((2, 3), [[0]], fed=True)), RULE, "GatherND") == "not_constant"
    assert reason_of(opened(gathered(("n", 3), [[0]])), RULE, "GatherND") == "dynamic"
