"""Telling assistive technology what happened without a change of focus: a verdict, a finished job, a choice."""

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

from inspector.gui.document import Document
from inspector.gui.proposal import Proof
from inspector.gui.words import status_name, verdict_name
from inspector.placement.verdict import Verdict


def announce(source: QObject, text: str) -> None:
    """Let a screen reader say *text*, which is about *source*; nothing happens where none listens."""
    if text:
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(source, text))


class Announcer(QObject):
    """Announces the verdicts of a document when they change, and the results of its verifications."""

    def __init__(self, document: Document, source: QObject, listens: Callable[[], bool], parent: QObject) -> None:
        """Announce for *document* as coming from *source*, as long as somebody *listens*: while its tab is shown."""
        super().__init__(parent)
        self._document = document
        self._source = source
        self._listens = listens
        self._proof: Proof | None = None
        document.picture_changed.connect(self._placement)
        document.placement_changed.connect(self._placement)
        document.proposal_changed.connect(self._proposal)
        document.verification_changed.connect(self._verification)

    def _say(self, text: str) -> None:
        if self._listens():
            announce(self._source, text)

    def _placement(self) -> None:
        workspace = self._document.workspace
        if workspace is None:
            return
        placement = workspace.placement
        one = self.tr("{verdict} {n}")
        counts = (
            one.format(verdict=verdict_name(verdict), n=placement.counts[verdict])
            for verdict in Verdict
            if placement.counts[verdict]
        )
        text = self.tr("Placed on {march}: {counts}")
        self._say(text.format(march=placement.target.march, counts=self.tr(", ").join(counts)))

    def _proposal(self) -> None:
        proposal = self._document.proposal
        before, self._proof = self._proof, None if proposal is None else proposal.proof
        if proposal is None or before is proposal.proof:
            return
        texts = {
            Proof.RUNNING: self.tr("The verification has begun"),
            Proof.PASSED: self.tr("The verification has passed"),
            Proof.FAILED: self.tr("The verification has failed"),
            Proof.INCONCLUSIVE: self.tr("The verification proves nothing"),
            Proof.NO_RESULT: self.tr("The verification gave no result"),
        }
        self._say(texts[proposal.proof])

    def _verification(self) -> None:
        verification = self._document.verification
        if verification is not None:
            text = self.tr("Comparison with the original: {status}")
            self._say(text.format(status=status_name(verification.status)))
