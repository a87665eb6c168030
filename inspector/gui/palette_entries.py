"""What the command palette finds, as values: commands, nodes, clauses, targets and the prefixes that choose between."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np

from inspector.gui import pinyin
from inspector.gui.fuzzy import NONE, Corpus, Scores, Spots, best, spots
from inspector.model.graph import NodeId
from inspector.placement.query import NodeIndex, Query
from inspector.placement.verdict import Placement, Standing, Verdict

_READ = 320.0
"""What a match by pinyin is worth from the beginning of a title; less elsewhere (see `fuzzy`)."""

_READ_INSIDE = 180.0

_OFF = 60.0
"""Taken off what cannot run now."""


class Kind(StrEnum):
    """What an entry stands for."""

    COMMAND = "command"
    NODE = "node"
    CLAUSE = "clause"
    TARGET = "target"
    HELP = "help"


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing to choose.

    Attributes:
        kind: what it stands for.
        id: id of the action, the clause, `PLATFORM` or `PLATFORM@TOOLCHAIN`, or the prefix.
        title: what it is called in the language of the window.
        other: the same in the other language; empty where there is none.
        keys: shortcut, as it is shown; empty for none.
        reason: why it cannot be chosen now; empty when it can.
        node: the node, for that kind.
        verdict: its verdict, if it has one.
        inferred: whether that rests on inference.
        icon: name of its icon; empty for none.
    """

    kind: Kind
    id: str
    title: str
    other: str = ""
    keys: str = ""
    reason: str = ""
    node: NodeId | None = None
    verdict: Verdict | None = None
    inferred: bool = False
    icon: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """An entry as it is shown: with the letters that were typed, by their positions in `title` and in `other`."""

    entry: Entry
    title: Spots = ()
    other: Spots = ()


@dataclass(frozen=True)
class Titles:
    """Entries whose titles in both languages are searched, and by pinyin.

    Attributes:
        entries: in the order in which they are listed when nothing is typed.
        by_pinyin: whether Chinese titles are found by pinyin, too; that takes some 10 µs per entry and word.
    """

    entries: tuple[Entry, ...]
    by_pinyin: bool = True
    _corpora: tuple[Corpus, Corpus] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        titles = Corpus([entry.title for entry in self.entries])
        others = Corpus([entry.other for entry in self.entries])
        object.__setattr__(self, "_corpora", (titles, others))

    def score(self, words: Sequence[str]) -> Scores:
        """`[entries]` how well each holds all of *words*, in whichever language."""
        total: Scores = np.zeros(len(self.entries))
        for word in words:
            held = [corpus.score([word]) for corpus in self._corpora]
            if self.by_pinyin:
                held.append(np.array([self._read(entry, word) for entry in self.entries], dtype=np.float64))
            total = total + np.maximum.reduce(held)
        total -= np.array([_OFF if entry.reason else 0.0 for entry in self.entries])
        return total

    def row(self, entry: Entry, words: Sequence[str]) -> Row:
        """*entry* with the letters of *words* marked."""
        return Row(entry, _marked(entry.title, words), _marked(entry.other, words))

    def with_reasons(self, reason: Callable[[Entry], str]) -> "Titles":
        """The same entries with what *reason* says of each now; nothing is prepared anew."""
        made = object.__new__(Titles)
        entries = tuple(replace(entry, reason=reason(entry)) for entry in self.entries)
        object.__setattr__(made, "entries", entries)
        object.__setattr__(made, "by_pinyin", self.by_pinyin)
        object.__setattr__(made, "_corpora", self._corpora)
        return made

    def _read(self, entry: Entry, word: str) -> float:
        found = [pinyin.spots(text, word) for text in (entry.title, entry.other)]
        starts = [marks[0] for marks in found if marks]
        if not starts:
            return NONE
        return (_READ if min(starts) == 0 else _READ_INSIDE) - 0.25 * len(entry.title)


class NodeTitles:
    """The nodes of a model, prepared for fuzzy search; to be made off the GUI thread.

    Attributes:
        index: the same nodes, prepared for typed filters.
    """

    def __init__(self, index: NodeIndex) -> None:
        """Prepare the nodes of *index*."""
        self.index = index
        self._corpus = Corpus([f"{node.op.name} {node.label}" for node in index.nodes])

    def score(self, query: Query, placement: Placement | None) -> Scores:
        """`[nodes]` how well each fits *query*: filters exactly, words loosely."""
        score = self._corpus.score(query.words)
        if query.filters or query.faults:
            score = np.where(self.index.select(query, placement), score, NONE)
        return score

    def row(self, place: int, words: Sequence[str], placement: Placement | None) -> Row:
        """The node at *place* with the letters of *words* marked."""
        node = self.index.nodes[place]
        verdict = placement.verdicts.get(node.id) if placement is not None else None
        entry = Entry(
            Kind.NODE,
            str(node.id),
            node.op.name,
            node.label,
            node=node.id,
            verdict=verdict.verdict if verdict is not None else None,
            inferred=verdict is not None and verdict.standing is Standing.INFERRED,
        )
        return Row(entry, spots(entry.title, words), spots(entry.other, words))


def ranked(titles: Titles, words: Sequence[str], recent: Sequence[str], count: int) -> list[tuple[float, Row]]:
    """The *count* best entries of *titles* with their scores, best first; those used recently before their equals."""
    if not words:
        return [(0.0, Row(entry)) for entry in _recent_first(titles.entries, recent)[:count]]
    score = titles.score(words) + np.array([_freshness(entry, recent) for entry in titles.entries])
    return [(float(score[i]), titles.row(titles.entries[i], words)) for i in best(score, count)]


def ranked_nodes(
    nodes: NodeTitles, query: Query, placement: Placement | None, count: int
) -> tuple[list[tuple[float, Row]], int]:
    """The *count* best nodes with their scores, best first, and how many fit."""
    score = nodes.score(query, placement)
    rows = [(float(score[i]), nodes.row(i, query.words, placement)) for i in best(score, count)]
    return rows, int((score > NONE).sum())


def _recent_first(entries: Sequence[Entry], recent: Sequence[str]) -> list[Entry]:
    """What was used last, newest first, then the others in their order."""
    place = {name: i for i, name in enumerate(recent)}
    return sorted(entries, key=lambda entry: place.get(entry.id, len(place)))


def _freshness(entry: Entry, recent: Sequence[str]) -> float:
    return 30.0 * (1 - recent.index(entry.id) / len(recent)) if entry.id in recent else 0.0


def _marked(text: str, words: Sequence[str]) -> Spots:
    found = set(spots(text, words))
    for word in words:
        if not spots(text, [word]):
            found.update(pinyin.spots(text, word))
    return tuple(sorted(found))
