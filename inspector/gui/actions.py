"""The action table: every command of the window with its key, in one place; menus and buttons share these actions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

Keys = QKeySequence.StandardKey | str | None


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One command.

    Attributes:
        id: name in the code, `file.open`; the part before the dot is its menu.
        text: English source text, translated in context `Actions`.
        keys: shortcut, or None.
        checkable: whether it is a switch.
        also: further shortcuts.
    """

    id: str
    text: object
    keys: Keys = None
    checkable: bool = False
    also: tuple[str, ...] = ()


_STD = QKeySequence.StandardKey
SPECS: tuple[ActionSpec, ...] = (
    ActionSpec("file.open", QT_TRANSLATE_NOOP("Actions", "&Open…"), _STD.Open),
    ActionSpec("file.reload", QT_TRANSLATE_NOOP("Actions", "&Reload"), "F5"),
    ActionSpec("file.save", QT_TRANSLATE_NOOP("Actions", "&Save"), _STD.Save),
    ActionSpec("file.save_as", QT_TRANSLATE_NOOP("Actions", "Save &as…"), "Ctrl+Shift+S"),
    ActionSpec("file.sizes", QT_TRANSLATE_NOOP("Actions", "Set si&zes…")),
    ActionSpec("file.settings", QT_TRANSLATE_NOOP("Actions", "Se&ttings…"), "Ctrl+,"),
    ActionSpec("file.close", QT_TRANSLATE_NOOP("Actions", "&Close tab"), "Ctrl+W"),
    ActionSpec("file.quit", QT_TRANSLATE_NOOP("Actions", "&Quit"), _STD.Quit),
    ActionSpec("edit.undo", QT_TRANSLATE_NOOP("Actions", "&Undo"), _STD.Undo),
    ActionSpec("edit.redo", QT_TRANSLATE_NOOP("Actions", "&Redo"), "Ctrl+Shift+Z", also=("Ctrl+Y",)),
    ActionSpec("edit.copy_name", QT_TRANSLATE_NOOP("Actions", "&Copy node name"), "Ctrl+C"),
    ActionSpec("edit.find", QT_TRANSLATE_NOOP("Actions", "&Find nodes"), _STD.Find),
    ActionSpec("edit.find_next", QT_TRANSLATE_NOOP("Actions", "Find &next"), "F3"),
    ActionSpec("edit.find_previous", QT_TRANSLATE_NOOP("Actions", "Find &previous"), "Shift+F3"),
    ActionSpec("rewrite.preview", QT_TRANSLATE_NOOP("Actions", "&Preview best fix"), "Ctrl+R"),
    ActionSpec("rewrite.preview_all", QT_TRANSLATE_NOOP("Actions", "Preview best fix at a&ll sites"), "Ctrl+Shift+R"),
    ActionSpec("rewrite.accept", QT_TRANSLATE_NOOP("Actions", "&Accept"), "Ctrl+Return"),
    ActionSpec("rewrite.reject", QT_TRANSLATE_NOOP("Actions", "&Reject")),
    ActionSpec("rewrite.verify", QT_TRANSLATE_NOOP("Actions", "&Verify"), "F7"),
    ActionSpec("view.next_problem", QT_TRANSLATE_NOOP("Actions", "&Next problem"), "F8"),
    ActionSpec("view.previous_problem", QT_TRANSLATE_NOOP("Actions", "&Previous problem"), "Shift+F8"),
    ActionSpec("view.next_tab", QT_TRANSLATE_NOOP("Actions", "Ne&xt tab"), "Ctrl+Tab", also=("Ctrl+PgDown",)),
    ActionSpec(
        "view.previous_tab", QT_TRANSLATE_NOOP("Actions", "Pre&vious tab"), "Ctrl+Shift+Tab", also=("Ctrl+PgUp",)
    ),
    ActionSpec("view.compare", QT_TRANSLATE_NOOP("Actions", "&Compare with…"), "Ctrl+Shift+M"),
    ActionSpec("view.fit", QT_TRANSLATE_NOOP("Actions", "&Fit the graph"), "Ctrl+9"),
    ActionSpec("view.actual", QT_TRANSLATE_NOOP("Actions", "&Actual size"), "Ctrl+0"),
    ActionSpec("view.zoom_in", QT_TRANSLATE_NOOP("Actions", "Zoom &in"), _STD.ZoomIn),
    ActionSpec("view.zoom_out", QT_TRANSLATE_NOOP("Actions", "Zoom &out"), _STD.ZoomOut),
    ActionSpec("view.left", QT_TRANSLATE_NOOP("Actions", "&Left panel"), "Ctrl+B", checkable=True),
    ActionSpec("view.right", QT_TRANSLATE_NOOP("Actions", "&Inspector"), "Ctrl+Alt+B", checkable=True),
    ActionSpec("view.bottom", QT_TRANSLATE_NOOP("Actions", "&Bottom panel"), "Ctrl+J", checkable=True),
    ActionSpec("view.full_screen", QT_TRANSLATE_NOOP("Actions", "F&ull screen"), "F11", checkable=True),
    ActionSpec("view.theme", QT_TRANSLATE_NOOP("Actions", "&Dark theme"), "Ctrl+Shift+D", checkable=True),
    ActionSpec("view.language", QT_TRANSLATE_NOOP("Actions", "中文 / English"), "Ctrl+Shift+L"),
    ActionSpec("help.about", QT_TRANSLATE_NOOP("Actions", "&About"), "F1"),
)

MENUS: Mapping[str, object] = {
    "file": QT_TRANSLATE_NOOP("Actions", "&File"),
    "edit": QT_TRANSLATE_NOOP("Actions", "&Edit"),
    "rewrite": QT_TRANSLATE_NOOP("Actions", "&Rewrite"),
    "view": QT_TRANSLATE_NOOP("Actions", "&View"),
    "help": QT_TRANSLATE_NOOP("Actions", "&Help"),
}


class Actions:
    """All actions of one window, made once, found by id."""

    def __init__(self, window: QWidget, bar: QMenuBar, run: Mapping[str, Callable[[], object]]) -> None:
        """Make the actions with what they *run*, and fill the menu *bar* with them."""
        self._actions: dict[str, QAction] = {}
        self._menus: dict[str, QMenu] = {name: bar.addMenu("") for name in MENUS}
        for spec in SPECS:
            action = QAction(window)
            action.setObjectName(spec.id)
            action.setCheckable(spec.checkable)
            if spec.keys is not None:
                action.setShortcuts([QKeySequence(spec.keys), *(QKeySequence(keys) for keys in spec.also)])
            action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
            action.triggered.connect(lambda _checked=False, call=run[spec.id]: call())
            window.addAction(action)
            self._menus[spec.id.partition(".")[0]].addAction(action)
            self._actions[spec.id] = action
        self.retranslate()

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def menu(self, name: str) -> QMenu:
        """The menu called *name*."""
        return self._menus[name]

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        for name, title in MENUS.items():
            self._menus[name].setTitle(_text(title))
        for spec in SPECS:
            action = self._actions[spec.id]
            action.setText(_text(spec.text))
            self.set_off(spec.id, "" if action.isEnabled() else action.toolTip())

    def set_off(self, name: str, reason: str) -> None:
        """Switch the action off and say why in its tooltip; an empty *reason* switches it on."""
        action = self._actions[name]
        action.setEnabled(not reason)
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        plain = action.text().replace("&", "")
        action.setToolTip(reason or (f"{plain} ({keys})" if keys else plain))


def _text(source: object) -> str:
    return QCoreApplication.translate("Actions", str(source))
