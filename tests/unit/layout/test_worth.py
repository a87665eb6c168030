import numpy as np

from inspector.layout.watch import Watch
from inspector.layout.worth import weigh
from tests.helpers.layouts import ordered


def worths(layer, edges, side=()):
    lattice, _ = ordered(layer, edges)
    flags = np.zeros(len(layer), dtype=np.bool_)
    flags[list(side)] = True
    worth = weigh(lattice, np.zeros(len(layer), dtype=np.int64), flags, Watch())
    links = zip(lattice.upper.tolist(), lattice.lower.tolist(), strict=True)
    return {
        link: (int(length), bool(spine), bool(chain))
        for link, length, spine, chain in zip(links, worth.length, worth.spine, worth.chain, strict=True)
    }


def test_the_spine_is_the_longest_path():
    found = worths([0, 1, 2], [(0, 1), (1, 2), (0, 2)])
    assert found == {
        (0, 1): (3, True, False),
        (1, 2): (3, True, False),
        (0, 3): (2, False, False),
        (3, 2): (2, False, False),
    }


def test_side_boxes_count_against_a_path():
    found = worths([0, 1, 2], [(0, 1), (1, 2), (0, 2)], side=[1])
    assert found[0, 3][1]
    assert not found[0, 1][1]


def test_a_chain_link_is_the_only_one_of_both_ends():
    assert worths([0, 1, 2, 2], [(0, 1), (1, 2), (1, 3)])[0, 1][2]
    assert not worths([0, 1, 2, 2], [(0, 1), (1, 2), (1, 3)])[1, 2][2]
