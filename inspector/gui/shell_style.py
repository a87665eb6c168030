"""Style sheet of what stands around the models: the header with its tabs and command box, the start page."""

from inspector.gui.theme import Radius, Size, Space, Theme


def shell_style(look: Theme) -> str:
    """The style sheet of those parts in the colours of *look*."""
    return _header(look) + _start(look)


def _header(look: Theme) -> str:
    ring = Size.FOCUS_RING
    return f"""
    QTabBar[role="documents"]::tab {{ background: transparent; color: {look.text2}; font-weight: 500;
        border: none; border-top: {ring}px solid transparent; border-right: 1px solid transparent;
        padding: 0 {Space.S}px 0 {Space.M}px; margin: 0; min-height: {Size.HEADER - ring - 1}px; }}
    QTabBar[role="documents"]::tab:hover {{ background: {look.hover}; color: {look.text}; }}
    QTabBar[role="documents"]::tab:selected {{ background: {look.panel}; color: {look.text};
        border-top-color: {look.accent}; border-left: 1px solid {look.line}; border-right: 1px solid {look.line}; }}
    QTabBar[role="documents"]::tab:selected:focus {{ color: {look.accent_ink}; border: {ring}px solid {look.accent};
        padding: 0 {Space.S - 1}px 0 {Space.M - 1}px; min-height: {Size.HEADER - 2 * ring - 1}px; }}
    QTabBar[role="documents"]::scroller {{ width: 0; }}
    QTabBar[role="documents"]::tear {{ width: 0; border: none; image: none; }}
    QPushButton[role="search"] {{ background: {look.sunken}; border: 1px solid {look.line2};
        border-radius: {Radius.CONTROL}px; padding: 0; min-height: {Size.CONTROL - 2}px; }}
    QPushButton[role="search"]:hover {{ background: {look.hover}; }}
    QPushButton[role="search"]:focus {{ border: {ring}px solid {look.accent}; padding: 0;
        min-height: {Size.CONTROL - 2 * ring}px; }}
    QWidget[role="divider"] {{ background: {look.line2}; }}
    """


def _start(look: Theme) -> str:
    ring = Size.FOCUS_RING
    return f"""
    QWidget[role="ground"] {{ background: {look.canvas}; }}
    QScrollArea[role="start"], QScrollArea[role="start"]:focus {{ border: none; }}
    QPushButton[role="sample"], QPushButton[role="platform"] {{ background: {look.raised}; padding: 0; min-height: 0;
        border: 1px solid {look.line}; border-radius: {Radius.BOX}px; }}
    QPushButton[role="platform"] {{ border-color: {look.line2}; border-radius: {Radius.CONTROL}px; }}
    QPushButton[role="platform"]:checked {{ background: {look.accent_soft}; border-color: {look.accent}; }}
    QPushButton[role="recent"] {{ background: transparent; padding: 0; min-height: 0; border: none;
        border-radius: {Radius.CONTROL}px; }}
    QPushButton[role="sample"]:hover, QPushButton[role="platform"]:hover:!checked, QPushButton[role="recent"]:hover {{
        background: {look.hover}; }}
    QPushButton[role="recent"]:disabled {{ background: transparent; }}
    QPushButton[role="sample"]:focus, QPushButton[role="platform"]:focus, QPushButton[role="recent"]:focus {{
        border: {ring}px solid {look.accent}; padding: 0; min-height: 0; }}
    """
