"""Words of the window that are made from names of the core."""

import pytest

from inspector.gui.app import application
from inspector.gui.i18n import Languages
from inspector.gui.words import feed_name
from inspector.verify.feeds import KINDS


@pytest.fixture
def chinese(qapp):
    languages = Languages(application())
    languages.use("zh_CN")
    yield
    languages.use("en")


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("normal x1", "normal ×1"),
        ("normal x0.001 #2", "normal ×0.001 #2"),
        ("uniform -1..1", "uniform −1 … 1"),
        ("even -4..4", "evenly spaced −4 … 4"),
        ("ones", "ones"),
        ("all negative #3", "all negative #3"),
        ("my_inputs.npz", "my_inputs.npz"),
    ],
)
def test_input_sets_are_named_with_proper_signs(kind, text):
    assert feed_name(kind) == text


@pytest.mark.usefixtures("chinese")
@pytest.mark.parametrize("kind", KINDS)
def test_every_input_set_has_a_chinese_name(kind):
    assert any("一" <= letter <= "鿿" for letter in feed_name(kind))
