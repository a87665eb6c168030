"""`uncollected`: a while without looking for garbage, for work whose results all stay.

A model of 10,000 nodes is half a million objects. Python's collector goes through them again and again while they are
made, and holds up every thread meanwhile, the window's too.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Pause the garbage collector; it is left as it was, and takes all objects there are then for old ones."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.unfreeze()
        if was_on:
            gc.enable()
