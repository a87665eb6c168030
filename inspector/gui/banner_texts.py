"""What the banners over the canvas say about a workspace: graph-level failures, unknown shapes, missing data."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject

from inspector.gui.panels.banners import Banner
from inspector.gui.words import check_sentence, say_text
from inspector.model.graph import Model, Node
from inspector.model.infer import dynamic_dims
from inspector.placement.verdict import Verdict
from inspector.text import say
from inspector.workspace import Workspace

_A_ROW = 2
"""Findings on the whole model that share a banner."""


class BannerTexts(QObject):
    """Makes the banners of a workspace."""

    def of(
        self,
        workspace: Workspace,
        unknown: Sequence[Node],
        set_sizes: Callable[[], object],
        run_once: Callable[[], object],
    ) -> tuple[Banner, ...]:
        """Banners for *workspace*, most important first.

        Args:
            workspace: what is open.
            unknown: its nodes with an output of unknown shape.
            set_sizes: opens the sizes dialog.
            run_once: runs the model to read off its shapes.
        """
        made = self._refused(workspace, set_sizes)
        made += self._unknown_shapes(workspace, unknown, set_sizes, run_once)
        made += self._missing_files(workspace.model)
        made += [Banner("warning", "inconclusive", say_text(warning)) for warning in workspace.model.warnings]
        return tuple(made)

    def _refused(self, workspace: Workspace, set_sizes: Callable[[], object]) -> list[Banner]:
        """What the toolchain says no to about the whole model; open sizes can be set."""
        if not workspace.placement.graph_failures:
            return []
        text = self.tr("The toolchain refuses the file. Nodes are judged as if it did not.")
        model, sign = workspace.model, Verdict.UNSUPPORTED
        free = [places for name, places in dynamic_dims(model).items() if name not in model.dims]
        inputs = dict.fromkeys(place.rpartition("[")[0] for places in free for place in places)
        subjects = [say("constraints.subject_graph_input", name=name) for name in inputs]
        findings: dict[bool, list[tuple[str, str]]] = {}
        for check in workspace.placement.graph_failures:
            findings.setdefault(check.subject in subjects, []).append((check.clause, check_sentence(check)))
        made = []
        for settable, found in findings.items():
            action, run = (self.tr("Set sizes…"), set_sizes) if settable else ("", None)
            for (clause, title), *others in (found[at : at + _A_ROW] for at in range(0, len(found), _A_ROW)):
                beside = tuple(sentence for _, sentence in others)
                made.append(Banner(clause, "unsupported", title, text, action, run, verdict=sign, beside=beside))
        return made

    def _missing_files(self, model: Model) -> list[Banner]:
        title = self.tr("{name} is missing. The graph is shown; values are not available.")
        files = (name for graph in model.graphs for name in model.tensors.missing_files(graph.initializers))
        return [Banner(name, "inconclusive", title.format(name=name)) for name in dict.fromkeys(files)]

    def _unknown_shapes(
        self,
        workspace: Workspace,
        unknown: Sequence[Node],
        set_sizes: Callable[[], object],
        run_once: Callable[[], object],
    ) -> list[Banner]:
        if not unknown:
            return []
        model = workspace.model
        title = self.tr("%n node(s) have no complete shape", "", len(unknown))
        text = self.tr("first at {name}").format(name=unknown[0].label)
        if any(name not in model.dims for name in dynamic_dims(model)):
            action = self.tr("Set sizes…")
            return [Banner("shapes", "unknown", title, text, action, set_sizes, verdict=Verdict.UNKNOWN)]
        if workspace.groups:
            return [Banner("shapes", "unknown", title, text, verdict=Verdict.UNKNOWN)]
        action = self.tr("Run once to find out")
        return [Banner("shapes", "unknown", title, text, action, run_once, verdict=Verdict.UNKNOWN)]
