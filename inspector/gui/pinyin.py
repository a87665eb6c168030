"""Finding Chinese words by their pinyin: `yulan`, `yl` and `yulanzj` all find 预览最佳修复.

The readings are those of `resources/i18n/pinyin.toml`, which `scripts/pinyin.py` makes from the texts of the window.
"""

import tomllib
from functools import cache

from inspector.assets import resources_dir
from inspector.gui.fuzzy import Spots


@cache
def readings() -> dict[str, tuple[str, ...]]:
    """Character -> its syllables without tones, `ü` written `v`; read at first use."""
    table = tomllib.loads((resources_dir() / "i18n" / "pinyin.toml").read_text(encoding="utf-8"))
    found: dict[str, tuple[str, ...]] = {}
    for syllable, characters in table.items():
        for character in characters:
            found[character] = (*found.get(character, ()), syllable)
    return found


def spots(text: str, word: str) -> Spots:
    """Positions in *text* of the characters that *word* spells; empty when it spells none.

    Every character takes at least one letter of *word*, from the beginning of its syllable; Latin letters and digits
    stand for themselves; spaces and punctuation are passed over.
    """
    if not word.isascii() or not word.isalnum():
        return ()
    small = text.casefold()
    for start, character in enumerate(small):
        if character in readings():
            found = _spell(small, start, word.casefold())
            if found is not None:
                return found
    return ()


def _spell(text: str, place: int, word: str) -> Spots | None:
    """Positions from *place* on that spell the whole of *word*; None when they do not."""
    if not word:
        return ()
    while place < len(text) and not text[place].isalnum():
        place += 1
    if place >= len(text):
        return None
    for syllable in readings().get(text[place], (text[place],)):
        for count in range(_common(syllable, word), 0, -1):
            rest = _spell(text, place + 1, word[count:])
            if rest is not None:
                return (place, *rest)
    return None


def _common(first: str, second: str) -> int:
    """Length of the common beginning."""
    count = 0
    while count < min(len(first), len(second)) and first[count] == second[count]:
        count += 1
    return count
