"""The context passes against hand-made op-local judgements: what the graph around a node changes."""

import numpy as np
import pytest
from onnx import TensorProto, helper

from inspector.model.infer import infer_shapes
from inspector.model.load import from_proto
from inspector.placement import engine, reuse
from inspector.placement.catalog import Catalog, load_catalog, resolve_target
from inspector.placement.local import LocalVerdict
from inspector.placement.table import Table
from inspector.placement.target import Device, Target
from inspector.placement.verdict import Check, Kernel, Outcome, Side, Source, Standing, Verdict
from inspector.text import Text, render
from inspector.worker.client import InProcessRunner
from tests.helpers.models import proto

BPU, CPU, UNKNOWN, UNSUPPORTED, FOLDED = (
    Verdict.BPU,
    Verdict.CPU,
    Verdict.UNKNOWN,
    Verdict.UNSUPPORTED,
    Verdict.FOLDED,
)
SCALAR = {"half": np.float32(0.5), "one": np.float32(1), "root": np.float32(1.414)}
_OUTCOME = {BPU: Outcome.PASS, CPU: Outcome.FAIL, UNSUPPORTED: Outcome.FAIL, UNKNOWN: Outcome.UNKNOWN}


class _Catalog(Catalog):
    def table(self, target):
        return Table("test/table", Text("Test", "测试"), target.march, True, {}, (), {})


def check(op, outcome=Outcome.FAIL):
    return Check(f"{op.lower()}.limit", Side.BPU, outcome, "size", "9000", "1..8192", Source("list"))


@pytest.fixture
def place(monkeypatch):
    """Place nodes whose local verdict is BPU but for those named (by node or operator name) as something else."""

    def run(
        nodes, inputs, outputs, tensors=None, *, march="bayes-e", local=None, forced=None, default_cpu=(), kernel=None
    ):
        model = infer_shapes(from_proto(proto(nodes, inputs, outputs, tensors)), InProcessRunner())
        answers = local or {}

        def judge(_model, node, *_, **__):
            verdict = answers.get(node.name, answers.get(node.op.name, BPU))
            checks = () if verdict is BPU else (check(node.op.name, _OUTCOME[verdict]),)
            return LocalVerdict(
                verdict,
                Standing.DOCUMENTED,
                True,
                _OUTCOME[verdict],
                (kernel or {}).get(node.op.name, Kernel.EXISTS),
                checks,
                default_device=Device.CPU if node.op.name in default_cpu else None,
                force_option="run_on_bpu",
            )

        monkeypatch.setattr(reuse, "judge", judge)
        monkeypatch.setattr(engine, "graph_checks", lambda *_: ())
        monkeypatch.setattr(engine, "min_bpu_nodes", lambda *_: None)
        ids = {n.name: n.id for n in model.nodes}
        target = Target("p", march, "1", forced={ids[k]: v for k, v in (forced or {}).items()})
        placement = engine.place(model, _Catalog((), {}, "0" * 8), target)
        return _Answer(model, placement)

    return run


class _Answer:
    def __init__(self, model, placement):
        self.model, self.placement = model, placement
        self.ids = {n.name: n.id for n in model.nodes}

    def __getitem__(self, name):
        return self.placement.verdicts[self.ids[name]]

    def verdicts(self, names):
        return [self[name].verdict for name in names.split()]

    def host(self, name):
        fused = self[name].fused_into
        return None if fused is None else self.model.node(fused).name

    def causes(self, name):
        return [b.pass_name for b in self[name].because]


def node(op, inputs, name, outputs=None, **attributes):
    return helper.make_node(op, inputs.split(), outputs or [f"{name}.y"], name, **attributes)


def conv(x, name, **kw):
    return node("Conv", f"{x} w", name, kernel_shape=[1, 1], **kw)


W = {"w": np.ones((4, 4, 1, 1), np.float32)}
X = {"x": [1, 4, 8, 8]}
BN = {k: np.ones(4, np.float32) for k in ("g", "b", "m", "v")}


class TestFold:
    def test_shape_chain_on_static_shapes(self, place):
        nodes = [
            conv("x", "c"),
            node("Shape", "c.y", "s"),
            node("Gather", "s.y i", "g", axis=0),
            node("Concat", "g.y j", "t", axis=0),
            node("Reshape", "c.y t.y", "r"),
        ]
        tensors = {**W, "i": np.array([0]), "j": np.array([-1])}
        got = place(nodes, X, {"r.y": None}, tensors, local={"Shape": UNSUPPORTED, "Gather": CPU})
        assert got.verdicts("s g t") == [FOLDED] * 3
        assert got.causes("s") == ["fold"]

    def test_shape_chain_on_dynamic_shapes_is_unknown(self, place):
        nodes = [node("Shape", "x", "s"), node("Slice", "s.y i j", "g"), node("Expand", "h g.y", "e")]
        tensors = {"i": np.array([0]), "j": np.array([1]), "h": np.ones(1, np.float32)}
        got = place(nodes, {"x": ["N", 4]}, {"e.y": None}, tensors)
        assert got.verdicts("s g e") == [UNKNOWN] * 3

    def test_no_ops_vanish_and_neighbours_see_through(self, place):
        nodes = [conv("x", "c"), node("Identity", "c.y", "i"), node("Dropout", "i.y", "d"), node("Relu", "d.y", "r")]
        nodes += [conv("r.y", "c2")]
        got = place(nodes, X, {"c2.y": None}, W, local={"Identity": CPU})
        assert got.verdicts("c i d r c2") == [BPU, FOLDED, FOLDED, BPU, BPU]
        assert got.host("r") == "c"

    def test_cast_only_to_its_own_type(self, place):
        nodes = [
            node("Cast", "x", "same", to=1),
            node("Cast", "same.y", "other", to=10),
            node("Cast", "other.y", "b", to=1),
        ]
        got = place(nodes, X, {"b.y": None}, local={"Cast": CPU})
        assert got.verdicts("same other b") == [FOLDED, CPU, CPU]

    def test_dropout_that_may_train_stays(self, place):
        nodes = [node("Dropout", "x ratio train", "d"), conv("d.y", "c")]
        tensors = {**W, "ratio": np.float32(0.5), "train": np.array(True)}
        assert place(nodes, X, {"c.y": None}, tensors)["d"].verdict is BPU

    def test_computed_weights(self, place):
        nodes = [node("Transpose", "w", "t", perm=[1, 0, 2, 3]), node("Conv", "x t.y", "c", kernel_shape=[1, 1])]
        assert place(nodes, X, {"c.y": None}, W)["t"].verdict is FOLDED


class TestFuse:
    def test_bn_takes_its_conv_verdict_even_on_cpu(self, place):
        nodes = [conv("x", "c"), node("BatchNormalization", "c.y g b m v", "n"), conv("n.y", "z")]
        got = place(nodes, X, {"z.y": None}, {**W, **BN}, local={"c": CPU})
        assert (got["n"].verdict, got.host("n"), got.causes("n")) == (CPU, "c", ["fuse"])

    def test_bn_of_a_shared_conv_stays(self, place):
        nodes = [conv("x", "c"), node("BatchNormalization", "c.y g b m v", "n"), node("Add", "n.y c.y", "a")]
        got = place([*nodes, conv("a.y", "z")], X, {"z.y": None}, {**W, **BN}, local={"BatchNormalization": CPU})
        assert (got["n"].verdict, got.host("n")) == (CPU, None)

    def test_bn_through_a_concat_of_plain_convs(self, place):
        tensors = {**W, **{k: np.ones(8, np.float32) for k in BN}, "w8": np.ones((4, 8, 1, 1), np.float32)}
        nodes = [conv("x", "c"), conv("x", "d"), node("Concat", "c.y d.y", "k", axis=1)]
        nodes += [node("BatchNormalization", "k.y g b m v", "n"), node("LeakyRelu", "n.y", "l")]
        nodes += [node("Conv", "l.y w8", "z", kernel_shape=[1, 1])]
        got = place(nodes, X, {"z.y": None}, tensors, march="bernoulli2", local={"BatchNormalization": CPU})
        assert (got["n"].verdict, got.host("n")) == (BPU, "c")

    def test_residual_add_and_relu_join_the_last_conv(self, place):
        nodes = [conv("x", "c"), node("Relu", "c.y", "r"), conv("r.y", "d"), node("Add", "d.y r.y", "a")]
        nodes += [node("Relu", "a.y", "s"), conv("s.y", "z")]
        got = place(nodes, X, {"z.y": None}, W, local={"Add": CPU, "Relu": CPU})
        assert [got.host(n) for n in ("r", "a", "s")] == ["c", "d", "d"]
        assert got.verdicts("r a s") == [BPU] * 3

    def test_broadcasting_add_is_no_shortcut(self, place):
        nodes = [conv("x", "c"), node("GlobalAveragePool", "x", "p"), node("Add", "c.y p.y", "a"), conv("a.y", "z")]
        got = place(nodes, X, {"z.y": None}, W, local={"Add": CPU})
        assert (got["a"].verdict, got.host("a")) == (CPU, None)

    def test_bias_add_joins_the_product_with_a_constant(self, place):
        nodes = [node("MatMul", "x k", "m"), node("Add", "m.y b", "a"), node("Sigmoid", "a.y", "s")]
        tensors = {"k": np.ones((8, 8), np.float32), "b": np.ones(8, np.float32)}
        assert place(nodes, X, {"s.y": None}, tensors, local={"Add": CPU}).host("a") == "m"

    def test_relu_behind_a_conv_on_cpu_stands_alone(self, place):
        nodes = [conv("x", "c"), node("Relu", "c.y", "r"), conv("r.y", "z")]
        got = place(nodes, X, {"z.y": None}, W, local={"c": CPU})
        assert (got["r"].verdict, got.host("r")) == (BPU, None)

    def test_silu_inherits_the_limits_of_sigmoid(self, place):
        nodes = [conv("x", "c"), node("Sigmoid", "c.y", "s"), node("Mul", "c.y s.y", "m"), conv("m.y", "z")]
        got = place(nodes, X, {"z.y": None}, W, march="bernoulli2", local={"Sigmoid": CPU})
        assert got.verdicts("s m") == [CPU, CPU]
        assert got.host("s") == "m"
        assert [c.clause for c in got["m"].failed] == ["sigmoid.limit"]

    def test_gate_is_no_silu(self, place):
        nodes = [conv("x", "c"), node("Sigmoid", "c.y", "s"), node("Mul", "x s.y", "m"), conv("m.y", "z")]
        assert place(nodes, X, {"z.y": None}, W).host("s") is None

    @pytest.mark.parametrize("half_first", [False, True])
    def test_exact_gelu_is_one_table(self, place, half_first):
        nodes = [conv("x", "c"), node("Div", "c.y root", "d"), node("Erf", "d.y", "e"), node("Add", "e.y one", "a")]
        if half_first:
            nodes += [node("Mul", "c.y half", "m"), node("Mul", "m.y a.y", "n")]
        else:
            nodes += [node("Mul", "c.y a.y", "m"), node("Mul", "m.y half", "n")]
        got = place([*nodes, conv("n.y", "z")], X, {"z.y": None}, {**W, **SCALAR}, local={"Div": CPU})
        assert got.verdicts("d e a m n") == [BPU] * 5
        assert [got.host(n) for n in "deam"] == ["n"] * 4

    def test_forced_node_is_not_fused(self, place):
        nodes = [conv("x", "c"), node("Relu", "c.y", "r"), conv("r.y", "z")]
        got = place(nodes, X, {"z.y": None}, W, forced={"r": Device.CPU})
        assert (got["r"].verdict, got.host("r"), got.causes("r")) == (CPU, None, ["forced"])


class TestPassive:
    def flat(self, *middle):
        return [conv("x", "c"), *middle]

    def test_between_bpu_nodes(self, place):
        nodes = self.flat(node("Transpose", "c.y", "t", perm=[0, 1, 3, 2]), conv("t.y", "z"))
        assert place(nodes, X, {"z.y": None}, W)["t"].verdict is BPU

    def test_between_cpu_nodes_follows_them(self, place):
        nodes = self.flat(node("Abs", "c.y", "a"), node("Transpose", "a.y", "t"), node("Abs", "t.y", "b"))
        got = place([*nodes], X, {"b.y": None}, W, local={"Abs": CPU})
        assert got["t"].verdict is CPU
        assert got["t"].because[0].node == got.ids["a"]

    def test_opens_the_next_subgraph(self, place):
        nodes = self.flat(node("Abs", "c.y", "a"), node("Transpose", "a.y", "t", perm=[0, 1, 3, 2]), conv("t.y", "z"))
        assert place(nodes, X, {"z.y": None}, W, local={"Abs": CPU})["t"].verdict is BPU
        assert place(nodes, X, {"z.y": None}, W, march="bernoulli2", local={"Abs": CPU})["t"].verdict is CPU

    def test_left_on_cpu_without_a_kernel(self, place):
        nodes = self.flat(node("Abs", "c.y", "a"), node("Transpose", "a.y", "t"), node("Abs", "t.y", "b"))
        got = place(nodes, X, {"b.y": None}, W, local={"Abs": CPU}, kernel={"Transpose": Kernel.REFUSES})
        assert (got["t"].verdict, got["t"].standing) == (UNKNOWN, Standing.INFERRED)

    @pytest.mark.parametrize("kernel", [Kernel.REFUSES, Kernel.NONE])
    @pytest.mark.parametrize("op", ["MaxPool", "Flatten", "Relu"])
    def test_what_keeps_a_tail_off_the_bpu_makes_no_unsupported(self, place, op, kernel):
        last = node(op, "c.y", "t", **({"kernel_shape": [2, 2]} if op == "MaxPool" else {}))
        got = place([conv("x", "c"), last], X, {"t.y": None}, W, kernel={op: kernel})
        assert (got["t"].verdict, got["t"].standing, got["t"].kernel) == (UNKNOWN, Standing.INFERRED, kernel)
        assert got.causes("t") == ["tail", "tail"]
        assert place([conv("x", "c"), last], X, {"t.y": None}, W)["t"].verdict is CPU
        refused = place([conv("x", "c"), last], X, {"t.y": None}, W, local={op: UNSUPPORTED}, kernel={op: kernel})
        assert refused["t"].verdict is UNSUPPORTED

    def test_chains_settle_whatever_their_length(self, place):
        chain = [node("Abs", "c.y", "a")]
        chain += [
            node("Transpose", f"{'a' if i == 0 else f't{i - 1}'}.y", f"t{i}", perm=[0, 1, 3, 2]) for i in range(9)
        ]
        got = place(self.flat(*chain, conv("t8.y", "z")), X, {"z.y": None}, W, local={"Abs": CPU})
        assert got.verdicts(" ".join(f"t{i}" for i in range(9))) == [BPU] * 9
        got = place(self.flat(*chain, node("Abs", "t8.y", "z")), X, {"z.y": None}, W, local={"Abs": CPU})
        assert got.verdicts(" ".join(f"t{i}" for i in range(9))) == [CPU] * 9

    def test_unknown_neighbour_leaves_it_open(self, place):
        nodes = self.flat(node("Abs", "c.y", "a"), node("Transpose", "a.y", "t"), node("Neg", "t.y", "b"))
        got = place(nodes, X, {"b.y": None}, W, local={"Abs": UNKNOWN, "Neg": CPU})
        assert got["t"].verdict is UNKNOWN

    def test_mixed_concat_with_cpu_reader(self, place):
        nodes = self.flat(node("Abs", "c.y", "a"), node("Concat", "a.y c.y", "k", axis=1), node("Abs", "k.y", "b"))
        assert place(nodes, X, {"b.y": None}, W, march="bayes", local={"Abs": CPU})["k"].verdict is CPU

    def test_focus_slices_stay_on_cpu_on_x3_only(self, place):
        tensors = {**W, "i": np.array([0]), "j": np.array([8]), "k": np.array([2]), "l": np.array([2])}
        nodes = [node("Slice", "x i j k l", "s"), node("Concat", "s.y s.y", "k2", axis=2), conv("k2.y", "c")]
        assert place(nodes, X, {"c.y": None}, tensors, march="bernoulli2").verdicts("s k2 c") == [CPU, CPU, BPU]
        assert place(nodes, X, {"c.y": None}, tensors).verdicts("s k2 c") == [BPU, BPU, BPU]

    def test_compiler_fallback_does_not_pull_neighbours_along(self, place):
        nodes = self.flat(
            node("Sigmoid", "c.y", "s"), node("Mul", "c.y s.y", "m"), node("Concat", "m.y c.y", "k", axis=1)
        )
        nodes += [node("LeakyRelu", "k.y", "z")]
        got = place(nodes, X, {"z.y": None}, W, march="bernoulli2", local={"Sigmoid": CPU})
        assert got.verdicts("m k z") == [CPU, BPU, BPU]


class TestTail:
    def test_relu(self, place):
        nodes = [conv("x", "c"), node("Relu", "c.y", "r")]
        got = place(nodes, X, {"r.y": None}, W)
        assert got.verdicts("c r") == [BPU, CPU]
        assert got.causes("r")[0] == "tail"
        assert place(nodes, X, {"r.y": None}, W, march="nash-p").verdicts("c r") == [BPU, BPU]
        assert place(nodes, X, {"r.y": None}, W, forced={"r": Device.BPU})["r"].verdict is BPU
        assert place(nodes, X, {"r.y": None}, W, local={"c": UNKNOWN})["r"].verdict is UNKNOWN

    def test_relu_before_a_pool_is_no_tail(self, place):
        nodes = [conv("x", "c"), node("Relu", "c.y", "r"), node("GlobalAveragePool", "r.y", "p")]
        assert place(nodes, X, {"p.y": None}, W).host("r") == "c"

    def test_transpose_becomes_the_layout(self, place):
        nodes = [conv("x", "c"), node("Transpose", "c.y", "t", perm=[0, 2, 3, 1])]
        got = place(nodes, X, {"t.y": None}, W, march="bernoulli2", local={"Transpose": CPU})
        assert (got["t"].verdict, got.host("t")) == (BPU, "c")
        assert "tail" in got.causes("c"), "the Conv keeps its int32 output"
        other = [conv("x", "c"), node("Transpose", "c.y", "t", perm=[0, 1, 3, 2])]
        assert place(other, X, {"t.y": None}, W, march="bernoulli2", local={"Transpose": CPU})["t"].verdict is CPU

    def test_last_reshape(self, place):
        nodes = [conv("x", "c"), node("Reshape", "c.y s", "r")]
        got = place(nodes, X, {"r.y": None}, {**W, "s": np.array([1, -1])})
        assert (got["r"].verdict, got["r"].standing) == (CPU, Standing.INFERRED)

    @pytest.mark.parametrize(("op", "verdict"), [("MaxPool", CPU), ("AveragePool", CPU), ("GlobalAveragePool", BPU)])
    def test_last_pool(self, place, op, verdict):
        kernel = {} if op.startswith("Global") else {"kernel_shape": [2, 2]}
        nodes = [conv("x", "c"), node(op, "c.y", "p", **kernel)]
        got = place(nodes, X, {"p.y": None}, W)
        assert got["p"].verdict is verdict
        assert place(nodes, X, {"p.y": None}, W, forced={"p": Device.BPU})["p"].verdict is BPU
        assert place([*nodes, conv("p.y", "z")], X, {"z.y": None}, W)["p"].verdict is BPU

    @pytest.mark.parametrize(("op", "causes"), [("Sigmoid", ["tail"]), ("Conv", ["tail"])])
    def test_a_tail_that_is_no_conv_is_int16(self, place, op, causes):
        last = conv("c.y", "l") if op == "Conv" else node(op, "c.y", "l")
        got = place([conv("x", "c"), last], X, {"l.y": None}, W)
        assert (got["l"].verdict, got.causes("l")) == (BPU, causes)
        said = [render(entry.message) for entry in got["l"].because]
        assert [("int16" in text, "int32" in text) for text in said] == [(op != "Conv", op == "Conv")] * len(said)
        assert got.causes("c") == []

    def test_an_integer_at_the_tail_keeps_its_type(self):
        nodes = [conv("x", "c"), node("ArgMax", "c.y", "l", axis=1)]
        message = proto(nodes, X, {"l.y": None}, W, opset=11, dtypes={"l.y": TensorProto.INT64})
        catalog = load_catalog()
        placement = engine.place(
            infer_shapes(from_proto(message), InProcessRunner()), catalog, resolve_target(catalog, "x5")
        )
        last = placement.verdicts[1]
        assert (last.verdict, last.because) == (BPU, ())

    def test_gemm_notes_the_added_reshape(self, place):
        nodes = [node("GlobalAveragePool", "x", "p"), node("Flatten", "p.y", "f"), node("Gemm", "f.y k", "g")]
        got = place(nodes, X, {"g.y": None}, {"k": np.ones((4, 3), np.float32)})
        assert got.verdicts("p f g") == [BPU] * 3
        assert got.causes("g") == ["tail"]


class TestDevices:
    def test_default_cpu_says_how_to_force(self, place):
        nodes = [conv("x", "c"), node("Softmax", "c.y", "s"), conv("s.y", "z")]
        got = place(nodes, X, {"z.y": None}, W, default_cpu=("Softmax",))
        assert (got["s"].verdict, got.causes("s")) == (CPU, ["default-cpu"])
        assert "run_on_bpu" in render(got["s"].because[0].message)
        assert place(nodes, X, {"z.y": None}, W, default_cpu=("Softmax",), forced={"s": Device.BPU})["s"].verdict is BPU

    def test_default_cpu_without_a_kernel(self, place):
        nodes = [conv("x", "c"), node("Softmax", "c.y", "s"), conv("s.y", "z")]
        got = place(nodes, X, {"z.y": None}, W, default_cpu=("Softmax",), kernel={"Softmax": Kernel.NONE})
        assert got["s"].verdict is UNSUPPORTED

    @pytest.mark.parametrize(
        ("kernel", "verdict"),
        [(Kernel.EXISTS, CPU), (Kernel.UNSTATED, CPU), (Kernel.NONE, UNSUPPORTED), (Kernel.REFUSES, UNSUPPORTED)],
    )
    def test_forced_to_cpu_needs_a_kernel(self, place, kernel, verdict):
        got = place([conv("x", "c")], X, {"c.y": None}, W, forced={"c": Device.CPU}, kernel={"Conv": kernel})
        assert got["c"].verdict is verdict

    def test_forced_to_bpu_cannot_help_past_a_limit(self, place):
        got = place([conv("x", "c")], X, {"c.y": None}, W, forced={"c": Device.BPU}, local={"c": CPU})
        assert (got["c"].verdict, got.causes("c")) == (CPU, ["forced"])

    def test_body_nodes_run_with_their_owner(self, place):
        branch = helper.make_graph(
            [node("Abs", "x", "inner", ["o"])], "then", [], [helper.make_tensor_value_info("o", 1, None)]
        )
        other = helper.make_graph(
            [node("Neg", "x", "other", ["o"])], "else", [], [helper.make_tensor_value_info("o", 1, None)]
        )
        nodes = [node("If", "flag", "if", then_branch=branch, else_branch=other)]
        got = place(nodes, X, {"if.y": None}, {"flag": np.array(True)}, local={"If": UNSUPPORTED})
        assert got.verdicts("if inner other") == [UNSUPPORTED] * 3
