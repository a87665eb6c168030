"""`Starting`: what the start pages offer: samples with verdicts, recent files as they were last seen, the chips."""

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QObject

from inspector.assets import resources_dir
from inspector.gui.i18n import language
from inspector.gui.jobs import JobContext, Jobs
from inspector.gui.model_tab import ModelTab
from inspector.gui.model_tabs import ModelTabs
from inspector.gui.panels.start import StartContent
from inspector.gui.panels.start_cards import Sample
from inspector.gui.service import Choice, Service
from inspector.gui.verdict_bar import ORDER
from inspector.recent import read_glances
from inspector.settings import Settings
from inspector.text import render

SAMPLES: Mapping[str, tuple[object, object]] = {
    "occupancy-head": (
        QT_TRANSLATE_NOOP("Starting", "Occupancy head"),
        QT_TRANSLATE_NOOP("Starting", "three ConvTranspose3d"),
    ),
    "detector": (
        QT_TRANSLATE_NOOP("Starting", "Detector"),
        QT_TRANSLATE_NOOP("Starting", "24 BatchNormalization kept"),
    ),
    "upsampling-3d": (
        QT_TRANSLATE_NOOP("Starting", "3-D upsampling"),
        QT_TRANSLATE_NOOP("Starting", "trilinear Resize"),
    ),
}
"""File in `resources/samples` without its ending -> title and note, translated in context `Starting`."""


class Starting(QObject):
    """Knows what to offer; what takes time is found out in quiet jobs."""

    def __init__(
        self, service: Service, jobs: Jobs, tabs: ModelTabs, settings: Callable[[], Settings], parent: QObject
    ) -> None:
        """Serve the start pages of *tabs*; ask *service* in *jobs*; *settings* gives those in force."""
        super().__init__(parent)
        self._service, self._jobs, self._tabs, self._settings = service, jobs, tabs, settings
        self._counts: dict[tuple[Path, str], tuple[int, ...]] = {}
        self._asked: set[tuple[Path, str]] = set()

    def page(self) -> None:
        """Show in the current tab its model, the empty canvas that one is on its way to, or the start page."""
        tab = self._tabs.current
        if tab.document.workspace is not None:
            tab.bench.show_model()
        elif tab.is_loading:
            tab.bench.show_loading()
        else:
            self.refresh()

    def refresh(self, *, anew: bool = False) -> None:
        """Show the start page if the current tab is free; *anew* when cards of other parts have changed."""
        tab = self._tabs.current
        if tab.is_free:
            tab.bench.show_empty()
            tab.bench.start.show_start(self._content(tab.document.choice.platform), anew=anew)

    def choose(self, tab: ModelTab, platform: str) -> None:
        """Make *platform* the target of *tab*."""
        bar = tab.bench.target_bar
        bar.show_choice(Choice(platform))
        bar.choice_changed.emit(Choice(platform))

    def _content(self, platform: str) -> StartContent:
        ready = not self._jobs.is_running("catalog")
        platforms = self._service.catalog.platforms if ready else ()
        files = [resources_dir() / "samples" / f"{stem}.onnx" for stem in SAMPLES]
        if ready:
            self._find_counts([path for path in files if path.is_file()], platform)
        return StartContent(
            samples=tuple(self._sample(path, platform) for path in files if path.is_file()),
            recent=self._settings().recent,
            glances=read_glances(),
            platforms=tuple((one.id, render(one.title, language()), one.marches[0]) for one in platforms),
            platform=platform,
        )

    def _sample(self, path: Path, platform: str) -> Sample:
        title, note = (QCoreApplication.translate("Starting", str(text)) for text in SAMPLES[path.stem])
        return Sample(path, title, note, self._counts.get((path, platform)))

    def _find_counts(self, paths: list[Path], platform: str) -> None:
        """Place the samples on *platform*, unless that is known or under way."""
        wanted = [path for path in paths if (path, platform) not in self._asked]
        if not wanted:
            return
        self._asked |= {(path, platform) for path in wanted}

        def work(context: JobContext) -> dict[tuple[Path, str], tuple[int, ...]]:
            found = {}
            for path in wanted:
                placement = self._service.place_with_sizes(path, Choice(platform), {}, context)
                found[path, platform] = tuple(placement.counts[verdict] for verdict in ORDER)
            return found

        def done(found: dict[tuple[Path, str], tuple[int, ...]]) -> None:
            self._counts |= found
            self.refresh()

        self._jobs.run(self.tr("Placing the samples"), f"samples {platform}", work, done, quiet=True)
