"""Words and figures of the window: names of verdicts and states in the current language, numbers with their units.

Exact zero is `0`, an undefined figure is `–`. Numbers use `.` in every language, as the reports do.
"""

import re
from math import isinf, log10

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from inspector.gui.i18n import language
from inspector.gui.plain_words import plain_tip as plain_tip
from inspector.gui.plain_words import verdict_meaning as verdict_meaning
from inspector.gui.plain_words import verdict_name as verdict_name
from inspector.model.graph import ShapeOrigin
from inspector.placement import sentence
from inspector.placement.verdict import Check, NodeVerdict, Outcome, Standing, Verdict
from inspector.rewrite.rule import Safety
from inspector.text import Message, Text, render
from inspector.verify.result import StageName, Status

NONE = "–"
"""Shown for a figure that does not exist."""

_LEADING_ZEROS = re.compile(r"e([+-])0+(?=\d)")

_HEADLINES = {
    Verdict.BPU: QT_TRANSLATE_NOOP("Words", "Runs on the BPU"),
    Verdict.CPU: QT_TRANSLATE_NOOP("Words", "Falls back to the CPU"),
    Verdict.UNSUPPORTED: QT_TRANSLATE_NOOP("Words", "Not supported"),
    Verdict.UNKNOWN: QT_TRANSLATE_NOOP("Words", "Unknown"),
    Verdict.FOLDED: QT_TRANSLATE_NOOP("Words", "Folded"),
}
_STANDINGS = {
    Standing.DOCUMENTED: QT_TRANSLATE_NOOP("Words", "Documented"),
    Standing.REPORTED: QT_TRANSLATE_NOOP("Words", "Reported"),
    Standing.INFERRED: QT_TRANSLATE_NOOP("Words", "Inferred"),
}
_SAFETIES = {
    Safety.EXACT: QT_TRANSLATE_NOOP("Words", "Exact"),
    Safety.EQUIVALENT: QT_TRANSLATE_NOOP("Words", "Equivalent"),
    Safety.APPROXIMATE: QT_TRANSLATE_NOOP("Words", "Approximate"),
    Safety.BOUNDARY: QT_TRANSLATE_NOOP("Words", "Changes the interface"),
}
_SAFETY_MEANINGS = {
    Safety.EXACT: QT_TRANSLATE_NOOP("Words", "Only moves data: outputs are bit-equal."),
    Safety.EQUIVALENT: QT_TRANSLATE_NOOP("Words", "The same mathematics with another order of rounding."),
    Safety.APPROXIMATE: QT_TRANSLATE_NOOP("Words", "Another function within a stated error."),
    Safety.BOUNDARY: QT_TRANSLATE_NOOP("Words", "Changes the inputs or outputs of the model."),
}
_STATUSES = {
    Status.PASSED: QT_TRANSLATE_NOOP("Words", "Passed"),
    Status.FAILED: QT_TRANSLATE_NOOP("Words", "Failed"),
    Status.INCONCLUSIVE: QT_TRANSLATE_NOOP("Words", "Inconclusive"),
}
_STAGES = {
    StageName.FRAGMENT: QT_TRANSLATE_NOOP("Words", "Fragment"),
    StageName.MODEL: QT_TRANSLATE_NOOP("Words", "Whole model"),
}
_FEEDS = {
    "normal": QT_TRANSLATE_NOOP("Words", "normal ×{range}"),
    "uniform": QT_TRANSLATE_NOOP("Words", "uniform {range}"),
    "even": QT_TRANSLATE_NOOP("Words", "evenly spaced {range}"),
    "ones": QT_TRANSLATE_NOOP("Words", "ones"),
    "zeros": QT_TRANSLATE_NOOP("Words", "zeros"),
    "all negative": QT_TRANSLATE_NOOP("Words", "all negative"),
    "extremes": QT_TRANSLATE_NOOP("Words", "extremes"),
}
"""First words of the name of an input set -> what they say."""

_ORIGINS = {
    ShapeOrigin.DECLARED: QT_TRANSLATE_NOOP("Words", "declared in the file"),
    ShapeOrigin.INFERRED: QT_TRANSLATE_NOOP("Words", "inferred by onnx"),
    ShapeOrigin.FOLDED: QT_TRANSLATE_NOOP("Words", "from a folded shape chain"),
    ShapeOrigin.RUN: QT_TRANSLATE_NOOP("Words", "read off one run"),
    ShapeOrigin.BOUND: QT_TRANSLATE_NOOP("Words", "follows from a size you set"),
}


def _translated(text: object) -> str:
    return QCoreApplication.translate("Words", str(text))


def say_text(message: Message | Text | str) -> str:
    """A core text in the window's language."""
    return render(message, language())


def verdict_headline(verdict: Verdict) -> str:
    """`Falls back to the CPU`: the first line of the headline card."""
    return _translated(_HEADLINES[verdict])


def standing_name(standing: Standing) -> str:
    """How well a statement is supported."""
    return _translated(_STANDINGS[standing])


def safety_name(safety: Safety) -> str:
    """What a rule may do to the numbers, as a chip."""
    return _translated(_SAFETIES[safety])


def safety_meaning(safety: Safety) -> str:
    """The same as a sentence."""
    return _translated(_SAFETY_MEANINGS[safety])


def status_name(status: Status) -> str:
    """Verdict of a comparison."""
    return _translated(_STATUSES[status])


def stage_name(stage: StageName) -> str:
    """Which comparison."""
    return _translated(_STAGES[stage])


def feed_name(kind: str) -> str:
    """What an input set holds: `normal ×10` for `normal x10`, `uniform −1 … 1 #2` for `uniform -1..1 #2`."""
    name, _, again = kind.partition(" #")
    word, _, span = name.partition(" ")
    pattern = _FEEDS.get(name) or _FEEDS.get(word)
    if pattern is None:
        return kind  # a set that the user gave, by its own name
    span = span.removeprefix("x").replace("..", " … ").replace("-", "−")
    text = _translated(pattern).format(range=span)
    return f"{text} #{again}" if again else text


def origin_name(origin: ShapeOrigin | None) -> str:
    """Where a shape comes from; `unknown` for None."""
    return _translated(_ORIGINS[origin]) if origin is not None else QCoreApplication.translate("Words", "unknown")


def check_sentence(check: Check) -> str:
    """One sentence with found and allowed, for a headline or a problem: it stands alone, without the clause id."""
    return sentence.check_sentence(check, language())


def decisive_check(verdict: NodeVerdict) -> Check | None:
    """The check that the headline speaks of: the first failed one, else the first unknown one, else None."""
    if verdict.verdict in (Verdict.BPU, Verdict.FOLDED):
        return None
    unknown = (check for check in verdict.checks if check.outcome is Outcome.UNKNOWN)
    return next(iter(verdict.failed), None) or next(unknown, None)


def headline(verdict: NodeVerdict) -> str:
    """One sentence on why the node has its verdict, with the values found and allowed."""
    if verdict.because:
        return say_text(verdict.because[0].message)
    check = decisive_check(verdict)
    return check_sentence(check) if check is not None else verdict_meaning(verdict.verdict)


def bytes_text(count: int | None) -> str:
    """A size in bytes with a binary unit: `180 KiB`, `1.05 MiB`; `–` for None."""
    if count is None:
        return NONE
    size, unit = float(count), "B"
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if size < 1024 or unit == "TiB":
            break
        size /= 1024
    return f"{count} B" if unit == "B" else f"{size:.3g} {unit}" if size < 999.5 else f"{size:.0f} {unit}"


def count_text(count: int | None) -> str:
    """A large count with a decimal prefix: `5.90 M`, `125.8 M`; `–` for None."""
    if count is None:
        return NONE
    for power, unit in ((12, "T"), (9, "G"), (6, "M"), (3, "K")):
        if count >= 10**power:
            size = count / 10**power
            return f"{size:.2f} {unit}" if size < 100 else f"{size:.1f} {unit}"
    return str(count)


def figure(value: float | None, *, none: str = NONE) -> str:
    """An error figure: `0` for exact zero, `4.80e-7` otherwise, *none* for None."""
    if value is None:
        return none
    return "0" if value == 0 else _LEADING_ZEROS.sub(r"e\1", f"{value:.2e}")


def decimal(value: float | None) -> str:
    """A figure of everyday size with four digits: `0.4612`."""
    if value is None:
        return NONE
    if value == 0 or isinf(value):
        return f"{value:g}"
    return f"{value:.4g}" if -4 < log10(abs(value)) < 6 else f"{value:.2e}"


def short_decimal(value: float) -> str:
    """The same with three digits and a true minus sign, for a line under a picture: `−0.0781`."""
    return (f"{value:.3g}" if value == 0 or -3 < log10(abs(value)) < 5 else f"{value:.1e}").replace("-", "−")


def delta_text(before: int | None, after: int | None) -> str:
    """Difference of two counts with its sign: `−3`, `+192`, `0`."""
    if before is None or after is None:
        return NONE
    change = after - before
    return f"+{count_text(change)}" if change > 0 else f"−{count_text(-change)}" if change else "0"
