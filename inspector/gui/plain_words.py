"""The words that stand on the first picture of the window: names and meanings of verdicts, and tooltips that are plain.

They need no model; `words` passes them on.
"""

from html import escape

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from inspector.placement.kinds import Verdict

_LONGEST_TIP = 600
"""Characters of a tooltip."""

_VERDICTS = {
    Verdict.BPU: QT_TRANSLATE_NOOP("Words", "BPU"),
    Verdict.CPU: QT_TRANSLATE_NOOP("Words", "CPU"),
    Verdict.UNSUPPORTED: QT_TRANSLATE_NOOP("Words", "Unsupported"),
    Verdict.UNKNOWN: QT_TRANSLATE_NOOP("Words", "Unknown"),
    Verdict.FOLDED: QT_TRANSLATE_NOOP("Words", "Folded"),
}
_MEANINGS = {
    Verdict.BPU: QT_TRANSLATE_NOOP("Words", "Every clause that applies was checked and holds."),
    Verdict.CPU: QT_TRANSLATE_NOOP("Words", "A clause fails; the values found and allowed are shown."),
    Verdict.UNSUPPORTED: QT_TRANSLATE_NOOP("Words", "Neither the BPU nor the CPU side takes it."),
    Verdict.UNKNOWN: QT_TRANSLATE_NOOP("Words", "No clause, or a shape is missing. Never counted as BPU."),
    Verdict.FOLDED: QT_TRANSLATE_NOOP("Words", "Computed before the model runs, so it takes no time."),
}


def verdict_name(verdict: Verdict) -> str:
    """`CPU`, `Unsupported`: short enough for a chip."""
    return _translated(_VERDICTS[verdict])


def verdict_meaning(verdict: Verdict) -> str:
    """One sentence on what the colour means."""
    return _translated(_MEANINGS[verdict])


def plain_tip(text: str) -> str:
    """*text* as a tooltip that shows it letter by letter: Qt takes for HTML what looks like it. Long texts are cut."""
    if len(text) > _LONGEST_TIP:
        half = _LONGEST_TIP // 2
        text = f"{text[:half]}…{text[-half:]}"
    return f"<span style='white-space: pre-wrap'>{escape(text)}</span>" if "<" in text else text


def _translated(text: object) -> str:
    return QCoreApplication.translate("Words", str(text))
