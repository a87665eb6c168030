"""conv-split-stride: whole patches in either form, strides that are products, and those that are neither."""

import pytest

from inspector.rewrite.registry import rule as rule_of
from tests.helpers.conv import conv_proto, drawn_conv
from tests.helpers.rewriting import applied, feeds_of, match_of, max_rel, node_of, opened, reason_of
from tests.helpers.rule_cases import hold

RULE = "conv-split-stride"


def case(random):
    """Whole patches, a stride that is a product, or any Conv."""
    side = [random.choice((2, 3, 4, 6)) for _ in range(2)]
    channels, maps = random.randint(1, 4), random.randint(8, 12)
    if random.random() < 0.5:
        shape = (random.randint(1, 2), channels, side[0] * random.randint(1, 4), side[1] * random.randint(1, 4))
        return conv_proto(shape, maps, side, strides=side, opset=random.choice((10, 11, 13)))
    if random.random() < 0.7:
        shape = (random.randint(1, 2), channels * 2, random.randint(5, 20), random.randint(5, 20))
        kernel = [random.randint(1, 5), random.randint(1, 5)]
        pads = [random.randint(0, 2) for _ in range(4)]
        group = random.choice((1, 2))
        return conv_proto(shape, 8, kernel, strides=side, pads=pads, group=group, opset=random.choice((10, 11, 13)))
    return drawn_conv(random, axes=(2,))


test_random_cases = hold(RULE, case)


@pytest.mark.parametrize("batch", [2, "n"])
def test_patches_of_a_vision_transformer(batch):
    model = opened(conv_proto((batch, 3, 32, 32), 24, (16, 16), strides=[16, 16]))
    for variant in ("patches", "patches-rank-4"):
        after = applied(model, RULE, "Conv", variant).after
        assert [n.op.name for n in after.nodes if n.op.name == "Conv"] == ["Conv"]
        assert max_rel(model, after, feeds_of(model, n=2)) <= 1e-6
        ranks = {len(v.shape) for n in after.nodes for v in after.output_values(n)}
        assert max(ranks) == (6 if variant == "patches" else 4)


def test_stride_that_is_a_product_leaves_a_slice_the_rest():
    after = applied(opened(conv_proto((1, 4, 33, 33), 8, (3, 3), strides=[8, 4])), RULE, "Conv", "step").after
    assert [n.op.name for n in after.nodes] == ["Conv", "Slice", "Slice"]
    assert after.nodes[0].attributes["strides"] == (4, 2)


def test_variants_follow_the_geometry():
    patches = opened(conv_proto((1, 4, 8, 8), kernel=(2, 2), strides=[2, 2]))
    assert match_of(patches, RULE, "Conv").variants == ("patches-rank-4", "patches")
    padded = opened(conv_proto((1, 4, 8, 8), kernel=(4, 4), strides=[4, 4], pads=[1, 1, 1, 1]))
    assert match_of(padded, RULE, "Conv").variants == ("step",)


def test_other_strides_are_refused():
    assert reason_of(opened(conv_proto(kernel=(3, 3), strides=[2, 2])), RULE, "Conv") == "conv_stride"
    single = opened(conv_proto(strides=[1, 1]))
    assert not rule_of(RULE).match(single, node_of(single, "Conv")).relevant
