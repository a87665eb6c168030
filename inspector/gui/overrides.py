"""`Overrides`: what the user asks of single nodes, a processor or a number format, as `node_info` would set it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Self, TypeVar

from inspector.model.graph import NodeId
from inspector.placement.target import Device, Qtype, Target

_T = TypeVar("_T")


@dataclass(frozen=True)
class Overrides:
    """Wishes for single nodes; a node without one is left to the toolchain.

    Attributes:
        forced: node -> processor it is forced to.
        qtypes: node -> number format it is asked to compute in.
    """

    forced: Mapping[NodeId, Device] = field(default_factory=lambda: MappingProxyType({}))
    qtypes: Mapping[NodeId, Qtype] = field(default_factory=lambda: MappingProxyType({}))

    def __bool__(self) -> bool:
        return bool(self.forced or self.qtypes)

    @property
    def nodes(self) -> tuple[NodeId, ...]:
        """Nodes with a wish, by id."""
        return tuple(sorted(self.forced.keys() | self.qtypes.keys()))

    def force(self, node: NodeId, device: Device | None) -> Self:
        """The same with *node* forced to *device*; None leaves it to the toolchain."""
        return replace(self, forced=_with(self.forced, node, device))

    def ask(self, node: NodeId, qtype: Qtype | None) -> Self:
        """The same with *node* asked to compute in *qtype*; None leaves it to the target's default."""
        return replace(self, qtypes=_with(self.qtypes, node, qtype))

    def only(self, node: NodeId) -> "Overrides":
        """The wishes for *node* alone."""
        forced = {node: self.forced[node]} if node in self.forced else {}
        qtypes = {node: self.qtypes[node]} if node in self.qtypes else {}
        return Overrides(MappingProxyType(forced), MappingProxyType(qtypes))

    def on(self, target: Target, offered: Sequence[Qtype]) -> Target:
        """*target* with these wishes, save for number formats that are not *offered* by its march."""
        qtypes = {node: qtype for node, qtype in self.qtypes.items() if qtype in offered}
        return replace(target, forced=self.forced, qtypes=MappingProxyType(qtypes))


def _with(wishes: Mapping[NodeId, _T], node: NodeId, wish: _T | None) -> Mapping[NodeId, _T]:
    others = {key: value for key, value in wishes.items() if key != node}
    return MappingProxyType(others if wish is None else others | {node: wish})
