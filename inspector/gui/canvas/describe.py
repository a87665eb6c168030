"""A box in words, for tooltips and assistive technology."""

from PySide6.QtCore import QCoreApplication

from inspector.gui.canvas.colouring import PLAIN, VERDICTS, Colouring
from inspector.gui.canvas.scene import Kind, Scene
from inspector.gui.words import verdict_name


def describe_box(scene: Scene, colouring: Colouring, box: int) -> str:
    """Operator, verdict, name, attributes, number of fixes, and place in the graph, separated by commas."""
    kind = Kind(int(scene.kind[box]))
    if kind is not Kind.NODE:
        words = (
            QCoreApplication.translate("Canvas", "Model input")
            if kind is Kind.INPUT
            else QCoreApplication.translate("Canvas", "Model output")
        )
        return ", ".join((words, scene.label[box], scene.short[box]))
    parts = [scene.title[box]]
    code = int(colouring.code[box])
    if code != PLAIN:
        verdict = verdict_name(VERDICTS[code])
        inferred = QCoreApplication.translate("Canvas", "{0} (inferred)")
        parts.append(inferred.format(verdict) if colouring.inferred[box] else verdict)
    parts.append(scene.label[box])
    if scene.attributes[box]:
        parts.append(scene.attributes[box])
    fixes = int(colouring.fixes[box])
    if fixes:
        parts.append(QCoreApplication.translate("Canvas", "fixes: {0}").format(fixes))
    number = int((scene.kind[: box + 1] == Kind.NODE).sum())
    place = QCoreApplication.translate("Canvas", "{0} of {1}")
    parts.append(place.format(number, int((scene.kind == Kind.NODE).sum())))
    return ", ".join(parts)
