"""Which panels are open and how large: per preset, within limits, remembered, and safe from a damaged memory."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.gui.panel_layout import PREVIEW, PanelLayout, Part, Preset
from inspector.gui.theme import Size

NAMES = st.sampled_from(["shown", "sizes", *Part, *Preset])
LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=5) | NAMES
JSON = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner), max_leaves=8)


def test_each_preset_opens_its_panels():
    layout = PanelLayout()
    assert layout.preset is Preset.FIX
    seen = {}
    for preset in Preset:
        layout.use(preset)
        seen[preset] = {part for part in Part if layout.is_shown(part)}
    assert seen == {
        Preset.EXPLORE: {Part.LEFT, Part.RIGHT},
        Preset.FIX: set(Part),
        Preset.REVIEW: {Part.RIGHT},
    }


def test_a_preset_remembers_what_was_made_of_it_and_leaves_the_others_alone():
    layout = PanelLayout()
    layout.show(Part.BOTTOM, False)
    layout.resize(Part.LEFT, 300)
    layout.use(Preset.EXPLORE)
    assert layout.size(Part.LEFT) == Size.LEFT
    layout.use(Preset.FIX)
    assert not layout.is_shown(Part.BOTTOM)
    assert layout.size(Part.LEFT) == 300


@pytest.mark.parametrize(
    ("name", "pixels", "kept"),
    [
        (Part.LEFT, 1, Size.LEFT_MIN),
        (Part.LEFT, 5000, Size.LEFT_MAX),
        (Part.RIGHT, 5000, Size.INSPECTOR_MAX),
        (Part.BOTTOM, 10, Size.BOTTOM_MIN),
        (PREVIEW, 400, 400),
    ],
)
def test_sizes_stay_within_their_limits(name, pixels, kept):
    layout = PanelLayout()
    layout.resize(name, pixels)
    assert layout.size(name) == kept


def test_everything_is_remembered(qtbot):
    layout, later = PanelLayout(), PanelLayout()
    layout.use(Preset.REVIEW)
    layout.show(Part.BOTTOM, True)
    layout.resize(Part.RIGHT, 400)
    layout.resize(PREVIEW, 333)
    with qtbot.waitSignals([later.changed, later.preset_changed]):
        later.restore(json.loads(json.dumps(layout.state())))
    assert later.state() == layout.state()
    assert (later.preset, later.size(Part.RIGHT), later.size(PREVIEW)) == (Preset.REVIEW, 400, 333)


@given(
    JSON,
    st.dictionaries(
        st.sampled_from(["preset", "presets"]), JSON | st.dictionaries(st.sampled_from(list(Preset)), JSON)
    ),
)
def test_a_damaged_memory_leaves_a_layout_that_works(anything, table):
    for state in (anything, table):
        layout = PanelLayout()
        layout.restore(state)
        for preset in Preset:
            layout.use(preset)
            assert Size.LEFT_MIN <= layout.size(Part.LEFT) <= Size.LEFT_MAX
            assert all(isinstance(layout.is_shown(part), bool) for part in Part)
        assert json.dumps(layout.state())
