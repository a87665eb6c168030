"""Rules inside bodies of If, Loop and Scan: captures are readers, the owner holds the result, proof and recipe work."""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from inspector.model.infer import infer_shapes
from inspector.model.load import from_proto
from inspector.model.save import full_proto
from inspector.placement.catalog import load_catalog, resolve_target
from inspector.placement.engine import place as place_on
from inspector.prove import prove
from inspector.rewrite.find import find_all
from inspector.rewrite.preview import preview
from inspector.rewrite.recipe import read_recipe, replay, steps_of, write_recipe
from inspector.rewrite.registry import rule as rule_of
from inspector.rewrite.rule import Match, Preview, Refusal
from inspector.verify.result import Status
from inspector.worker.client import InProcessRunner, WorkerClient
from tests.helpers.models import proto
from tests.helpers.rewriting import check_indices, opened, run

FLOAT = TensorProto.FLOAT
SHAPE = [2, 3, 4, 4]
info = helper.make_tensor_value_info


@pytest.fixture(scope="module")
def worker():
    with WorkerClient() as client:
        yield client


def tensor(name, array):
    return numpy_helper.from_array(np.asarray(array), name)


def branching(*, extra=(), then_outputs=("t",), tensors=None):
    """y = If(flag): then x / c, else -x; with *extra* nodes before it."""
    then = helper.make_graph(
        [helper.make_node("Div", ["x", "c"], ["t"], "then_div")],
        "then",
        [],
        [info(name, FLOAT, SHAPE) for name in then_outputs],
        [tensor("c", np.float32(3))],
    )
    other = helper.make_graph(
        [helper.make_node("Neg", ["x"], ["e"], "else_neg")], "else", [], [info("e", FLOAT, SHAPE)]
    )
    choice = helper.make_node("If", ["flag"], ["y"], "choice", then_branch=then, else_branch=other)
    return proto(
        [*extra, choice],
        {"x": SHAPE, "flag": []},
        {"y": SHAPE},
        tensors,
        dtypes={"flag": TensorProto.BOOL},
    )


def looping():
    """Scan over the first axis: state + slice / 3."""
    body = helper.make_graph(
        [
            helper.make_node("Div", ["slice", "c"], ["d"], "div"),
            helper.make_node("Add", ["state", "d"], ["next"], "add"),
            helper.make_node("Identity", ["next"], ["scan"], "copy"),
        ],
        "body",
        [info("state", FLOAT, [3, 4, 4]), info("slice", FLOAT, [3, 4, 4])],
        [info("next", FLOAT, [3, 4, 4]), info("scan", FLOAT, [3, 4, 4])],
        [tensor("c", np.float32(3))],
    )
    node = helper.make_node("Scan", ["s", "x"], ["last", "y"], "scan", num_scan_inputs=1, body=body)
    return proto([node], {"s": [3, 4, 4], "x": SHAPE}, {"last": [3, 4, 4], "y": SHAPE})


def nested():
    """An If inside the then branch of an If; the innermost Div reads values of the main graph."""
    inner = branching().graph.node[0]
    inner.name = "inner"
    inner.output[0] = "i"
    outer_else = helper.make_graph(
        [helper.make_node("Relu", ["x"], ["o"], "relu")], "else2", [], [info("o", FLOAT, SHAPE)]
    )
    outer_then = helper.make_graph([inner], "then2", [], [info("i", FLOAT, SHAPE)])
    node = helper.make_node("If", ["flag"], ["y"], "outer", then_branch=outer_then, else_branch=outer_else)
    return proto([node], {"x": SHAPE, "flag": []}, {"y": SHAPE}, dtypes={"flag": TensorProto.BOOL})


def rewritten(model, rule="div-to-mul", op="Div"):
    node = next(n for n in model.nodes if n.op.name == op)
    match = rule_of(rule).match(model, node.id)
    assert isinstance(match, Match), match
    return preview(model, rule_of(rule), match)


def feeds(model):
    rng = np.random.default_rng(1)
    made = {
        name: rng.standard_normal([d.size for d in model.value(0, name).shape]).astype(np.float32)
        for name in model.main.inputs
        if name != "flag"
    }
    return [made | {"flag": np.array(flag)} for flag in (True, False)] if "flag" in model.main.inputs else [made]


@pytest.mark.parametrize("build", [branching, looping, nested])
def test_a_rewrite_in_a_body_is_what_is_saved_and_run(build, worker):
    model = opened(build())
    before = full_proto(model).SerializeToString(deterministic=True)
    built = rewritten(model)
    assert full_proto(model).SerializeToString(deterministic=True) == before
    saved = full_proto(built.after)
    onnx.checker.check_model(saved, full_check=True)
    again = infer_shapes(from_proto(saved), InProcessRunner())
    assert "Div" not in {n.op.name for n in again.nodes}
    assert [n.op for n in again.nodes] == [n.op for n in built.after.nodes]
    assert [g.path for g in again.graphs] == [g.path for g in built.after.graphs]
    check_indices(built.after)
    for feed in feeds(model):
        for a, b in zip(run(model, feed), run(built.after, feed), strict=True):
            np.testing.assert_allclose(b, a, rtol=1e-6)
    rule = rule_of("div-to-mul")
    fragment, whole = prove(built, rule.safety, rule.limit, worker)
    assert fragment.status is Status.PASSED
    assert whole.status is Status.PASSED


def test_a_wrong_rewrite_in_a_body_fails_its_fragment(worker):
    model = opened(looping())
    rule = rule_of("div-to-mul")

    class Wrong(type(rule)):
        def rewrite(self, editor, match, variant):
            node = editor.model.node(match.anchor)
            editor.remove(node.id)
            factor = editor.tensor(np.array(0.3, np.float32), "c")
            editor.node("Mul", (node.inputs[0], factor), node.outputs, base=node)

    match = rule.match(model, next(n.id for n in model.nodes if n.op.name == "Div"))
    changed = preview(model, Wrong(), match)
    fragment, _ = prove(changed, rule.safety, rule.limit, worker)
    assert fragment.status is Status.FAILED


def test_what_a_body_captures_is_read():
    """BN after Conv cannot be folded where a body reads the Conv: both are in the main graph, the reader is not."""
    generator = np.random.default_rng(0)
    tensors = {n: generator.uniform(0.5, 1.5, 3).astype(np.float32) for n in ("s", "b", "m", "v")}
    tensors["w"] = generator.standard_normal((3, 3, 1, 1)).astype(np.float32)
    extra = [
        helper.make_node("Conv", ["z", "w"], ["x"], "conv"),
        helper.make_node("BatchNormalization", ["x", "s", "b", "m", "v"], ["n"], "bn"),
    ]
    model = branching(extra=extra, tensors=tensors)
    model.graph.input[0].name = "z"
    model.graph.output.append(info("n", FLOAT, SHAPE))
    opened_model = opened(model)
    bn = next(n for n in opened_model.nodes if n.name == "bn")
    answer = rule_of("bn-fold").match(opened_model, bn.id)
    assert isinstance(answer, Refusal)
    assert answer.reason.key == "rewrite.refuse.captured"


def test_new_names_are_unique_over_all_graphs():
    """The main graph already has what the body's new constant would be called."""
    extra = [helper.make_node("Identity", ["x"], ["c__rw0"], "other")]
    built = rewritten(opened(branching(extra=extra)))
    names = [name for g in built.after.graphs for name in (*g.initializers, *(o for n in g.nodes for o in n.outputs))]
    assert len(names) == len(set(names))


def test_local_functions_are_refused():
    function = helper.make_function(
        "local",
        "Third",
        ["a", "c"],
        ["b"],
        [helper.make_node("Div", ["a", "c"], ["b"], "div")],
        [helper.make_opsetid("", 13)],
    )
    model = proto(
        [helper.make_node("Third", ["x", "c"], ["y"], "call", domain="local")],
        {"x": SHAPE},
        {"y": SHAPE},
        {"c": np.float32(3)},
        domains=("local",),
    )
    model.functions.append(function)
    loaded = opened(model)
    div = next(n for n in loaded.nodes if n.op.name == "Div")
    answer = rule_of("div-to-mul").match(loaded, div.id)
    assert isinstance(answer, Refusal)
    assert (answer.relevant, answer.reason.key) == (True, "rewrite.refuse.in_function")


def test_bodies_are_refused_while_sizes_are_bound():
    model = looping()
    model.graph.input[1].type.tensor_type.shape.dim[0].dim_param = "steps"
    loaded = opened(model, {"steps": 2})
    div = next(n for n in loaded.nodes if n.op.name == "Div")
    assert rule_of("div-to-mul").match(loaded, div.id).reason.key == "rewrite.refuse.in_body_sizes"


@pytest.mark.parametrize("build", [looping, nested])
def test_a_recipe_finds_the_body_again(build):
    model = opened(build())
    steps = read_recipe(write_recipe(steps_of([rewritten(model)])))
    assert steps[0].graph
    (answer,) = replay(model, steps)
    assert isinstance(answer, Preview)
    assert "Div" not in {n.op.name for n in answer.after.nodes}


def test_fixes_are_looked_for_in_bodies():
    model, catalog = opened(looping()), load_catalog()
    target = resolve_target(catalog, "x3")

    def place(changed):
        return place_on(changed, catalog, target)

    found = find_all(model, place(model), place=place)
    bodies = {model.node(n).graph for n in found}
    assert bodies - {0}
