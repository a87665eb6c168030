"""Examples as a user runs them: a model, the target it is checked on, and whether that shows the clause failing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

import onnx

from inspector.errors import InspectorError
from inspector.model.graph import Model, NodeId
from inspector.model.infer import infer_shapes
from inspector.model.load import from_proto
from inspector.placement.catalog import Catalog, ClauseHit, resolve_target
from inspector.placement.engine import place
from inspector.placement.example_model import NODE, Sample, build, is_valid
from inspector.placement.target import Device, Flow, Qtype, Target
from inspector.placement.verdict import Check, NodeVerdict, Outcome, Placement, Side, Verdict
from inspector.worker.client import InProcessRunner


class Lack(StrEnum):
    """Why a clause has no example."""

    NOTE = "note"  # no program can check it
    ALWAYS = "always"  # no model breaks it
    INVALID = "invalid"  # ONNX refuses every model that breaks it
    UNOFFERED = "unoffered"  # it is about a number format or a flow that the march does not offer
    FOLDED = "folded"  # the toolchain computes every node that breaks it before run time
    UNKNOWN = "unknown"  # none was found


@dataclass(frozen=True)
class Example:
    """A model in which a clause fails, and what it must be checked on to see that.

    Attributes:
        sample: the model; the node in question is called `n`.
        target: platform, march, toolchain version and flow, without what is asked of the node.
        qtype: number format that the node is asked for; None for the default of the march.
        forced: processor that the node is forced to; None where it need not be.
        verdict: of the node; None for a clause about the whole model.
        others: number of other clauses that fail too, the one about a model without any node on the BPU left aside.
    """

    sample: Sample
    target: Target
    qtype: Qtype | None = None
    forced: Device | None = None
    verdict: Verdict | None = None
    others: int = 0

    @property
    def model(self) -> onnx.ModelProto:
        """The model as ONNX has it."""
        return build(self.sample)


def example(catalog: Catalog, hit: ClauseHit, sample: Sample) -> Example | None:
    """How *sample* shows the clause of *hit* failing; None where no choice of options does, or ONNX refuses it.

    Plain ones come first: the flow that the sample was made for, no number format asked for, and nothing forced.
    """
    proto = build(sample)
    if not is_valid(proto):
        return None
    model = _loaded(proto)
    if model is None:
        return None
    for target in targets(catalog, hit.table, sample):
        usual = sample.qtype is catalog.default_qtype(target)
        for qtype in (None,) if usual else (None, sample.qtype):
            for forced in (None, Device.CPU) if hit.clause.side is Side.CPU else (None,):
                candidate = Example(sample, target, qtype, forced)
                shown = _shown(hit, place(model, catalog, _asked(candidate, model)), model)
                if shown is not None:
                    return replace(candidate, verdict=shown[0], others=shown[1])
    return None


def targets(catalog: Catalog, table: str, sample: Sample) -> Iterator[Target]:
    """Targets that use *table* and offer the number format of *sample*, each flow once: its own first."""
    flows = (sample.flow, *(flow for flow in Flow if flow is not sample.flow))
    for flow in flows:
        found = next(_using(catalog, table, flow, sample.qtype), None)
        if found is not None:
            yield found


def places(catalog: Catalog, table: str, sample: Sample) -> Iterator[Verdict]:
    """Verdicts on the node of *sample*, which ONNX may refuse, on the targets that use *table*."""
    model = _loaded(build(sample))
    if model is None:
        return
    for target in targets(catalog, table, sample):
        placement = place(model, catalog, target)
        yield placement.verdicts[_node(model)].verdict


def _using(catalog: Catalog, table: str, flow: Flow, qtype: Qtype) -> Iterator[Target]:
    for platform in catalog.platforms:
        for march in platform.marches if flow in platform.flows else ():
            if qtype not in platform.qtypes[march]:
                continue
            for toolchain in reversed(platform.toolchains):
                if toolchain.tables[march] == table:
                    yield resolve_target(catalog, platform.id, toolchain=toolchain.version, march=march, flow=flow)


def _node(model: Model) -> NodeId:
    return next(node.id for node in model.main.nodes if node.name == NODE)


def _loaded(proto: onnx.ModelProto) -> Model | None:
    try:
        return infer_shapes(from_proto(proto), InProcessRunner())
    except InspectorError:
        return None


def _asked(candidate: Example, model: Model) -> Target:
    node = _node(model)
    qtypes = {} if candidate.qtype is None else {node: candidate.qtype}
    forced = {} if candidate.forced is None else {node: candidate.forced}
    return replace(candidate.target, qtypes=MappingProxyType(qtypes), forced=MappingProxyType(forced))


def _shown(hit: ClauseHit, placement: Placement, model: Model) -> tuple[Verdict | None, int] | None:
    """Verdict of the node and number of other failed checks, where the clause fails and leads to what it stands for."""
    if hit.clause.side is Side.GRAPH:
        failed = [check for check in placement.graph_checks if check.outcome is Outcome.FAIL]
        return (None, _count(failed) - 1) if _fails(hit, failed) else None
    verdict = placement.verdicts[_node(model)]
    failed = [check for check in verdict.checks if check.outcome is Outcome.FAIL]
    if not _fails(hit, failed) or not _follows(hit, verdict):
        return None
    return verdict.verdict, _count(failed) - 1 + _count(placement.graph_failures)


def _count(failed: Sequence[Check]) -> int:
    return sum(check.clause != "model.min-bpu-nodes" for check in failed)


def _fails(hit: ClauseHit, failed: Sequence[Check]) -> bool:
    return any(check.clause == hit.clause.id and check.side is hit.clause.side for check in failed)


def _follows(hit: ClauseHit, verdict: NodeVerdict) -> bool:
    """Whether *verdict* is one that a failure of the clause leads to; one that does not fire leads to none."""
    if hit.clause.contradicted is not None:
        return True
    if hit.clause.side is Side.CPU or hit.clause.otherwise is Verdict.UNSUPPORTED:
        return verdict.verdict is Verdict.UNSUPPORTED
    return verdict.verdict in (Verdict.CPU, Verdict.UNSUPPORTED)
