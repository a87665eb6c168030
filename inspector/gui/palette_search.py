"""What the command palette lists for a line: the prefix chooses what is searched, the rest is matched."""

from dataclasses import dataclass

from inspector.gui.palette_entries import Kind, NodeTitles, Row, Titles, ranked, ranked_nodes
from inspector.placement.query import parse
from inspector.placement.verdict import Placement

PREFIXES: dict[str, Kind] = {
    "/": Kind.NODE,
    ">": Kind.COMMAND,
    "#": Kind.CLAUSE,
    "@": Kind.TARGET,
    "?": Kind.HELP,
}
"""First letter of a line -> what alone is searched; without one nodes and commands are."""

MOST_ROWS = 60
"""Rows that are listed; the palette shows eight and scrolls."""

_COMMANDS_FIRST = 20.0
"""What a command is worth more than a node that matches as well."""


@dataclass(frozen=True)
class Sources:
    """All that can be found now.

    Attributes:
        commands: the actions of the window.
        clauses: of all tables; None until they are read.
        targets: platforms and their toolchain versions; None until they are read.
        help: the prefixes.
        nodes: of the open model; None without one, or until they are prepared.
        placement: verdicts of these nodes; None without a model.
        recent: ids of what was chosen last, newest first.
    """

    commands: Titles
    clauses: Titles | None = None
    targets: Titles | None = None
    help: Titles | None = None
    nodes: NodeTitles | None = None
    placement: Placement | None = None
    recent: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to one line.

    Attributes:
        kind: what alone was searched; None for nodes and commands together.
        rows: best first, at most `MOST_ROWS`.
        nodes: number of nodes that fit; None when none were looked for.
        faults: filters that make no sense.
        ready: whether what was to be searched is there yet.
    """

    kind: Kind | None
    rows: tuple[Row, ...]
    nodes: int | None = None
    faults: tuple[str, ...] = ()
    ready: bool = True


def search(sources: Sources, line: str) -> Found:
    """The rows for *line*; a few milliseconds at 10,000 nodes."""
    kind = PREFIXES.get(line[:1])
    # A name that begins with the prefix itself is found without it, too.
    rest = line[1:] if kind is not None else line
    if kind is Kind.NODE or kind is None:
        return _nodes_and_commands(sources, rest, kind)
    titles = {
        Kind.COMMAND: sources.commands,
        Kind.CLAUSE: sources.clauses,
        Kind.TARGET: sources.targets,
        Kind.HELP: sources.help,
    }[kind]
    if titles is None:
        return Found(kind, (), ready=False)
    rows = ranked(titles, rest.casefold().split(), sources.recent, max(MOST_ROWS, len(sources.commands.entries)))
    return Found(kind, tuple(row for _, row in rows))


def _nodes_and_commands(sources: Sources, line: str, kind: Kind | None) -> Found:
    query = parse(line)
    commands: list[tuple[float, Row]] = []
    if kind is None and not query.filters and not query.faults:
        found = ranked(sources.commands, query.words, sources.recent, MOST_ROWS)
        commands = [(score + _COMMANDS_FIRST, row) for score, row in found]
    if sources.nodes is None or (query.empty and kind is None):
        rows = tuple(row for _, row in commands)
        return Found(kind, rows, faults=query.faults, ready=sources.nodes is not None or kind is None)
    nodes, count = ranked_nodes(sources.nodes, query, sources.placement, MOST_ROWS)
    both = sorted((*commands, *nodes), key=lambda pair: -pair[0])[:MOST_ROWS]
    return Found(kind, tuple(row for _, row in both), count, query.faults)
