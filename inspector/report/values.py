"""JSON forms of the core's values: the parts that the documents of `inspector.report.documents` are made of.

Only types of JSON come out, in a fixed key order, and no number that JSON cannot hold. Keys, ids and enumerations are
part of the contract (docs/json.md); sentences are for people and depend on the language.
"""

import math
from collections.abc import Mapping
from typing import Any

from inspector.model.graph import Model, NodeId, Value
from inspector.model.shape import Shape
from inspector.placement.catalog import Catalog
from inspector.placement.source_text import source_text
from inspector.placement.target import Target
from inspector.placement.verdict import Because, Check, NodeVerdict, Placement, Segment
from inspector.rewrite.rule import Cost, Gain
from inspector.text import Message, Text, render
from inspector.verify.result import TensorDiff, Tolerance, Verification

Json = dict[str, Any]


def shape_value(shape: Shape | None) -> list[int | str | None] | None:
    """Axis lengths: a size, else a symbol, else null; null for an unknown rank."""
    return None if shape is None else [dim.size if dim.size is not None else dim.symbol for dim in shape]


def number(value: float | None) -> float | None:
    """*value*, or null for what JSON has no number for (NaN, infinities)."""
    return value if value is not None and math.isfinite(value) else None


def sentence(text: Message | Text | str | None, language: str) -> str | None:
    """*text* in *language*, or null."""
    return None if text is None else render(text, language)


def model_value(model: Model, language: str) -> Json:
    """What the model is: file, versions, interface, and what was odd about it."""
    main = model.main
    return {
        "path": None if model.origin is None else str(model.origin),
        "graph": main.name,
        "producer": " ".join(filter(None, (model.shell.producer_name, model.shell.producer_version))),
        "ir_version": model.ir_version,
        "opsets": {domain or "ai.onnx": version for domain, version in sorted(model.opsets.items())},
        "nodes": len(model.nodes),
        "inputs": [_tensor(model.value(main.index, name)) for name in main.inputs],
        "outputs": [_tensor(model.value(main.index, name)) for name in main.outputs],
        "bound_dims": dict(model.dims),
        "warnings": [render(warning, language) for warning in model.warnings],
    }


def target_value(target: Target) -> Json:
    """What the model was placed on."""
    return {
        "platform": target.platform,
        "march": target.march,
        "toolchain": target.toolchain,
        "flow": target.flow.value,
        "qtype": None if target.qtype is None else target.qtype.value,
        "qtypes": {str(node): qtype.value for node, qtype in sorted(target.qtypes.items())},
        "forced": {str(node): device.value for node, device in sorted(target.forced.items())},
    }


def table_value(catalog: Catalog, target: Target, language: str) -> Json:
    """The constraint table that *target* uses, and whether it was published for that very toolchain version."""
    table = catalog.table(target)
    toolchain = catalog.platform(target.platform).toolchain(target.toolchain)
    return {"id": table.id, "title": render(table.title, language), "own": toolchain.own_table}


def counts_value(counts: Mapping[Any, int]) -> Json:
    """Number of nodes per verdict, zeros included."""
    return {str(verdict): count for verdict, count in counts.items()}


def check_value(check: Check, language: str) -> Json:
    """One clause held against one node or the graph."""
    return {
        "clause": check.clause,
        "side": check.side.value,
        "outcome": check.outcome.value,
        "subject": render(check.subject, language),
        "found": render(check.found, language),
        "allowed": render(check.allowed, language),
        "source": render(source_text(check.source), language),
        "standing": check.source.standing.value,
        "note": sentence(check.note, language),
        "contradicted": sentence(check.contradicted, language),
    }


def because_value(because: Because, language: str) -> Json:
    """A decision of a context pass."""
    return {
        "pass": because.pass_name,
        "message": render(because.message, language),
        "node": because.node,
        "source": None if because.source is None else render(source_text(because.source), language),
    }


def node_value(model: Model, verdict: NodeVerdict, language: str) -> Json:
    """One node with its verdict, without fixes."""
    node = model.node(verdict.node)
    outputs = model.output_values(node)
    return {
        "id": node.id,
        "name": node.name,
        "label": node.label,
        "op": node.op.name,
        "domain": node.op.domain,
        "scope": model.graphs[node.graph].path,
        "verdict": verdict.verdict.value,
        "standing": verdict.standing.value,
        "because": [because_value(entry, language) for entry in verdict.because],
        "fused_into": verdict.fused_into,
        "qtype": None if verdict.qtype is None else verdict.qtype.value,
        "kernel": None if verdict.kernel is None else verdict.kernel.value,
        "output_shape": shape_value(outputs[0].shape) if outputs else None,
        "checks": [check_value(check, language) for check in verdict.checks],
    }


def segment_value(segment: Segment) -> Json:
    """A run of nodes on one processor."""
    return {
        "index": segment.index,
        "verdict": segment.verdict.value,
        "nodes": list(segment.nodes),
        "inputs": list(segment.inputs),
        "outputs": list(segment.outputs),
        "bytes_in": segment.bytes_in,
        "bytes_out": segment.bytes_out,
    }


def placement_value(model: Model, placement: Placement, language: str) -> Json:
    """Counts, graph checks, nodes in model order and segments."""
    return {
        "counts": counts_value(placement.counts),
        "inferred": counts_value(placement.inferred),
        "graph_checks": [check_value(check, language) for check in placement.graph_checks],
        "nodes": [node_value(model, placement.verdicts[node.id], language) for node in model.nodes],
        "segments": [segment_value(segment) for segment in placement.segments],
        "crossings": [
            {"value": c.value, "source": c.source, "target": c.target, "bytes": c.bytes} for c in placement.crossings
        ],
    }


def gain_value(gain: Gain | None) -> Json | None:
    """What a rewrite changes on the target, `[before, after]` each."""
    if gain is None:
        return None
    return {
        "cpu": list(gain.cpu),
        "unsupported": list(gain.unsupported),
        "unknown": list(gain.unknown),
        "segments": list(gain.segments),
        "crossing_bytes": list(gain.crossing_bytes),
    }


def cost_value(cost: Cost) -> Json:
    """Cost of a set of nodes."""
    return {
        "macs": cost.macs,
        "bytes": cost.bytes,
        "widest_channels": cost.widest_channels,
        "widest_bytes": cost.widest_bytes,
    }


def diff_value(diff: TensorDiff, language: str) -> Json:
    """Error figures of one tensor."""
    return {
        "name": diff.name,
        "shape": list(diff.shape),
        "dtype": diff.dtype,
        "status": diff.status.value,
        "reason": sentence(diff.reason, language),
        "equal": diff.equal,
        "max_abs": number(diff.max_abs),
        "mean_abs": number(diff.mean_abs),
        "max_rel": number(diff.max_rel),
        "cosine": number(diff.cosine),
        "snr_db": number(diff.snr_db),
        "nonfinite": list(diff.nonfinite),
        "worst_index": None if diff.worst_index is None else list(diff.worst_index),
        "badge": diff.badge,
    }


def tolerance_value(tolerance: Tolerance, language: str) -> Json:
    """The limit of a comparison."""
    return {
        "bit_exact": tolerance.bit_exact,
        "max_rel": tolerance.max_rel,
        "origin": render(tolerance.origin, language),
    }


def verification_value(result: Verification, language: str) -> Json:
    """A comparison: verdict, graph outputs, intermediates, and what computed them. Wall time is left out."""
    runtime = result.runtime
    return {
        "stage": result.stage.value,
        "status": result.status.value,
        "reason": sentence(result.reason, language),
        "notes": [render(note, language) for note in result.notes],
        "outputs": [diff_value(diff, language) for diff in result.outputs if diff.output],
        "intermediates": [diff_value(diff, language) for diff in result.outputs if not diff.output],
        "tolerance": tolerance_value(result.tolerance, language),
        "seed": result.seed,
        "inputs": list(result.inputs),
        "runtime": None
        if runtime is None
        else {
            "name": runtime.name,
            "version": runtime.version,
            "provider": runtime.provider,
            "optimization": runtime.optimization,
            "threads": runtime.threads,
        },
    }


def node_ref(model: Model, node: NodeId) -> str:
    """What to call a node that may be gone from the model."""
    found = model.find_node(node)
    return f"#{node}" if found is None else found.label


def _tensor(value: Value) -> Json:
    return {
        "name": value.name,
        "dtype": None if value.dtype is None else value.dtype.value,
        "shape": shape_value(value.shape),
    }
