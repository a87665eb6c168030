"""Offers: placed on the target, ranked, shared between sites that look alike; rules applied at every site."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import helper

from inspector.model.graph import Model, Node
from inspector.placement.target import Target
from inspector.placement.verdict import NodeVerdict, Placement, Standing, Verdict
from inspector.rewrite.find import answer, apply_all, find, find_all, sites
from inspector.rewrite.preview import preview
from inspector.rewrite.registry import rule as rule_of
from inspector.rewrite.registry import rules
from inspector.rewrite.rule import Gain, Match, Preview, Refusal, Safety
from tests.helpers.models import proto
from tests.helpers.rewriting import feeds_of, fix_all, max_rel, node_of, opened


class Chip:
    """A target for tests: a node runs on the BPU unless *bad* names its operator, or it has a tensor of high rank."""

    def __init__(self, bad=("ConvTranspose:5", "HardSigmoid"), verdict=Verdict.CPU, highest=5):
        self.bad, self.verdict, self.highest, self.calls = set(bad), verdict, highest, 0

    def __call__(self, model: Model) -> Placement:
        self.calls += 1
        verdicts = {n.id: NodeVerdict(n.id, self.judge(model, n), Standing.DOCUMENTED) for n in model.nodes}
        return Placement(Target("x5", "bayes-e", "1.2.8"), verdicts)

    def judge(self, model: Model, node: Node) -> Verdict:
        ranks = [
            len(v.shape) for v in (*model.input_values(node)[:1], *model.output_values(node)) if v.shape is not None
        ]
        width = max(ranks, default=0)
        if node.op.name in self.bad or f"{node.op.name}:{width}" in self.bad or width > self.highest:
            return self.verdict
        return Verdict.BPU


def deconv_nodes(count, other=False):
    """A chain of *count* equal ConvTranspose3d, each made small again by a pooling."""
    nodes, tensors = [], {"w": np.random.default_rng(0).standard_normal((4, 4, 2, 2, 2)).astype(np.float32)}
    value = "x"
    for i in range(count):
        nodes.append(helper.make_node("ConvTranspose", [value, "w"], [f"u{i}"], f"up{i}", strides=[2, 2, 2]))
        nodes.append(
            helper.make_node("MaxPool", [f"u{i}"], [f"p{i}"], f"pool{i}", kernel_shape=[2, 2, 2], strides=[2, 2, 2])
        )
        value = f"p{i}"
    nodes.append(helper.make_node("Relu", [value], ["y"], "end"))
    return proto(nodes, {"x": [1, 4, 2, 4, 4]}, {"y": [1, 4, 2, 4, 4]}, tensors)


def swish(count=1, form="op"):
    nodes, value = [], "x"
    for i in range(count):
        if form == "op":
            nodes.append(helper.make_node("HardSwish", [value], [f"y{i}"], f"act{i}"))
        else:
            nodes.append(helper.make_node("HardSigmoid", [value], [f"g{i}"], f"gate{i}", alpha=1 / 6, beta=0.5))
            nodes.append(helper.make_node("Mul", [value, f"g{i}"], [f"y{i}"], f"mul{i}"))
        value = f"y{i}"
    return proto(nodes, {"x": [1, 4, 4, 4]}, {value: [1, 4, 4, 4]}, opset=14)


def test_fix_is_ranked_by_what_is_left_on_the_cpu():
    model, chip = opened(deconv_nodes(1)), Chip()
    found = find(model, chip(model), node_of(model, "ConvTranspose"), place=chip)
    assert found.fixes
    assert all(o.gain.helps for o in found.fixes)
    assert found.fixes[0].rule.id == "convtranspose3d-to-2d"
    ranks = [offer.rank for offer in found.fixes]
    assert ranks == sorted(ranks)
    worse = [o for o in found.fixes if o.variant == "rank-8"]
    assert not worse, "a transpose of rank 8 only moves the problem"
    assert [o.variant for o in found.unhelpful] == ["rank-8"]


def test_approximation_comes_after_every_equivalent():
    from tests.helpers.gelu import operator

    model, chip = opened(operator()), Chip(bad=("Gelu",))
    found = find(model, chip(model), node_of(model, "Gelu"), place=chip)
    safeties = [offer.rule.safety for offer in found.fixes]
    assert safeties == [Safety.EQUIVALENT, Safety.APPROXIMATE, Safety.APPROXIMATE]


def test_rule_that_does_not_fit_gives_its_reason():
    model, chip = opened(deconv_nodes(1)), Chip()
    found = find(model, chip(model), node_of(model, "ConvTranspose"), place=chip)
    assert [(r.rule, r.reason.key) for r in found.refusals] == [("convtranspose3d-taps", "rewrite.refuse.depth_apart")]


def test_the_best_form_depends_on_the_chip():
    model = opened(swish())
    without_gate = Chip(bad=("HardSwish", "HardSigmoid"))
    without_clip = Chip(bad=("HardSwish", "Clip"))
    first = [
        find(model, c(model), node_of(model, "HardSwish"), place=c).fixes[0].variant
        for c in (without_gate, without_clip)
    ]
    assert first[0] != "hardsigmoid-mul"
    assert first[1] == "hardsigmoid-mul"


def test_nothing_is_a_fix_where_nothing_is_wrong():
    model, chip = opened(swish()), Chip(bad=())
    found = find(model, chip(model), node_of(model, "HardSwish"), place=chip)
    assert found.fixes == ()
    assert found.cleanups == ()
    assert len(found.unhelpful) == 3


def test_pattern_is_found_from_a_node_inside():
    model, chip = opened(swish(form="spelled")), Chip()
    gate = node_of(model, "HardSigmoid")
    found = find(model, chip(model), gate, place=chip)
    (swish_fix,) = {offer.match.anchor: offer for offer in found.fixes if offer.rule.id == "hardswish"}.values()
    assert swish_fix.match.anchor == node_of(model, "Mul")
    assert gate in swish_fix.match.nodes


def test_trading_a_cpu_node_for_an_unknown_one_is_no_fix():
    model = opened(swish())

    class Unsure(Chip):
        def judge(self, model, node):
            return Verdict.CPU if node.op.name == "HardSwish" else Verdict.UNKNOWN

    chip = Unsure()
    assert find(model, chip(model), node_of(model, "HardSwish"), place=chip).fixes == ()


def test_sites_that_look_alike_are_placed_once():
    model, chip = opened(deconv_nodes(12)), Chip()
    placement = chip(model)
    chip.calls = 0
    found = find_all(model, placement, place=chip)
    assert len(found) == 12
    assert chip.calls <= 3 * 5
    alone = find(model, placement, node_of(model, "ConvTranspose", 6), place=chip)
    shared = found[node_of(model, "ConvTranspose", 6)]
    assert [(o.rule.id, o.variant, o.gain) for o in shared.fixes] == [
        (o.rule.id, o.variant, o.gain) for o in alone.fixes
    ]
    assert all(o.match.anchor == node_of(model, "ConvTranspose", 6) for o in shared.fixes)


def test_fix_all_leaves_no_problem_and_no_difference():
    model, chip = opened(deconv_nodes(4)), Chip()
    steps = list(fix_all(model, chip(model), place=chip))
    assert len(steps) == 4
    assert steps[-1].placement_after.counts[Verdict.CPU] == 0
    assert [s.gain.cpu for s in steps] == [(4, 3), (3, 2), (2, 1), (1, 0)]
    assert max_rel(model, steps[-1].after, feeds_of(model)) <= 1e-6


def test_fix_all_does_not_clean_up():
    tensors = {"w": np.ones((4, 4, 1, 1), np.float32), **{k: np.ones(4, np.float32) for k in "ghmv"}}
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"]),
        helper.make_node("BatchNormalization", ["c", *"ghmv"], ["y"]),
    ]
    model = opened(proto(nodes, {"x": [1, 4, 4, 4]}, {"y": [1, 4, 4, 4]}, tensors))
    chip = Chip()
    assert list(fix_all(model, chip(model), place=chip)) == []
    assert len(list(apply_all(model, rule_of("bn-fold")))) == 1


def test_overlapping_sites_are_matched_again():
    """Both norms hang on the same Conv chain: the first folding renames what the second one reads."""
    tensors = {"w": np.ones((4, 4, 1, 1), np.float32), **{k: np.full(4, 0.5, np.float32) for k in "ghmv"}}
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"]),
        helper.make_node("BatchNormalization", ["c", *"ghmv"], ["d"], "one"),
        helper.make_node("BatchNormalization", ["d", *"ghmv"], ["y"], "two"),
    ]
    model = opened(proto(nodes, {"x": [1, 4, 4, 4]}, {"y": [1, 4, 4, 4]}, tensors))
    steps = [s for s in apply_all(model, rule_of("bn-fold")) if isinstance(s, Preview)]
    assert steps
    assert max_rel(model, steps[-1].after, feeds_of(model)) <= 1e-6


def test_variant_that_does_not_fit_a_site_is_told():
    model = opened(deconv_nodes(1))
    (reply,) = apply_all(model, rule_of("convtranspose3d-to-2d"), "no-such")
    assert isinstance(reply, Refusal)
    assert reply.reason.key == "rewrite.refuse.no_variant"


def test_unreadable_weights_make_a_refusal(tmp_path):
    from inspector.model.infer import infer_shapes
    from inspector.model.load import load_model
    from inspector.worker.client import InProcessRunner

    model = deconv_nodes(1)
    tensor = model.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = 1
    tensor.external_data.add(key="location", value="gone.bin")
    path = tmp_path / "m.onnx"
    path.write_bytes(model.SerializeToString())
    loaded = infer_shapes(load_model(path), InProcessRunner())
    reply = answer(rule_of("convtranspose3d-to-2d"), loaded, node_of(loaded, "ConvTranspose"))
    assert isinstance(reply, Refusal)
    assert reply.reason.key == "model.external_missing"


ODD_ATTRIBUTES = (
    *("strides", "pads", "dilations", "group", "output_padding", "output_shape", "kernel_shape"),
    *("axes", "axis", "keepdims", "perm", "split", "num_outputs", "k", "largest", "batch_dims"),
    *("alpha", "beta", "transA", "transB", "min", "max", "epsilon", "blocksize", "num_groups"),
    *("auto_pad", "equation", "mode", "approximate", "ceil_mode", "count_include_pad", "to"),
)
"""Attributes that rules read; a file may give any of them any type."""


@settings(max_examples=600)
@given(
    st.sampled_from(
        sorted({op for r in rules() for op in r.anchors} | {"HardSigmoid", "Clip", "Add", "Conv", "Gemm", "MatMul"})
    ),
    st.lists(st.sampled_from(["x", "w", "s", "i", "", "missing"]), max_size=5),
    st.integers(0, 2),
    st.dictionaries(
        st.sampled_from(ODD_ATTRIBUTES),
        st.one_of(
            st.integers(-1, 3),
            st.floats(-2, 2),
            st.lists(st.integers(-2, 3), min_size=1, max_size=6),
            st.sampled_from(["SAME_UPPER", "ij->ji", "linear"]),
        ),
        max_size=3,
    ),
)
def test_no_rule_raises_on_a_malformed_node(op, inputs, outputs, attributes):
    nodes = [
        helper.make_node(op, inputs, [f"o{i}" for i in range(outputs)], "odd", **attributes),
        helper.make_node("BatchNormalization", [*(["o0"] if outputs else ["x"]), "s", "s", "s", "s"], ["n"]),
        helper.make_node("Mul", ["x", *(["o0"] if outputs else ["x"])], ["z"]),
    ]
    tensors = {
        "w": np.ones((4, 2, 2, 2, 2), np.float32),
        "s": np.ones(2, np.float32),
        "i": np.array([1, 0], np.int64),
    }
    for shape in ([1, 4, 2, 3, 3], [1, 4, 3, 3]):
        model = opened(proto(nodes, {"x": shape}, {"z": None}, tensors))
        for subject in rules():
            for node in model.nodes:
                assert isinstance(subject.match(model, node.id), Match | Refusal)


def test_gain_counts_nodes_before_and_after():
    model, chip = opened(deconv_nodes(1)), Chip()
    match = next(iter(sites(model, rule_of("convtranspose3d-to-2d"))))
    built = preview(model, rule_of("convtranspose3d-to-2d"), match, place=chip)
    assert built.gain == Gain((1, 0), (0, 0), (0, 0), (0, 0), (0, 0))
    assert built.placement_before is not None


@pytest.mark.parametrize("name", ["convtranspose3d-to-2d", "hardswish"])
def test_any_sequence_can_be_undone(name):
    model = opened(deconv_nodes(3) if name.startswith("conv") else swish(3))
    data = model.to_proto().SerializeToString(deterministic=True)
    versions = [model]
    for step in apply_all(model, rule_of(name)):
        assert isinstance(step, Preview)
        assert step.before is versions[-1]
        versions.append(step.after)
    assert versions[0].to_proto().SerializeToString(deterministic=True) == data
    assert len({v.to_proto().SerializeToString(deterministic=True) for v in versions}) == 4


def test_sites_with_other_scales_are_placed_by_themselves():
    nodes, tensors = [], {}
    for i, scale in enumerate((2.0, 2.1, 2.1)):  # 4 x 2.1 gives 8 too
        tensors[f"s{i}"] = np.array([1, 1, 2, 2, scale], np.float32)
        nodes.append(helper.make_node("Resize", ["x", "", f"s{i}"], [f"y{i}"], f"up{i}", mode="linear"))
    outputs = {f"y{i}": [1, 2, 4, 6, 8] for i in range(3)}
    model, chip = opened(proto(nodes, {"x": [1, 2, 2, 3, 4]}, outputs, tensors)), Chip(bad=("Resize:5",))
    found = find_all(model, chip(model), place=chip)
    built = [found[node.id].fixes[0].preview for node in model.nodes]
    assert [preview is not None for preview in built] == [True, True, False]
