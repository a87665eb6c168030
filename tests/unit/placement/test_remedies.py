import numpy as np
import pytest
from onnx import TensorProto, defs

from inspector.placement.catalog import load_catalog, resolve_target
from inspector.placement.engine import place
from inspector.placement.example import model_of
from inspector.placement.example_graph import graph_samples
from inspector.placement.remedies import EQUIVALENTS, in_order, placement_remedies, remedies
from inspector.placement.verdict import Outcome
from inspector.text import LANGUAGES, render
from tests.helpers.facts import check_of, facts_of, one_node, rules_of


def said(platform, clause, facts):
    catalog = load_catalog()
    check = check_of(platform, clause, facts)
    assert check.outcome is Outcome.FAIL
    rules = rules_of(platform, facts.op.name)
    found = next(known for known in rules.clauses if known.id == clause)
    table = catalog.table(resolve_target(catalog, platform))
    return [render(message) for message in remedies(check, found, facts, table)]


def test_the_nearest_value_of_a_range_is_named():
    facts = facts_of("ConvTranspose", [[1, 4, 4, 8, 8], [4, 4, 5, 2, 2]], [[1, 4, 20, 16, 16]], strides=[5, 2, 2])
    assert said("j6p", "conv-transpose.kernel-depth", facts)[0] == (
        "smallest change: attribute kernel_shape[0]: ≤ 2 (now 5)"
    )


def test_the_nearest_value_of_a_list_is_named():
    facts = facts_of("ConvTranspose", [[1, 4, 8, 8], [4, 4, 3, 3]], [[1, 4, 24, 24]], strides=[3, 3])
    assert said("x3", "conv-transpose.strides", facts)[0].endswith("strides[0]: = 2 (now 3)")
    facts = facts_of("ConvTranspose", [[1, 4, 8, 8], [4, 4, 5, 5]], [[1, 4, 40, 40]], strides=[5, 5])
    assert said("x3", "conv-transpose.strides", facts)[0].endswith("strides[0]: = 4 (now 5)")


@pytest.mark.parametrize(("height", "pieces"), [(129, 2), (256, 2), (257, 3), (512, 4)])
def test_a_size_over_the_limit_says_into_how_many_parts(height, pieces):
    shape = [1, 8, height, 8]  # the limit is 8192 elements, 8 * 128 * 8
    first = said("x3", "cos.elements", facts_of("Cos", [shape], [shape]))[0]
    assert first == f"smallest change: C * H * W: ≤ 8192 (now {64 * height}): split into {pieces}"


def test_a_size_below_the_limit_is_not_split():
    first = said("x5", "global-max-pool.size", facts_of("GlobalMaxPool", [[1, 4, 0, 8]], [[1, 4, 1, 1]]))[0]
    assert "≥ 1 (now 0)" in first
    assert "split" not in first


def test_every_element_and_axis_that_fails_is_named():
    kernel = facts_of("Conv", [[1, 4, 32, 32], [4, 4, 9, 8]], [[1, 4, 24, 25]], kernel_shape=[9, 8])
    assert said("x3", "conv.kernel-shape", kernel)[:2] == [
        "smallest change: attribute kernel_shape[0]: ≤ 7 (now 9)",
        "smallest change: attribute kernel_shape[1]: ≤ 7 (now 8)",
    ]
    assert len(said("x3", "conv.kernel-shape", kernel)) == 4, "each way is told once"
    product = facts_of("MatMul", [[1, 4, 9000], [1, 9000, 4]], [[1, 4, 4]])
    changes = [line for line in said("x5", "matmul.last-two-axes", product) if line.startswith("smallest")]
    assert [line.split(":")[1].strip() for line in changes] == ["axis 2 of A", "axis 1 of B"]


def test_of_limits_that_hold_together_the_broken_ones_are_named():
    facts = facts_of("Conv", [[1, 4097, 8, 8], [4, 4097, 1, 1]], [[1, 4, 8, 8]], kernel_shape=[1, 1])
    assert said("x3", "conv.channels", facts)[0] == "smallest change: cin: ≤ 4096 (now 4097): split into 2"


def test_a_window_that_is_too_large_is_not_cut_like_a_tensor():
    facts = facts_of("AveragePool", [[1, 4, 200, 200]], [[1, 4, 1, 1]], kernel_shape=[200, 200])
    lines = said("x5", "average-pool.kernel-area", facts)
    assert "split into" not in lines[0]
    assert lines[1].startswith("decompose: several windows with > 1, ≤ 8192")


@pytest.mark.parametrize("op", ["ArgMax", "ArgMin"])
def test_the_axis_along_which_an_operator_chooses_is_not_cut(op):
    facts = facts_of(op, [[1, 9000, 4, 4]], [[1, 1, 4, 4]], axis=-3)
    lines = said("x5", f"{op[:3].lower()}-{op[3:].lower()}.channels", facts)
    assert not any("Split" in line or "split" in line for line in lines)
    tall = facts_of(op, [[1, 4, 70000, 4]], [[1, 1, 70000, 4]], axis=1)
    assert "split into 2" in said("x5", f"{op[:3].lower()}-{op[3:].lower()}.size", tall)[0]


def test_a_wrong_number_of_values_shows_the_values():
    facts = facts_of("ReduceMean", [[1, 8, 4, 4]], [[1, 1, 1, 1]], axes=[1, 2, 3])
    assert said("x5", "reduce-mean.axes-choice", facts)[0] == (
        "smallest change: attribute axes: 1 value, or 2, 3 (now 3 values (1, 2, 3))"
    )


def test_a_condition_on_several_figures_is_said_in_the_clauses_words():
    facts = facts_of("Resize", [[1, 4, 8, 8], None, np.array([1, 1, 3, 3], np.float32)], [[1, 4, 24, 24]])
    first = said("x3", "resize.nearest-factor", facts)[0]
    assert first.startswith(
        "smallest change: factors of an enlarging nearest Resize are powers of two (now scale_h = 3"
    )


def test_a_cast_comes_back_only_for_what_is_computed():
    axis = facts_of("CumSum", [[1, 4, 8, 8], np.array(1)], [[1, 4, 8, 8]])
    assert "re-express: dtype of axis: Cast to int32" in said("x5", "cum-sum.cpu-dtype-axis", axis)
    double = facts_of("Abs", [[1, 4, 8, 8]], [[1, 4, 8, 8]], dtypes={0: TensorProto.DOUBLE})
    assert any(line.endswith("Cast to float32, and back") for line in said("x3", "abs.cpu-dtype", double))


def test_dividing_by_a_constant_becomes_a_product():
    facts = facts_of("Div", [[1, 4, 8, 8], np.ones((1, 4, 8, 8), np.float32)], [[1, 4, 8, 8]])
    assert "equivalent operators: Mul in place of Div" in said("x3", "div.computed-inputs", facts)[1]


def placed(platform, op, inputs, outputs, **rest):
    catalog = load_catalog()
    model, node = one_node(op, inputs, outputs, **rest)
    placement = place(model, catalog, resolve_target(catalog, platform))
    return node, placement_remedies(model, placement, catalog)


def test_equivalents_are_offered_only_where_the_bpu_has_them_all():
    shape = [1, 4, 8, 8]
    node, found = placed("x3", "HardSigmoid", [shape], [shape])
    words = " ".join(render(m) for m in in_order(found.nodes[node.id]))
    assert "Mul, Add, Clip" in words
    node, found = placed("x3", "Neg", [shape], [shape])
    assert "Mul in place of Neg" in " ".join(render(m) for m in in_order(found.nodes[node.id]))
    node, found = placed("x3", "LogSoftmax", [shape], [shape])
    assert "equivalent" not in " ".join(render(m) for m in in_order(found.nodes[node.id]))  # X3 has no Log


def test_the_order_is_change_equivalent_decompose_re_express_boundary():
    node, found = placed("x3", "ConvTranspose", [[1, 4, 4, 8, 8], [4, 4, 5, 2, 2]], [[1, 4, 20, 16, 16]])
    kinds = [message.key.split(".")[1] for message in in_order(found.nodes[node.id])]
    order = ["change", "split", "meet", "equivalent", "decompose", "re-express", "boundary"]
    assert kinds == sorted(kinds, key=order.index)
    assert {"change", "decompose", "re-express", "boundary"} <= set(kinds)
    assert len(set(map(render, in_order(found.nodes[node.id])))) == len(kinds)


def test_an_output_of_the_model_may_be_computed_after_it():
    shape = [1, 4, 8, 8]
    node, found = placed("x3", "Abs", [shape], [shape])
    assert render(in_order(found.nodes[node.id])[-1]).startswith("move the boundary: end the model before this Abs")


def test_nodes_on_the_bpu_need_nothing():
    _, found = placed("x5", "Relu", [[1, 4, 8, 8]], [[1, 4, 8, 8]])
    assert found.nodes == {}
    assert found.graph == {}


@pytest.mark.parametrize("platform", ["x3", "x5", "ultra", "j6p"])
def test_every_failed_check_of_the_model_has_words(platform):
    catalog = load_catalog()
    target = resolve_target(catalog, platform)
    table = catalog.table(target)
    for clause in table.graph:
        for sample in graph_samples(clause, table).get("outside", ()):
            model = model_of(sample)
            found = placement_remedies(model, place(model, catalog, target), catalog).graph
            if clause.contradicted is None:
                assert all(render(found[clause.id][0], language) for language in LANGUAGES)
            else:
                assert clause.id not in found


def test_equivalents_name_operators_of_onnx():
    known = {schema.name for schema in defs.get_all_schemas()}
    assert set(EQUIVALENTS) <= known
    assert {part for ways in EQUIVALENTS.values() for parts in ways for part in parts} <= known
