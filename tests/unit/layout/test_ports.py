from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.layout.ports import spread


def test_a_lone_port_stands_in_the_middle_or_where_its_edge_is_straight():
    assert spread([(500.0, None)], 100, 200) == [100]
    assert spread([(150.0, 150.0)], 100, 200) == [150]
    assert spread([(900.0, 900.0)], 100, 200) == [100]


def test_two_free_ports_part_the_side_in_thirds():
    assert spread([(0.0, None), (1.0, None)], 100, 204) == pytest.approx([70, 130])


def test_a_straight_edge_keeps_the_middle_between_free_ones():
    left, middle, right = spread([(-9.0, -900.0), (100.0, 100.0), (999.0, 999.0)], 100, 200)
    assert left < middle == 100 < right


@given(st.lists(st.one_of(st.none(), st.floats(-300, 300)), min_size=1, max_size=40), st.integers(1, 280))
def test_ports_keep_their_order_and_stay_on_the_box(wishes, width):
    known = sorted(w for w in wishes if w is not None)
    ports = [(w, w) for w in known] + [(400.0, None)] * wishes.count(None)
    spots = spread(ports, 0, width)
    assert len(spots) == len(ports)
    assert all(a < b for a, b in pairwise(spots))
    assert all(abs(spot) <= width / 2 for spot in spots)
