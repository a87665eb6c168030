from tests.helpers.layouts import blocks


def test_a_chain_is_one_block():
    assert len(set(blocks([0, 1, 2, 3], [(0, 1), (1, 2), (2, 3)]))) == 1


def test_the_longest_path_is_straight_and_the_bypass_stands_beside_it():
    block = blocks([0, 1, 2], [(0, 1), (1, 2), (0, 2)])
    assert block[0] == block[1] == block[2] != block[3]


def test_the_spine_passes_a_side_chain():
    block = blocks([0, 1, 2, 3], [(0, 1), (1, 2), (2, 3), (0, 3)], side=[1, 2])
    assert block[0] == block[3] == block[4] == block[5]
    assert block[1] == block[2] != block[0]


def test_one_of_equal_branches_carries_the_spine_from_fork_to_join():
    block = blocks([0, 1, 1, 1, 2, 2, 2, 3], [(0, 1), (0, 2), (0, 3), (1, 4), (2, 5), (3, 6), (4, 7), (5, 7), (6, 7)])
    assert block[0] == block[7] == block[2] == block[5]


def test_different_anchors_part_a_chain():
    block = blocks([0, 1, 2, 3], [(0, 1), (1, 2), (2, 3)], anchors=[(0, 100.0), (2, 250.0)])
    assert block[0] == block[1] != block[2] == block[3]
