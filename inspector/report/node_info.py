"""`node_info`: forced processors and number formats of nodes, as a build configuration takes them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from inspector.model.graph import Model, NodeId
from inspector.placement.target import Device, Qtype


@dataclass(frozen=True, slots=True)
class NodeInfo:
    """What can be told to the toolchain, and what cannot.

    Attributes:
        text: the entry for `model_parameters` of the build configuration, as YAML whose value is JSON; empty when no
            node can be named.
        unnamed: nodes left out, in model order: their name is empty or not theirs alone, and `node_info` knows nodes
            by name.
    """

    text: str
    unnamed: tuple[NodeId, ...]


def node_info(model: Model, forced: Mapping[NodeId, Device], qtypes: Mapping[NodeId, Qtype]) -> NodeInfo:
    """The `node_info` entry that forces *forced* and asks for *qtypes*; nodes that *model* does not have are ignored.

    A node that is asked for a format and forced to nothing gets no `ON`: the toolchain places it as it would anyway.
    """
    names: dict[str, int] = {}
    for node in model.nodes:
        names[node.name] = names.get(node.name, 0) + 1
    entries: dict[str, dict[str, str]] = {}
    unnamed = []
    for node in model.nodes:
        entry = _entry(forced.get(node.id), qtypes.get(node.id))
        if entry and node.name and names[node.name] == 1:
            entries[node.name] = entry
        elif entry:
            unnamed.append(node.id)
    return NodeInfo(_text(entries), tuple(unnamed))


def _entry(device: Device | None, qtype: Qtype | None) -> dict[str, str]:
    entry = {} if device is None else {"ON": device.value.upper()}
    if qtype is not None and device is not Device.CPU:  # a node on the CPU computes in float
        entry |= {"InputType": qtype.value, "OutputType": qtype.value}
    return entry


def _text(entries: Mapping[str, Mapping[str, str]]) -> str:
    if not entries:
        return ""
    quoted = (json.dumps(part, ensure_ascii=False) for item in entries.items() for part in item)
    lines = [f"    {name}: {entry}" for name, entry in zip(quoted, quoted, strict=True)]
    return "  node_info: {\n" + ",\n".join(lines) + "\n  }\n"
