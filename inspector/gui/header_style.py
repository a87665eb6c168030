"""Style sheet of the header: document tabs, the command box, the divider between groups of buttons."""

from inspector.gui.theme import Radius, Size, Space, Theme


def header_style(look: Theme) -> str:
    """The style sheet of the header's own parts in the colours of *look*."""
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
