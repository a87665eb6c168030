"""Pictures of every state of the window, for review: `python scripts/contact_sheet.py FOLDER [--only WORD]`.

Each state is drawn in both languages, both themes, and at 100, 150 and 200 % scale; the pictures of one state make one
sheet `STATE.png`. `--looks en-light-100` draws some looks alone and in full size. Needs no display.

Models are those of `resources/samples`, and any `.onnx` named after `--model`, whose canvas is drawn at three zooms.
States that need a defect (a failed proof, a dead worker) are made by hand.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from onnx import TensorProto, helper, save  # noqa: E402
from PySide6.QtCore import QSize, Qt  # noqa: E402 - the platform must be chosen before Qt loads
from PySide6.QtGui import QImage, QPainter  # noqa: E402
from PySide6.QtWidgets import QDialog  # noqa: E402

from inspector.errors import WorkerCrashed  # noqa: E402
from inspector.gui.app import application, make_window  # noqa: E402
from inspector.gui.appearance import with_theme  # noqa: E402
from inspector.gui.dialogs.changes import ChangesDialog  # noqa: E402
from inspector.gui.dialogs.compare import CompareDialog  # noqa: E402
from inspector.gui.dialogs.crash import CrashDialog, Work, crash_report  # noqa: E402
from inspector.gui.dialogs.dims import DimsDialog  # noqa: E402
from inspector.gui.dialogs.settings import SettingsDialog  # noqa: E402
from inspector.gui.i18n import Languages  # noqa: E402
from inspector.gui.jobs import JobContext  # noqa: E402
from inspector.gui.kept import Kept, kept_from  # noqa: E402
from inspector.gui.look import apply_theme  # noqa: E402
from inspector.gui.main_window import MainWindow  # noqa: E402
from inspector.gui.panels.loading import LoadingCard  # noqa: E402
from inspector.gui.panels.recovery import Entry  # noqa: E402
from inspector.gui.proposal import Proof, Proposal  # noqa: E402
from inspector.gui.service import Choice  # noqa: E402
from inspector.gui.session import Session  # noqa: E402
from inspector.gui.snapshot import grab, wait_until  # noqa: E402
from inspector.gui.theme import ThemeName  # noqa: E402
from inspector.gui.watching import Change, Kind  # noqa: E402
from inspector.journal import Aim, FileState, Journal, ModelFile, Wish  # noqa: E402
from inspector.journals import Left  # noqa: E402
from inspector.log import set_up  # noqa: E402
from inspector.model.files import FileStamp  # noqa: E402
from inspector.model.reference import NodeRef  # noqa: E402
from inspector.placement.target import Device, Qtype  # noqa: E402
from inspector.placement.verdict import Standing, Verdict  # noqa: E402
from inspector.rewrite.recipe import RecipeStep  # noqa: E402
from inspector.settings import Settings  # noqa: E402
from inspector.text import say  # noqa: E402
from inspector.verify.result import Status, Verification  # noqa: E402

SAMPLE = ROOT / "resources" / "samples" / "occupancy-head.onnx"
RULE, ANCHOR = "convtranspose3d-to-2d", "/v2/v2.0/ConvTranspose"


@dataclass(frozen=True, slots=True)
class Look:
    """One appearance of the window: language, theme, and the user's scale in percent."""

    language: str
    theme: ThemeName
    percent: int

    @property
    def name(self) -> str:
        """Part of a file name."""
        return f"{self.language}-{self.theme.value}-{self.percent}"


LOOKS = tuple(
    Look(language, theme, percent)
    for percent in (100, 150, 200)
    for language in ("en", "zh_CN")
    for theme in (ThemeName.LIGHT, ThemeName.DARK)
)
OTHERS = tuple(Look("en", theme, 100) for theme in (ThemeName.CONTRAST_LIGHT, ThemeName.CONTRAST_DARK, ThemeName.PRINT))
"""Looks that are drawn when they are named."""

COLUMNS, SIZE = 4, QSize(1600, 1000)
"""Pictures side by side on a sheet; size of the window."""


class Sheet:
    """A window that is brought into one state after the other."""

    def __init__(self, folder: Path, only: str, looks: tuple[Look, ...]) -> None:
        """Write into *folder* the states whose name holds *only*, in each of *looks*."""
        self.folder, self.only, self.looks = folder, only, looks
        folder.mkdir(parents=True, exist_ok=True)
        languages = Languages(application())
        languages.use("en")
        apply_theme("light")
        self.window: MainWindow = make_window(
            Settings(platform="j6p", language="en", animations=False), languages, set_up()
        )
        self.window.keeps_settings = False
        self.window.show()
        self.idle()

    def idle(self) -> None:
        """Wait until no job runs."""
        wait_until(lambda: not self.window.is_busy)
        wait_until(lambda: True)

    def open(self, path: Path) -> None:
        """Open *path* and wait."""
        self.window.document.undo_stack.clear()
        self.window.close_tab(self.window.tabs.current)
        self.window.open(path)
        self.idle()

    def select(self, wanted: Callable[[Verdict, Standing], bool]) -> bool:
        """Select the first node whose verdict and standing are *wanted*; whether there is one."""
        workspace = self.window.document.workspace
        for node in workspace.model.main.nodes if workspace is not None else ():
            verdict = workspace.placement.verdicts[node.id] if workspace is not None else None
            if verdict is not None and wanted(verdict.verdict, verdict.standing):
                self.window.controller.go_to(node.id)
                self.idle()
                return True
        return False

    def picture(self, state: str) -> None:
        """Draw the present state in every look."""
        if self.only in state:
            self._write(state, lambda: grab(self.window, 1.0))

    def dialog(self, state: str, made: Callable[[], QDialog]) -> None:
        """Draw a dialog in every look."""
        if self.only not in state:
            return

        def drawn() -> QImage:
            dialog = made()
            dialog.show()
            self.idle()
            picture = dialog.grab().toImage()
            dialog.close()
            dialog.deleteLater()
            return picture

        self._write(state, drawn)

    def loading(self, state: str) -> None:
        """Draw the opening of a model half way, in every look; no model may be open."""
        if self.only not in state:
            return

        def drawn() -> QImage:
            held = Event()

            def work(context: JobContext) -> None:
                context.progress(0.24, "")
                held.wait()

            tab = self.window.tabs.current
            tab.bench.show_loading()
            tab.jobs.run(SAMPLE.name, "open", work, lambda _answer: None)
            wait_until(lambda: any(card.isVisible() for card in tab.bench.findChildren(LoadingCard)))
            picture = grab(self.window, 1.0)
            held.set()
            self.idle()
            return picture

        self._write(state, drawn)
        self.window.starting.page()

    def _write(self, state: str, draw: Callable[[], QImage]) -> None:
        pictures = []
        for look in self.looks:
            self.wear(look)
            pictures.append(draw())
        if len(self.looks) < len(LOOKS):
            for look, picture in zip(self.looks, pictures, strict=True):
                picture.save(str(self.folder / f"{state}-{look.name}.png"))
            return
        sheet(pictures).save(str(self.folder / f"{state}.png"))

    def wear(self, look: Look) -> None:
        """Show the window in *look*."""
        settings = replace(
            with_theme(self.window.settings, look.theme), language=look.language, ui_scale_percent=look.percent
        )
        self.window.preferences.apply(settings)
        self.window.resize(SIZE)
        self.idle()

    def close(self) -> None:
        """End the window."""
        self.window.forget_changes()
        self.window.close()
        self.window.deleteLater()


def sheet(pictures: Sequence[QImage]) -> QImage:
    """*pictures* of one state side by side, at half their size."""
    small = [
        picture.scaled(picture.size() / 2, mode=Qt.TransformationMode.SmoothTransformation) for picture in pictures
    ]
    cell = QSize(max(one.width() for one in small) + 8, max(one.height() for one in small) + 8)
    rows = -(-len(small) // COLUMNS)
    made = QImage(cell.width() * COLUMNS, cell.height() * rows, QImage.Format.Format_RGB32)
    made.fill(Qt.GlobalColor.gray)
    painter = QPainter(made)
    for index, one in enumerate(small):
        painter.drawImage(cell.width() * (index % COLUMNS), cell.height() * (index // COLUMNS), one)
    painter.end()
    return made


def explained(sheet: Sheet, name: str) -> None:
    """One node per verdict of the open model."""
    for verdict in Verdict:
        if sheet.select(lambda found, standing, v=verdict: found is v and standing is not Standing.INFERRED):
            sheet.picture(f"{name}-{verdict.value.lower()}")
    if sheet.select(lambda found, standing: found is Verdict.BPU and standing is Standing.INFERRED):
        sheet.picture(f"{name}-inferred")


def proposals(sheet: Sheet) -> None:
    """A preview while its proof runs, with every outcome, and with several sites of mixed results."""
    document = sheet.window.document
    node = next(node.id for node in document.workspace.model.main.nodes if node.label == ANCHOR)  # type: ignore[union-attr]
    document.propose(RULE, node, every_site=True)
    wait_until(lambda: document.proposal is not None and document.proposal.proof is not Proof.RUNNING)
    passed = document.proposal
    if passed is None or passed.whole is None:
        raise SystemExit("the sample has no proof")
    sheet.picture("preview-passed")
    inconclusive = replace(passed.whole, status=Status.INCONCLUSIVE, reason=say("verify.dead_zero"), outputs=())
    crash = WorkerCrashed(say("worker.crashed", signal="SIGSEGV", model=SAMPLE.name), say("worker.safe"))
    states: tuple[tuple[str, Proposal], ...] = (
        ("running", replace(passed, whole=None, proof=Proof.RUNNING)),
        ("failed", replace(passed, whole=_failed(passed.whole), proof=Proof.FAILED)),
        ("inconclusive", replace(passed, whole=inconclusive, proof=Proof.INCONCLUSIVE)),
        ("mixed", replace(passed, fragments=_mixed(passed), proof=Proof.FAILED)),
        ("no-result", replace(passed, whole=None, fragments={}, proof=Proof.NO_RESULT, failure=crash)),
    )
    for state, proposal in states:
        document.proposal = proposal
        document.proposal_changed.emit()
        sheet.picture(f"preview-{state}")
    document.proposal = passed
    document.accept()
    sheet.idle()


def _failed(result: Verification) -> Verification:
    outputs = tuple(
        replace(diff, max_abs=0.31, mean_abs=0.012, max_rel=3.5e-2, cosine=0.9991, snr_db=27.4, equal=False,
                status=Status.FAILED)
        for diff in result.outputs
    )  # fmt: skip
    return replace(result, status=Status.FAILED, outputs=outputs)


def _mixed(proposal: Proposal) -> dict:  # type: ignore[type-arg]
    fragments = dict(proposal.fragments)
    first = next(iter(fragments))
    fragments[first] = _failed(fragments[first])
    return fragments


def states(sheet: Sheet) -> None:
    """All states of the sample."""
    window = sheet.window
    sheet.picture("start")
    sheet.loading("loading")
    with TemporaryDirectory() as folder:
        sheet.open(without_shapes(Path(folder)))
        sheet.picture("unknown-shapes")
        sheet.window.document.undo_stack.clear()
        sheet.window.close_tab(sheet.window.tabs.current)
    left_behind(sheet)
    sheet.open(SAMPLE)
    bench = window.bench
    sheet.picture("opened")
    explained(sheet, "sample")
    window.controller.go_to_problem(1)
    bench.left.setCurrentWidget(bench.search)
    bench.search.field.setText("conv")
    sheet.picture("search")
    bench.search.field.clear()
    bench.left.setCurrentWidget(bench.problems)
    bench.target_bar.chips[Verdict.CPU].click()
    sheet.picture("filter")
    bench.target_bar.clear_filter()
    for name, panel in (("node", bench.node), ("fixes", bench.fixes)):
        bench.inspector_tabs.setCurrentWidget(panel)
        sheet.picture(name)
    bench.inspector_tabs.setCurrentWidget(bench.explain)
    nodes = window.document.workspace.model.main.nodes if window.document.workspace is not None else ()
    bench.left.setCurrentWidget(bench.outline)
    bench.outline.scope_picked.emit(0, tuple(node.id for node in nodes))
    sheet.picture("several")
    window.controller.go_to_problem(1)
    window.document.select(None)
    bench.left.setCurrentWidget(bench.problems)
    present = window.document.choice
    window.document.retarget(Choice("x3"))
    sheet.idle()
    sheet.picture("refused")
    window.document.retarget(present)
    sheet.idle()
    proposals(sheet)
    window.document.select(None)
    sheet.picture("nothing-to-fix")
    for name, page in (("history", bench.history), ("log", bench.log), ("nodes", bench.nodes)):
        bench.bottom.setCurrentWidget(page)
        sheet.picture(name)
    compared(sheet)
    sheet.dialog("settings", lambda: SettingsDialog(window.settings, window))
    sheet.dialog("sizes", lambda: DimsDialog({"batch": ("images[0]", "scale[0]"), "width": ("images[3]",)}, {}, window))


def without_shapes(folder: Path) -> Path:
    """A model whose second node gives as many columns as its input has values other than zero."""
    nodes = [
        helper.make_node("Relu", ["x"], ["r"], "/relu"),
        helper.make_node("NonZero", ["r"], ["n"], "/nonzero"),
        helper.make_node("Cast", ["n"], ["c"], "/cast", to=TensorProto.FLOAT),
        helper.make_node("Relu", ["c"], ["y"], "/head/relu"),
    ]
    given = helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 3])
    wanted = helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, None])
    graph = helper.make_graph(nodes, "g", [given], [wanted])
    path = folder / "nonzero.onnx"
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)], ir_version=6), path)
    return path


def left_behind(sheet: Sheet) -> None:
    """What a killed window leaves, on the start page and as a list; a session; a file that changed; a fault."""
    window, habits = sheet.window, sheet.window.habits
    steps = (
        RecipeStep(RULE, "rank-4", "ConvTranspose", ANCHOR, ("a",)),
        RecipeStep("bn-fold", "conv", "Conv", "c", ()),
    )
    written = datetime(2026, 5, 1, 14, 3, tzinfo=UTC)
    wishes = (Wish(NodeRef("Relu", "/act/Relu", ("c",)), Device.CPU, Qtype.INT16),)
    model = ModelFile(SAMPLE, FileStamp(0, 0))
    journal = Journal(model, Aim("j6p"), {"batch": 1}, steps, (1, 1), wishes, written)
    damaged = Left(Path("3-0-1.json"), None, say("journal.damaged", reason="cut short"))
    habits.entries = (
        Entry(Left(Path("1-0-1.json"), journal), FileState.CHANGED),
        Entry(Left(Path("2-0-1.json"), journal), FileState.GONE),
        Entry(damaged, None),
    )
    habits.cards_changed.emit()
    sheet.picture("start-recovery")
    habits.entries = ()
    habits.sessions.last = Session(((SAMPLE, Kept(Aim("j6p"))), (Path("/data/gone.onnx"), Kept(Aim("x5")))))
    habits.cards_changed.emit()
    sheet.picture("start-session")
    habits.sessions.last = Session()
    sheet.dialog("what-changed", lambda: ChangesDialog(SAMPLE.name, kept_from(journal), None, window))
    work = Work((SAMPLE.name,), "~/.local/state/bpu-graph-inspector/journals")
    report = crash_report(ZeroDivisionError("planted"), ())
    sheet.dialog("fault", lambda: CrashDialog(report, work, window))
    sheet.open(SAMPLE)
    habits.of(window.tabs.current).watcher.changed.emit(Change(Kind.CHANGED, (SAMPLE.name,)))
    sheet.picture("changed-on-disk")


def compared(sheet: Sheet) -> None:
    """A second target beside the present one; then nodes that something is asked of."""
    window, document = sheet.window, sheet.window.document
    document.undo_stack.undo()
    window.comparing.compare(Choice("x5"))
    window.comparing.panel.dim.setChecked(True)
    sheet.idle()
    sheet.picture("compare")
    window.comparing.close()
    nodes = document.workspace.model.main.nodes if document.workspace is not None else ()
    document.override(document.choice.overrides.force(nodes[0].id, Device.CPU).ask(nodes[-1].id, Qtype.INT16))
    document.select(None)
    sheet.idle()
    sheet.picture("overrides")
    window.controller.menu.overriding.clear()
    sheet.dialog("compare-with", lambda: CompareDialog(window.service.catalog, Choice("x5"), window))


def canvas(sheet: Sheet, path: Path, platform: str) -> None:
    """The canvas of *path* at three zooms, and one node of every verdict."""
    sheet.window.settings = replace(sheet.window.settings, platform=platform, toolchain="")
    sheet.open(path)
    view = sheet.window.bench.graph
    for name, scale in (("fit", 0.0), ("medium", 0.5), ("full", 1.0)):
        if scale:
            sheet.window.controller.go_to_problem(1)
            sheet.idle()
            view.zoom(scale / view.camera.scale)
        sheet.picture(f"canvas-{path.stem}-{name}")
    view.fit()
    explained(sheet, f"nodes-{path.stem}")


def main() -> None:
    """Draw the sheet."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="draw only states whose name holds this word")
    known = {look.name: look for look in (*LOOKS, *OTHERS)}
    parser.add_argument("--looks", nargs="+", choices=known, default=[look.name for look in LOOKS], metavar="LOOK")
    parser.add_argument("--model", type=Path, action="append", default=[], help="draw the canvas of this model too")
    parser.add_argument("--platform", default="x5", help="platform id for the models")
    chosen = parser.parse_args()
    sheet = Sheet(chosen.folder, chosen.only, tuple(known[name] for name in chosen.looks))
    try:
        if chosen.model:
            for path in chosen.model:
                canvas(sheet, path, chosen.platform)
        else:
            states(sheet)
    finally:
        sheet.close()


if __name__ == "__main__":
    main()
