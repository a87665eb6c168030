"""`Arranging`: the commands that open and close panels and choose presets, and the memory of all that."""

import json
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QSettings, Signal

from inspector.gui.actions import Actions
from inspector.gui.model_tab import ModelTab
from inspector.gui.model_tabs import ModelTabs
from inspector.gui.panel_layout import PanelLayout, Part, Preset

_KEY = "panels"


class Arranging(QObject):
    """Serves one window, whose documents all share its panels.

    Attributes:
        layout: which panels are open and how large.

    Signals:
        text_grown: whether text is to be larger than usual, as the preset for reviews wants it.
    """

    text_grown = Signal(bool)

    def __init__(self, tabs: ModelTabs, parent: QObject) -> None:
        """Arrange the panels of *tabs*."""
        super().__init__(parent)
        self._tabs = tabs
        self._actions: Actions | None = None
        self.layout = PanelLayout(self)
        self.layout.preset_changed.connect(self._grow)
        tabs.added.connect(self._adopt)
        tabs.current_changed.connect(self.follow)

    def commands(self) -> dict[str, Callable[[], object]]:
        """Action id -> what it does."""
        panels: dict[str, Callable[[], object]] = {f"view.{part}": partial(self._toggle, part) for part in Part}
        presets: dict[str, Callable[[], object]] = {f"view.{one}": partial(self._use, one) for one in Preset}
        return panels | presets

    def serve(self, actions: Actions) -> None:
        """Keep the switches among *actions* true from now on."""
        self._actions = actions
        self.follow()

    def follow(self) -> None:
        """Show in the switches what is open."""
        if self._actions is None:
            return
        columns = self._tabs.current.bench.columns
        for part in Part:
            self._actions[f"view.{part}"].setChecked(columns.is_wanted(part))
        for preset in Preset:
            self._actions[f"view.{preset}"].setChecked(preset is self.layout.preset)

    def keep(self, settings: QSettings) -> None:
        """Write the arrangement down."""
        settings.setValue(_KEY, json.dumps(self.layout.state()))

    def restore(self, settings: QSettings) -> None:
        """Arrange the panels as they were when `keep` was called last; as usual when that cannot be read."""
        try:
            self.layout.restore(json.loads(str(settings.value(_KEY, "{}"))))
        except ValueError:
            self.layout.restore({})

    def _adopt(self, tab: ModelTab) -> None:
        tab.bench.columns.share(self.layout)
        tab.bench.columns.changed.connect(self.follow)

    def _toggle(self, part: Part) -> None:
        columns = self._tabs.current.bench.columns
        columns.show_part(part, not columns.is_wanted(part))
        self.follow()

    def _use(self, preset: Preset) -> None:
        self.layout.use(preset)
        self.follow()

    def _grow(self) -> None:
        self.text_grown.emit(self.layout.preset is Preset.REVIEW)
