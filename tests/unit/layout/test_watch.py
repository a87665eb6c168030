import pytest

from inspector.layout.watch import LayoutCancelled, Watch


def test_progress_never_falls():
    told = []
    watch = Watch(progress=told.append)
    watch.part(0.5, 1.0)
    watch.done(0.5)
    watch.part(0.0, 0.5)
    watch.done(0.5)
    watch.part(0.5, 1.0)
    watch.done(1.0)
    assert told == [0.75, 1.0]


def test_check_raises_once_cancelled():
    Watch().check()
    Watch(cancelled=lambda: False).check()
    with pytest.raises(LayoutCancelled, match="cancelled"):
        Watch(cancelled=lambda: True).check()
