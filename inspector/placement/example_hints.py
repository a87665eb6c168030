"""What a clause names: the figures and words that a search for its examples tries."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from inspector.placement.expression import parse
from inspector.placement.table import Spec


@dataclass(frozen=True)
class Hints:
    """What a clause names.

    Attributes:
        numbers: its figures, their neighbours, and small ones.
        words: its texts.
        lists: its lists of numbers.
        names: attributes that it may be about.
    """

    numbers: tuple[float, ...]
    words: tuple[str, ...]
    lists: tuple[tuple[int, ...], ...]
    names: tuple[str, ...]


def hints(*specs: Spec | None) -> Hints:
    """Figures, texts and lists in *specs*."""
    figures: set[float] = set()
    words: dict[str, None] = {}
    lists: dict[tuple[int, ...], None] = {}
    for value in chain.from_iterable(_leaves(spec) for spec in specs if spec is not None):
        if isinstance(value, bool):
            continue
        if isinstance(value, int | float):
            figures.add(value)
        elif isinstance(value, tuple):
            lists[value] = None
        else:
            words[value] = None
    near = {n + d for n in figures for d in (-1, 0, 1)} | {0, 1, 2, 3, 4}
    names = tuple(word for word in words if word.isidentifier())
    return Hints(tuple(sorted(near)), tuple(words), tuple(lists), names)


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            if name in ("expr", "is") and isinstance(inner, str):
                yield from _figures(inner)
            yield from _leaves(inner)
    elif isinstance(value, list | tuple):
        if value and all(isinstance(v, int) and not isinstance(v, bool) for v in value):
            yield tuple(value)
        for inner in value:
            yield from _leaves(inner)
    elif value is not None:
        yield value


def _figures(text: str) -> Iterator[Any]:
    expression = parse(text)
    yield from expression.names
    for word in text.replace("(", " ").replace(")", " ").replace("*", " ").replace(",", " ").split():
        if word.isdigit():
            yield int(word)
