"""The application's style sheet and palette, generated from the tokens of a theme."""

from PySide6.QtGui import QPalette

from inspector.assets import resources_dir
from inspector.gui.theme import Radius, Size, Space, Theme, colour, mixed


def application_style(look: Theme) -> str:
    """Style sheet of the stock widgets: buttons, fields, lists, tabs, menus, scroll bars, splitters, tooltips."""
    parts = (_ground, _buttons, _checks, _fields, _lists, _tabs, _menus, _bars)
    return "\n".join(part(look) for part in parts)


def palette(look: Theme) -> QPalette:
    """Palette for what a style sheet does not reach: item views' text, links, placeholders."""
    made = QPalette()
    role = QPalette.ColorRole
    for which, token in (
        (role.Window, look.canvas),
        (role.WindowText, look.text),
        (role.Base, look.panel),
        (role.AlternateBase, look.bar),
        (role.Text, look.text),
        (role.Button, look.raised),
        (role.ButtonText, look.text),
        (role.BrightText, look.on_accent),
        (role.Highlight, look.accent_soft),
        (role.HighlightedText, look.text),
        (role.ToolTipBase, look.raised),
        (role.ToolTipText, look.text),
        (role.PlaceholderText, look.text3),
        (role.Link, look.accent_ink),
        (role.LinkVisited, look.accent_ink),
        (role.Accent, look.accent),
    ):
        made.setColor(which, colour(token))
    for which in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, which, colour(disabled_text(look)))
    return made


def disabled_text(look: Theme) -> str:
    """Text of what cannot be used now: the label colour, half faded into the panel."""
    return mixed(look.text3, look.panel, 0.55)


def _ground(look: Theme) -> str:
    return f"""
    QMainWindow, QDialog {{ background: {look.canvas}; }}
    QWidget {{ color: {look.text}; selection-background-color: {look.accent}; selection-color: {look.on_accent}; }}
    QDialog, QDockWidget > QWidget, QScrollArea, QStackedWidget {{ background: {look.panel}; }}
    QScrollArea {{ border: {Size.FOCUS_RING}px solid transparent; }}
    QScrollArea:focus {{ border-color: {look.accent}; }}
    QToolTip {{ background: {look.raised}; color: {look.text}; border: 1px solid {look.line2};
        padding: {Space.XS}px {Space.S}px; }}
    QStatusBar {{ background: {look.bar}; color: {look.text2}; border-top: 1px solid {look.line}; }}
    QStatusBar::item {{ border: none; }}
    QToolBar {{ background: {look.bar}; border: none; border-bottom: 1px solid {look.line}; spacing: {Space.S}px; }}
    QGroupBox {{ border: 1px solid {look.line}; border-radius: {Radius.BOX}px; margin-top: {Space.L}px;
        padding: {Space.M}px; }}
    QGroupBox::title {{ subcontrol-origin: margin; left: {Space.M}px; color: {look.text2}; }}
    QDockWidget::title {{ background: {look.bar}; padding: {Space.S}px {Space.M}px; }}
    """


def _buttons(look: Theme) -> str:
    pressed = mixed(look.text, look.hover, 0.08)
    inner, ring = Size.CONTROL - 2, Size.FOCUS_RING
    return f"""
    QPushButton {{ background: {look.raised}; color: {look.text}; border: 1px solid {look.line2};
        border-radius: {Radius.CONTROL}px; padding: 0 {Space.M}px; min-height: {inner}px; font-weight: 500; }}
    QPushButton:hover {{ background: {look.hover}; }}
    QPushButton:pressed {{ background: {pressed}; }}
    QPushButton:checked {{ background: {look.accent_soft}; color: {look.accent_ink}; border-color: {look.accent}; }}
    QPushButton:focus {{ border: {Size.FOCUS_RING}px solid {look.accent}; padding: 0 {Space.M - 1}px;
        min-height: {inner - 2}px; }}
    QPushButton:checked:focus {{ border: {2 * ring + 1}px double {look.accent}; padding: 0 {Space.M - 2 * ring}px;
        min-height: {Size.CONTROL - 4 * ring - 2}px; }}
    QPushButton:disabled {{ color: {disabled_text(look)}; background: {look.sunken}; border-color: {look.line}; }}
    QPushButton[primary="true"], QPushButton:default {{ background: {look.accent}; color: {look.on_accent};
        border-color: {look.accent}; font-weight: 600; }}
    QPushButton[primary="true"]:hover, QPushButton:default:hover {{
        background: {mixed(look.text, look.accent, 0.12)}; }}
    QPushButton:default:focus {{ border: {3 * ring + 1}px double {look.on_accent};
        padding: 0 {Space.M - 3 * ring}px; min-height: {Size.CONTROL - 6 * ring - 2}px; }}
    QPushButton[primary="true"]:focus {{ border: 1px solid {look.accent}; padding: 0 {Space.M}px;
        min-height: {inner}px; }}
    QPushButton[primary="true"]:disabled, QPushButton:default:disabled {{ background: {look.sunken};
        color: {disabled_text(look)}; border-color: {look.line}; }}
    QToolButton {{ background: transparent; border: 1px solid transparent; border-radius: {Radius.CONTROL}px;
        padding: {Space.XS}px; min-width: {Space.L}px; min-height: {Space.L}px; color: {look.text}; }}
    QToolButton:hover {{ background: {look.hover}; }}
    QToolButton:pressed {{ background: {pressed}; }}
    QToolButton:checked {{ background: {look.accent_soft}; color: {look.accent_ink}; border-color: {look.accent}; }}
    QToolButton:focus {{ border: {Size.FOCUS_RING}px solid {look.accent}; padding: {Space.XS - 1}px; }}
    QToolButton:disabled {{ color: {disabled_text(look)}; }}
    QToolButton::menu-indicator {{ image: none; width: 0; }}
    QLabel:disabled {{ color: {disabled_text(look)}; }}
    """


def _checks(look: Theme) -> str:
    side, ring = Size.CHECK_MARK - 2, Size.FOCUS_RING
    off = disabled_text(look)
    return f"""
    QCheckBox, QRadioButton {{ spacing: {Space.S}px; min-height: {Size.CONTROL_SMALL}px; }}
    QCheckBox:disabled, QRadioButton:disabled {{ color: {off}; }}
    QCheckBox::indicator, QRadioButton::indicator, QAbstractItemView::indicator, QGroupBox::indicator {{
        width: {side}px; height: {side}px; border: 1px solid {look.text3}; background: {look.sunken}; }}
    QCheckBox::indicator, QAbstractItemView::indicator, QGroupBox::indicator {{ border-radius: {Radius.TAG}px; }}
    QRadioButton::indicator {{ border-radius: {Size.CHECK_MARK // 2}px; }}
    QCheckBox::indicator:hover, QRadioButton::indicator:hover {{ border-color: {look.text}; }}
    QCheckBox::indicator:checked, QAbstractItemView::indicator:checked, QGroupBox::indicator:checked {{
        background: {look.accent}; border-color: {look.accent}; image: url({_mark("tick", look)}); }}
    QCheckBox::indicator:indeterminate, QAbstractItemView::indicator:indeterminate {{
        background: {look.accent}; border-color: {look.accent}; image: url({_mark("dash", look)}); }}
    QRadioButton::indicator:checked {{ width: {side - 2 * Space.XS}px; height: {side - 2 * Space.XS}px;
        border: {Space.XS + 1}px solid {look.accent}; }}
    QCheckBox::indicator:disabled, QRadioButton::indicator:disabled {{ border-color: {off}; }}
    QCheckBox::indicator:checked:disabled {{ background: {off}; }}
    QCheckBox, QRadioButton {{ border: {ring}px solid transparent; border-radius: {Radius.TAG}px; }}
    QCheckBox:focus, QRadioButton:focus {{ border: {ring}px solid {look.accent}; }}
    """


def _mark(name: str, look: Theme) -> str:
    """File of a mark that stands on the accent; style sheets take pictures from files alone."""
    ink = "black" if look.dark else "white"
    return (resources_dir() / "marks" / f"{name}-{ink}.svg").as_posix()


def _fields(look: Theme) -> str:
    kinds = ("QLineEdit", "QPlainTextEdit", "QTextEdit", "QSpinBox", "QDoubleSpinBox", "QComboBox")
    every = ", ".join(kinds)
    focus = ", ".join(f"{kind}:focus" for kind in kinds)
    off = ", ".join(f"{kind}:disabled" for kind in kinds)
    return f"""
    {every} {{ background: {look.sunken}; color: {look.text}; border: 1px solid {look.line2};
        border-radius: {Radius.CONTROL}px; padding: 0 {Space.S}px; }}
    QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox {{ min-height: {Size.CONTROL - 2}px; }}
    {focus} {{ border: {Size.FOCUS_RING}px solid {look.accent}; padding: 0 {Space.S - 1}px; }}
    QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus {{ min-height: {Size.CONTROL - 4}px; }}
    {off} {{ color: {disabled_text(look)}; border-color: {look.line}; }}
    QLineEdit QToolButton {{ min-width: 0; min-height: 0; padding: 0; border: none; }}
    QAbstractSpinBox QLineEdit {{ background: transparent; border: none; padding: 0; min-height: 0; }}
    QComboBox {{ background: {look.raised}; padding-right: {Space.L}px; }}
    QComboBox:hover {{ background: {look.hover}; }}
    QComboBox::drop-down {{ border: none; width: {Space.XL}px; }}
    QComboBox QAbstractItemView {{ background: {look.raised}; border: 1px solid {look.line2}; outline: 0; }}
    QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button, QDoubleSpinBox::down-button {{
        width: 0; border: none; }}
    QSlider {{ min-height: {Size.CONTROL}px; border: {Size.FOCUS_RING}px solid transparent;
        border-radius: {Radius.CONTROL}px; }}
    QSlider:focus {{ border-color: {look.accent}; }}
    QSlider::groove:horizontal {{ height: {Space.XS}px; background: {look.line2}; border-radius: {Space.XXS}px; }}
    QSlider::sub-page:horizontal {{ background: {look.accent}; border-radius: {Space.XXS}px; }}
    QSlider::handle:horizontal {{ width: {Size.CHECK_MARK}px; height: {Size.CHECK_MARK}px; margin: -{Space.M // 2}px 0;
        border-radius: {Size.CHECK_MARK // 2}px; background: {look.accent}; }}
    """


def _lists(look: Theme) -> str:
    return f"""
    QAbstractItemView {{ background: {look.panel}; alternate-background-color: {look.bar}; color: {look.text};
        border: {Size.FOCUS_RING}px solid transparent; outline: 0;
        selection-background-color: {look.accent_soft}; selection-color: {look.text}; }}
    QAbstractItemView:focus {{ border-color: {look.accent}; }}
    QHeaderView, QHeaderView:focus {{ border: none; }}
    QTableView {{ gridline-color: {look.line}; qproperty-iconSize: {Size.ICON}px {Size.ICON}px; }}
    QTableView::item, QListView::item, QTreeView::item {{ padding: 0 {Space.S}px; border: none; }}
    QTableView::item:hover, QListView::item:hover, QTreeView::item:hover {{ background: {look.hover}; }}
    QTableView::item:selected, QListView::item:selected, QTreeView::item:selected {{
        background: {look.accent_soft}; color: {look.text}; }}
    QHeaderView {{ background: {look.bar}; }}
    QHeaderView::section {{ background: {look.bar}; color: {look.text2}; border: none;
        border-bottom: 1px solid {look.line}; padding: 0 {Space.S}px; min-height: {Size.ROW_TABLE}px; }}
    QTableCornerButton::section {{ background: {look.bar}; border: none; }}
    """


def _tabs(look: Theme) -> str:
    return f"""
    QTabWidget::pane {{ border: none; border-top: 1px solid {look.line}; background: {look.panel}; }}
    QTabBar {{ background: transparent; border: none; }}
    QTabBar::tab {{ background: transparent; color: {look.text2}; border: none; font-weight: 500;
        border-bottom: {Space.XXS}px solid transparent; padding: {Space.S}px {Space.M}px; }}
    QTabBar::tab:hover {{ color: {look.text}; }}
    QTabBar::tab:selected {{ color: {look.text}; border-bottom-color: {look.accent}; }}
    QTabBar::tab:selected:focus {{ color: {look.accent_ink}; border: {Size.FOCUS_RING}px solid {look.accent};
        border-radius: {Radius.TAG}px;
        padding: {Space.S - Size.FOCUS_RING}px {Space.M - Size.FOCUS_RING}px {Space.S}px; }}
    QTabBar::tab:disabled {{ color: {disabled_text(look)}; }}
    """


def _menus(look: Theme) -> str:
    return f"""
    QMenuBar {{ background: {look.bar}; }}
    QMenuBar::item {{ background: transparent; padding: {Space.XS}px {Space.S}px; }}
    QMenuBar::item:selected {{ background: {look.hover}; border-radius: {Radius.TAG}px; }}
    QMenu {{ background: {look.raised}; border: 1px solid {look.line2}; padding: {Space.XS}px; }}
    QMenu::item {{ padding: {Space.XS}px {Space.XL}px; border-radius: {Radius.TAG}px;
        min-height: {Size.CONTROL_SMALL}px; }}
    QMenu::item:selected {{ background: {look.accent_soft}; color: {look.accent_ink}; }}
    QMenu::item:disabled {{ color: {disabled_text(look)}; }}
    QMenu::separator {{ height: 1px; background: {look.line}; margin: {Space.XS}px {Space.S}px; }}
    """


def _bars(look: Theme) -> str:
    handle = mixed(look.text3, look.panel, 0.5)
    return f"""
    QSplitter::handle {{ background: {look.line}; }}
    QSplitter::handle:horizontal {{ width: 1px; }}
    QSplitter::handle:vertical {{ height: 1px; }}
    QSplitter::handle:hover {{ background: {look.accent}; }}
    QMainWindow::separator {{ background: {look.line}; width: 1px; height: 1px; }}
    QScrollBar {{ background: transparent; border: none; }}
    QAbstractScrollArea::corner {{ background: transparent; border: none; }}
    QScrollBar:vertical {{ width: {Space.M}px; }}
    QScrollBar:horizontal {{ height: {Space.M}px; }}
    QScrollBar::handle {{ background: {handle}; border-radius: {Space.XS}px; margin: {Space.XXS}px; }}
    QScrollBar::handle:vertical {{ min-height: {Space.XL}px; }}
    QScrollBar::handle:horizontal {{ min-width: {Space.XL}px; }}
    QScrollBar::handle:hover {{ background: {look.text3}; }}
    QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page {{
        background: none; border: none; width: 0; height: 0; }}
    QProgressBar {{ background: {look.sunken}; border: none; border-radius: {Size.PROGRESS // 2}px;
        max-height: {Size.PROGRESS}px; min-height: {Size.PROGRESS}px; color: transparent; }}
    QProgressBar::chunk {{ background: {look.accent}; border-radius: {Size.PROGRESS // 2}px; }}
    """
