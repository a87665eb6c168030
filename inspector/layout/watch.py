"""`Watch`: how a running layout asks whether it is still wanted and tells how far it is."""

from collections.abc import Callable

from inspector.errors import InspectorError
from inspector.text import say


class LayoutCancelled(InspectorError):  # noqa: N818 - reads as what happened
    """The caller no longer wants the layout."""

    def __init__(self) -> None:
        super().__init__(say("layout.cancelled"))


class Watch:
    """Carries the two callbacks of `lay_out` through its stages.

    Progress runs from 0 to 1 and never falls, also when the stages are repeated for several parts of a graph.
    """

    def __init__(
        self,
        cancelled: Callable[[], bool] | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> None:
        self._cancelled = cancelled
        self._progress = progress
        self._from = 0.0
        self._to = 1.0
        self._told = 0.0

    def check(self) -> None:
        """Stop if the caller wishes so. Stages call it every few milliseconds.

        Raises:
            LayoutCancelled: `cancelled()` returned True.
        """
        if self._cancelled is not None and self._cancelled():
            raise LayoutCancelled

    def part(self, start: float, stop: float) -> None:
        """From now on, the shares given to `done` lie between *start* and *stop* of the whole."""
        self._from, self._to = start, stop

    def done(self, share: float) -> None:
        """Tell the caller that *share* (0..1) of the current part is done, and check for a cancel."""
        self.check()
        whole = self._from + share * (self._to - self._from)
        if self._progress is not None and whole > self._told:
            self._told = whole
            self._progress(whole)
