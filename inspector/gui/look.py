"""The theme in use, and the style sheet of the window's own parts on top of the application's.

Widgets carry two dynamic properties that the sheet selects on: `role` says what a widget is (`card`, `chip`, `tile`,
`pill`), `tone` which colours it takes (`cpu`, `passed`, `accent`). Only tokens of `inspector.gui.theme` appear here.
"""

from PySide6.QtWidgets import QApplication, QWidget

from inspector.gui.fonts import Role, font, prefers_system_fonts, use_system_fonts
from inspector.gui.measures import scale, scale_percent, set_scale
from inspector.gui.shell_style import shell_style
from inspector.gui.style import application_style, palette
from inspector.gui.theme import Radius, Size, Space, Theme, ThemeName, theme
from inspector.placement.kinds import Verdict

_current = theme(ThemeName.LIGHT)


def look() -> Theme:
    """The theme in use."""
    return _current


def apply_theme(name: ThemeName | str) -> Theme:
    """Make *name* the theme of the application; widgets get a StyleChange event."""
    return apply_look(name, scale_percent(), system_fonts=prefers_system_fonts())


def apply_look(name: ThemeName | str, percent: int, *, system_fonts: bool) -> Theme:
    """Make *name* the theme, *percent* the scale, and say whose fonts are used.

    Every widget that exists is taken along. Panels that were built from pictures or from measured text still have to
    be shown anew, as after a change of language.
    """
    global _current
    _current = theme(name)
    app = QApplication.instance()
    before, fonts_before = scale(), prefers_system_fonts()
    set_scale(percent)
    use_system_fonts(system_fonts)
    if isinstance(app, QApplication):
        # Qt restyles every widget once per ancestor when a sheet is replaced, but only once when there was none.
        app.setStyleSheet("")
        if (before, fonts_before) != (scale(), system_fonts):
            from inspector.gui.rescale import Rescaling

            rescaling = Rescaling(before, scale())
            for window in app.topLevelWidgets():
                rescaling.apply([window, *window.findChildren(QWidget)])
        app.setFont(font(Role.TEXT))
        app.setPalette(palette(_current))
        app.setStyleSheet(application_style(_current) + window_style(_current))
    return _current


def window_style(look: Theme) -> str:
    """The style sheet of cards, chips, tiles, pills and bars."""
    parts = [_frames(look), _labels(look), _buttons(look), shell_style(look)]
    for name, (ink, soft, edge) in _tones(look).items():
        parts.append(
            f'QLabel[tone="{name}"] {{ color: {ink}; }}'
            f'QLabel[role="chip"][tone="{name}"], QFrame[role="soft"][tone="{name}"] {{ background: {soft}; }}'
            f'QFrame[role="headline"][tone="{name}"] {{ background: {soft}; border-left: {Size.BAR}px solid {edge}; }}'
            f'QFrame[role="check"][tone="{name}"] {{ background: {soft}; }}'
            f'QFrame[role="pill"][tone="{name}"] {{ background: {soft}; border: 1px solid {edge}; }}'
            f'QFrame[role="banner"][tone="{name}"] {{ background: {soft}; border-bottom: 1px solid {edge}; }}'
        )
    return "\n".join(parts)


def _tones(look: Theme) -> dict[str, tuple[str, str, str]]:
    """Tone -> (ink, soft ground, edge)."""
    tones = {v.value.lower(): (look.of(v).ink, look.of(v).soft, look.of(v).edge) for v in Verdict}
    return tones | {
        "passed": (look.passed, look.passed_soft, look.passed),
        "failed": (look.failed, look.failed_soft, look.failed),
        "inconclusive": (look.inconclusive, look.inconclusive_soft, look.inconclusive),
        "accent": (look.accent_ink, look.accent_soft, look.accent),
        "plain": (look.text, look.sunken, look.line2),
        "second": (look.text2, look.sunken, look.line2),
        "third": (look.text3, look.sunken, look.line2),
    }


def _frames(look: Theme) -> str:
    return f"""
    QWidget[role="panel"], QScrollArea[role="panel"], QWidget[role="page"] {{ background: {look.panel}; border: none; }}
    QScrollArea[role="panel"] {{ border: {Size.FOCUS_RING}px solid {look.panel}; }}
    QScrollArea[role="panel"]:focus {{ border-color: {look.accent}; }}
    QWidget[role="bar"] {{ background: {look.bar}; border-bottom: 1px solid {look.line}; }}
    QWidget[role="inspector"] {{ background: {look.panel}; border: none; border-left: 1px solid {look.line}; }}
    QFrame[role="rail"] {{ background: {look.panel}; border: none; border-right: 1px solid {look.line}; }}
    QWidget[role="foot"] {{ background: {look.bar}; border-top: 1px solid {look.line}; }}
    QFrame[role="popover"] {{ background: {look.raised}; border: 1px solid {look.line2};
        border-radius: {Radius.BOX}px; }}
    QFrame[role="card"] {{ background: {look.raised}; border: 1px solid {look.line}; border-radius: {Radius.BOX}px; }}
    QFrame[role="best"] {{ background: {look.raised}; border: {Space.XXS}px solid {look.accent};
        border-radius: {Radius.BOX}px; }}
    QFrame[role="drop"] {{ background: {look.accent_soft}; border: {Space.XXS}px dashed {look.accent};
        border-radius: {Radius.GROUP}px; }}
    QFrame[role="tile"] {{ background: {look.sunken}; border: none; border-radius: {Radius.CONTROL}px; }}
    QFrame[role="headline"] {{ border: none; border-radius: {Radius.CONTROL}px; }}
    QFrame[role="soft"] {{ border: none; border-radius: {Radius.CONTROL}px; }}
    QFrame[role="banner"] {{ border: none; }}
    QFrame[role="pill"] {{ border-radius: {Size.CONTROL // 2}px; }}
    QFrame[role="rule"] {{ background: {look.line}; border: none; max-height: 1px; min-height: 1px; }}
    QFrame[role="check"] {{ background: transparent; border: none; border-top: 1px solid {look.line}; }}
    QFrame[role="row"] {{ background: transparent; border: none; border-top: 1px solid {look.line}; }}
    QFrame[role="preview-bar"] {{ background: {look.accent_soft}; border: none;
        border-top: {Space.XXS}px solid {look.accent}; }}
    """


def _labels(look: Theme) -> str:
    return f"""
    QLabel {{ background: transparent; border: none; }}
    QLabel[role="chip"] {{ border-radius: {Radius.TAG}px; padding: 1px {Space.S}px; }}
    QLabel[role="kbd"] {{ border: 1px solid {look.line2}; border-radius: {Radius.TAG}px; padding: 0 {Space.XS}px; }}
    """


def _buttons(look: Theme) -> str:
    return f"""
    QPushButton[role="link"] {{ background: transparent; border: none; color: {look.accent_ink}; text-align: left;
        padding: 0; min-height: 1em; border: {Size.FOCUS_RING}px solid transparent; border-radius: {Radius.TAG}px; }}
    QPushButton[role="link"]:hover {{ text-decoration: underline; }}
    QPushButton[role="link"]:focus {{ border-color: {look.accent}; padding: 0; min-height: 1em; }}
    QPushButton[role="link"]:disabled {{ color: {look.text3}; }}
    QPushButton[role="crumb"] {{ background: transparent; border: none; border-radius: {Radius.TAG}px;
        color: {look.text2}; padding: 0 {Space.XS}px; min-height: {Size.CONTROL_SMALL}px; font-weight: 400; }}
    QPushButton[role="crumb"]:hover {{ background: {look.hover}; color: {look.text}; }}
    QPushButton[role="crumb"]:focus {{ border: {Size.FOCUS_RING}px solid {look.accent};
        padding: 0 {Space.XS - Size.FOCUS_RING}px; min-height: {Size.CONTROL_SMALL - 2 * Size.FOCUS_RING}px; }}
    QPushButton[role="toggle"] {{ padding: 0 {Space.S}px; min-height: {Size.CONTROL_SMALL - 2}px; }}
    QPushButton[role="toggle"]:focus {{ padding: 0 {Space.S - 1}px;
        min-height: {Size.CONTROL_SMALL - 2 * Size.FOCUS_RING}px; }}
    QFrame[role="switch"] {{ background: {look.sunken}; border: 1px solid {look.line2};
        border-radius: {Radius.CONTROL}px; }}
    QPushButton[role="half"] {{ background: transparent; border: 1px solid transparent; color: {look.text2};
        border-radius: {Radius.CONTROL}px; padding: 0 {Space.M}px; min-height: {Size.CONTROL - 4}px; }}
    QPushButton[role="half"]:hover {{ color: {look.text}; }}
    QPushButton[role="half"]:disabled {{ color: {look.text3}; }}
    QPushButton[role="half"]:checked {{ background: {look.raised}; color: {look.text}; font-weight: 600;
        border-color: {look.line2}; }}
    QPushButton[role="half"]:focus {{ border: {Size.FOCUS_RING}px solid {look.accent}; padding: 0 {Space.M - 1}px;
        min-height: {Size.CONTROL - 4 - 2}px; }}
    QPushButton[role="verdict"] {{ background: {look.raised}; border: 1px solid {look.line};
        border-radius: {Size.CONTROL // 2}px; padding: 0 {Space.S}px; min-height: {Size.CONTROL - 2}px;
        font-weight: 600; color: {look.text}; }}
    QPushButton[role="verdict"]:hover {{ background: {look.hover}; }}
    QPushButton[role="verdict"]:checked {{ background: {look.accent_soft}; border: 1px solid {look.accent};
        color: {look.accent_ink}; }}
    QPushButton[role="verdict"]:focus, QPushButton[role="segment"]:focus {{
        border: {Size.FOCUS_RING}px solid {look.accent}; min-height: {Size.CONTROL - 2 * Size.FOCUS_RING}px; }}
    QPushButton[role="verdict"]:focus {{ padding: 0 {Space.S - 1}px; }}
    QPushButton[role="segment"]:focus {{ padding: 0 {Space.M - 1}px; }}
    QPushButton[role="verdict"]:checked:focus, QPushButton[role="segment"]:checked:focus {{
        border: {2 * Size.FOCUS_RING + 1}px double {look.accent};
        min-height: {Size.CONTROL - 4 * Size.FOCUS_RING - 2}px; }}
    QPushButton[role="verdict"][empty="true"] {{ color: {look.text3}; font-weight: 400; }}
    QPushButton[role="segment"] {{ background: {look.sunken}; color: {look.text2}; border: 1px solid {look.line2};
        border-radius: {Radius.CONTROL}px; padding: 0 {Space.M}px; min-height: {Size.CONTROL - 2}px; }}
    QPushButton[role="segment"]:checked {{ background: {look.raised}; color: {look.text}; font-weight: 600;
        border: 1px solid {look.accent}; }}
    """
