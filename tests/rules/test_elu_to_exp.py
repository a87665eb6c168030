"""elu-to-exp: drawn shapes and numbers, and types that are refused."""

import numpy as np
from onnx import TensorProto

from tests.helpers.rewriting import applied, opened, reason_of, run
from tests.helpers.rule_cases import hold
from tests.helpers.unary import drawn_shape, unary

RULE = "elu-to-exp"
SCALE = 3.0


def case(random):
    """The operator on a drawn shape."""
    return unary(
        "Elu",
        drawn_shape(random),
        opset=random.choice((7, 11, 13)),
        dtype=TensorProto.FLOAT,
        **({"alpha": random.uniform(0.1, 3)} if random.random() < 0.7 else {}),
    )


test_random_cases = hold(RULE, case, scale=SCALE)


def test_half_floats_are_refused():
    assert reason_of(opened(unary("Elu", opset=13, dtype=TensorProto.FLOAT16)), RULE, "Elu") == "narrow_float"


def test_large_numbers_do_not_overflow():
    model = opened(unary("Elu", (4,)))
    feeds = {"x": np.array([-3e38, -100, 100, 3e38], np.float32)}
    assert np.array_equal(run(model, feeds)[0], run(applied(model, RULE, "Elu").after, feeds)[0])


def test_number_that_is_not_finite_is_refused():
    assert reason_of(opened(unary("Elu", alpha=float("inf"))), RULE, "Elu") == "odd_attribute"
