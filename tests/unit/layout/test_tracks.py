from hypothesis import given
from hypothesis import strategies as st

from inspector.layout.tracks import Strand, assign_tracks

strands = st.lists(
    st.tuples(st.integers(0, 60), st.lists(st.integers(0, 60), min_size=1, max_size=3)), min_size=1, max_size=60
)


def bent(top, *ends):
    return Strand(float(top), sorted(map(float, ends)))


@given(strands)
def test_overlapping_pieces_never_share_a_track(given_strands):
    made = [Strand(10.0 * top, sorted(10.0 * end for end in ends)) for top, ends in given_strands]
    made = [strand for strand in made if strand.high > strand.low]
    if not made:
        return
    tracks = assign_tracks(made)
    assert {strand.track for strand in made} == set(range(tracks))
    for index, a in enumerate(made):
        for b in made[:index]:
            assert a.track != b.track or a.high < b.low or b.high < a.low


def test_nested_turns_do_not_cross():
    right = [bent(0, 200), bent(50, 250), bent(100, 300)]
    assign_tracks(right)
    assert [strand.track for strand in right] == [2, 1, 0]
    left = [bent(200, 0), bent(250, 50), bent(300, 100)]
    assign_tracks(left)
    assert [strand.track for strand in left] == [0, 1, 2]


def test_pieces_apart_share_a_track():
    assert assign_tracks([bent(0, 50), bent(100, 150), bent(200, 250)]) == 1


def test_a_strand_does_not_run_into_the_one_that_starts_where_it_ends():
    first, second = bent(0, 100), bent(100, 200)
    assign_tracks([first, second])
    assert second.track < first.track
