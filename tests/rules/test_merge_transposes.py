"""merge-transposes: orders that undo each other, others, and values that others read."""

import pytest
from onnx import helper

from inspector.rewrite.registry import rule as rule_of
from tests.helpers.models import proto
from tests.helpers.rewriting import applied, feeds_of, match_of, max_rel, node_of, opened, reason_of
from tests.helpers.rule_cases import hold

RULE = "merge-transposes"


def pair(first, second, shape=(2, 3, 4, 5), *, tail=True, shown=()):
    """Two transposes, then Neg when *tail*; None leaves the order to the operator."""

    def order(perm):
        return {} if perm is None else {"perm": list(perm)}

    back = list(reversed(range(len(shape))))
    mid = [shape[i] for i in (first or back)]
    out = [mid[i] for i in (second or back)]
    nodes = [
        helper.make_node("Transpose", ["x"], ["v"], "first", **order(first)),
        helper.make_node("Transpose", ["v"], ["y"], "second", **order(second)),
    ]
    if tail:
        nodes.append(helper.make_node("Neg", ["y"], ["z"], "neg"))
    shapes = {"v": mid, "y": out, "z": out}
    return proto(nodes, {"x": list(shape)}, {n: shapes[n] for n in (*shown, "z" if tail else "y")})


def case(random):
    """Two drawn orders, now and then ones that undo each other."""
    width = random.randint(2, 5)
    first = random.sample(range(width), width)
    second = random.sample(range(width), width)
    if random.random() < 0.5:
        second = [first.index(i) for i in range(width)]
    first = None if random.random() < 0.1 else first
    shape = [random.randint(1, 4) for _ in range(width)]
    return pair(first, second, shape, tail=random.random() < 0.6)


test_random_cases = hold(RULE, case)


def test_orders_that_undo_each_other_leave_nothing():
    model = opened(pair((0, 2, 3, 1), (0, 3, 1, 2)))
    after = applied(model, RULE, "Transpose", "none", index=1).after
    assert [(n.name, list(n.inputs)) for n in after.nodes] == [("neg", ["x"])]


def test_output_of_the_graph_keeps_its_name():
    model = opened(pair((0, 2, 3, 1), (0, 3, 1, 2), tail=False))
    assert match_of(model, RULE, "Transpose", 1).variants == ("transpose",)
    assert max_rel(model, applied(model, RULE, "Transpose", index=1).after, feeds_of(model)) == 0.0


def test_product_of_the_orders():
    after = applied(opened(pair((1, 0, 2, 3), (0, 1, 3, 2))), RULE, "Transpose", index=1).after
    assert after.nodes[0].attributes["perm"] == (1, 0, 3, 2)


def test_order_left_to_the_operator_is_the_reverse():
    model = opened(pair(None, None, (2, 3, 4)))
    assert match_of(model, RULE, "Transpose", 1).variants == ("none",)


def test_value_between_that_is_an_output_is_kept():
    assert reason_of(opened(pair((1, 0), (1, 0), (2, 3), shown=["v"])), RULE, "Transpose", 1) == "graph_output"


@pytest.mark.parametrize("perm", [(0, 0, 1, 2), (0, 1, 2, 9)])
def test_order_that_is_none_is_refused(perm):
    model = pair((0, 2, 3, 1), (0, 3, 1, 2))
    del model.graph.node[1].attribute[:]
    model.graph.node[1].attribute.append(helper.make_attribute("perm", perm))
    assert reason_of(opened(model), RULE, "Transpose", 1) == "odd_attribute"


def test_single_transpose_is_not_its_business():
    model = opened(pair((1, 0), (1, 0), (2, 3)))
    assert not rule_of(RULE).match(model, node_of(model, "Transpose")).relevant
