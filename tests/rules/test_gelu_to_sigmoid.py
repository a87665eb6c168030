"""gelu-to-sigmoid: another function; its stated error holds everywhere, and every spelling of GELU is recognised."""

import numpy as np
import pytest

from inspector.rewrite.registry import rule as rule_of
from inspector.rewrite.rule import Safety
from tests.helpers.gelu import SPELLINGS, operator, spelled
from tests.helpers.rewriting import applied, match_of, opened, reason_of, run
from tests.helpers.rule_cases import hold

RULE = "gelu-to-sigmoid"
SCALE = 3.0


def case(random):
    """GELU in any spelling on at least 64 numbers, so that one of them is far from zero."""
    shape = [random.randint(1, 3), 64, random.randint(1, 3)]
    return operator(shape) if random.random() < 0.3 else spelled(random.choice(SPELLINGS), shape)


test_random_cases = hold(RULE, case, scale=SCALE)


def test_it_says_that_it_is_no_equivalent():
    assert rule_of(RULE).safety is Safety.APPROXIMATE
    assert rule_of(RULE).limit is not None


def test_stated_error_holds_everywhere():
    model = opened(operator((20001,)))
    after = applied(model, RULE, "Gelu").after
    feeds = {"x": np.linspace(-20, 20, 20001, dtype=np.float32)}
    error = np.abs(run(model, feeds)[0] - run(after, feeds)[0]).max()
    assert 1e-5 < error <= 2.1e-2


@pytest.mark.parametrize("form", SPELLINGS)
def test_every_spelling_is_replaced_as_a_whole(form):
    model = opened(spelled(form))
    assert len(match_of(model, RULE, "Erf").nodes) == 5
    after = applied(model, RULE, "Erf").after
    assert sorted(n.op.name for n in after.nodes) == sorted(["Relu", "Mul", "Sigmoid", "Mul"])


@pytest.mark.parametrize(("options", "reason"), [({"root": 1.5}, "gelu_argument"), ({"half": 0.4}, "gelu_product")])
def test_near_misses_are_refused(options, reason):
    assert reason_of(opened(spelled(SPELLINGS[0], **options)), RULE, "Erf") == reason


def test_approximation_is_not_approximated_again():
    assert reason_of(opened(operator(approximate="tanh")), RULE, "Gelu") == "gelu_tanh"
