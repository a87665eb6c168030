"""The commands of one window as `QAction`s, made from the action table; menus, buttons and the palette share them."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QAction, QIcon, QKeySequence, QShortcut
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from inspector.gui.action_table import BY_ID, MENUS, SPECS, SUBMENUS, ActionSpec, Context, Place, keys_of
from inspector.gui.i18n import in_language, language
from inspector.gui.icons import icon


class Actions:
    """All actions of one window, made once, found by id."""

    def __init__(self, window: QWidget, bar: QMenuBar, run: Mapping[str, Callable[[], object]]) -> None:
        """Make the actions with what they *run*, and fill the menu *bar* with them.

        Raises:
            KeyError: *run* has something that the table does not have.
        """
        unknown = sorted(set(run) - set(BY_ID))
        if unknown:
            raise KeyError(", ".join(unknown))
        self._reasons: dict[str, str] = {}
        self._actions = {spec.id: _made(spec, window, run[spec.id]) for spec in SPECS if spec.id in run}
        # Made here and then added: wrappers of menus that `addMenu` makes may be lost although their menus live on.
        self._menus = {name: QMenu(bar) for name in MENUS}
        for menu in self._menus.values():
            bar.addMenu(menu)
        self._submenus: dict[str, QMenu] = {}
        for spec in self.specs:
            self._put(spec)
        self.retranslate()

    @property
    def specs(self) -> tuple[ActionSpec, ...]:
        """The rows of the table that this window can run, in order."""
        return tuple(spec for spec in SPECS if spec.id in self._actions)

    def _put(self, spec: ActionSpec) -> None:
        """Add the action of *spec* to its menu."""
        menu = self._menus[spec.menu_name]
        if spec.starts:
            menu.addSeparator()
        if spec.submenu and spec.submenu not in self._submenus:
            self._submenus[spec.submenu] = QMenu(menu)
            menu.addMenu(self._submenus[spec.submenu])
        (self._submenus[spec.submenu] if spec.submenu else menu).addAction(self._actions[spec.id])

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    @property
    def menus(self) -> tuple[QMenu, ...]:
        """All menus, in the order of the menu bar."""
        return tuple(self._menus.values())

    def menu(self, name: str) -> QMenu:
        """The menu called *name*."""
        return self._menus[name]

    def at(self, place: Place) -> tuple[QAction, ...]:
        """The actions that stand in the context menu of *place*, in the order of the table."""
        return tuple(self._actions[spec.id] for spec in self.specs if place in spec.places)

    def attach(self, canvas: QWidget) -> None:
        """Let the keys that belong to a canvas act on *canvas*, too."""
        for spec in self.specs:
            keys = keys_of(spec) if spec.context is Context.CANVAS else ()
            for key in (*keys, *((QKeySequence(spec.letter),) if spec.letter else ())):
                shortcut = QShortcut(key, canvas, context=Qt.ShortcutContext.WidgetShortcut)
                shortcut.activated.connect(self._actions[spec.id].trigger)

    def retranslate(self) -> None:
        """Set all texts in the current language, and the icons in the colours of the theme."""
        for name, title in MENUS.items():
            self._menus[name].setTitle(_translated(title))
        for name, menu in self._submenus.items():
            menu.setTitle(_translated(SUBMENUS[name]))
        for spec in self.specs:
            action = self._actions[spec.id]
            text = title_of(spec, language(), mnemonic=True)
            action.setText(text if spec.context is Context.WINDOW else f"{text}\t{keys_text(spec)}")
            action.setIcon(icon(spec.icon) if spec.icon else QIcon())
            self._explain(spec.id)

    def set_off(self, name: str, reason: str) -> None:
        """Switch the action off and say why in its tooltip; an empty *reason* switches it on."""
        if self._reasons.get(name, "") != reason:
            self._reasons[name] = reason
            self._actions[name].setEnabled(not reason)
            self._explain(name)

    def reason(self, name: str) -> str:
        """Why the action cannot run now; empty when it can."""
        return self._reasons.get(name, "")

    def _explain(self, name: str) -> None:
        """Set the tooltip: why the action is off, else its name and its keys."""
        plain, keys = title_of(BY_ID[name], language()), keys_text(BY_ID[name])
        self._actions[name].setToolTip(self.reason(name) or (f"{plain} ({keys})" if keys else plain))


def title_of(spec: ActionSpec, spoken: str, *, mnemonic: bool = False, number: str = "") -> str:
    """What *spec* is called in the language *spoken*.

    Args:
        spec: row of the table.
        spoken: language.
        mnemonic: whether it is given with its mnemonic, as Qt writes it.
        number: said in place of the number of *spec*.
    """
    text = in_language(spoken, "Actions", str(spec.text))
    if spec.number is not None:
        text = text.format(n=number or spec.number)
    return text if mnemonic else without_mnemonic(text)


def keys_text(spec: ActionSpec) -> str:
    """The keys of *spec* as they are shown, separated by commas; empty without any."""
    keys = [*keys_of(spec), *((QKeySequence(spec.letter),) if spec.letter else ())]
    return ", ".join(key.toString(QKeySequence.SequenceFormat.NativeText) for key in keys)


def _made(spec: ActionSpec, window: QWidget, run: Callable[[], object]) -> QAction:
    action = QAction(window)
    action.setObjectName(spec.id)
    action.setCheckable(spec.checkable)
    # Keys that belong to a canvas act through `attach` or in the canvas itself: as shortcuts of the action they would
    # act in a menu bar that has the focus, too. Menus show them as a part of the text.
    if spec.context is Context.WINDOW:
        action.setShortcuts(keys_of(spec))
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
    action.triggered.connect(lambda _checked=False: run())
    window.addAction(action)
    return action


def without_mnemonic(text: str) -> str:
    """*text* without the sign of its mnemonic: `&Open`, and `打开(&O)` as Chinese menus write it."""
    head, sign, rest = text.partition("(&")
    return head + rest[2:] if sign else text.replace("&", "")


def _translated(source: object) -> str:
    return QCoreApplication.translate("Actions", str(source))
