from types import MappingProxyType

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
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


def segmented(nodes, outputs, verdicts, fused=None, tensors=None, *, sized=True):
    model = from_proto(proto(nodes, X, dict.fromkeys(outputs), tensors))
    if sized:
        model = infer_shapes(model, InProcessRunner())
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


def gains(nodes, outputs, verdicts):
    """Name of the first node of each island -> BPU segments that become one, copies that go."""
    *_, placement = segmented(nodes, outputs, verdicts)
    first = {segment.index: segment.nodes[0] for segment in placement.segments}
    return {nodes[first[i.segment]].name: (i.joins, i.copies) for i in islands(placement)}


def test_segments_that_share_an_input_of_the_model_do_not_touch():
    nodes = [node("Relu", "x", "a"), node("Abs", "x", "b"), node("Neg", "b", "c")]
    assert gains(nodes, ["a", "c"], {"b": "CPU"}) == {"b": (1, 1)}


def test_segments_that_share_a_tensor_of_a_third_do_not_touch():
    nodes = [node("Relu", "x", "a"), node("Abs", "a", "b"), node("Neg", "a", "c"), node("Sign", "c", "d")]
    assert gains(nodes, ["b", "d"], {"b": "CPU", "c": "CPU"}) == {"b": (1, 0), "c": (2, 1)}


def test_an_island_beside_another_joins_only_what_does_not_wait_for_that():
    nodes = [node("Relu", "x", "a"), node("Abs", "a", "b"), node("Neg", "a", "c"), node("Add", "b c", "d")]
    assert gains(nodes, ["d"], {"b": "CPU", "c": "CPU"}) == {"b": (1, 1), "c": (1, 1)}
    longer = [*nodes, node("Sign", "d", "e"), node("Abs", "e", "f")]
    assert gains(longer, ["f"], {"b": "CPU", "c": "CPU", "e": "CPU"}) == {"b": (1, 1), "c": (1, 1), "e": (2, 2)}


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_what_an_island_joins_is_what_placing_it_on_the_bpu_gives(data):
    count = data.draw(st.integers(2, 9))
    names = [f"n{i}" for i in range(count)]
    nodes, verdicts = [], {}
    for i, name in enumerate(names):
        inputs = data.draw(st.lists(st.sampled_from(["x", *names[:i]]), min_size=1, max_size=2, unique=True))
        nodes.append(node("Relu" if len(inputs) == 1 else "Add", " ".join(inputs), name))
        verdicts[name] = data.draw(st.sampled_from(["BPU", "BPU", "CPU"]))
    shown, _, crossings, placement = segmented(nodes, names, verdicts, sized=False)
    for island in islands(placement):
        moved = {nodes[key].name: "BPU" for key in placement.segments[island.segment].nodes}
        after, _, copied, _ = segmented(nodes, names, verdicts | moved, sized=False)
        homes = [segment for verdict, segment in after if verdict == "BPU" and set(moved) & set(segment)]
        if len(homes) > 1:  # it waits for another island in its midst, so that it does not stay together
            continue
        (home,) = homes
        joined = [segment for verdict, segment in shown if verdict == "BPU" and set(segment) <= set(home)]
        assert (island.joins, set(island.values)) == (
            len(joined),
            {c.value for c in crossings} - {c.value for c in copied},
        )


def test_unknown_sizes_give_unknown_bytes():
    nodes = [node("Relu", "x", "a"), node("NonZero", "a", "b"), node("Abs", "b", "c")]
    _, _, crossings, _ = segmented(nodes, ["c"], {"b": "CPU"})
    assert [(c.value, c.bytes) for c in crossings] == [("a", BYTES), ("b", None)]
