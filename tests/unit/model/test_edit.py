"""The Editor: what a changed model keeps, what goes, and which changes it refuses."""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from inspector.errors import RewriteError
from inspector.model.edit import FROM_KEY, RULE_KEY, Editor, new_nodes
from inspector.model.graph import ShapeOrigin
from inspector.model.infer import infer_shapes
from inspector.model.load import load_model
from inspector.model.save import full_proto, save_model
from inspector.model.shape import static
from inspector.rewrite.find import apply_all
from inspector.rewrite.registry import rule as rule_of
from inspector.worker.client import InProcessRunner
from tests.helpers.models import proto
from tests.helpers.rewriting import check_indices, difference, feeds_of, opened, run


def three(**options):
    """x -> Relu (a) -> Mul by w (b) -> Neg -> y; w also stands in Add at the end when *shared*."""
    shared = options.pop("shared", False)
    nodes = [
        helper.make_node("Relu", ["x"], ["a"], "relu"),
        helper.make_node("Mul", ["a", "w"], ["b"], "mul", doc_string="scale"),
        helper.make_node("Neg", ["b"], ["c"], "neg"),
        helper.make_node("Add", ["c", "w" if shared else "k"], ["y"], "end"),
    ]
    tensors = {"w": np.array([2.0], np.float32), "k": np.array([1.0], np.float32)}
    return proto(nodes, {"x": [2, 3]}, {"y": [2, 3]}, tensors, **options)


def by_name(model, name):
    return next(n for n in model.nodes if n.name == name)


def replaced(model, name="mul", op="Sub", **options):
    """*model* with the node *name* written as *op* of its input and a new constant."""
    editor = Editor(model, rule="test-rule", **options)
    node = by_name(model, name)
    constant = editor.tensor(np.array([5.0], np.float32), "w")
    editor.remove(node.id)
    editor.node(op, (node.inputs[0], constant), node.outputs, base=node)
    return editor.finish()


def test_new_node_stands_where_the_old_one_stood():
    model = opened(three())
    after = replaced(model)
    assert [n.op.name for n in after.nodes] == ["Relu", "Sub", "Neg", "Add"]
    assert [n.op.name for n in model.nodes] == ["Relu", "Mul", "Neg", "Add"]
    assert [n.id for n in new_nodes(model, after)] == [model.next_id]
    assert after.next_id == model.next_id + 1
    new = after.nodes[1]
    assert new.name == "mul/rw/test-rule/Sub"
    assert new.outputs == ("b",)
    assert {e.key: e.value for e in new.proto.metadata_props} == {RULE_KEY: "test-rule", FROM_KEY: "mul"}
    assert new.proto.doc_string == "scale"


def test_everything_else_is_the_same_object():
    model = opened(three())
    after = replaced(model)
    assert all(after.node(n.id) is n for n in model.nodes if n.name != "mul")
    assert after.tensors is model.tensors
    assert after.main.initializers["k"] is model.main.initializers["k"]


def test_constant_goes_only_when_nobody_reads_it():
    assert set(replaced(opened(three())).main.initializers) == {"k", "w__rw0"}
    assert set(replaced(opened(three(shared=True))).main.initializers) == {"k", "w", "w__rw0"}


def test_overridable_constant_stays():
    model = three()
    model.graph.input.append(helper.make_tensor_value_info("w", 1, [1]))
    after = replaced(opened(model))
    assert "w" in after.main.initializers
    onnx.checker.check_model(full_proto(after))


def test_constant_that_is_an_output_stays():
    model = three()
    model.graph.output.append(helper.make_tensor_value_info("w", 1, [1]))
    assert "w" in replaced(opened(model)).main.initializers


def test_constant_that_a_body_captures_stays():
    branches = {
        key: helper.make_graph(
            [helper.make_node("Identity", ["w"], [key])], key, [], [helper.make_tensor_value_info(key, 1, [1])]
        )
        for key in ("then_branch", "else_branch")
    }
    model = three()
    model.graph.node.append(helper.make_node("If", ["q"], ["z"], "if", **branches))
    model.graph.input.append(helper.make_tensor_value_info("q", TensorProto.BOOL, []))
    model.graph.output.append(helper.make_tensor_value_info("z", 1, [1]))
    after = replaced(opened(model))
    assert "w" in after.main.initializers
    check_indices(after)
    onnx.checker.check_model(full_proto(after), full_check=True)


def test_chain_that_fed_only_the_removed_node_goes():
    nodes = [
        helper.make_node("Shape", ["x"], ["s"]),
        helper.make_node("Identity", ["s"], ["s2"]),
        helper.make_node("Reshape", ["x", "s2"], ["a"], "mul"),
        helper.make_node("Neg", ["a"], ["y"]),
    ]
    after = replaced(opened(proto(nodes, {"x": [2, 3]}, {"y": [2, 3]})))
    check_indices(after)
    assert [n.op.name for n in after.nodes] == ["Sub", "Neg"]


def test_names_stay_unique_over_graph_and_bodies():
    model = three()
    taken = "mul/rw/test-rule/Sub"
    inner = helper.make_node("Identity", ["x"], [taken + "_output_0"], taken)
    body = helper.make_graph([inner], "b", [], [helper.make_tensor_value_info(taken + "_output_0", 1, [2, 3])])
    other = helper.make_graph(
        [helper.make_node("Identity", ["x"], ["w__rw0"])], "e", [], [helper.make_tensor_value_info("w__rw0", 1, [2, 3])]
    )
    model.graph.node.append(helper.make_node("If", ["q"], ["z"], "if", then_branch=body, else_branch=other))
    model.graph.input.append(helper.make_tensor_value_info("q", TensorProto.BOOL, []))
    after = replaced(opened(model))
    assert by_name(after, taken + "_2").inputs == ("a", "w__rw1")


def test_unnamed_node_is_called_after_its_output():
    model = three()
    model.graph.node[1].name = ""
    opened_model = opened(model)
    editor = Editor(opened_model, rule="r")
    node = opened_model.nodes[1]
    editor.remove(node.id)
    editor.node("Neg", node.inputs[:1], node.outputs, base=node)
    assert editor.finish().nodes[1].name == "b/rw/r/Neg"


def test_second_rewrite_counts_on_from_the_first():
    after = replaced(replaced(opened(three())), "mul/rw/test-rule/Sub")
    check_indices(after)
    assert [n for n in after.main.initializers if n != "k"] == ["w__rw1"]
    assert {e.key: e.value for e in after.nodes[1].proto.metadata_props}[FROM_KEY] == "mul/rw/test-rule/Sub"


def test_new_values_have_shapes_and_old_ones_go():
    model = opened(three())
    editor = Editor(model, rule="r")
    node, neg = by_name(model, "mul"), by_name(model, "neg")
    (between,) = editor.node("Transpose", node.inputs[:1], base=node, perm=[1, 0])
    editor.node("Transpose", (between,), neg.outputs, base=neg, perm=[1, 0])
    editor.remove(node.id)
    editor.remove(neg.id)
    after = editor.finish()
    assert static(after.value(0, between).shape) == (3, 2)
    assert after.value(0, between).origin is ShapeOrigin.INFERRED
    assert "b" not in after.values[0]
    assert static(after.value(0, "c").shape) == (2, 3)


def test_declared_shapes_of_lost_values_leave_the_file():
    model = onnx.shape_inference.infer_shapes(three())
    opened_model = opened(model)
    node, neg = by_name(opened_model, "mul"), by_name(opened_model, "neg")
    editor = Editor(opened_model, rule="r")
    editor.node("Neg", node.inputs[:1], neg.outputs, base=node)
    editor.remove(node.id)
    editor.remove(neg.id)
    after = editor.finish()
    assert {v.name for v in opened_model.shell.graph.value_info} == {"a", "b", "c"}
    assert {v.name for v in after.shell.graph.value_info} == {"a", "c"}


def test_old_files_get_constant_nodes_instead_of_initializers():
    model = three(ir=3, opset=8)
    for name in ("w", "k"):
        model.graph.input.append(helper.make_tensor_value_info(name, 1, [1]))
    after = replaced(opened(model))
    assert [n.op.name for n in after.nodes] == ["Relu", "Constant", "Sub", "Neg", "Add"]
    onnx.checker.check_model(full_proto(after))
    (y,) = run(after, {"x": np.ones((2, 3), np.float32)})
    assert np.array_equal(y, np.full((2, 3), 5.0, np.float32))


def test_large_constants_live_in_the_store():
    model = opened(three())
    editor = Editor(model, rule="r")
    node = by_name(model, "mul")
    big = np.arange(6000, dtype=np.float32).reshape(2000, 3)[:2]
    editor.remove(node.id)
    editor.node("Add", (node.inputs[0], editor.tensor(big, "w")), node.outputs, base=node)
    after = editor.finish()
    assert np.array_equal(after.constant(0, "w__rw0"), big)


def refused(change):
    model = opened(three())
    editor = Editor(model, rule="bad-rule")
    change(editor, model)
    with pytest.raises(RewriteError) as caught:
        editor.finish()
    assert "bad-rule" in str(caught.value)
    return caught.value.message.args["invariant"].key.rpartition(".")[2]


def drop(editor, model, name):
    node = by_name(model, name)
    editor.remove(node.id)
    return node


def test_lost_output_is_refused():
    assert refused(lambda e, m: drop(e, m, "end")) == "outputs"


def test_value_that_nothing_computes_is_refused():
    assert refused(lambda e, m: drop(e, m, "mul")) == "dangling"


def test_input_that_does_not_exist_is_refused():
    assert refused(lambda e, m: e.node("Neg", ("nothing",), base=drop(e, m, "mul"), outputs=["b"])) == "dangling"


def test_second_producer_is_refused():
    assert refused(lambda e, m: e.node("Neg", ("x",), ("b",), base=m.nodes[0])) == "two-producers"


def test_cycle_is_refused():
    assert refused(lambda e, m: e.node("Neg", ("c",), base=drop(e, m, "mul"), outputs=["b"])) == "order"


def test_other_shape_is_refused():
    def change(editor, model):
        node = drop(editor, model, "end")
        editor.node("Transpose", node.inputs[:1], node.outputs, base=node, perm=[1, 0])

    assert refused(change) == "shape"


def test_other_dtype_is_refused():
    def change(editor, model):
        node = drop(editor, model, "end")
        editor.node("Cast", node.inputs[:1], node.outputs, base=node, to=TensorProto.FLOAT16)

    assert refused(change) == "dtype"


def test_node_that_onnx_does_not_take_is_refused():
    def change(editor, model):
        node = drop(editor, model, "mul")
        editor.node("Transpose", node.inputs[:1], node.outputs, base=node, perm=[0, 1, 2, 3])

    assert refused(change) == "no-shape"


def test_operator_newer_than_the_opset_is_refused():
    assert refused(lambda e, m: e.node("HardSwish", ("a",), ("b",), base=drop(e, m, "mul"))) == "operator"


def test_node_of_a_body_is_not_removed_from_the_main_graph():
    body = helper.make_graph(
        [helper.make_node("Relu", ["x"], ["t"], "inner")], "b", [], [helper.make_tensor_value_info("t", 1, [2, 3])]
    )
    model = three()
    model.graph.node.append(helper.make_node("If", ["q"], ["z"], "if", then_branch=body, else_branch=body))
    model.graph.input.append(helper.make_tensor_value_info("q", TensorProto.BOOL, []))
    opened_model = opened(model)
    editor = Editor(opened_model, rule="r")
    with pytest.raises(RewriteError, match="inner"):
        editor.remove(by_name(opened_model, "inner").id)


def test_value_that_a_body_captures_is_not_lost():
    body = helper.make_graph(
        [helper.make_node("Relu", ["b"], ["t"], "inner")], "b", [], [helper.make_tensor_value_info("t", 1, [2, 3])]
    )
    model = three()
    model.graph.node.append(helper.make_node("If", ["q"], ["z"], "if", then_branch=body, else_branch=body))
    model.graph.input.append(helper.make_tensor_value_info("q", TensorProto.BOOL, []))
    opened_model = opened(model)
    editor = Editor(opened_model, rule="r")
    mul, neg = by_name(opened_model, "mul"), by_name(opened_model, "neg")
    editor.remove(mul.id)
    editor.remove(neg.id)
    editor.node("Neg", mul.inputs[:1], neg.outputs, base=neg)
    with pytest.raises(RewriteError, match="b"):
        editor.finish()


def test_repeated_names_of_the_file_do_not_repeat_in_new_nodes():
    model = three()
    for node in model.graph.node:
        node.name = "same"
    opened_model = opened(model)
    editor = Editor(opened_model, rule="r")
    for node in opened_model.nodes[1:3]:
        editor.remove(node.id)
        editor.node("Neg", node.inputs[:1], node.outputs, base=node)
    assert [n.name for n in editor.finish().nodes] == ["same", "same/rw/r/Neg", "same/rw/r/Neg_2", "same"]


def test_edited_model_with_external_weights_is_saved_and_runs(tmp_path):
    rng = np.random.default_rng(0)
    tensors = {"w": rng.standard_normal((8, 8, 3, 3)).astype(np.float32)}
    tensors |= {key: rng.uniform(0.5, 1, 8).astype(np.float32) for key in "ghmv"}
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"], "conv"),
        helper.make_node("BatchNormalization", ["c", *"ghmv"], ["y"], "bn"),
    ]
    source = proto(nodes, {"x": [1, 8, 6, 6]}, {"y": [1, 8, 4, 4]}, tensors)
    onnx.save_model(source, tmp_path / "m.onnx", save_as_external_data=True, location="m.data", size_threshold=0)
    loaded = infer_shapes(load_model(tmp_path / "m.onnx"), InProcessRunner())
    (step,) = apply_all(loaded, rule_of("bn-fold"))
    (tmp_path / "out").mkdir()
    save_model(step.after, tmp_path / "out" / "n.onnx")
    again = load_model(tmp_path / "out" / "n.onnx")
    onnx.checker.check_model(tmp_path / "out" / "n.onnx")
    feeds = feeds_of(loaded)
    assert difference(run(loaded, feeds)[0], run(again, feeds)[0]) <= 1e-6
    assert again.ir_version == loaded.ir_version
