"""What is taken from ONNX's own operator definitions."""

import pytest

from inspector.model.graph import OpKey
from inspector.placement.operators import UNKNOWN, operator_form, well_typed


def test_formal_names_and_roles():
    form = operator_form(OpKey("", "Where", 9))
    assert form.inputs == (("condition", False), ("X", True), ("Y", True))
    assert operator_form(OpKey("", "TopK", 11)).inputs[1] == ("K", False)


def test_defaults_follow_the_opset():
    assert operator_form(OpKey("", "Softmax", 11)).defaults["axis"] == 1
    assert operator_form(OpKey("", "Softmax", 13)).defaults["axis"] == -1
    assert operator_form(OpKey("", "Resize", 11)).defaults["mode"] == "nearest"


def test_onnxs_domain_has_two_spellings():
    assert operator_form(OpKey("ai.onnx", "Relu", 11)).inputs == (("X", True),)


def test_a_vendors_namesake_and_a_stranger():
    assert operator_form(OpKey("horizon", "GridSample", 1)).inputs[0][0] == "X"
    assert operator_form(OpKey("horizon", "Nothing", 1)).inputs == ()
    assert operator_form(OpKey("", "Relu", None)).inputs == (("X", True),)


@pytest.mark.parametrize(
    ("value", "kind", "good"),
    [
        (1, (int, False), True),
        (1.5, (int, False), False),
        ((1, 2), (int, True), True),
        ((1, "a"), (int, True), False),
        (1, (int, True), False),
        ("x", (str, False), True),
        (object(), (int, False), False),
    ],
)
def test_types_of_attributes(value, kind, good):
    assert well_typed(value, kind) is good


def test_unknown_prints_as_what_it_is():
    assert repr(UNKNOWN) == "UNKNOWN"
