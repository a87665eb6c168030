import gc

import pytest

from inspector.garbage import release, uncollected


@pytest.fixture(autouse=True)
def _nothing_kept():
    release()
    yield
    release()


class Knot:
    """Something that only the collector can free."""

    def __init__(self):
        self.me = self


def test_nothing_is_collected_meanwhile_and_the_collector_is_on_again():
    assert gc.isenabled()
    with uncollected():
        assert not gc.isenabled()
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


def test_a_collector_that_was_off_stays_off():
    gc.disable()
    try:
        with uncollected():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_it_is_on_again_after_an_error():
    with pytest.raises(ValueError, match="no"), uncollected():
        raise ValueError("no")
    assert gc.isenabled()


def test_garbage_made_meanwhile_is_found_later():
    with uncollected():
        knots = [Knot() for _ in range(3)]
        knots.clear()
    gc.collect()
    assert not any(isinstance(thing, Knot) for thing in gc.get_objects())


def test_what_is_kept_is_left_out_until_it_is_released():
    with uncollected(keep=True):
        kept = Knot()
    assert gc.get_freeze_count() > 0
    with uncollected():
        pass
    assert gc.get_freeze_count() > 0
    del kept
    gc.collect()
    release()
    assert gc.get_freeze_count() == 0
    gc.collect()
    assert not any(isinstance(thing, Knot) for thing in gc.get_objects())
