"""From the words of a command line to a placed model: the way that `check`, `rewrite` and `demo` share."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from inspector.cli.common import nearest, parse_dims
from inspector.errors import UsageError
from inspector.model.graph import Model, NodeId
from inspector.model.infer import infer_shapes
from inspector.model.load import load_model
from inspector.placement.catalog import Catalog, load_catalog, offered_qtype, resolve_target
from inspector.placement.engine import PlacementCache, place
from inspector.placement.target import Device, Flow, Qtype, Target
from inspector.placement.verdict import Placement, Verdict
from inspector.text import say
from inspector.worker.forked import ForkedRunner


@dataclass(frozen=True)
class Analysis:
    """A model on a target.

    Attributes:
        model: with shapes.
        catalog: the tables.
        placement: verdicts of the model.
        cache: judgements of nodes that did not change, for the models edited from this one.
    """

    model: Model
    catalog: Catalog
    placement: Placement
    cache: PlacementCache

    def place(self, model: Model) -> Placement:
        """Verdicts of *model*, this one or one edited from it, on the same target."""
        return place(model, self.catalog, self.placement.target, cache=self.cache)


def open_model(path: Path, dims: Mapping[str, int]) -> Model:
    """The model in *path* with the shapes that can be found without running it.

    Raises:
        ModelLoadError: the file cannot be read as an ONNX model.
        UsageError: *dims* names a dimension that the model does not have.
    """
    return infer_shapes(load_model(path), ForkedRunner(), dims)


def analyse(args: argparse.Namespace) -> Analysis:
    """Open and place the model that the options of `add_target_options` describe.

    Raises:
        UsageError: an option names something that does not exist.
        ModelLoadError: the model cannot be read.
        ConstraintDataError: a table is invalid.
    """
    catalog = load_catalog()
    target = chosen_target(catalog, args)
    model = open_model(Path(args.model), parse_dims(args.dim))
    target = replace(
        target,
        forced=MappingProxyType(parse_forced(model, args.force)),
        qtypes=MappingProxyType(parse_qtypes(model, catalog, target, args.node_qtype)),
    )
    cache = PlacementCache()
    return Analysis(model, catalog, place(model, catalog, target, cache=cache), cache)


def chosen_target(catalog: Catalog, args: argparse.Namespace) -> Target:
    """The target that the options describe, without what they say of single nodes.

    Raises:
        UsageError: an option names something that is not offered.
    """
    target = resolve_target(catalog, args.platform, toolchain=args.toolchain, march=args.march, flow=Flow(args.flow))
    if args.qtype is None:
        return target
    return replace(target, qtype=offered_qtype(catalog.platform(target.platform), target.march, args.qtype))


def parse_qtypes(model: Model, catalog: Catalog, target: Target, words: Sequence[str]) -> dict[NodeId, Qtype]:
    """Number formats of single nodes from `NODE=TYPE` words; NODE is what `find_node` takes.

    Raises:
        UsageError: a word has another form, names no node or several, or a format that the march does not compute in.
    """
    qtypes: dict[NodeId, Qtype] = {}
    for word in words:
        name, equals, qtype = word.rpartition("=")
        if not equals or not name:
            raise UsageError(say("cli.node_qtype", found=word), say("cli.node_qtype_help"))
        qtypes[find_node(model, name)] = offered_qtype(catalog.platform(target.platform), target.march, qtype)
    return qtypes


def parse_forced(model: Model, words: Sequence[str]) -> dict[NodeId, Device]:
    """Forced nodes from `NODE=bpu|cpu` words; NODE is what `find_node` takes.

    Raises:
        UsageError: a word has another form, names no node or several, or a node is given two processors.
    """
    forced: dict[NodeId, Device] = {}
    for word in words:
        name, equals, device = word.rpartition("=")
        if not equals or not name or device not in tuple(Device):
            raise UsageError(say("cli.force", found=word), say("cli.force_help"))
        node = find_node(model, name)
        if forced.setdefault(node, Device(device)) is not Device(device):
            raise UsageError(say("cli.twice", name=name, first=forced[node], second=device), say("cli.twice_help"))
    return forced


def find_node(model: Model, name: str) -> NodeId:
    """The node called *name*: its name, else its first output, else its id (`12` or `#12`).

    Raises:
        UsageError: there is none, or several have that name.
    """
    for spelling in ("name", "label"):
        found = [node.id for node in model.nodes if name and getattr(node, spelling) == name]
        if len(found) == 1:
            return found[0]
        if found:
            ids = ", ".join(f"#{node}" for node in found[:8])
            raise UsageError(
                say("cli.node_ambiguous", name=name, n=len(found)), say("cli.node_ambiguous_help", ids=ids)
            )
    digits = name.removeprefix("#")
    if (
        digits.isascii()
        and digits.isdigit()
        and len(digits) < 20
        and (node := model.find_node(NodeId(int(digits)))) is not None
    ):
        return node.id
    labels = [node.label for node in model.nodes]
    raise UsageError(say("cli.node_unknown", name=name), say("cli.node_unknown_help", names=nearest(name, labels)))


def has_findings(placement: Placement) -> bool:
    """Whether anything stands in the way: a CPU, UNSUPPORTED or UNKNOWN node, or a failed graph check."""
    counts = placement.counts
    return bool(
        counts[Verdict.CPU] + counts[Verdict.UNSUPPORTED] + counts[Verdict.UNKNOWN] + len(placement.graph_failures)
    )
