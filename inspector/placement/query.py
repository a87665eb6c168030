"""Finding nodes by words and typed filters: `op:Conv rank:5 status:cpu`, one language for every field of the window.

A query is a line of parts, all of which must hold. A part is a word, which a node's operator, name or tensors contain,
or a filter `key:value`; several values with commas between them are alternatives, `*` stands for anything:

    op:Conv,Gemm      operator; a beginning when the model has no operator of exactly that name
    name:/neck/*      node name: contained, or the whole of it when it has a `*`
    tensor:x_12       a tensor that the node reads or writes, likewise
    status:cpu        verdict, or its beginning; `inferred` for verdicts that rest on inference
    rank:5  rank:>4   number of axes of a tensor that the node computes on
    dtype:int64       element type of such a tensor
    shape:*x256x*     shape of such a tensor
    attr:group>1      attribute that the file sets, with `=`, `>`, `<`, `>=` or `<=` and a number, or alone
    clause:kernel     id of a clause that the node fails

What looks like a filter but has another key is a word, because tensor names hold colons too.
"""

import operator
import re
import shlex
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
import numpy.typing as npt

from inspector.model.graph import Model, Node, Value
from inspector.placement.verdict import Placement, Standing, Verdict

Mask = npt.NDArray[np.bool_]


class Key(StrEnum):
    """What a filter asks about."""

    OP = "op"
    NAME = "name"
    TENSOR = "tensor"
    STATUS = "status"
    RANK = "rank"
    DTYPE = "dtype"
    SHAPE = "shape"
    ATTRIBUTE = "attr"
    CLAUSE = "clause"


@dataclass(frozen=True, slots=True)
class Filter:
    """One typed part of a query: *values* are alternatives, in small letters."""

    key: Key
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Query:
    """A line that was understood.

    Attributes:
        words: free words in small letters.
        filters: typed parts.
        faults: parts that make no sense, as they were written: `rank:many`; nothing fits them.
    """

    words: tuple[str, ...] = ()
    filters: tuple[Filter, ...] = ()
    faults: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether it asks for nothing."""
        return not (self.words or self.filters or self.faults)


_COMPARE: Final[Mapping[str, Callable[[float, float], bool]]] = {
    "": operator.eq,
    "=": operator.eq,
    ">": operator.gt,
    "<": operator.lt,
    ">=": operator.ge,
    "<=": operator.le,
}
_NUMBER: Final = re.compile(r"(>=|<=|=|>|<|)(\d+)")
_ATTRIBUTE: Final = re.compile(r"([^=<>]+)(?:(>=|<=|=|>|<)(.+))?")


def parse(line: str) -> Query:
    """*line* as a query; quotation marks keep spaces in a part. A filter without a value yet is left out."""
    words: list[str] = []
    filters: list[Filter] = []
    faults: list[str] = []
    for part in _parts(line):
        key, colon, rest = part.partition(":")
        if not colon or key.casefold() not in set(Key):
            words += [part.casefold()] if part else []
            continue
        values = tuple(value for value in rest.casefold().split(",") if value)
        made = Filter(Key(key.casefold()), values)
        if all(_makes_sense(made.key, value) for value in values):
            filters += [made] if values else []
        else:
            faults.append(part)
    return Query(tuple(words), tuple(filters), tuple(faults))


def _parts(line: str) -> list[str]:
    reader = shlex.shlex(line, posix=True, punctuation_chars="")
    reader.whitespace_split, reader.commenters, reader.escape = True, "", ""
    reader.quotes = '"'
    try:
        return list(reader)
    except ValueError:  # a quotation mark that is still open
        return line.replace('"', " ").split()


def _makes_sense(key: Key, value: str) -> bool:
    if key is Key.RANK:
        return _NUMBER.fullmatch(value) is not None
    return key is not Key.ATTRIBUTE or _ATTRIBUTE.fullmatch(value) is not None


@dataclass(frozen=True)
class _Column:
    """One fact of every node: the different facts there are, and which of them each node has (`[n]`)."""

    facts: tuple[Hashable, ...]
    code: npt.NDArray[np.int64]

    @classmethod
    def of(cls, facts: Iterable[Hashable]) -> "_Column":
        known: dict[Hashable, int] = {}
        code = np.array([known.setdefault(fact, len(known)) for fact in facts], dtype=np.int64)
        return cls(tuple(known), code)

    def where(self, holds: Callable[[Hashable], bool]) -> Mask:
        """`[n]` whether the node's fact is one that *holds*."""
        answers = np.array([holds(fact) for fact in self.facts], dtype=np.bool_)
        return answers[self.code] if len(answers) else np.zeros(0, dtype=np.bool_)


class NodeIndex:
    """The nodes of a model, prepared for queries; making it costs about 20 µs per node and may be done in a thread.

    Attributes:
        nodes: all nodes in the model's order; masks are in this order.
    """

    def __init__(self, model: Model) -> None:
        """Prepare *model*."""
        self.nodes: tuple[Node, ...] = model.nodes
        self._texts = tuple(haystack(node) for node in self.nodes)
        self._names = tuple(node.label.casefold() for node in self.nodes)
        self._tensors = tuple(
            (*map(str.casefold, node.inputs), *map(str.casefold, node.outputs)) for node in self.nodes
        )
        self._op = _Column.of(node.op.name.casefold() for node in self.nodes)
        self._attributes = _Column.of(_attributes(node) for node in self.nodes)
        values = [_values(model, node) for node in self.nodes]
        self._rank = _Column.of(tuple({len(v.shape) for v in vs if v.shape is not None}) for vs in values)
        self._dtype = _Column.of(tuple({str(v.dtype) for v in vs if v.dtype is not None}) for vs in values)
        self._shape = _Column.of(tuple({_shape(v) for v in vs if v.shape is not None}) for vs in values)

    def find(self, query: Query, placement: Placement | None) -> tuple[Node, ...]:
        """The nodes that *query* asks for, in the model's order; an empty query finds none."""
        if query.empty:
            return ()
        mask = self.select(query, placement)
        for word in query.words:
            mask &= np.fromiter((word in text for text in self._texts), np.bool_, len(self._texts))
        return tuple(self.nodes[i] for i in np.flatnonzero(mask))

    def select(self, query: Query, placement: Placement | None) -> Mask:
        """`[n]` whether the node fits the filters of *query*; its words are not looked at."""
        mask = np.full(len(self.nodes), not query.faults, dtype=np.bool_)
        for one in query.filters:
            mask &= self._fits(one, placement)
        return mask

    def _fits(self, one: Filter, placement: Placement | None) -> Mask:
        values = one.values
        match one.key:
            case Key.OP:
                return self._op.where(_operator_test(values, self._op.facts))
            case Key.NAME:
                return self._each(self._names, lambda name: any(_like(value, name) for value in values))
            case Key.TENSOR:
                likes = _any_of(lambda name: any(_like(value, name) for value in values))
                return self._each(self._tensors, likes)
            case Key.RANK:
                return self._rank.where(_any_of(lambda rank: any(_compare(v, float(rank)) for v in values)))
            case Key.DTYPE:
                return self._dtype.where(_any_of(lambda dtype: any(_like(v, dtype) for v in values)))
            case Key.SHAPE:
                shapes = [_pattern(value.replace("×", "x")) for value in values]
                return self._shape.where(_any_of(lambda shape: any(p.fullmatch(shape) for p in shapes)))
            case Key.ATTRIBUTE:
                return self._attributes.where(_any_of(lambda a: any(_attribute_fits(value, a) for value in values)))
            case Key.STATUS:
                return self._each((node.id for node in self.nodes), _status_test(values, placement))
            case Key.CLAUSE:
                return self._each((node.id for node in self.nodes), _clause_test(values, placement))

    def _each(self, things: Iterable[Hashable], holds: Callable[[Hashable], bool]) -> Mask:
        return np.fromiter((holds(thing) for thing in things), np.bool_, len(self.nodes))


def haystack(node: Node) -> str:
    """Everything that a free word may be found in, in small letters: operator, label, tensors."""
    return " ".join((node.op.name, node.label, *node.inputs, *node.outputs)).casefold()


def _tensors(node: Node) -> tuple[str, ...]:
    return tuple(name.casefold() for name in (*node.inputs, *node.outputs) if name)


def _values(model: Model, node: Node) -> tuple[Value, ...]:
    """What the node computes on: its outputs, and its inputs other than weights."""
    names = dict.fromkeys((*node.inputs, *node.outputs))
    initializers = model.graphs[node.graph].initializers
    return tuple(model.value(node.graph, name) for name in names if name and name not in initializers)


def _shape(value: Value) -> str:
    return "x".join(str(dim) for dim in value.shape or ()).casefold()


def _attributes(node: Node) -> tuple[tuple[str, Hashable], ...]:
    """The attributes that can be compared, by name: numbers, texts and lists of them."""
    return tuple(
        (name.casefold(), value)
        for name, value in sorted(node.attributes.items())
        if isinstance(value, int | float | str | tuple)
    )


def _any_of(holds: Callable[..., object]) -> Callable[[Hashable], bool]:
    """A test of a tuple that one of its entries passes."""

    def test(fact: Hashable) -> bool:
        return isinstance(fact, tuple) and any(holds(entry) for entry in fact)

    return test


def _operator_test(values: tuple[str, ...], known: tuple[Hashable, ...]) -> Callable[[Hashable], bool]:
    """An operator of exactly that name if the model has one, else what begins with it, so that typing shows hits."""
    exact = frozenset(value for value in values if value in known)
    loose = tuple(_pattern(f"{value}*") for value in values if value not in exact)
    return lambda op: op in exact or any(pattern.fullmatch(str(op)) for pattern in loose)


def _status_test(values: tuple[str, ...], placement: Placement | None) -> Callable[[Hashable], bool]:
    """A test of node ids."""
    wanted = {verdict for verdict in Verdict if any(verdict.value.casefold().startswith(value) for value in values)}
    guessed = any("inferred".startswith(value) for value in values)
    known = placement.verdicts.values() if placement is not None else ()
    fitting = {v.node for v in known if v.verdict in wanted or (guessed and v.standing is Standing.INFERRED)}
    return lambda node: node in fitting


def _clause_test(values: tuple[str, ...], placement: Placement | None) -> Callable[[Hashable], bool]:
    """A test of node ids."""
    known = placement.verdicts.values() if placement is not None else ()
    fitting = {v.node for v in known if any(_like(value, check.clause) for check in v.failed for value in values)}
    return lambda node: node in fitting


def _like(value: str, text: object) -> bool:
    """Whether *text* contains *value*, or is as *value* says when that has a `*`."""
    known = str(text).casefold()
    return _pattern(value).fullmatch(known) is not None if "*" in value else value in known


def _pattern(value: str) -> re.Pattern[str]:
    return re.compile(".*".join(re.escape(part) for part in value.split("*")), re.DOTALL)


def _compare(value: str, found: float) -> bool:
    match = _NUMBER.fullmatch(value)
    return match is not None and _COMPARE[match[1]](found, float(match[2]))


def _attribute_fits(value: str, attribute: tuple[str, Hashable]) -> bool:
    """Whether *attribute* (name, value) is as `group>1`, `mode=linear` or `pads` says; one entry of a list suffices."""
    match, (name, found) = _ATTRIBUTE.fullmatch(value), attribute
    if match is None or not _like_name(match[1], name):
        return False
    if match[2] is None:
        return True
    entries = found if isinstance(found, tuple) else (found,)
    return any(_entry_fits(match[2], match[3], entry) for entry in entries)


def _like_name(value: str, name: str) -> bool:
    return _pattern(value).fullmatch(name) is not None


def _entry_fits(sign: str, wanted: str, entry: object) -> bool:
    if isinstance(entry, int | float):
        try:
            return _COMPARE[sign](float(entry), float(wanted))
        except ValueError:
            return False
    return sign == "=" and str(entry).casefold() == wanted
