from types import MappingProxyType

import numpy as np
from onnx import helper

from inspector.model.infer import infer_shapes
from inspector.model.load import from_proto
from inspector.placement.segments import find_segments, islands
from inspector.placement.target import Target
from inspector.placement.verdict import NodeVerdict, Placement, Standing, Verdict
from inspector.placement.wires import Wires
from inspector.worker.client import InProcessRunner
from tests.helpers.models import proto

X = {"x": [1, 4, 8, 8]}
BYTES = 4 * 8 * 8 * 4


def node(op, inputs, name, **attributes):
    return helper.make_node(op, inputs.split(), [name], name, **attributes)


def segmented(nodes, outputs, verdicts, fused=None, tensors=None):
    model = infer_shapes(from_proto(proto(nodes, X, dict.fromkeys(outputs), tensors)), InProcessRunner())
    ids = {n.name: n.id for n in model.nodes}
    table = {
        n.id: NodeVerdict(
            n.id,
            Verdict(verdicts.get(n.name, "BPU")),
            Standing.DOCUMENTED,
            fused_into=ids.get((fused or {}).get(n.name)),
        )
        for n in model.nodes
    }
    folded = {key: "fold-no-op" for key, v in table.items() if v.verdict is Verdict.FOLDED}
    wires = Wires(model, model.main, frozenset(model.main.initializers), folded)
    verdict = {key: one.verdict for key, one in table.items()}
    hosts = {key: one.fused_into for key, one in table.items() if one.fused_into is not None}
    segments, crossings = find_segments(model, wires, verdict, hosts)
    names = {v: k for k, v in ids.items()}
    shown = [(s.verdict.value, [names[i] for i in s.nodes]) for s in segments]
    placement = Placement(Target("p", "m", "1"), MappingProxyType(table), (), segments, crossings)
    return shown, segments, crossings, placement


def chain(*ops):
    names = [f"n{i}" for i in range(len(ops))]
    return [node(op, names[i - 1] if i else "x", names[i]) for i, op in enumerate(ops)]


def test_an_island_splits_the_model_in_three():
    shown, segments, crossings, placement = segmented(chain(*["Relu"] * 5), ["n4"], {"n2": "CPU"})
    assert shown == [("BPU", ["n0", "n1"]), ("CPU", ["n2"]), ("BPU", ["n3", "n4"])]
    assert [(c.value, c.bytes) for c in crossings] == [("n1", BYTES), ("n2", BYTES)]
    assert (segments[0].inputs, segments[0].outputs, segments[2].outputs) == (("x",), ("n1",), ("n4",))
    (island,) = islands(placement)
    assert (island.segment, island.nodes, island.copies, island.bytes, island.joins) == (1, 1, 2, 2 * BYTES, 2)


def test_a_skip_over_an_island_does_not_close_a_loop_between_segments():
    nodes = [node("Relu", "x", "a"), node("Abs", "a", "b"), node("Add", "a b", "c")]
    shown, *_ = segmented(nodes, ["c"], {"b": "CPU"})
    assert shown == [("BPU", ["a"]), ("CPU", ["b"]), ("BPU", ["c"])]


def test_branches_on_one_processor_are_one_segment():
    nodes = [node("Relu", "x", "a"), node("Abs", "a", "b"), node("Neg", "a", "c"), node("Add", "b c", "d")]
    shown, *_ = segmented(nodes, ["d"], {})
    assert shown == [("BPU", ["a", "b", "c", "d"])]


def test_separate_parts_are_separate_segments():
    shown, *_ = segmented([node("Relu", "x", "a"), node("Abs", "x", "b")], ["a", "b"], {})
    assert shown == [("BPU", ["a"]), ("BPU", ["b"])]


def test_folded_nodes_stand_nowhere_and_are_seen_through():
    shown, segments, crossings, _ = segmented(chain("Relu", "Identity", "Abs"), ["n2"], {"n1": "FOLDED", "n2": "CPU"})
    assert shown == [("BPU", ["n0"]), ("CPU", ["n2"])]
    assert [c.value for c in crossings] == ["n0"]
    assert segments[1].inputs == ("n0",)


def test_a_fused_add_pulls_its_conv_behind_the_island_it_waits_for():
    nodes = [
        node("Relu", "x", "a"),
        node("Conv", "a w", "conv", kernel_shape=[1, 1]),
        node("Abs", "a", "slow"),
        node("Add", "conv slow", "add"),
    ]
    shown, *_ = segmented(nodes, ["add"], {"slow": "CPU"}, {"add": "conv"}, {"w": np.ones((4, 4, 1, 1), np.float32)})
    assert shown == [("BPU", ["a"]), ("BPU", ["conv", "add"]), ("CPU", ["slow"])]


def test_a_value_read_twice_on_the_other_side_is_copied_once():
    nodes = [node("Relu", "x", "a"), node("Abs", "a", "b"), node("Neg", "a", "c")]
    _, _, crossings, _ = segmented(nodes, ["b", "c"], {"b": "CPU", "c": "CPU"})
    assert [c.value for c in crossings] == ["a"]


def test_islands_are_ranked_by_what_removing_them_gains():
    nodes = [*chain("Relu", "Abs", "Relu"), node("Sign", "n2", "tail")]
    *_, placement = segmented(nodes, ["tail"], {"n1": "CPU", "tail": "CPU"})
    assert [i.joins for i in islands(placement)] == [2, 1]


def test_unknown_sizes_give_unknown_bytes():
    nodes = [node("Relu", "x", "a"), node("NonZero", "a", "b"), node("Abs", "b", "c")]
    _, _, crossings, _ = segmented(nodes, ["c"], {"b": "CPU"})
    assert [(c.value, c.bytes) for c in crossings] == [("a", BYTES), ("b", None)]
