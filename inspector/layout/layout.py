"""`lay_out`: from boxes and edges to positions and polylines; `relayout`: the same after a small change."""

from collections.abc import Callable

from inspector.layout.options import LayoutOptions
from inspector.layout.result import GraphLayout, Ints, LayoutGraph


def lay_out(
    graph: LayoutGraph,
    *,
    options: LayoutOptions = LayoutOptions(),
    cancelled: Callable[[], bool] | None = None,
    progress: Callable[[float], None] | None = None,
) -> GraphLayout:
    """Place the boxes in ranks and route the edges between them.

    The result depends on the arguments alone: equal input gives equal bytes.

    Args:
        graph: boxes and edges; may be empty, cyclic, unconnected, have self loops and parallel edges.
        options: distances and limits.
        cancelled: asked every few milliseconds; True stops the work.
        progress: told the share done, rising from 0 to 1.

    Raises:
        LayoutCancelled: *cancelled* returned True.
    """
    raise NotImplementedError


def relayout(
    graph: LayoutGraph,
    previous: GraphLayout,
    kept: Ints,
    *,
    options: LayoutOptions = LayoutOptions(),
    cancelled: Callable[[], bool] | None = None,
    progress: Callable[[float], None] | None = None,
) -> GraphLayout:
    """Lay out *graph* so that it still looks like *previous*.

    Args:
        graph: the changed graph.
        previous: layout before the change.
        kept: `[n]` index of each box in *previous*; -1 for a new box.
        options: as given to `lay_out` for *previous*.
        cancelled: as in `lay_out`.
        progress: as in `lay_out`.

    Returns:
        A layout whose kept boxes stand where they stood, as far as the change leaves room: boxes above the change do
        not move, those below move down or up together.

    Raises:
        LayoutCancelled: *cancelled* returned True.
    """
    raise NotImplementedError
