"""A box in words, for tooltips and assistive technology."""

from PySide6.QtCore import QCoreApplication, QObject

from inspector.gui.canvas.colouring import PLAIN, VERDICTS, Colouring
from inspector.gui.canvas.scene import Kind, Scene
from inspector.gui.words import decisive_check, headline, verdict_name
from inspector.placement.verdict import NodeVerdict, Verdict

translate = QCoreApplication.translate


def describe_box(scene: Scene, colouring: Colouring, box: int, verdict: NodeVerdict | None = None) -> str:
    """`ConvTranspose, CPU, Kernel depth is 5, the BPU takes 1 to 2, /up/ConvTranspose, k5,2,2, 3 fixes, 4 of 44`.

    *verdict* is that of the node, if there is one; it adds the reason, if one decided and the node
    does not run on the BPU.
    """
    kind = Kind(int(scene.kind[box]))
    if kind is not Kind.NODE:
        words = translate("Canvas", "Model input") if kind is Kind.INPUT else translate("Canvas", "Model output")
        return _listed([words, scene.label[box], scene.short[box]])
    parts = [scene.title[box]]
    code = int(colouring.code[box])
    if code != PLAIN:
        name = verdict_name(VERDICTS[code])
        inferred = translate("Canvas", "{0} (inferred)")
        parts.append(inferred.format(name) if colouring.inferred[box] else name)
    if verdict is not None and (verdict.because or decisive_check(verdict)) and verdict.verdict is not Verdict.BPU:
        parts.append(headline(verdict).rstrip(".。"))
    parts += [scene.label[box], scene.attributes[box], _Counts().fixes(int(colouring.fixes[box]))]
    nodes = scene.kind == Kind.NODE
    place = translate("Canvas", "{0} of {1}")
    parts.append(place.format(int(nodes[: box + 1].sum()), int(nodes.sum())))
    return _listed(parts)


class _Counts(QObject):
    """Texts with plural forms: those are only found through `tr`, and there only by the very class that says them."""

    def fixes(self, count: int) -> str:
        """`3 fixes`; empty for none."""
        return self.tr("%n fix(es)", "", count) if count else ""


def _listed(parts: list[str]) -> str:
    return translate("Canvas", ", ").join(part for part in parts if part)
