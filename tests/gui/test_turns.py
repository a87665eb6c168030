"""Steps in turns: one for each turn of the event loop, newer ones in place of older ones, none after a cancel."""

import pytest

from inspector.gui.jobs import Jobs


@pytest.fixture
def jobs(qtbot):
    made = Jobs()
    yield made
    made.close()


def test_steps_run_one_after_the_other_and_others_come_between(qtbot, jobs):
    done = []
    jobs.in_turns("a", lambda: done.append("a1"), lambda: done.append("a2"))
    jobs.in_turns("b", lambda: done.append("b1"), lambda: done.append("b2"))
    assert done == []
    assert jobs.is_running("a")
    qtbot.waitUntil(lambda: not jobs.is_running())
    assert done == ["a1", "b1", "a2", "b2"]


def test_newer_steps_take_the_place_of_those_that_wait(qtbot, jobs):
    done = []
    jobs.in_turns("a", lambda: done.append("old"))
    jobs.in_turns("a", lambda: done.append("new"))
    qtbot.waitUntil(lambda: not jobs.is_running())
    qtbot.wait(20)
    assert done == ["new"]


def test_cancelled_steps_do_not_run(qtbot, jobs):
    done = []
    jobs.in_turns("a", lambda: done.append(1))
    jobs.cancel("a")
    qtbot.wait(20)
    assert done == []
    assert not jobs.is_running("a")
