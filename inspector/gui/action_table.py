"""The action table: every command of the window in one place.

Menus, header buttons, context menus, the command palette and the cheat sheet are all made from it. What a command does
is given where the window is made (`main_window`, `quick`); why it is off is said in `action_states`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QT_TRANSLATE_NOOP
from PySide6.QtGui import QKeySequence

Keys = QKeySequence.StandardKey | str | None


class Context(StrEnum):
    """Where the keys of a command act.

    `WINDOW`: everywhere in the window. `CANVAS`: while a canvas has the focus, so that letters and digits can be typed
    elsewhere. `OWN`: likewise, but the canvas answers them by itself.
    """

    WINDOW = "window"
    CANVAS = "canvas"
    OWN = "own"


class Place(StrEnum):
    """A context menu that a command stands in."""

    NODE = "node"
    EDGE = "edge"
    CANVAS = "canvas"
    ROW = "row"


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One command.

    Attributes:
        id: name in the code, `file.open`.
        text: English source text, translated in context `Actions`; `{n}` stands for `number`.
        keys: shortcut, or None.
        also: further shortcuts.
        checkable: whether it is a switch.
        icon: name of its icon; empty for none.
        context: where its keys act.
        letter: a further key, which acts while a canvas has the focus.
        places: context menus that it stands in.
        starts: whether a line above it begins a group of its menu.
        menu: menu that it stands in; empty for the part of the id before the dot.
        submenu: submenu of that menu, by its key in `SUBMENUS`; empty for none.
        number: what the text counts; None for nothing.
    """

    id: str
    text: object
    keys: Keys = None
    also: tuple[str, ...] = ()
    checkable: bool = False
    icon: str = ""
    context: Context = Context.WINDOW
    letter: str = ""
    places: tuple[Place, ...] = ()
    starts: bool = False
    menu: str = ""
    submenu: str = ""
    number: int | None = None

    @property
    def menu_name(self) -> str:
        """Key in `MENUS` of the menu that it stands in."""
        return self.menu or self.id.partition(".")[0]


MENUS: Mapping[str, object] = {
    "file": QT_TRANSLATE_NOOP("Actions", "&File"),
    "edit": QT_TRANSLATE_NOOP("Actions", "&Edit"),
    "rewrite": QT_TRANSLATE_NOOP("Actions", "&Rewrite"),
    "model": QT_TRANSLATE_NOOP("Actions", "&Model"),
    "go": QT_TRANSLATE_NOOP("Actions", "&Go"),
    "view": QT_TRANSLATE_NOOP("Actions", "&View"),
    "help": QT_TRANSLATE_NOOP("Actions", "&Help"),
}

SUBMENUS: Mapping[str, object] = {
    "bookmarks": QT_TRANSLATE_NOOP("Actions", "&Bookmarks"),
    "set_bookmarks": QT_TRANSLATE_NOOP("Actions", "Set boo&kmark"),
    "presets": QT_TRANSLATE_NOOP("Actions", "Arran&gement"),
}

_STD = QKeySequence.StandardKey
_CANVAS, _OWN = Context.CANVAS, Context.OWN
_NODE = (Place.NODE, Place.ROW)

_FILE = (
    ActionSpec("file.open", QT_TRANSLATE_NOOP("Actions", "&Open…"), _STD.Open, icon="folder-open"),
    ActionSpec("file.reload", QT_TRANSLATE_NOOP("Actions", "&Reload"), "F5"),
    ActionSpec("file.save", QT_TRANSLATE_NOOP("Actions", "&Save"), _STD.Save, icon="save", starts=True),
    ActionSpec("file.save_as", QT_TRANSLATE_NOOP("Actions", "Save &as…"), "Ctrl+Shift+S", icon="save"),
    ActionSpec("file.sizes", QT_TRANSLATE_NOOP("Actions", "Set si&zes…"), starts=True),
    ActionSpec("file.settings", QT_TRANSLATE_NOOP("Actions", "Se&ttings…"), "Ctrl+,", icon="settings", starts=True),
    ActionSpec("file.close", QT_TRANSLATE_NOOP("Actions", "&Close tab"), "Ctrl+W", icon="x", starts=True),
    ActionSpec("file.quit", QT_TRANSLATE_NOOP("Actions", "&Quit"), "Ctrl+Q"),
)
_EDIT = (
    ActionSpec("edit.undo", QT_TRANSLATE_NOOP("Actions", "&Undo"), _STD.Undo, icon="undo-2"),
    ActionSpec("edit.redo", QT_TRANSLATE_NOOP("Actions", "&Redo"), "Ctrl+Shift+Z", also=("Ctrl+Y",), icon="redo-2"),
    ActionSpec(
        "edit.copy_name",
        QT_TRANSLATE_NOOP("Actions", "&Copy node name"),
        "Ctrl+C",
        icon="copy",
        places=_NODE,
        starts=True,
    ),
    ActionSpec("edit.copy_row", QT_TRANSLATE_NOOP("Actions", "Copy table &row"), places=_NODE),
    ActionSpec("edit.copy_attributes", QT_TRANSLATE_NOOP("Actions", "Copy &attributes"), places=_NODE),
    ActionSpec("edit.copy_yaml", QT_TRANSLATE_NOOP("Actions", "Copy as &YAML"), "Ctrl+Shift+C", places=_NODE),
    ActionSpec("edit.copy_info", QT_TRANSLATE_NOOP("Actions", "Copy node_&info"), places=_NODE),
    ActionSpec(
        "edit.copy_picture", QT_TRANSLATE_NOOP("Actions", "Copy &picture"), icon="image", places=(Place.CANVAS,)
    ),
    ActionSpec("edit.find", QT_TRANSLATE_NOOP("Actions", "&Find nodes"), _STD.Find, icon="search", starts=True),
    ActionSpec("edit.find_next", QT_TRANSLATE_NOOP("Actions", "Find &next"), "F3"),
    ActionSpec("edit.find_previous", QT_TRANSLATE_NOOP("Actions", "Find &previous"), "Shift+F3"),
)
_REWRITE = (
    ActionSpec("rewrite.preview", QT_TRANSLATE_NOOP("Actions", "&Preview best fix"), "Ctrl+R", icon="wand-sparkles"),
    ActionSpec("rewrite.preview_all", QT_TRANSLATE_NOOP("Actions", "Preview best fix at a&ll sites"), "Ctrl+Shift+R"),
    ActionSpec("rewrite.accept", QT_TRANSLATE_NOOP("Actions", "&Accept"), "Ctrl+Return", icon="check", starts=True),
    ActionSpec("rewrite.reject", QT_TRANSLATE_NOOP("Actions", "&Reject"), icon="x"),
    ActionSpec("rewrite.verify", QT_TRANSLATE_NOOP("Actions", "&Verify"), "F7", letter="V", icon="play", starts=True),
)
_MODEL = (
    ActionSpec("model.freeze", QT_TRANSLATE_NOOP("Actions", "&Freeze the sizes that are set")),
    ActionSpec("model.fold", QT_TRANSLATE_NOOP("Actions", "Fold &constants and shape chains")),
    ActionSpec("model.prune", QT_TRANSLATE_NOOP("Actions", "Remove &dead nodes")),
    ActionSpec("model.rename", QT_TRANSLATE_NOOP("Actions", "Give repeated node names &new ones")),
    ActionSpec("model.opset", QT_TRANSLATE_NOOP("Actions", "Convert the &opset…"), starts=True),
    ActionSpec("model.nhwc", QT_TRANSLATE_NOOP("Actions", "End in N&HWC")),
    ActionSpec("model.simplify", QT_TRANSLATE_NOOP("Actions", "Simplif&y with onnxslim")),
    ActionSpec("model.extract", QT_TRANSLATE_NOOP("Actions", "&Extract the selection…"), places=_NODE, starts=True),
    ActionSpec("model.cut", QT_TRANSLATE_NOOP("Actions", "Cut &behind the selection…"), places=_NODE),
)
_GO = (
    ActionSpec("view.next_problem", QT_TRANSLATE_NOOP("Actions", "&Next problem"), "F8", menu="go"),
    ActionSpec("view.previous_problem", QT_TRANSLATE_NOOP("Actions", "&Previous problem"), "Shift+F8", menu="go"),
    ActionSpec(
        "go.back", QT_TRANSLATE_NOOP("Actions", "&Back to the node before"), "Alt+Left", icon="arrow-left", starts=True
    ),
    ActionSpec("go.forward", QT_TRANSLATE_NOOP("Actions", "&Forward again"), "Alt+Right", icon="arrow-right"),
    ActionSpec("go.producer", QT_TRANSLATE_NOOP("Actions", "To the p&roducer"), "Up", context=_OWN, starts=True),
    ActionSpec("go.consumer", QT_TRANSLATE_NOOP("Actions", "To the &consumer"), "Down", context=_OWN),
    ActionSpec("go.left", QT_TRANSLATE_NOOP("Actions", "To the &left in the rank"), "Left", context=_OWN),
    ActionSpec("go.right", QT_TRANSLATE_NOOP("Actions", "To the ri&ght in the rank"), "Right", context=_OWN),
    ActionSpec(
        "go.trace_up",
        QT_TRANSLATE_NOOP("Actions", "Trace &upstream"),
        "U",
        icon="arrow-up-to-line",
        context=_CANVAS,
        places=_NODE,
        starts=True,
    ),
    ActionSpec(
        "go.trace_down",
        QT_TRANSLATE_NOOP("Actions", "Trace &downstream"),
        "D",
        icon="arrow-down-to-line",
        context=_CANVAS,
        places=_NODE,
    ),
    ActionSpec("go.path", QT_TRANSLATE_NOOP("Actions", "Pa&th to…"), "P", icon="route", context=_CANVAS, places=_NODE),
    ActionSpec("go.end_trace", QT_TRANSLATE_NOOP("Actions", "&End the trace"), places=(Place.NODE, Place.CANVAS)),
    ActionSpec(
        "go.table",
        QT_TRANSLATE_NOOP("Actions", "Show in the node t&able"),
        "Ctrl+T",
        icon="table-2",
        places=(Place.NODE,),
    ),
    ActionSpec("go.canvas", QT_TRANSLATE_NOOP("Actions", "Show on the can&vas"), places=(Place.ROW,)),
    *(
        ActionSpec(
            f"go.bookmark_{n}",
            QT_TRANSLATE_NOOP("Actions", "Bookmark {n}, or {n} hops of the trace"),
            str(n),
            context=_CANVAS,
            submenu="bookmarks",
            number=n,
        )
        for n in range(1, 10)
    ),
    *(
        ActionSpec(
            f"go.set_bookmark_{n}",
            QT_TRANSLATE_NOOP("Actions", "Set bookmark {n}"),
            f"Ctrl+{n}",
            submenu="set_bookmarks",
            number=n,
        )
        for n in range(1, 10)
    ),
    ActionSpec("go.next_panel", QT_TRANSLATE_NOOP("Actions", "Next pa&nel"), "F6", starts=True),
    ActionSpec("go.previous_panel", QT_TRANSLATE_NOOP("Actions", "Previous panel"), "Shift+F6"),
    ActionSpec(
        "view.next_tab", QT_TRANSLATE_NOOP("Actions", "Ne&xt tab"), "Ctrl+Tab", also=("Ctrl+PgDown",), menu="go"
    ),
    ActionSpec(
        "view.previous_tab",
        QT_TRANSLATE_NOOP("Actions", "Pre&vious tab"),
        "Ctrl+Shift+Tab",
        also=("Ctrl+PgUp",),
        menu="go",
    ),
)
_VIEW = (
    ActionSpec(
        "view.palette",
        QT_TRANSLATE_NOOP("Actions", "&Search nodes or run a command"),
        "Ctrl+K",
        also=("Ctrl+Shift+P",),
        icon="search",
    ),
    ActionSpec("view.compare", QT_TRANSLATE_NOOP("Actions", "&Compare with…"), "Ctrl+Shift+M", icon="git-compare"),
    ActionSpec(
        "view.fit",
        QT_TRANSLATE_NOOP("Actions", "&Fit the graph"),
        "F",
        icon="maximize",
        context=_OWN,
        places=(Place.CANVAS,),
        starts=True,
    ),
    ActionSpec("view.actual", QT_TRANSLATE_NOOP("Actions", "&Actual size"), "Ctrl+0", places=(Place.CANVAS,)),
    ActionSpec("view.zoom_in", QT_TRANSLATE_NOOP("Actions", "Zoom &in"), _STD.ZoomIn, icon="zoom-in"),
    ActionSpec("view.zoom_out", QT_TRANSLATE_NOOP("Actions", "Zoom &out"), _STD.ZoomOut, icon="zoom-out"),
    ActionSpec(
        "view.segments",
        QT_TRANSLATE_NOOP("Actions", "Tint the se&gments"),
        checkable=True,
        places=(Place.CANVAS,),
        starts=True,
    ),
    ActionSpec(
        "view.shapes", QT_TRANSLATE_NOOP("Actions", "S&hapes on the edges"), checkable=True, places=(Place.CANVAS,)
    ),
    ActionSpec("view.sideways", QT_TRANSLATE_NOOP("Actions", "Graph from left to ri&ght"), checkable=True),
    ActionSpec("view.left", QT_TRANSLATE_NOOP("Actions", "&Left panel"), "Ctrl+B", checkable=True, starts=True),
    ActionSpec("view.right", QT_TRANSLATE_NOOP("Actions", "&Inspector"), "Ctrl+Alt+B", checkable=True),
    ActionSpec("view.bottom", QT_TRANSLATE_NOOP("Actions", "&Bottom panel"), "Ctrl+J", checkable=True),
    ActionSpec(
        "view.explore", QT_TRANSLATE_NOOP("Actions", "&Explore: no bottom panel"), checkable=True, submenu="presets"
    ),
    ActionSpec("view.fix", QT_TRANSLATE_NOOP("Actions", "F&ix: all panels"), checkable=True, submenu="presets"),
    ActionSpec(
        "view.review",
        QT_TRANSLATE_NOOP("Actions", "&Review: canvas and inspector, larger text"),
        checkable=True,
        submenu="presets",
    ),
    ActionSpec("view.full_screen", QT_TRANSLATE_NOOP("Actions", "F&ull screen"), "F11", checkable=True, starts=True),
    ActionSpec("view.theme", QT_TRANSLATE_NOOP("Actions", "&Dark theme"), "Ctrl+Shift+D", checkable=True, icon="moon"),
    ActionSpec("view.language", QT_TRANSLATE_NOOP("Actions", "中文 / English"), "Ctrl+Shift+L", icon="languages"),
)
_HELP = (
    ActionSpec(
        "help.keys", QT_TRANSLATE_NOOP("Actions", "&Keyboard cheat sheet"), "F1", also=("Ctrl+/",), icon="keyboard"
    ),
    ActionSpec("help.about", QT_TRANSLATE_NOOP("Actions", "&About"), icon="info"),
)

SPECS: tuple[ActionSpec, ...] = (*_FILE, *_EDIT, *_REWRITE, *_MODEL, *_GO, *_VIEW, *_HELP)
"""All commands, in the order of the menus."""

BY_ID: Mapping[str, ActionSpec] = {spec.id: spec for spec in SPECS}


def keys_of(spec: ActionSpec) -> tuple[QKeySequence, ...]:
    """All shortcuts of *spec*, the one that menus show first."""
    wanted = (() if spec.keys is None else (spec.keys,)) + spec.also
    return tuple(QKeySequence(keys) for keys in wanted)
