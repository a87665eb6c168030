"""instancenorm-to-pool: instances and groups of any rank; the withdrawn version and odd groups."""

import numpy as np
import pytest
from onnx import helper

from tests.helpers.models import proto
from tests.helpers.rewriting import applied, feeds_of, max_rel, opened, reason_of
from tests.helpers.rule_cases import hold

RULE = "instancenorm-to-pool"


def norm(shape=(2, 4, 5, 5), groups=None, *, opset=13, scales=None, **attributes):
    """An InstanceNormalization, or a GroupNormalization of *groups*."""
    rng = np.random.default_rng(7)
    count = scales or shape[1]
    tensors = {"s": rng.uniform(0.5, 2, count), "b": rng.standard_normal(count)}
    tensors = {name: array.astype(np.float32) for name, array in tensors.items()}
    op = "InstanceNormalization" if groups is None else "GroupNormalization"
    more = {} if groups is None else {"num_groups": groups}
    node = helper.make_node(op, ["x", "s", "b"], ["y"], "norm", **more, **attributes)
    return proto([node], {"x": list(shape)}, {"y": list(shape)}, tensors, opset=opset, ir=10)


def case(random):
    """Instances or groups of at least eight numbers."""
    groups = random.choice((1, 2, 3))
    axes = random.choice((1, 2, 2, 3))
    shape = [random.randint(1, 2), groups * random.randint(1, 3), *([2] * axes)]
    shape[2] = random.randint(4, 9)
    if random.random() < 0.5:
        return norm(shape, opset=random.choice((7, 11, 13, 18)), epsilon=random.choice((1e-5, 1e-3)))
    return norm(shape, groups, opset=21)


test_random_cases = hold(RULE, case)


@pytest.mark.parametrize(("variant", "op"), [("pool", "GlobalAveragePool"), ("reduce", "ReduceMean")])
def test_means(variant, op):
    for model in (opened(norm()), opened(norm(groups=2, opset=21))):
        name = model.nodes[0].op.name
        after = applied(model, RULE, name, variant).after
        assert sum(n.op.name == op for n in after.nodes) == 2
        assert max_rel(model, after, feeds_of(model)) <= 2e-6


def test_open_batch_stays_open():
    model = opened(norm(("n", 4, 5, 5), 2, opset=21))
    after = applied(model, RULE, "GroupNormalization").after
    assert max_rel(model, after, feeds_of(model, n=3)) <= 2e-6


@pytest.mark.parametrize(
    ("options", "op", "reason"),
    [
        ({"groups": 3, "opset": 21}, "GroupNormalization", "odd_attribute"),
        ({"groups": 2, "opset": 18, "scales": 2}, "GroupNormalization", "norm_withdrawn"),
        ({"shape": (2, 4, "h", 5)}, "InstanceNormalization", "dynamic"),
        ({"shape": (2, 4, 2, 2, 2, 2)}, "InstanceNormalization", "norm_rank"),
    ],
)
def test_refusals(options, op, reason):
    assert reason_of(opened(norm(**options)), RULE, op) == reason
