"""Models of one Conv, for the rules that rewrite convolutions."""

from collections.abc import Sequence

import numpy as np
import onnx
from onnx import TensorProto, helper

from tests.helpers.models import proto


def conv_proto(
    shape: Sequence[int | str] = (1, 4, 8, 8),
    maps: int = 8,
    kernel: Sequence[int] = (3, 3),
    *,
    opset: int = 13,
    dtype: int = TensorProto.FLOAT,
    bias: bool = True,
    fed: bool = False,
    overridable: bool = False,
    **attributes: object,
) -> onnx.ModelProto:
    """x of *shape* through a Conv with *maps* output channels and seeded weights scaled to unit variance."""
    group = int(str(attributes.get("group", 1)))
    channels = int(shape[1])
    kind = helper.tensor_dtype_to_np_dtype(dtype)
    rng = np.random.default_rng(5)
    size = (maps, channels // group, *kernel)
    weight = rng.standard_normal(size) / np.sqrt(np.prod(size[1:]))
    tensors = {"w": weight.astype(kind)}
    if bias:
        tensors["b"] = rng.standard_normal(maps).astype(kind)
    node = helper.make_node("Conv", ["x", *("wb" if bias else "w")], ["y"], "conv", **attributes)
    inputs = {"x": list(shape)}
    if fed:
        inputs["w"] = list(tensors.pop("w").shape)
    model = proto(
        [node],
        inputs,
        {"y": [None] * len(shape)},
        tensors,
        opset=opset,
        dtypes=dict.fromkeys("xyw", dtype),
    )
    if overridable:
        model.graph.input.append(helper.make_tensor_value_info("w", dtype, size))
    return model


def drawn_conv(
    random, *, axes: Sequence[int] = (1, 2, 2, 2, 3), groups: Sequence[int] = (1,), **options
) -> onnx.ModelProto:
    """A Conv of drawn rank, sizes, strides, dilations and padding; its output has at least one position."""
    count, most = random.choice(axes), options.pop("most", 3)
    kernel = [random.randint(1, most) for _ in range(count)]
    group = random.choice(groups)
    channels = options.pop("channels", None) or group * random.choice((1, 2, 4, 8))
    channels += -channels % group
    attributes: dict[str, object] = {"group": group} if group > 1 or random.random() < 0.3 else {}
    strides = [random.randint(1, 3) for _ in range(count)]
    dilations = [random.choice((1, 1, 2, 3)) for _ in range(count)]
    if random.random() < 0.7:
        attributes["strides"] = strides
    if random.random() < options.pop("dilated", 0.4):
        attributes["dilations"] = dilations
    reach = [(k - 1) * (d if "dilations" in attributes else 1) + 1 for k, d in zip(kernel, dilations, strict=True)]
    padding = random.choice(("none", "pads", "pads", "SAME_UPPER", "SAME_LOWER", "VALID"))
    if padding == "pads":
        attributes["pads"] = [random.randint(0, 2) for _ in range(2 * count)]
    elif padding != "none":
        # The runtime takes automatic padding with dilations only in part; such a Conv is drawn without them.
        attributes["auto_pad"] = padding
        attributes.pop("dilations", None)
        reach = kernel
    sizes = [r + random.randint(0, 5) for r in reach]
    maps = group * options.pop("maps", 8)
    return conv_proto(
        (random.randint(1, 2), channels, *sizes),
        maps,
        kernel,
        opset=random.choice((10, 11, 13, 18)),
        bias=random.random() < 0.6,
        **attributes,
    )
