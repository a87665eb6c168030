"""`PanelLayout`: which panels are open and how large they are, per preset; one for all documents of the window."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from PySide6.QtCore import QObject, Signal

from inspector.gui.theme import Size


class Part(StrEnum):
    """A panel beside or below the canvas."""

    LEFT = "left"
    RIGHT = "right"
    BOTTOM = "bottom"


class Preset(StrEnum):
    """What the user is about to do."""

    EXPLORE = "explore"
    FIX = "fix"
    REVIEW = "review"


PREVIEW = "preview"
"""Name under which the height of the bottom panel in a preview is kept."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The panels of one preset.

    Attributes:
        shown: panels that are open.
        sizes: part (or `PREVIEW`) -> width or height in pixels that the user gave it; absent where it is the usual one.
    """

    shown: frozenset[Part]
    sizes: Mapping[str, int]


_NO_SIZES: Mapping[str, int] = MappingProxyType({})
_USUAL: Mapping[Preset, Arrangement] = MappingProxyType(
    {
        Preset.EXPLORE: Arrangement(frozenset({Part.LEFT, Part.RIGHT}), _NO_SIZES),
        Preset.FIX: Arrangement(frozenset(Part), _NO_SIZES),
        Preset.REVIEW: Arrangement(frozenset({Part.RIGHT}), _NO_SIZES),
    }
)
_LARGEST = 10_000


class PanelLayout(QObject):
    """The arrangements of all presets, and which preset is in use.

    Signals:
        changed: another preset is in use, or a panel was opened, closed or resized.
        preset_changed: another preset is in use.
    """

    changed = Signal()
    preset_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        """Start with all panels."""
        super().__init__(parent)
        self._preset = Preset.FIX
        self._arrangements = dict(_USUAL)

    @property
    def preset(self) -> Preset:
        """The preset in use."""
        return self._preset

    def use(self, preset: Preset) -> None:
        """Arrange the panels as they were when *preset* was last in use."""
        if preset is not self._preset:
            self._preset = preset
            self.preset_changed.emit()
            self.changed.emit()

    def is_shown(self, part: Part) -> bool:
        """Whether *part* is open."""
        return part in self._arrangements[self._preset].shown

    def show(self, part: Part, on: bool) -> None:
        """Open or close *part*."""
        if on != self.is_shown(part):
            now = self._arrangements[self._preset]
            shown = now.shown | {part} if on else now.shown - {part}
            self._arrangements[self._preset] = replace(now, shown=shown)
            self.changed.emit()

    def size(self, name: Part | str) -> int:
        """Width or height of a part within its limits; with `PREVIEW` the height of the bottom panel in a preview."""
        usual, least, most = _limits()[name]
        return min(max(self._arrangements[self._preset].sizes.get(str(name), usual), least), most)

    def resize(self, name: Part | str, pixels: int) -> None:
        """Remember what the user made of a part."""
        now = self._arrangements[self._preset]
        if pixels > 0 and now.sizes.get(str(name)) != pixels:
            sizes = MappingProxyType({**now.sizes, str(name): pixels})
            self._arrangements[self._preset] = replace(now, sizes=sizes)
            self.changed.emit()

    def state(self) -> dict[str, object]:
        """Everything, as JSON values for a file of settings."""
        presets = {
            preset.value: {"shown": sorted(arrangement.shown), "sizes": dict(arrangement.sizes)}
            for preset, arrangement in self._arrangements.items()
        }
        return {"preset": self._preset.value, "presets": presets}

    def restore(self, state: object) -> None:
        """Take what `state` gave earlier; whatever makes no sense in it stays as it is."""
        table = state if isinstance(state, dict) else {}
        presets = table.get("presets")
        for preset in Preset:
            kept = presets.get(preset.value) if isinstance(presets, dict) else None
            if isinstance(kept, dict):
                self._arrangements[preset] = _arrangement(kept, self._arrangements[preset])
        if table.get("preset") in list(Preset):
            self._preset = Preset(table["preset"])
        self.preset_changed.emit()
        self.changed.emit()


def _limits() -> Mapping[str, tuple[int, int, int]]:
    """Name -> usual, least and largest size in pixels."""
    return {
        Part.LEFT: (Size.LEFT, Size.LEFT_MIN, Size.LEFT_MAX),
        Part.RIGHT: (Size.INSPECTOR, Size.INSPECTOR_MIN, Size.INSPECTOR_MAX),
        Part.BOTTOM: (Size.BOTTOM, Size.BOTTOM_MIN, _LARGEST),
        PREVIEW: (Size.BOTTOM_PREVIEW, Size.BOTTOM_MIN, _LARGEST),
    }


def _arrangement(kept: Mapping[object, object], usual: Arrangement) -> Arrangement:
    shown, sizes = kept.get("shown"), kept.get("sizes")
    parts = frozenset(Part(one) for one in shown if one in list(Part)) if isinstance(shown, list) else usual.shown
    names = _limits()
    known = (
        {str(name): size for name, size in sizes.items() if name in names and _is_size(size)}
        if isinstance(sizes, dict)
        else usual.sizes
    )
    return Arrangement(parts, MappingProxyType(dict(known)))


def _is_size(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= _LARGEST
