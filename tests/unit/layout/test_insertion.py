import numpy as np
import pytest

from inspector.layout.insertion import insert_ranks
from tests.helpers.layouts import layout_graph


def ranks(count, edges, held, side=()):
    graph = layout_graph(count, edges, side=side)
    found = insert_ranks(graph, np.arange(count), np.ones(len(edges), dtype=np.bool_), np.array(held, dtype=np.int64))
    return None if found is None else (found.layer.tolist(), found.before.tolist())


def test_nothing_new_changes_nothing():
    assert ranks(3, [(0, 1), (1, 2)], [0, 1, 2]) == ([0, 1, 2], [0, 1, 2])


def test_a_replacement_takes_the_rank_of_what_it_replaces():
    assert ranks(3, [(0, 1), (1, 2)], [0, -1, 2]) == ([0, 1, 2], [0, 1, 2])


def test_a_longer_chain_moves_everything_below_down_on_every_branch():
    edges = [(0, 1), (1, 2), (2, 3), (3, 6), (0, 4), (4, 5), (5, 6)]
    layers, before = ranks(7, edges, [0, -1, -1, -1, 1, 2, 3])
    assert layers == [0, 1, 2, 3, 1, 2, 4]
    assert before == [0, 1, 2, -1, 3]


def test_two_branches_share_an_inserted_rank():
    edges = [(0, 1), (1, 2), (0, 3), (3, 4), (2, 5), (4, 5)]
    assert ranks(6, edges, [0, -1, 1, -1, 1, 2]) == ([0, 1, 2, 1, 2, 3], [0, -1, 1, 2])


def test_insertions_add_up_on_the_way_down():
    edges = [(0, 1), (1, 2), (2, 3), (3, 4)]
    assert ranks(5, edges, [0, -1, 1, -1, 2]) == ([0, 1, 2, 3, 4], [0, -1, 1, -1, 2])


def test_a_rank_that_lost_its_last_box_is_taken_out():
    assert ranks(2, [(0, 1)], [0, 2]) == ([0, 1], [0, 2])


def test_new_inputs_and_side_chains_stand_at_their_reader():
    edges = [(0, 1), (1, 2), (3, 2), (0, 4), (4, 2)]
    assert ranks(5, edges, [0, 3, 4, -1, -1], side=[4]) == ([0, 1, 2, 1, 1], [0, 3, 4])


def test_a_new_first_box_moves_the_whole_drawing():
    assert ranks(2, [(0, 1)], [-1, 0]) == ([0, 1], [-1, 0])


@pytest.mark.parametrize(
    ("edges", "held"),
    [
        ([(0, 1)], [1, 1]),
        ([(0, 1)], [2, 0]),
        ([(0, 1), (1, 2)], [2, -1, 2]),
        ([(0, 1), (1, 2), (2, 3)], [5, -1, -1, 1]),
    ],
)
def test_kept_boxes_that_changed_their_order_are_refused(edges, held):
    assert ranks(len(held), edges, held) is None
