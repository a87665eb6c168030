"""Icons: every file can be painted, takes the colour of the theme, and is pale where its button is off."""

from collections import Counter

import pytest
from PySide6.QtGui import QColor, QIcon

from inspector.assets import resources_dir
from inspector.gui.icons import icon
from inspector.gui.look import apply_theme, look
from inspector.gui.style import disabled_text

NAMES = sorted(file.stem for file in (resources_dir() / "icons").glob("*.svg"))


def ink(made, mode=QIcon.Mode.Normal):
    """The colour of most pixels that are fully covered; at rims colours are rounded."""
    image = made.pixmap(48, 48, mode).toImage()
    spots = (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()))
    return Counter(spot.name() for spot in spots if spot.alpha() == 255).most_common(1)[0][0]


@pytest.mark.parametrize("name", NAMES)
def test_every_icon_is_painted_in_the_colour_asked_for(qapp, name):
    apply_theme("light")
    assert ink(icon(name, "accent", 48)) == QColor(look().accent).name()
    assert ink(icon(name, "accent", 48), QIcon.Mode.Disabled) == QColor(disabled_text(look())).name()


def test_icons_follow_the_theme(qapp):
    apply_theme("light")
    light = ink(icon("search", size=48))
    apply_theme("dark")
    assert ink(icon("search", size=48)) == QColor(look().text2).name() != light
    apply_theme("light")


def test_an_icon_that_does_not_exist_is_an_error(qapp):
    with pytest.raises(FileNotFoundError):
        icon("no-such-icon")


def test_licence_of_the_icons_goes_with_them():
    text = (resources_dir() / "icons" / "LICENSE").read_text(encoding="utf-8")
    assert "ISC License" in text
    assert "MIT License" in text
