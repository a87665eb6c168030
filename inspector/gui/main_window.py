"""`MainWindow`: menu, header, workbench and status bar; files, settings, theme and language."""

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QEvent, QSettings, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QMainWindow,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from inspector import __version__
from inspector.assets import resources_dir
from inspector.errors import InspectorError
from inspector.gui.action_states import ActionReasons
from inspector.gui.actions import Actions
from inspector.gui.comparing import Comparing
from inspector.gui.controller import Controller
from inspector.gui.dialogs.about import AboutDialog
from inspector.gui.dialogs.crash import CrashDialog, crash_report
from inspector.gui.document import Document
from inspector.gui.files import Files
from inspector.gui.i18n import Languages, language
from inspector.gui.jobs import Jobs
from inspector.gui.look import apply_theme, look
from inspector.gui.panels.banners import Banner
from inspector.gui.panels.status import StatusBar
from inspector.gui.service import Choice, Service
from inspector.gui.theme import Size, ThemeName
from inspector.gui.workbench import Workbench
from inspector.log import Ring
from inspector.placement.catalog import Catalog
from inspector.placement.target import Flow
from inspector.settings import Settings, remember_file, save_settings

_log = logging.getLogger("inspector.gui")


class MainWindow(QMainWindow):
    """The window. Everything that it shows of a model comes from its `Document`."""

    def __init__(self, service: Service, settings: Settings, languages: Languages, ring: Ring) -> None:
        """Make the window; it reads the platforms in a job and shows the start page meanwhile."""
        super().__init__()
        self.setObjectName("main")
        self.service, self.settings, self._languages, self._ring = service, settings, languages, ring
        self.keeps_settings = True
        self._ready = False
        self._pending: Path | None = None
        self._left_out: tuple[str, ...] = ()
        self.jobs = Jobs(self)
        self.document = Document(service, self.jobs, self)
        self.document.choice = Choice(settings.platform, settings.toolchain or None, None, Flow(settings.flow))
        self.bench = Workbench(ring)
        self.status = StatusBar()
        self.controller = Controller(self.document, self.bench, self)
        self.comparing = Comparing(service, self.jobs, self.document, self.bench, self.controller, self)
        self.files = Files(self.document, self)
        self._reasons = ActionReasons(self.jobs, self.bench.preview, self)
        self.actions_ = Actions(self, self.menuBar(), self._commands())
        self._buttons = self._make_buttons()
        self._layout()
        self._connect()
        self.setAcceptDrops(True)
        for view in (self.bench.graph, self.bench.preview.before, self.bench.preview.after):
            view.reduce_motion = not settings.animations
        self.resize(Size.WINDOW_WIDTH, Size.WINDOW_HEIGHT)
        self.setMinimumSize(Size.WINDOW_MIN_WIDTH, Size.WINDOW_MIN_HEIGHT)
        self._ready = True
        self.retranslate()
        self.jobs.run(self.tr("Reading the tables"), "catalog", lambda _context: service.catalog, self._catalog)

    # Making

    def _layout(self) -> None:
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bench, 1)
        column.addWidget(self.status)
        self.setCentralWidget(body)
        for name in ("view.left", "view.right", "view.bottom"):
            self.actions_[name].setChecked(True)

    def _make_buttons(self) -> dict[str, QPushButton]:
        made = {}
        for name in ("file.open", "rewrite.verify", "file.save_as"):
            action_button = QPushButton()
            action_button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            action_button.clicked.connect(self.actions_[name].trigger)
            made[name] = action_button
            self.bench.target_bar.actions_row.addWidget(action_button)
        made["file.save_as"].setProperty("primary", "true")
        return made

    def _connect(self) -> None:
        document = self.document
        document.opened.connect(self._opened)
        document.saved.connect(lambda path: self.status.show_message(self.tr("Saved {path}").format(path=path)))
        document.failed.connect(self.show_error)
        document.undo_stack.cleanChanged.connect(lambda: self._title())
        document.placement_changed.connect(self._facts)
        document.picture_changed.connect(self._facts)
        document.proposal_changed.connect(self._update_actions)
        self.controller.state_changed.connect(self._update_actions)
        self.controller.sizes_asked.connect(self.files.ask_sizes)
        self.controller.menu.overriding.told.connect(self.status.show_message)
        self.bench.target_bar.addAction(self.actions_["view.compare"])
        self.bench.target_bar.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.bench.target_bar.choice_changed.connect(self._remember_choice)
        self.bench.start.open_asked.connect(self._ask_open)
        self.bench.start.file_asked.connect(self.open)
        self.jobs.changed.connect(self._show_job)
        self.jobs.failed.connect(lambda _job, error: self.show_error(error))
        self.jobs.crashed.connect(self.show_crash)
        self.status.cancel_asked.connect(self.jobs.cancel_current)

    def _commands(self) -> dict[str, Callable[[], object]]:
        document, controller, bench = self.document, self.controller, self.bench
        return {
            "file.open": self._ask_open,
            "file.reload": self.files.reload,
            "file.save_as": self.files.ask_save,
            "file.sizes": self.files.ask_sizes,
            "file.close": self._close_model,
            "file.quit": self.close,
            "edit.undo": document.undo,
            "edit.redo": document.redo,
            "edit.copy_name": self._copy_name,
            "edit.find": self._find,
            "edit.find_next": lambda: bench.search.next(1),
            "edit.find_previous": lambda: bench.search.next(-1),
            "rewrite.preview": controller.preview_best,
            "rewrite.preview_all": lambda: controller.preview_best(every_site=True),
            "rewrite.accept": document.accept,
            "rewrite.reject": document.reject,
            "rewrite.verify": self._verify,
            "view.next_problem": lambda: controller.go_to_problem(1),
            "view.previous_problem": lambda: controller.go_to_problem(-1),
            "view.compare": self.comparing.ask,
            "view.fit": bench.graph.fit,
            "view.actual": bench.graph.actual_size,
            "view.zoom_in": bench.graph.zoom_in,
            "view.zoom_out": bench.graph.zoom_out,
            "view.left": self._show_panels,
            "view.right": self._show_panels,
            "view.bottom": self._show_panels,
            "view.full_screen": self._full_screen,
            "view.theme": self._toggle_theme,
            "view.language": self._toggle_language,
            "help.about": self.about,
        }

    def _catalog(self, catalog: Catalog) -> None:
        self.bench.target_bar.set_catalog(catalog, self.document.choice)
        if self._pending is not None:
            path, self._pending = self._pending, None
            self.open(path)

    # Files

    def open(self, path: Path) -> None:
        """Open the model *path*, after asking about unsaved work."""
        self._left_out = ()
        if self.jobs.is_running("catalog"):
            self._pending = path
        else:
            self.files.open(path)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the first dropped file."""
        files = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        event.acceptProposedAction()
        if files:
            # Later, because a question about unsaved work would hold up the program that the files come from.
            QTimer.singleShot(0, self, lambda: self._open_dropped(files))

    def _open_dropped(self, files: list[Path]) -> None:
        self.open(files[0])
        self._left_out = tuple(file.name for file in files[1:])

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved work, then end the jobs and the worker."""
        if not self.files.may_discard():
            event.ignore()
            return
        self._save_settings()
        self.jobs.close()
        self.service.close()
        event.accept()

    # What happened

    def show_error(self, error: InspectorError) -> None:
        """Show an expected failure as a banner."""
        _log.info("shown: %s", error)
        text = error.text(language()).split("\n", 1)
        banner = Banner("error", "failed", text[0], text[1] if len(text) > 1 else "")
        self.bench.banners.add(banner)
        self.status.show_message(text[0])

    def show_crash(self, error: BaseException) -> None:
        """Show a fault of the program with a report that can be copied."""
        _log.error("unexpected: %r", error, exc_info=error)
        CrashDialog(crash_report(error, self._ring.lines()), self).open()

    def _opened(self) -> None:
        workspace = self.document.workspace
        origin = workspace.model.origin if workspace is not None else None
        if origin is not None:
            self.settings = remember_file(self.settings, origin)
            self._save_settings()
        self._show_panels()
        # The canvas must have its final size before it fits the graph.
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        self.bench.graph.setFocus()
        self._title()
        if workspace is not None:
            self._tell_checked()

    def _tell_checked(self) -> None:
        workspace = self.document.workspace
        if workspace is not None:
            self.status.show_message(self.tr("Checked %n node(s)", "", len(workspace.model.nodes)))
        if self._left_out:
            title = self.tr("One model is shown at a time. Not opened: {names}")
            names, self._left_out = ", ".join(self._left_out), ()
            self.bench.banners.add(Banner("left_out", "accent", title.format(names=names)))

    def _title(self) -> None:
        workspace = self.document.workspace
        origin = workspace.model.origin if workspace is not None else None
        name = origin.name if origin is not None else ""
        shown = name.replace("[*]", "[*][*]")  # doubled, the mark of unsaved work is only text
        self.setWindowTitle(f"{shown}[*] - BPU Graph Inspector" if name else "BPU Graph Inspector[*]")
        self.setWindowModified(self.document.unsaved)
        self._update_actions()
        self._facts()

    def _facts(self) -> None:
        workspace = self.document.workspace
        if workspace is None:
            self.status.show_facts(self.tr("Version {version}").format(version=__version__))
            return
        model, placement = workspace.model, workspace.placement
        opset = model.opsets.get("", 0)
        parts = (
            self.tr("not saved") if self.document.unsaved else self.tr("no unsaved change"),
            f"opset {opset} · IR {model.ir_version}",
            self.tr("tables {march} {toolchain} · {digest}").format(
                march=placement.target.march, toolchain=placement.target.toolchain, digest=placement.catalog_digest
            ),
        )
        self.status.show_facts("   ".join(parts))

    def _show_job(self) -> None:
        self.status.show_job(self.jobs.current)

    def _show_start(self) -> None:
        self.bench.show_empty()
        samples = sorted((resources_dir() / "samples").glob("*.onnx"))
        self.bench.start.show_start(samples, self.settings.recent)
        self._title()

    def _show_panels(self) -> None:
        if self.document.workspace is not None:
            on = {name: self.actions_[f"view.{name}"].isChecked() for name in ("left", "right", "bottom")}
            self.bench.show_model(left=on["left"], right=on["right"], bottom=on["bottom"])

    def _update_actions(self) -> None:
        for name, reason in self._reasons.of(self.document, self.controller.best_offer() is not None).items():
            self.actions_.set_off(name, reason)
        for name, action_button in self._buttons.items():
            action_button.setEnabled(self.actions_[name].isEnabled())
            action_button.setToolTip(self.actions_[name].toolTip())

    # Commands

    def _ask_open(self) -> None:
        self.files.ask_open(str(Path(self.settings.recent[0]).parent) if self.settings.recent else "")

    def _close_model(self) -> None:
        if self.files.close():
            self.comparing.close()
            self._show_start()

    def _verify(self) -> None:
        self.bench.bottom.setVisible(True)
        self.bench.bottom.setCurrentWidget(self.bench.diff)
        self.document.verify()

    def _copy_name(self) -> None:
        workspace, node = self.document.workspace, self.document.selected
        if workspace is not None and node is not None:
            QApplication.clipboard().setText(workspace.model.node(node).label)

    def _find(self) -> None:
        self.actions_["view.left"].setChecked(True)
        self._show_panels()
        self.bench.left.setCurrentWidget(self.bench.search)
        self.bench.search.field.setFocus()
        self.bench.search.field.selectAll()

    def _full_screen(self) -> None:
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leaves what is in front: a running job, a preview, a filter, the selection."""
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.jobs.current is not None:
            self.jobs.cancel_current()
        elif self.document.proposal is not None:
            self.document.reject()
        else:
            self.bench.target_bar.clear_filter()
            self.document.select(None)

    # Theme and language

    def set_theme(self, name: ThemeName) -> None:
        """Show the window in the theme *name*."""
        self.settings = replace(self.settings, theme="dark" if name is ThemeName.DARK else "light")
        apply_theme(name)
        self.actions_["view.theme"].setChecked(look().dark)
        self.bench.retranslate()
        self.controller.restyle()
        if self.document.workspace is None:
            self._show_start()

    def set_language(self, name: str) -> None:
        """Show the window in the language *name*."""
        self.settings = replace(self.settings, language=name)
        self._languages.use(name)
        self.retranslate()
        self._tell_checked()

    def _toggle_theme(self) -> None:
        self.set_theme(ThemeName.LIGHT if look().dark else ThemeName.DARK)

    def _toggle_language(self) -> None:
        self.set_language("en" if language() == "zh_CN" else "zh_CN")

    def retranslate(self) -> None:
        """Show all texts anew."""
        if not self._ready:
            return
        self.actions_.retranslate()
        self.actions_["view.theme"].setChecked(look().dark)
        names = {"file.open": self.tr("Open"), "rewrite.verify": self.tr("Verify"), "file.save_as": self.tr("Save as…")}
        for name, action_button in self._buttons.items():
            action_button.setText(names[name])
        self.bench.retranslate()
        self.controller.refresh()
        self.comparing.retranslate()
        if self.document.workspace is None:
            self._show_start()
        self._title()
        self._show_job()

    def about(self) -> None:
        """Versions of the program and its parts, with a copy button."""
        digest = self.service.catalog.digest if not self.jobs.is_running("catalog") else ""
        AboutDialog(digest, self).open()

    def _remember_choice(self, choice: Choice) -> None:
        self.settings = replace(
            self.settings, platform=choice.platform, toolchain=choice.toolchain or "", flow=choice.flow.value
        )

    def _save_settings(self) -> None:
        if not self.keeps_settings:
            return
        QSettings("bpu-graph-inspector", "window").setValue("geometry", self.saveGeometry())
        try:
            save_settings(self.settings)
        except InspectorError as error:
            self.status.show_message(error.text(language()))

    def restore_geometry(self) -> None:
        """Give the window the place that it had when it was last closed."""
        kept = QSettings("bpu-graph-inspector", "window").value("geometry")
        if kept is not None:
            self.restoreGeometry(kept)
        QTimer.singleShot(0, self._title)
