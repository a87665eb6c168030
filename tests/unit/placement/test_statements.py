"""Every id that a placement shows can be explained: those of clauses by the tables, all others as statements."""

import inspect
import re

import numpy as np
import pytest
from onnx import helper

from inspector.cli import explain
from inspector.errors import UsageError
from inspector.model.infer import infer_shapes
from inspector.model.load import from_proto
from inspector.placement import context_fold, context_fuse, context_passive, engine, formats
from inspector.placement.catalog import load_catalog, resolve_target
from inspector.placement.context_facts import PASSES
from inspector.placement.engine import place
from inspector.placement.statements import CAUSES, only_in, statement
from inspector.placement.verdict import Standing
from inspector.report.documents import explain_document
from inspector.text import LANGUAGES, render
from inspector.worker.client import InProcessRunner
from tests.helpers.cli import validate
from tests.helpers.models import proto

CATALOG = load_catalog()


def node(op, inputs, name, **attributes):
    return helper.make_node(op, inputs.split(), [name], name, **attributes)


def everything():
    """Operators on the BPU, off it, without a kernel, in no table, without inputs, and operands that do not fit."""
    weight = np.ones((4, 4, 1, 1), np.float32)
    nodes = [
        node("Conv", "x w", "conv", kernel_shape=[1, 1]),
        node("Abs", "conv", "abs"),
        node("Transpose", "abs", "turned", perm=[0, 2, 3, 1]),
        node("Softmax", "turned", "soft", axis=3),
        node("Mish", "soft", "mish"),
        node("Det", "mish", "det"),
        node("Unheard", "det", "unheard", domain="com.example"),
        node("Conv", "v w", "misfit", kernel_shape=[1, 1]),
        node("RandomNormal", "", "noise", shape=[1, 4]),
        node("Relu", "misfit", "relu"),
    ]
    inputs = {"x": [1, 4, 4, 4], "v": [1, 5, 4, 4]}
    outputs = dict.fromkeys(["unheard", "relu", "noise"])
    message = proto(nodes, inputs, outputs, {"w": weight}, opset=11, ir=7, domains=["com.example"])
    return infer_shapes(from_proto(message), InProcessRunner())


@pytest.mark.parametrize("platform", [known.id for known in CATALOG.platforms])
def test_every_id_of_a_placement_has_an_explanation(platform):
    placement = place(everything(), CATALOG, resolve_target(CATALOG, platform))
    shown = {check.clause for one in placement.verdicts.values() for check in one.checks}
    shown |= {because.pass_name for one in placement.verdicts.values() for because in one.because}
    shown |= {check.clause for check in placement.graph_checks}
    assert {"conv.operands", "mish.listed", "unheard.listed"} <= shown
    assert [name for name in sorted(shown) if explain.look_up(CATALOG, name).empty] == []


def test_every_cause_that_the_passes_name_is_known():
    sources = [inspect.getsource(m) for m in (context_fold, context_fuse, context_passive, engine, formats)]
    named = {name for text in sources for name in re.findall(r'(?:Because\(|explain\()"([a-z-]+)"', text)}
    assert {"fold", "fuse", "passive", "tail", "clause", "forced", "format"} <= named <= CAUSES.keys()
    assert sorted(fact for facts in CAUSES.values() for fact in facts) == sorted(PASSES)


@pytest.mark.parametrize("name", ["abs.bpu", "EINSUM.cpu-kernel", "gelu.listed", "conv.operands", *CAUSES])
def test_a_statement_is_told_in_both_languages_and_as_json(name):
    stated = statement(CATALOG, name)
    for language in LANGUAGES:
        words = [render(stated.text, language), *(render(ground.text, language) for ground in stated.grounds)]
        assert all(words)
        validate(explain_document(explain.look_up(CATALOG, name), language) | {"example": None})


@pytest.mark.parametrize(
    "name", ["conv.bpu", "conv.cpu-kernel", "relu.operands", ".bpu", "bpu", "no-such", "conv.listed"]
)
def test_what_holds_nowhere_is_no_statement(name):
    assert statement(CATALOG, name) is None


def test_a_statement_names_the_row_and_the_tables_where_it_holds():
    stated = statement(CATALOG, "acos.bpu")
    assert [ground.tables for ground in stated.grounds] == [("bayes/op-list",), ("bernoulli2/op-list",)]
    assert all("row" in ground.source.section for ground in stated.grounds)
    assert only_in(stated, {"bernoulli2/op-list"}).grounds == stated.grounds[1:]
    assert only_in(stated, {"bayes-e/op-list"}) is None
    (gelu,) = only_in(statement(CATALOG, "gelu.listed"), {"nash-p/op-list"}).grounds
    assert (gelu.tables, gelu.source.standing) == (("nash-p/op-list",), Standing.REPORTED)


def test_the_command_answers_for_one_platform(capsys):
    assert explain.run(["passive", "--platform", "x5"], "zh_CN") == 0
    out = capsys.readouterr().out
    assert "bayes-e/op-list：" in out
    assert "bernoulli2" not in out
    with pytest.raises(UsageError):
        explain.run(["abs.bpu", "--platform", "x5"], "en")
