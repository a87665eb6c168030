"""`uncollected`: a while without looking for garbage, for work whose results all stay.

A model of 10,000 nodes is half a million objects. Python's collector goes through them again and again while they are
made, and holds up every thread meanwhile, the window's too.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


class _Kept:
    """Whether the collector was told to leave out what there is."""

    on = False


@contextmanager
def uncollected(*, keep: bool = False) -> Iterator[None]:
    """Pause the garbage collector; it is left as it was, and takes all objects there are then for old ones.

    With *keep* it leaves them out altogether from then on, until `release` is called: looking through a model and the
    program once takes longer than a window may stand still.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if keep:
            gc.freeze()
            _Kept.on = True
        elif not _Kept.on:
            gc.freeze()
            gc.unfreeze()
        if was_on:
            gc.enable()


def release() -> None:
    """Let the collector look at everything again; for when a model is given up."""
    _Kept.on = False
    gc.unfreeze()
