"""The worst elements, against a sort of all."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from inspector.verify.result import ArraySample
from inspector.verify.worst import MOST, worst_elements

SHAPES = arrays.array_shapes(min_dims=0, max_dims=4, max_side=5)


@given(SHAPES.flatmap(lambda shape: st.tuples(*(arrays.arrays(np.float32, shape) for _ in range(2)))))
def test_largest_first_at_their_places(pair):
    before, after = pair
    found = worst_elements(ArraySample(before, after))
    assert len(found) <= MOST
    differing = int(np.sum(~((before == after) | (np.isnan(before) & np.isnan(after)))))
    assert len(found) == min(MOST, differing)
    assert [e.difference for e in found] == sorted((e.difference for e in found), reverse=True)
    for element in found:
        np.testing.assert_equal(
            (element.before, element.after), (float(before[element.index]), float(after[element.index]))
        )
    rest = {e.index for e in found}
    least = min((e.difference for e in found), default=0.0)
    for place in np.ndindex(before.shape):
        a, b = float(before[place]), float(after[place])
        if place not in rest and np.isfinite(a) and np.isfinite(b):
            assert abs(a - b) <= least


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_is_finite_on_one_side_only_comes_first(value):
    before, after = np.zeros(4, np.float32), np.array([0, 5, value, 0], np.float32)
    first, second = worst_elements(ArraySample(before, after))
    assert (first.index, first.difference) == ((2,), np.inf)
    assert (second.index, second.difference) == ((1,), 5.0)


def test_integers_bools_and_other_shapes():
    assert worst_elements(ArraySample(np.array([1, 2]), np.array([1, 5])))[0].difference == 3
    assert worst_elements(ArraySample(np.array([True]), np.array([False])))[0].difference == 1
    assert worst_elements(ArraySample(np.zeros(2), np.ones(3))) == ()
    assert worst_elements(ArraySample(np.array(["a"]), np.array(["b"]))) == ()
