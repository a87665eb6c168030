"""hardswish: every spelling is recognised, near misses are not, and every form gives the same numbers."""

import numpy as np
import pytest
from onnx import TensorProto, helper

from inspector.rewrite.find import apply_all, sites
from inspector.rewrite.registry import rule as rule_of
from inspector.rewrite.rule import Match, Preview
from tests.helpers.models import proto
from tests.helpers.rewriting import applied, feeds_of, match_of, max_rel, opened, reason_of, refusal_of
from tests.helpers.rule_cases import hold

RULE = "hardswish"
LIMIT = 1e-6
SHAPE = (1, 4, 5, 6)


class Spelling:
    """Nodes of one model; constants in one of the forms that exporters write."""

    def __init__(self, form="scalar", opset=13):
        self.form, self.opset = form, opset
        self.nodes, self.tensors = [], {}

    def const(self, number):
        name = f"k{len(self.tensors)}"
        shape = {"scalar": (), "one": (1,), "four": (1, 1, 1, 1), "node": ()}[self.form]
        array = np.full(shape, number, np.float32)
        self.tensors[name] = array
        if self.form == "node":
            del self.tensors[name]
            name = f"k_{len(self.nodes)}_{number}"
            self.nodes.append(helper.make_node("Constant", [], [name], value=helper.make_tensor(name, 1, (), [number])))
        return name

    def op(self, op, *inputs, out=None, **attributes):
        names = [i if isinstance(i, str) else self.const(i) for i in inputs]
        out = out or f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, names, [out], f"n{len(self.nodes)}", **attributes))
        return out

    def clip(self, x, low, high):
        if self.opset < 11:
            return self.op("Clip", x, min=float(low), max=float(high))
        return self.op("Clip", x, self.limit(low), self.limit(high))

    def limit(self, number):
        if self.form == "node":
            return self.const(number)
        name = f"k{len(self.tensors)}"
        self.tensors[name] = np.array(number, np.float32)
        return name

    def model(self, *outputs, shape=SHAPE):
        return opened(self.proto(*outputs, shape=shape))

    def proto(self, *outputs, shape=SHAPE):
        # The value that is an output gets its name through an Identity, so that every spelling ends alike.
        self.nodes.append(helper.make_node("Identity", [self.nodes[-1].output[0]], ["y"], "end"))
        shown = {"y": list(shape), **{name: list(shape) for name in outputs}}
        return proto(self.nodes, {"x": list(shape)}, shown, self.tensors, opset=self.opset)


def relu6(s):
    return s.clip(s.op("Add", "x", 3.0), 0, 6)


def min_max(s):
    return s.op("Min", s.op("Max", s.op("Add", 3.0, "x"), 0.0), 6.0)


def max_min(s):
    return s.op("Max", 0.0, s.op("Min", s.op("Add", "x", 3.0), 6.0))


def min_relu(s):
    return s.op("Min", s.op("Relu", s.op("Sub", "x", -3.0)), 6.0)


def sixths(s):
    return s.clip(s.op("Add", s.op("Mul", "x", 1 / 6), 0.5), 0, 1)


def divided(s):
    return s.clip(s.op("Div", s.op("Add", "x", 3.0), 6.0), 0, 1)


GATES_OF_6 = [relu6, min_max, max_min, min_relu]
GATES_OF_1 = [sixths, divided, lambda s: s.op("HardSigmoid", "x", alpha=1 / 6, beta=0.5)]
ENDS_OF_6 = {
    "x*(g/6)": lambda s, g: s.op("Mul", "x", s.op("Div", g, 6.0)),
    "(g/6)*x": lambda s, g: s.op("Mul", s.op("Div", g, 6.0), "x"),
    "x*(g*1/6)": lambda s, g: s.op("Mul", "x", s.op("Mul", g, 1 / 6)),
    "(x*g)/6": lambda s, g: s.op("Div", s.op("Mul", "x", g), 6.0),
    "1/6*(g*x)": lambda s, g: s.op("Mul", 1 / 6, s.op("Mul", g, "x")),
    "(x*1/6)*g": lambda s, g: s.op("Mul", s.op("Mul", "x", 0.1666667), g),
    "(x/6)*g": lambda s, g: s.op("Mul", g, s.op("Div", "x", 6.0)),
}
ENDS_OF_1 = {"x*g": lambda s, g: s.op("Mul", "x", g), "g*x": lambda s, g: s.op("Mul", g, "x")}
SPELLINGS = [(gate, end) for gate in GATES_OF_6 for end in ENDS_OF_6.values()]
SPELLINGS += [(gate, end) for gate in GATES_OF_1 for end in ENDS_OF_1.values()]
FORMS = ("scalar", "one", "four", "node")


def last(model):
    """The node before the end."""
    return model.nodes[-2].id


def answer(model):
    return rule_of(RULE).match(model, last(model))


def equal_in_every_variant(model, match):
    from inspector.rewrite.preview import preview
    from tests.helpers.rewriting import check_form

    x = np.linspace(-8, 8, 120, dtype=np.float32).reshape(model.value(0, "x").shape and SHAPE)
    for variant in match.variants:
        built = preview(model, rule_of(RULE), match, variant)
        check_form(model, built)
        assert max_rel(model, built.after, {"x": x}) <= LIMIT
        again = rule_of(RULE).match(built.after, last(built.after))
        assert not isinstance(again, Match) or variant not in again.variants


@pytest.mark.parametrize("spelling", SPELLINGS, ids=[f"{i}" for i in range(len(SPELLINGS))])
def test_every_spelling_is_recognised_with_every_form_of_constants(spelling):
    gate, end = spelling
    for form in FORMS:
        s = Spelling(form)
        end(s, gate(s))
        model = s.model()
        match = answer(model)
        assert isinstance(match, Match), form
        operators = {n.op.name for n in model.nodes if n.op.name not in ("Constant", "Identity")}
        assert {model.node(n).op.name for n in match.nodes} == operators
        assert match.bindings["source"] == "x"
        if form in ("scalar", "node"):
            equal_in_every_variant(model, match)


@pytest.mark.parametrize("opset", [7, 9, 10, 11, 13])
def test_every_opset_gets_its_form(opset):
    s = Spelling("four", opset)
    s.op("Div", s.op("Mul", "x", relu6(s)), 6.0)
    model = s.model()
    equal_in_every_variant(model, answer(model))


def test_operator_becomes_any_other_form_and_back():
    node = helper.make_node("HardSwish", ["x"], ["y"], "act")
    model = opened(proto([node], {"x": list(SHAPE)}, {"y": list(SHAPE)}, opset=14))
    assert match_of(model, RULE, "HardSwish").variants == ("hardsigmoid-mul", "add-clip-mul-mul", "conv-clip-mul")
    feeds = feeds_of(model, scale=4)
    for variant in match_of(model, RULE, "HardSwish").variants:
        assert max_rel(model, applied(model, RULE, "HardSwish", variant).after, feeds) <= LIMIT
    spelled = applied(model, RULE, "HardSwish", "add-clip-mul-mul").after
    back = applied(spelled, RULE, "Mul", "hardswish-op", index=1).after
    assert [n.op.name for n in back.nodes] == ["HardSwish"]
    assert max_rel(model, back, feeds) == 0.0


def test_constants_of_the_spelled_form_have_the_rank_of_the_feature():
    node = helper.make_node("HardSwish", ["x"], ["y"], "act")
    model = opened(proto([node], {"x": list(SHAPE)}, {"y": list(SHAPE)}, opset=14))
    after = applied(model, RULE, "HardSwish", "add-clip-mul-mul").after
    assert [n.op.name for n in after.nodes] == ["Add", "Clip", "Mul", "Mul"]
    for node in after.nodes:
        if node.op.name in ("Add", "Mul"):
            assert all(len(v.shape) == 4 for v in after.input_values(node))


def test_operator_is_not_written_before_opset_14():
    s = Spelling()
    s.op("Mul", "x", relu6(s))
    s.op("Div", s.nodes[-1].output[0], 6.0)
    assert "hardswish-op" not in answer(s.model()).variants


def test_conv_form_needs_channels_on_axis_1_of_rank_4():
    node = helper.make_node("HardSwish", ["x"], ["y"], "act")
    flat = opened(proto([node], {"x": [2, 8]}, {"y": [2, 8]}, opset=14))
    open_channels = opened(proto([node], {"x": [1, "c", 4, 4]}, {"y": [1, "c", 4, 4]}, opset=14))
    assert "conv-clip-mul" not in match_of(flat, RULE, "HardSwish").variants
    assert "conv-clip-mul" not in match_of(open_channels, RULE, "HardSwish").variants


NEAR_MISSES = {
    "divided by 5.5": (lambda s: s.op("Mul", "x", s.op("Div", relu6(s), 5.5)), "hardswish_factor"),
    "one sixth cut short": (lambda s: s.op("Mul", "x", s.op("Mul", relu6(s), 0.1667)), "hardswish_factor"),
    "shifted by 2": (
        lambda s: s.op("Mul", "x", s.op("Div", s.clip(s.op("Add", "x", 2.0), 0, 6), 6.0)),
        "hardswish_gate",
    ),
    "default HardSigmoid": (lambda s: s.op("Mul", "x", s.op("HardSigmoid", "x")), "hardswish_gate"),
    "lower limit -1": (
        lambda s: s.op("Mul", "x", s.op("Div", s.clip(s.op("Add", "x", 3.0), -1, 6), 6.0)),
        "hardswish_gate",
    ),
    "subtracted from 3": (
        lambda s: s.op("Mul", "x", s.op("Div", s.clip(s.op("Sub", 3.0, "x"), 0, 6), 6.0)),
        "hardswish_gate",
    ),
}


@pytest.mark.parametrize("name", NEAR_MISSES)
def test_near_miss_is_refused_with_its_numbers(name):
    spell, reason = NEAR_MISSES[name]
    s = Spelling()
    spell(s)
    refusal = answer(s.model())
    assert not isinstance(refusal, Match)
    assert refusal.reason.key == f"rewrite.refuse.{reason}"
    assert refusal.relevant
    assert refusal.subject


@pytest.mark.parametrize(
    "spell",
    [
        lambda s: s.op("Mul", "x", "x"),
        lambda s: s.op("Mul", "x", s.op("Sigmoid", "x")),
        lambda s: s.op("Mul", s.op("Neg", "x"), s.op("Div", relu6(s), 6.0)),
        lambda s: s.op("Div", relu6(s), 6.0),
        lambda s: s.op("Div", 6.0, s.op("Mul", "x", relu6(s))),
    ],
)
def test_other_products_are_not_its_business(spell):
    s = Spelling()
    spell(s)
    assert not answer(s.model()).relevant


def test_inner_product_of_a_spelling_is_not_a_refusal():
    s = Spelling()
    s.op("Div", s.op("Mul", "x", relu6(s)), 6.0)
    assert [isinstance(a, Match) for a in sites(s.model(), rule_of(RULE))] == [True]


@pytest.mark.parametrize("shown", ["t0", "t1", "t2"])
def test_value_inside_that_is_an_output_is_kept(shown):
    s = Spelling()
    s.op(
        "Mul",
        "x",
        s.op("Div", s.op("Clip", s.op("Add", "x", 3.0, out="t0"), s.limit(0), s.limit(6), out="t1"), 6.0, out="t2"),
    )
    refusal = answer(s.model(shown))
    assert refusal.reason.key == "rewrite.refuse.graph_output"
    assert refusal.subject == shown


def test_value_inside_that_others_read_is_kept():
    s = Spelling()
    gate = s.op("HardSigmoid", "x", alpha=1 / 6, beta=0.5)
    s.op("Relu", gate, out="other")
    s.op("Mul", "x", gate)
    assert answer(s.model("other")).reason.key == "rewrite.refuse.other_reader"


def test_constant_that_raises_the_rank_is_no_spelling():
    s = Spelling("four")
    s.op("Div", s.op("Mul", "x", relu6(s)), 6.0)
    model = s.proto(shape=(5, 6))
    for output in model.graph.output:
        output.type.tensor_type.ClearField("shape")
    assert not isinstance(answer(opened(model)), Match)


def test_overridable_constant_is_no_constant():
    s = Spelling()
    s.op("Div", s.op("Mul", "x", relu6(s)), 6.0)
    model = s.proto()
    model.graph.input.append(helper.make_tensor_value_info("k0", 1, []))
    assert not isinstance(answer(opened(model)), Match)


def test_half_floats_keep_their_type():
    node = helper.make_node("HardSwish", ["x"], ["y"], "act")
    kinds = {"x": TensorProto.FLOAT16, "y": TensorProto.FLOAT16}
    model = opened(proto([node], {"x": list(SHAPE)}, {"y": list(SHAPE)}, opset=14, dtypes=kinds))
    after = applied(model, RULE, "HardSwish", "add-clip-mul-mul").after
    assert {str(after.value(0, n).dtype) for n in after.main.initializers} == {"float16"}


def test_whole_numbers_are_refused():
    s = Spelling()
    s.op("Mul", "x", "x")
    node = helper.make_node("HardSwish", ["x"], ["y"], "act")
    kinds = {"x": TensorProto.INT32, "y": TensorProto.INT32}
    model = opened(proto([node], {"x": list(SHAPE)}, {"y": list(SHAPE)}, opset=14, dtypes=kinds))
    assert reason_of(model, RULE, "HardSwish") == "narrow_float"
    assert refusal_of(model, RULE, "HardSwish").subject == "int32"


def test_chain_of_three_is_rewritten_site_by_site():
    s = Spelling()
    previous = "x"
    for _ in range(3):
        previous = s.op("Mul", previous, s.op("HardSigmoid", previous, alpha=1 / 6, beta=0.5))
    model = s.model()
    steps = list(apply_all(model, rule_of(RULE), "add-clip-mul-mul"))
    assert [isinstance(step, Preview) for step in steps] == [True] * 3
    assert max_rel(model, steps[-1].after, feeds_of(model, scale=3)) <= LIMIT


def case(random):
    """Any spelling with constants in any form, or the operator, on numbers around the corners at -3 and 3."""
    if random.random() < 0.2:
        node = helper.make_node("HardSwish", ["x"], ["y"], "act")
        return proto([node], {"x": list(SHAPE)}, {"y": list(SHAPE)}, opset=14)
    gate, end = random.choice(SPELLINGS)
    s = Spelling(random.choice(FORMS), random.choice((11, 13, 14)))
    end(s, gate(s))
    return s.proto()


SCALE = 3.0
test_random_cases = hold(RULE, case, scale=SCALE)
