"""Fragments and proofs on the real runtime."""

from dataclasses import replace

import numpy as np
import pytest
from onnx import TensorProto, helper

from inspector.model.infer import infer_shapes
from inspector.model.load import load_model
from inspector.prove import proof_tolerance, prove
from inspector.rewrite.rule import Cost, Match, Preview, Safety
from inspector.text import LANGUAGES, render
from inspector.verify.compare import verify_fragment, verify_models
from inspector.verify.result import StageName, Status
from inspector.verify.tolerance import tolerance_for
from inspector.worker import folders
from inspector.worker.client import InProcessRunner
from tests.helpers import models

LIMIT = tolerance_for(False)
EXACT = tolerance_for(True)


def load(proto, path):
    return infer_shapes(load_model(models.write(proto, path)), InProcessRunner())


@pytest.fixture
def pair(tmp_path):
    """Two versions of one model, as an edit would give them: nodes of equal name keep their identity."""

    def build(before, after):
        old, new = load(before, tmp_path / "before.onnx"), load(after, tmp_path / "after.onnx")
        kept = {node.name: node.id for node in old.main.nodes if node.name}
        number = 1000
        nodes = []
        for node in new.main.nodes:
            known = kept.get(node.name)
            number += 1
            nodes.append(replace(node, id=number if known is None else known))
        new = replace(new, graphs=(replace(new.main, nodes=tuple(nodes)), *new.graphs[1:]))
        removed = tuple(n.id for n in old.main.nodes if new.find_node(n.id) is None)
        added = tuple(n.id for n in new.main.nodes if old.find_node(n.id) is None)
        return old, new, removed, added

    return build


@pytest.fixture
def fragment(shared_worker, pair):
    def run(before, after, tolerance=LIMIT, **options):
        result = verify_fragment(*pair(before, after), shared_worker, tolerance=tolerance, **options)
        assert [p.name for p in folders.private_folder().iterdir() if p.name != "owner"] == []
        for language in LANGUAGES:
            for message in (result.reason, *result.notes, *(d.reason for d in result.outputs)):
                assert message is None or render(message, language)
        return result

    return run


def hard_swish(sixth=1 / 6, spelt=True, gain=1.0):
    """x -> Conv -> HardSwish -> Conv -> y."""
    rng = np.random.default_rng(4)
    weights = {n: (rng.standard_normal((4, 4, 1, 1)) * gain).astype(np.float32) for n in ("w1", "w2")}
    inner = (
        [
            helper.make_node("HardSigmoid", ["c"], ["s"], alpha=sixth, beta=0.5),
            helper.make_node("Mul", ["c", "s"], ["h"]),
        ]
        if spelt
        else [helper.make_node("HardSwish", ["c"], ["h"])]
    )
    nodes = [
        helper.make_node("Conv", ["x", "w1"], ["c"], "first"),
        *inner,
        helper.make_node("Conv", ["h", "w2"], ["y"], "second"),
    ]
    return models.proto(nodes, {"x": [1, 4, 6, 6]}, {"y": [1, 4, 6, 6]}, weights, opset=14)


def test_equal_fragment_passes_at_all_scales(fragment):
    result = fragment(hard_swish(spelt=False), hard_swish())
    assert result.stage is StageName.FRAGMENT
    assert result.status is Status.PASSED
    assert [d.name for d in result.outputs] == ["h"]
    assert len(result.inputs) == 11
    assert result.samples["h"].before.shape == (1, 4, 6, 6)


@pytest.mark.parametrize("gain", [1.0, 1e-9, 1e9], ids=["sane", "vanishing", "exploding"])
def test_a_constant_off_by_ten_per_cent_is_caught_whatever_the_model_does(fragment, gain):
    result = fragment(hard_swish(spelt=False, gain=gain), hard_swish(1 / 5.5, gain=gain))
    assert result.status is Status.FAILED
    assert result.outputs[0].max_rel > 1e-2
    assert result.reason.key == "verify.failed"


def chain(nodes, tensors=None, shape=(2, 3, 4), out=(2, 3, 4), dtypes=None):
    ends = [helper.make_node("Identity", ["x"], ["a"], "start")], [helper.make_node("Identity", ["b"], ["y"], "end")]
    return models.proto([*ends[0], *nodes, *ends[1]], {"x": list(shape)}, {"y": list(out)}, tensors, dtypes=dtypes)


def test_exact_rewrites_are_held_to_every_bit(fragment):
    transposes = [
        helper.make_node("Transpose", ["a"], ["t"], perm=[1, 0, 2]),
        helper.make_node("Transpose", ["t"], ["b"], perm=[1, 0, 2]),
    ]
    assert (
        fragment(chain(transposes), chain([helper.make_node("Identity", ["a"], ["b"])]), EXACT).status is Status.PASSED
    )
    scaled = [helper.make_node("Mul", ["a", "k"], ["b"])]
    near = {"k": np.float32(1 + 2**-23)}
    assert fragment(chain(transposes), chain(scaled, near), EXACT).status is Status.FAILED
    assert fragment(chain(transposes), chain(scaled, near), LIMIT).status is Status.PASSED


@pytest.mark.parametrize(
    "wrong",
    [
        [helper.make_node("Transpose", ["a"], ["b"], perm=[0, 1, 2])],
        [
            helper.make_node("Transpose", ["a"], ["t"], perm=[2, 0, 1]),
            helper.make_node("Reshape", ["t", "shape"], ["b"]),
        ],
        [helper.make_node("Div", ["a", "zero"], ["t"]), helper.make_node("Mul", ["t", "zero"], ["b"])],
    ],
    ids=["axes kept", "axes swapped", "nan"],
)
def test_wrong_data_movement_fails(fragment, wrong):
    tensors = {"shape": np.array([2, 4, 3]), "zero": np.float32(0)}
    right = chain([helper.make_node("Transpose", ["a"], ["b"], perm=[0, 2, 1])], tensors, out=(2, 4, 3))
    ends = helper.make_node("Identity", ["x"], ["a"], "start"), helper.make_node("Identity", ["b"], ["y"], "end")
    other = models.proto([ends[0], *wrong, ends[1]], {"x": [2, 3, 4]}, {"y": None}, tensors)
    assert fragment(right, other, EXACT).status is Status.FAILED


def test_a_consumer_that_was_led_elsewhere_is_part_of_the_fragment(fragment):
    before = chain([helper.make_node("Dropout", ["a"], ["b"])])
    after = models.proto(
        [helper.make_node("Identity", ["x"], ["a"], "start"), helper.make_node("Identity", ["a"], ["y"], "end")],
        {"x": [2, 3, 4]}, {"y": [2, 3, 4]},
    )  # fmt: skip
    result = fragment(before, after, EXACT)
    assert result.status is Status.PASSED
    assert [d.name for d in result.outputs] == ["y"]


def test_related_inputs_are_not_fed_independently(fragment):
    def model(nodes):
        head = [helper.make_node("Relu", ["x"], ["p"], "p"), helper.make_node("Neg", ["p"], ["q"], "q")]
        return models.proto([*head, *nodes], {"x": [2, 3]}, {"y": [2, 3]})

    before = model([helper.make_node("Sub", ["p", "q"], ["y"])])
    after = model([helper.make_node("Add", ["p", "p"], ["y"])])
    assert fragment(before, after, EXACT).status is Status.PASSED


def test_bias_a_thousandth_off_fails(fragment):
    rng = np.random.default_rng(1)
    weight = rng.standard_normal((4, 4, 3, 3)).astype(np.float32)

    def model(name, bias):
        return models.proto(
            [helper.make_node("Conv", ["x", "w", "b"], ["c"], name), helper.make_node("Relu", ["c"], ["y"], "relu")],
            {"x": [1, 4, 8, 8]}, {"y": [1, 4, 6, 6]}, {"w": weight, "b": np.full(4, bias, np.float32)},
        )  # fmt: skip

    assert fragment(model("one", 0.5), model("two", 0.5)).status is Status.PASSED
    assert fragment(model("one", 0.5), model("two", 0.501)).status is Status.FAILED
    assert fragment(model("same", 0.5), model("same", 0.501)).reason.key == "verify.failed", "a changed weight counts"


def test_a_shape_that_is_not_known_is_inconclusive(fragment):
    def model(op):
        return models.proto([helper.make_node(op, ["x"], ["y"])], {"x": ["n", 3]}, {"y": ["n", 3]})

    result = fragment(model("Relu"), model("Abs"))
    assert result.status is Status.INCONCLUSIVE
    assert result.reason.key == "verify.input_dynamic"


def test_an_output_that_is_not_made_is_inconclusive(fragment):
    before = chain([helper.make_node("Relu", ["a"], ["b"])])
    after = models.proto(
        [helper.make_node("Identity", ["x"], ["a"], "start"), helper.make_node("Relu", ["a"], ["other"]),
         helper.make_node("Identity", ["b"], ["y"], "end")],
        {"x": [2, 3, 4]}, {"y": [2, 3, 4]},
    )  # fmt: skip
    assert fragment(before, after).reason.key == "verify.fragment_output"


def test_what_onnxruntime_lacks_is_computed_by_the_reference(fragment):
    cubic = {"mode": "cubic", "coordinate_transformation_mode": "asymmetric"}
    scales = {"s": np.array([1, 1, 2, 2, 1], np.float32), "hw": np.array([1, 1, 2, 1, 1], np.float32),
              "h": np.array([1, 1, 1, 2, 1], np.float32)}  # fmt: skip
    before = models.proto(
        [helper.make_node("Resize", ["x", "", "s"], ["y"], **cubic)],
        {"x": [1, 1, 4, 4, 2]},
        {"y": [1, 1, 8, 8, 2]},
        scales,
    )
    steps = [
        helper.make_node("Resize", ["x", "", "hw"], ["t"], **cubic),
        helper.make_node("Resize", ["t", "", "h"], ["y"], **cubic),
    ]
    after = models.proto(steps, {"x": [1, 1, 4, 4, 2]}, {"y": [1, 1, 8, 8, 2]}, scales)
    result = fragment(before, after, tolerance_for(False, 1e-5))
    assert result.status is Status.PASSED
    assert result.runtime.name == "onnx reference evaluator"
    assert result.notes[0].key == "verify.by_reference"


def test_the_time_budget_leaves_out_sets_and_says_so(fragment):
    result = fragment(hard_swish(spelt=False), hard_swish(), budget_s=0.0)
    assert result.inputs == ("normal x1", "uniform -1..1", "even -4..4")
    assert result.notes[0].key == "verify.fewer_sets"
    assert result.status is Status.PASSED


def test_bodies_take_what_they_capture_along(fragment):
    def model(op):
        def branch(name, code):
            return helper.make_graph(
                [helper.make_node(code, ["a", "big"], [name])], name, [],
                [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 300])],
            )  # fmt: skip

        nodes = [
            helper.make_node("Identity", ["x"], ["a"], "start"),
            helper.make_node("If", ["flag"], ["b"], op, then_branch=branch("t", op), else_branch=branch("e", op)),
            helper.make_node("Identity", ["b"], ["y"], "end"),
        ]
        tensors = {"big": np.linspace(1, 2, 300, dtype=np.float32), "flag": np.array(True)}
        return models.proto(nodes, {"x": [2, 300]}, {"y": [2, 300]}, tensors)

    assert fragment(model("Add"), model("Add")).status is Status.INCONCLUSIVE, "nothing was changed"
    assert fragment(model("Add"), model("Sub")).status is Status.FAILED


def preview_of(before, after, removed, added):
    cost = Cost(None, None, None, None)
    return Preview(before, after, Match("rule", removed[0], removed, ("only",)), "only", removed, added, cost, cost)


def test_a_proof_has_two_stages(shared_worker, pair):
    fragment, whole = prove(
        preview_of(*pair(hard_swish(spelt=False), hard_swish())), Safety.EQUIVALENT, None, shared_worker
    )
    assert (fragment.stage, whole.stage) == (StageName.FRAGMENT, StageName.MODEL)
    assert fragment.status is whole.status is Status.PASSED
    assert fragment.tolerance.max_rel == 1e-6
    assert 1e-6 < whole.tolerance.max_rel < 1e-5
    assert [v.name for v in whole.outputs] == ["y", "h"]


def test_a_wrong_rule_fails_the_fragment_and_the_model_is_not_run(shared_worker, pair):
    wrong = preview_of(*pair(hard_swish(spelt=False), hard_swish(1 / 5.5)))
    fragment, whole = prove(wrong, Safety.EQUIVALENT, None, shared_worker)
    assert fragment.status is Status.FAILED
    assert whole.status is Status.INCONCLUSIVE
    assert whole.reason.key == "verify.fragment_failed"
    assert prove(wrong, Safety.EQUIVALENT, None, shared_worker, whole_model=False) != ()


def test_a_dead_model_cannot_prove_its_outputs(shared_worker, pair):
    dead = preview_of(*pair(hard_swish(spelt=False, gain=1e-9), hard_swish(gain=1e-9)))
    fragment, whole = prove(dead, Safety.EQUIVALENT, None, shared_worker)
    assert fragment.status is Status.PASSED
    assert whole.status is Status.INCONCLUSIVE


@pytest.mark.parametrize(
    ("safety", "declared", "limit", "expected"),
    [
        (Safety.EXACT, None, None, 0.0),
        (Safety.EQUIVALENT, None, None, 1e-6),
        (Safety.EQUIVALENT, 4e-6, None, 4e-6),
        (Safety.BOUNDARY, None, None, 1e-6),
        (Safety.APPROXIMATE, 0.02, None, 0.02),
        (Safety.APPROXIMATE, None, None, 1e-6),
        (Safety.EXACT, None, 1e-3, 1e-3),
    ],
)
def test_limits_of_a_proof(safety, declared, limit, expected):
    assert proof_tolerance(safety, declared, StageName.FRAGMENT, limit=limit).max_rel == expected


def biased(op):
    """y = relu(1e-6 x + 1): hardly anything of the input is left in it."""
    last = ["c"] if op == "Relu" else ["c", "zero"]
    nodes = [
        helper.make_node("Mul", ["x", "faint"], ["m"], "scale"),
        helper.make_node("Add", ["m", "one"], ["c"], "shift"),
        helper.make_node(op, last, ["y"]),
    ]
    constants = {"faint": np.float32(1e-6), "one": np.float32(1), "zero": np.float32(0)}
    return models.proto(nodes, {"x": [4, 4]}, {"y": [4, 4]}, constants)


@pytest.mark.parametrize(
    ("before", "after"),
    [(biased("Relu"), biased("Max")), (hard_swish(spelt=False, gain=1e4), hard_swish(gain=1e4))],
    ids=["faint", "saturated"],
)
def test_a_dull_activation_does_not_block_a_change_that_its_fragment_proved(before, after, pair, shared_worker):
    old, new, *_ = pair(before, after)
    alone = verify_models(old, new, shared_worker, tolerance=LIMIT)
    assert alone.status is Status.INCONCLUSIVE
    proven = verify_models(old, new, shared_worker, tolerance=LIMIT, changes_proven=True)
    assert proven.status is Status.PASSED
    assert {d.status for d in proven.outputs} == {Status.PASSED}


def test_rounding_in_a_dead_output_is_no_failure_of_a_proven_change(pair, shared_worker):
    def far_out(shift):
        """y = 1e-9 x + shift, far below what float32 resolves beside 1."""
        nodes = [
            helper.make_node("Mul", ["x", "faint"], ["m"], "scale"),
            helper.make_node("Add", ["m", "shift"], ["y"]),
        ]
        constants = {"faint": np.float32(1e-9), "shift": np.float32(shift)}
        return models.proto(nodes, {"x": [4, 4]}, {"y": [4, 4]}, constants)

    old, new, *_ = pair(far_out(1e-7), far_out(1.5e-7))
    assert verify_models(old, new, shared_worker, tolerance=LIMIT).status is Status.FAILED
    proven = verify_models(old, new, shared_worker, tolerance=LIMIT, changes_proven=True)
    assert proven.status is Status.INCONCLUSIVE
    old, new, *_ = pair(far_out(1e-7), far_out(1e-5))
    assert verify_models(old, new, shared_worker, tolerance=LIMIT, changes_proven=True).status is Status.FAILED


def test_a_difference_fails_although_the_changes_are_called_proven(pair, shared_worker):
    old, new, *_ = pair(hard_swish(spelt=False), hard_swish(sixth=1 / 5.5))
    assert verify_models(old, new, shared_worker, tolerance=LIMIT, changes_proven=True).status is Status.FAILED
