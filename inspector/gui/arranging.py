"""`Arranging`: the commands that open and close panels and choose presets, and the memory of all that."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QSettings

from inspector.gui.actions import Actions
from inspector.gui.model_tab import ModelTab
from inspector.gui.model_tabs import ModelTabs
from inspector.gui.panel_layout import PanelLayout, Part, Preset
from inspector.gui.preferences import Preferences
from inspector.layout.options import Direction

_KEY = "panels"


class Arranging(QObject):
    """Serves one window, whose documents all share its panels.

    Attributes:
        layout: which panels are open and how large.
    """

    def __init__(self, tabs: ModelTabs, preferences: Preferences, parent: QObject) -> None:
        """Arrange the panels of *tabs*; the size of text and the direction of graphs are matters of *preferences*."""
        super().__init__(parent)
        self._tabs, self._preferences = tabs, preferences
        self._actions: Actions | None = None
        self.layout = PanelLayout(self)
        self.layout.preset_changed.connect(self._grow)
        preferences.layout_changed.connect(self.follow)
        tabs.added.connect(self._adopt)
        tabs.current_changed.connect(self.follow)

    def commands(self) -> dict[str, Callable[[], object]]:
        """Action id -> what it does."""
        panels: dict[str, Callable[[], object]] = {f"view.{part}": partial(self._toggle, part) for part in Part}
        presets: dict[str, Callable[[], object]] = {f"view.{one}": partial(self._use, one) for one in Preset}
        return panels | presets | {"view.sideways": self._turn}

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
        sideways = self._preferences.settings.direction == Direction.RIGHT
        self._actions["view.sideways"].setChecked(sideways)
        for tab in self._tabs.all:
            tab.bench.breadcrumb.sideways.setChecked(sideways)

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
        tab.bench.breadcrumb.sideways.clicked.connect(self._turn)

    def _toggle(self, part: Part) -> None:
        columns = self._tabs.current.bench.columns
        columns.show_part(part, not columns.is_wanted(part))
        self.follow()

    def _use(self, preset: Preset) -> None:
        self.layout.use(preset)
        self.follow()

    def _grow(self) -> None:
        """Enlarge text while a review is what the panels are arranged for."""
        self._preferences.enlarge_text(self.layout.preset is Preset.REVIEW)

    def _turn(self) -> None:
        """Lay graphs out from left to right, or from top to bottom again."""
        settings = self._preferences.settings
        down = settings.direction == Direction.DOWN
        self._preferences.apply(replace(settings, direction=(Direction.RIGHT if down else Direction.DOWN).value))
        self.follow()
