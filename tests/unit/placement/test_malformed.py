"""Operands that do not fit each other are never green."""

from dataclasses import replace

import numpy as np
import pytest

from inspector.model.shape import Dim
from inspector.placement.malformed import misfit
from inspector.placement.verdict import Outcome, Verdict
from inspector.text import LANGUAGES, render
from tests.helpers.facts import facts_of, judged


def weight(*shape):
    return np.zeros(shape, np.float32)


FITTING = [
    facts_of("Conv", [[1, 4, 8, 8], weight(6, 2, 3, 3)], group=2),
    facts_of("Conv", [[1, 4, 8, 8], weight(6, 4, 3, 3)], kernel_shape=[3, 3]),
    facts_of("ConvTranspose", [[1, 4, 8, 8], weight(4, 3, 2, 2)], group=2, strides=[2, 2]),
    facts_of("Gemm", [[1, 16], weight(16, 8)]),
    facts_of("Gemm", [[16, 1], weight(8, 16)], transA=1, transB=1),
    facts_of("BatchNormalization", [[1, 4, 8, 8], *[weight(4)] * 4]),
    facts_of("InstanceNormalization", [[1, 4, 8, 8], weight(4), weight(4)]),
    facts_of("Relu", [[1, 4]]),
]

BROKEN = [
    (facts_of("Conv", [[1, 5, 8, 8], weight(6, 2, 3, 3)], group=2), "5", "4"),
    (facts_of("Conv", [[1, 4, 8, 8], weight(5, 2, 3, 3)], group=2), "1", "0"),
    (facts_of("Conv", [[1, 4, 8, 8], weight(6, 4, 3, 3)], kernel_shape=[5, 5]), "5 x 5", "3 x 3"),
    (facts_of("Conv", [[1, 4, 4, 8, 8], weight(6, 4, 1, 3, 3)], kernel_shape=[3, 3]), "3 x 3", "1 x 3 x 3"),
    (facts_of("ConvTranspose", [[1, 5, 8, 8], weight(4, 3, 2, 2)]), "5", "4"),
    (facts_of("ConvTranspose", [[1, 4, 8, 8], weight(4, 3, 2, 2)], group=3), "1", "0"),
    (facts_of("Gemm", [[1, 16], weight(15, 8)]), "16", "15"),
    (facts_of("Gemm", [[16, 1], weight(8, 15)], transA=1, transB=1), "16", "15"),
    (facts_of("BatchNormalization", [[1, 4, 8, 8], weight(4), weight(3), weight(4), weight(4)]), "3", "4"),
    (facts_of("InstanceNormalization", [[1, 4, 8, 8], weight(4), weight(5)]), "5", "4"),
]


@pytest.mark.parametrize("facts", FITTING, ids=lambda facts: facts.op.name)
def test_what_fits(facts):
    assert misfit(facts) is None


@pytest.mark.parametrize(("facts", "found", "allowed"), BROKEN, ids=lambda value: str(getattr(value, "op", "")))
def test_what_does_not_fit_is_unknown(facts, found, allowed):
    finding = misfit(facts)
    assert (finding.outcome, finding.allowed) == (Outcome.UNKNOWN, allowed)
    assert "do not fit" in render(finding.subject)
    assert render(finding.found).endswith(f": {found}")
    assert all(render(part, language) for part in (finding.subject, finding.found) for language in LANGUAGES)


@pytest.mark.parametrize("platform", ["x3", "x5", "ultra", "j6e", "j6p", "j6b"])
def test_no_platform_shows_it_green(platform):
    for facts, *_ in BROKEN:
        local = judged(platform, facts)
        assert local.verdict is not Verdict.BPU
        if local.verdict is Verdict.UNKNOWN:
            assert any(check.clause.endswith(".operands") for check in local.checks)


@pytest.mark.parametrize("group", [0, -1])
def test_a_group_that_cannot_be_is_unknown(group):
    assert misfit(facts_of("Conv", [[1, 4, 8, 8], weight(6, 4, 3, 3)], group=group)).outcome is Outcome.UNKNOWN


def test_an_unknown_size_may_not_fit():
    facts = FITTING[0]
    shape = (facts.inputs[0].shape[0], Dim(None), *facts.inputs[0].shape[2:])
    poorer = replace(facts, inputs=(replace(facts.inputs[0], shape=shape), facts.inputs[1]))
    assert (render(misfit(poorer).subject), misfit(poorer).allowed) == ("whether the operands fit each other", "4")
    assert render(misfit(poorer).found) == "axis 1 of X: ?"


def test_an_operator_of_another_domain_is_left_alone():
    facts = facts_of("Conv", [[1, 5, 8, 8], weight(6, 2, 3, 3)], group=2, domain="my.own")
    assert misfit(facts) is None
