"""`Telling`: results, failures, running jobs and facts on the model, on their way to the status bar and the banners."""

import logging

from PySide6.QtCore import QObject, QTimer, Signal

from inspector import __version__
from inspector.errors import InspectorError
from inspector.gui.announce import announce
from inspector.gui.i18n import language
from inspector.gui.jobs import Jobs
from inspector.gui.model_tab import ModelTab
from inspector.gui.model_tabs import ModelTabs
from inspector.gui.panels.banners import Banner
from inspector.gui.panels.status import StatusBar
from inspector.model.graph import MAIN, Model

_log = logging.getLogger("inspector.gui")


class Telling(QObject):
    """Shows what the current tab has to tell; what another one tells is kept for when it is shown.

    Signals:
        failed: an `InspectorError` of any tab that is shown to the user.
    """

    failed = Signal(object)

    def __init__(self, tabs: ModelTabs, status: StatusBar, jobs: Jobs, parent: QObject) -> None:
        """Show what *tabs*, and *jobs* that belong to no tab, tell in *status*."""
        super().__init__(parent)
        self._tabs, self._status, self._jobs = tabs, status, jobs

    def result(self, tab: ModelTab, text: str) -> None:
        """Show *text* in the status bar as the last result of *tab*, and announce it."""
        tab.message = text
        if tab is self._tabs.current:
            self._status.show_message(text)
            announce(self._status, text)

    def checked(self, tab: ModelTab) -> None:
        """Tell how many nodes were checked."""
        workspace = tab.document.workspace
        if workspace is not None:
            self.result(tab, self.tr("Checked %n node(s)", "", len(workspace.model.nodes)))

    def saved(self, tab: ModelTab, path: object) -> None:
        """Tell that the model of *tab* was written to *path*."""
        self.result(tab, self.tr("Saved {path}").format(path=path))

    def error(self, error: InspectorError) -> None:
        """Show an expected failure as a banner over the current document."""
        self._show_error(self._tabs.current, error)

    def failure(self, tab: ModelTab, error: InspectorError) -> None:
        """Show an expected failure of *tab*."""
        if tab.document.workspace is None:
            # Later, because a tab that was made for a file that cannot be opened goes first.
            QTimer.singleShot(0, self, lambda: self.error(error))
        else:
            self._show_error(tab, error)

    def job(self) -> None:
        """Show what runs."""
        self._status.show_job(self._tabs.current.jobs.current or self._jobs.current)

    def cancel_job(self) -> None:
        """Cancel the job that is shown."""
        own = self._tabs.current.jobs
        (own if own.current is not None else self._jobs).cancel_current()

    def facts(self) -> None:
        """Show facts on the model at the right, the one that matters longest last."""
        document = self._tabs.current.document
        workspace = document.workspace
        if workspace is None:
            self._status.show_facts((self.tr("Version {version}").format(version=__version__),))
            return
        model, placement = workspace.model, workspace.placement
        steps = len(workspace.groups)
        changed = self.tr("%n change(s), not saved", "", steps) if document.unsaved else self.tr("no unsaved change")
        tables = self.tr("rules {march} {toolchain} · {digest}").format(
            march=placement.target.march, toolchain=placement.target.toolchain, digest=placement.catalog_digest
        )
        opset = f"opset {model.opsets.get('', 0)}"
        self._status.show_facts((changed, " · ".join((*_dtype(model), opset, f"IR {model.ir_version}")), tables))

    def _show_error(self, tab: ModelTab, error: InspectorError) -> None:
        _log.info("shown: %s", error)
        text = error.text(language()).split("\n", 1)
        tab.bench.banners.add(Banner("error", "failed", text[0], text[1] if len(text) > 1 else ""))
        self.result(tab, text[0])
        self.failed.emit(error)


def _dtype(model: Model) -> tuple[str, ...]:
    """Element type of the model's first input; nothing when it is not known."""
    for name in model.main.inputs:
        value = model.values[MAIN].get(name)
        if value is not None and value.dtype is not None:
            return (str(value.dtype.value),)
    return ()
