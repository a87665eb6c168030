"""Fuzzy matching for the command palette: which of many texts hold the letters that were typed, and how well.

A word is held by a text that contains it, or that contains its letters in order. Texts are prepared once as one array
of letters, so that 10,000 of them take a few milliseconds per word. Case never counts.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Scores = npt.NDArray[np.float64]
Spots = tuple[int, ...]

NONE = -np.inf
"""Score of what does not match."""

_WHOLE, _HEAD, _WORD, _INSIDE, _SPREAD = 400.0, 300.0, 200.0, 100.0, 0.0
"""What a match is worth: all of the text, its beginning, the beginning of a word, inside a word, letters spread out."""

_LENGTH = 0.25
"""Taken off per letter of the text, up to 80: of two equal matches the shorter text leads."""

_SPAN = 4.0
"""Taken off per letter that stands between the letters of a spread match."""

_ENOUGH = 200
"""So many texts that contain a word are enough: none is then looked for that holds only its letters."""

_TYPED = 12
"""Longer words are names that were pasted: their letters alone are looked for only if no text contains them."""

_WIDEST = 8
"""A spread match may reach over so many times its own length."""


class Corpus:
    """Texts that are matched again and again. Making one takes about 1 µs per text; it never changes."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Prepare *texts*."""
        self.texts = tuple(text.casefold() for text in texts)
        joined = "\n".join(self.texts) + "\n"
        self._letters = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        sizes = np.array([len(text) for text in self.texts], dtype=np.int64)
        self._start = np.concatenate(([0], np.cumsum(sizes + 1)[:-1])) if len(sizes) else sizes
        self._end = self._start + sizes
        self._head = _heads(self._letters)
        self._cost = np.minimum(sizes, 80) * _LENGTH

    def __len__(self) -> int:
        return len(self.texts)

    def score(self, words: Sequence[str]) -> Scores:
        """`[n]` how well each text holds all of *words*: larger is better, `NONE` where one is missing."""
        total = -self._cost
        for word in words:
            total = total + self._word(word.casefold())
        return total

    def _word(self, word: str) -> Scores:
        """`[n]` what holding *word* is worth."""
        score = np.full(len(self.texts), NONE)
        at = self._places(word)
        owner = np.searchsorted(self._start, at, side="right") - 1
        # One text may hold the word more than once: its best place is written last.
        score[owner] = _INSIDE
        score[owner[self._head[at]]] = _WORD
        first = at == self._start[owner]
        score[owner[first]] = _HEAD
        score[owner[first & (at + len(word) == self._end[owner])]] = _WHOLE
        if len(word) > 1 and len(owner) < (_ENOUGH if len(word) <= _TYPED else 1):
            score = np.maximum(score, self._spread(word))
        return score

    def _places(self, word: str) -> npt.NDArray[np.int64]:
        """Where *word* begins in the array of letters."""
        at = np.flatnonzero(self._letters[: len(self._letters) - len(word) + 1] == ord(word[0]))
        for offset, letter in enumerate(word[1:], 1):
            at = at[self._letters[at + offset] == ord(letter)]
        return at

    def _spread(self, word: str) -> Scores:
        """`[n]` what holding the letters of *word* in order is worth."""
        place = self._start.copy()
        first: npt.NDArray[np.int64] | None = None
        alive = np.ones(len(self.texts), dtype=np.bool_)
        for letter in word:
            where = np.flatnonzero(self._letters == ord(letter))
            if len(where) == 0:
                return np.full(len(self.texts), NONE)
            index = np.searchsorted(where, place)
            alive &= index < len(where)
            place = where[np.minimum(index, len(where) - 1)]
            alive &= place < self._end
            first = place if first is None else first
            place = place + 1
        span = place - (first if first is not None else place)
        alive &= span <= len(word) * _WIDEST
        return np.where(alive, _SPREAD - (span - len(word)) * _SPAN, NONE)


def best(score: Scores, count: int) -> tuple[int, ...]:
    """Indices of the *count* best matches, best first; of equal ones the first in order. Misses are left out."""
    found = np.flatnonzero(score > NONE)
    if len(found) > count:
        # The value of the last one taken decides; those equal to it are cut in their order below.
        least = np.partition(score[found], len(found) - count)[len(found) - count]
        found = found[score[found] >= least]
    order = found[np.argsort(-score[found], kind="stable")][:count]
    return tuple(int(index) for index in order)


def spots(text: str, words: Sequence[str]) -> Spots:
    """Positions of the letters of *text* that *words* are found in, in order; a word that is not found adds none."""
    found: set[int] = set()
    for word in words:
        found.update(_spots(text.casefold(), word.casefold()))
    return tuple(sorted(spot for spot in found if spot < len(text)))


def _heads(letters: npt.NDArray[np.uint32]) -> npt.NDArray[np.bool_]:
    """Whether each letter stands at the beginning of a word: after one that is neither letter nor digit."""
    kinds, code = np.unique(letters, return_inverse=True)
    inner = np.array([chr(kind).isalnum() for kind in kinds.tolist()], dtype=np.bool_)[code]
    return np.concatenate((np.ones(min(len(letters), 1), dtype=np.bool_), ~inner[:-1]))


def _head(text: str, word: str) -> int:
    """Where the first word of *text* that begins with *word* stands; -1 for none."""
    at = text.find(word)
    while at > 0 and text[at - 1].isalnum():
        at = text.find(word, at + 1)
    return at


def _spots(text: str, word: str) -> range | list[int]:
    head = _head(text, word)
    at = head if head >= 0 else text.find(word)
    if at >= 0:
        return range(at, at + len(word))
    places: list[int] = []
    after = 0
    for letter in word:
        place = text.find(letter, after)
        if place < 0:
            return []
        places.append(place)
        after = place + 1
    # The letters were taken as early as they come; from the last one back they stand closer together.
    before = places[-1]
    for index in range(len(word) - 2, -1, -1):
        before = text.rfind(word[index], 0, before)
        places[index] = before
    return places
