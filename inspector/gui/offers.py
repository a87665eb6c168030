"""`Offers`: what is found out about fixes of the open model, as the window counts and chooses them."""

from collections.abc import Mapping

from inspector.gui.document import Document
from inspector.model.graph import NodeId
from inspector.rewrite.find import Found

BestOffer = tuple[NodeId, str, str]
"""Node, rule and variant."""


class Offers:
    """Answers from what the document knows now; the best of a whole model is looked for once."""

    def __init__(self, document: Document) -> None:
        """Ask *document*."""
        self._document = document
        document.closed.connect(self._forget)
        self._known: tuple[Mapping[NodeId, Found], tuple[NodeId, ...], BestOffer | None] | None = None

    def _forget(self) -> None:
        self._known = None

    def counts(self) -> dict[NodeId, int]:
        """Number of fixes of every node that has one."""
        return {node: len(found.fixes) for node, found in self._document.fixes.items() if found.fixes}

    def best(self, problems: tuple[NodeId, ...]) -> BestOffer | None:
        """The best fix of the selected node, or of the first of *problems* that has one; None without any."""
        node, found = self._document.selected, self._document.found
        if node is not None:
            return None if found is None else _first(node, found)
        fixes = self._document.fixes
        if self._known is None or self._known[0] is not fixes or self._known[1] is not problems:
            fixable = next((one for one in problems if one in fixes and fixes[one].fixes), None)
            self._known = fixes, problems, None if fixable is None else _first(fixable, fixes[fixable])
        return self._known[2]


def _first(node: NodeId, found: Found) -> BestOffer | None:
    return (node, found.fixes[0].rule.id, found.fixes[0].variant) if found.fixes else None
