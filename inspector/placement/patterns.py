"""Shape patterns of the tables: `NCHW|NC11` names the axes of two shapes, one letter or `1` per axis."""

from collections.abc import Mapping, Sequence

Sizes = tuple[int | None, ...]


def matches(patterns: Sequence[str], shapes: Sequence[Sizes | None], least: Mapping[str, int]) -> bool | None:
    """Whether *shapes* fit one of *patterns*; None when an unknown size decides.

    A letter stands for one length wherever it occurs within a pattern, `1` for the length 1. Besides letters a pattern
    may be `equal` (all shapes the same) or `single` (the last shape has one element). *least*: letter -> smallest
    length that it may stand for, 1 where it is not given.
    """
    results = [_match(pattern, shapes, least) for pattern in patterns]
    if True in results:
        return True
    return None if None in results else False


def _match(pattern: str, shapes: Sequence[Sizes | None], least: Mapping[str, int]) -> bool | None:
    if pattern == "single":
        last = shapes[-1]
        if last is None:
            return None
        return False if any(size not in (1, None) for size in last) else (None if None in last else True)
    if pattern == "equal":
        return _equal(shapes)
    bound: dict[str, int] = {}
    sure = True
    for letters, sizes in zip(pattern.split("|"), shapes, strict=True):
        if sizes is None:
            sure = False
            continue
        if len(sizes) != len(letters):
            return False
        for letter, size in zip(letters, sizes, strict=True):
            if size is None:
                sure = False
            elif letter == "1":
                if size != 1:
                    return False
            elif bound.setdefault(letter, size) != size or size < least.get(letter, 1):
                return False
    return True if sure else None


def _equal(shapes: Sequence[Sizes | None]) -> bool | None:
    known = [sizes for sizes in shapes if sizes is not None]
    if len({len(sizes) for sizes in known}) > 1:
        return False
    for column in zip(*known, strict=True):
        if len({size for size in column if size is not None}) > 1:
            return False
    unknown = len(known) < len(shapes) or any(None in sizes for sizes in known)
    return None if unknown else True
