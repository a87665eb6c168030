"""Names that expressions of the tables may use, computed from a node's facts; None wherever a fact is missing.

Sizes (elements): `N C D H W` of the first input (of a Gemm, of the map in front of it), `CO` channels of the first
output. Windows: `kh kw kd`, `stride_h`, `dilation_w`, `pad_d`, ... (a pad is the larger of its two ends).
Convolutions: `cin cout cin_per_group cout_per_group group weight_c`. `scale_h scale_w` of Resize. `rank`, `opset`,
`n_inputs`, `n_outputs`, and every attribute under its own name, a list of numbers as its largest under `max_NAME`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from inspector.placement.facts import NodeFacts, Operand

Number = int | float | str | None

_LETTERS: Final[Mapping[int, str]] = {1: "N", 2: "NC", 3: "NCW", 4: "NCHW", 5: "NCDHW"}
_SPATIAL: Final[Mapping[int, str]] = {1: "w", 2: "hw", 3: "dhw"}
_WINDOW: Final[Mapping[str, str]] = {
    "k": "kernel_shape",
    "k_": "kernel_shape",
    "stride_": "strides",
    "dilation_": "dilations",
}


def axis_of(letter: str, rank: int) -> int | None:
    """Index of the axis that *letter* (one of `NCDHW`) names in a tensor of *rank* axes; None when it has none.

    Rank 1 to 5 are read as N, NC, NCW, NCHW and NCDHW; other ranks have no lettered axes.
    """
    index = _LETTERS.get(rank, "").find(letter)
    return None if index < 0 else index


def spatial_index(letter: str, count: int) -> int | None:
    """Index of spatial axis *letter* (`D`, `H`, `W`) among *count* spatial axes; None when it is not there."""
    index = _SPATIAL.get(count, "").find(letter.lower())
    return None if index < 0 else index


def variable(facts: NodeFacts, name: str) -> Any:
    """Value of *name*; None when it is unknown or does not exist for this node."""
    direct = _DIRECT.get(name)
    if direct is not None:
        return direct(facts)
    if len(name) == 1 and name in "NCDHW":
        return _size(facts.first.sizes if facts.flat is None else facts.flat.sizes, name)
    for prefix, attribute in _WINDOW.items():
        letter = name.removeprefix(prefix)
        if letter != name and letter in ("d", "h", "w"):
            return _along(facts.attribute(attribute), letter)
    if name.startswith("pad_") and name[4:] in ("d", "h", "w"):
        return _pad(facts, name[4:])
    if name.startswith("max_"):
        values = facts.attribute(name[4:])
        return max(values) if isinstance(values, tuple) and values else None
    value = facts.attribute(name)
    return value if isinstance(value, int | float | str) else None


def resize_scales(facts: NodeFacts) -> tuple[float, ...] | None:
    """Scale per axis of a Resize or Upsample, from `scales`, `sizes` or the known shapes; None when none tells."""
    given = facts.attribute("scales")
    if isinstance(given, tuple) and given:
        return tuple(float(value) for value in given)
    before = facts.first.sizes
    if before is None or None in before or 0 in before:
        return None
    after = facts.attribute("sizes")
    if not isinstance(after, tuple):
        after = facts.outputs[0].sizes if facts.outputs else None
    if not isinstance(after, tuple) or None in after or len(after) != len(before):
        return None
    return tuple(a / b for a, b in zip(after, before, strict=True) if b)


def _size(sizes: Sequence[int | None] | None, letter: str) -> int | None:
    if sizes is None:
        return None
    index = axis_of(letter, len(sizes))
    if index is None:
        return 1 if letter in "HW" and len(sizes) == 2 else None
    return sizes[index]


def _along(values: Any, letter: str) -> Any:
    if not isinstance(values, tuple):
        return None
    index = _SPATIAL.get(len(values), "").find(letter)
    return None if index < 0 else values[index]


def _pad(facts: NodeFacts, letter: str) -> Any:
    pads = facts.attribute("pads")
    if not isinstance(pads, tuple):
        return None
    half = len(pads) // 2
    begin, end = _along(pads[:half], letter), _along(pads[half:], letter)
    return None if begin is None or end is None else max(begin, end)


def _weight(facts: NodeFacts, axis: int) -> int | None:
    if len(facts.inputs) < 2:
        return None
    sizes = facts.inputs[1].sizes
    if sizes is None or len(sizes) <= axis:
        return None
    return sizes[axis]


def _group(facts: NodeFacts) -> int | None:
    group = facts.attribute("group")
    return group if isinstance(group, int) and group > 0 else None


def _times_group(value: int | None, facts: NodeFacts) -> int | None:
    group = _group(facts)
    return None if value is None or group is None else value * group


def _per_group(value: int | None, facts: NodeFacts) -> float | None:
    group = _group(facts)
    return None if value is None or group is None else value / group


def _cin(facts: NodeFacts) -> int | None:
    if facts.op.name == "ConvTranspose":
        return _weight(facts, 0)
    if facts.op.name == "Gemm":
        return _weight(facts, 1 if facts.attribute("transB") else 0)
    return _times_group(_weight(facts, 1), facts)


def _cout(facts: NodeFacts) -> int | None:
    if facts.op.name == "ConvTranspose":
        return _times_group(_weight(facts, 1), facts)
    if facts.op.name == "Gemm":
        return _weight(facts, 0 if facts.attribute("transB") else 1)
    return _weight(facts, 0)


def _scale(facts: NodeFacts, letter: str) -> float | None:
    scales = resize_scales(facts)
    if scales is None:
        return None
    index = axis_of(letter, len(scales))
    return None if index is None else scales[index]


def _places(operands: Sequence[Operand]) -> int:
    """How many places are taken: one left out counts where another follows, as `""` does in a Resize with sizes."""
    return max((index + 1 for index, operand in enumerate(operands) if operand.present), default=0)


_DIRECT: Final[Mapping[str, Callable[[NodeFacts], Any]]] = {
    "CO": lambda facts: _size(facts.outputs[0].sizes, "C") if facts.outputs else None,
    "cin": _cin,
    "cout": _cout,
    "cin_per_group": lambda facts: _per_group(_cin(facts), facts),
    "cout_per_group": lambda facts: _per_group(_cout(facts), facts),
    "weight_c": lambda facts: _weight(facts, 1),
    "group": _group,
    "scale_h": lambda facts: _scale(facts, "H"),
    "scale_w": lambda facts: _scale(facts, "W"),
    "rank": lambda facts: facts.first.rank,
    "opset": lambda facts: facts.op.version,
    "n_inputs": lambda facts: _places(facts.inputs),
    "n_outputs": lambda facts: _places(facts.outputs),
    "qtype": lambda facts: str(facts.qtype),
    "flow": lambda facts: str(facts.flow),
}
"""Variables with a definition of their own."""
