"""`Trace`: how a layout was found, so that a layout of the changed graph can go on from it."""

from dataclasses import dataclass

from inspector.layout.graph import Ints, LayoutGraph
from inspector.layout.lattice import Lattice
from inspector.layout.ports import Ports
from inspector.layout.routing import Turns


@dataclass(frozen=True, slots=True)
class Trace:
    """The stages of a layout. Everything here is upright: edges point down whatever direction was asked for.

    Attributes:
        graph: boxes and edges.
        lattice: the same, cut at the ranks.
        x: `[places]` middles.
        ports: where edges leave and enter the boxes.
        turns: where they bend.
    """

    graph: LayoutGraph
    lattice: Lattice
    x: Ints
    ports: Ports
    turns: Turns
