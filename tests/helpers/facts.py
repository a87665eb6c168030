"""Facts about single nodes, for tests of predicates and tables, and every way to lose one of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper

from inspector.model.graph import Model, Node
from inspector.model.load import from_proto
from inspector.placement.catalog import load_catalog, resolve_target
from inspector.placement.facts import NodeFacts, node_facts
from inspector.placement.local import LocalVerdict, decide
from inspector.placement.operators import UNKNOWN
from inspector.placement.table import OpRules
from inspector.placement.target import Flow, Qtype
from inspector.placement.verdict import Check

Sizes = Sequence[int | str | None]


def one_node(
    op: str,
    inputs: Sequence[Sizes | np.ndarray | None],
    outputs: Sequence[Sizes | None] = ([1],),
    *,
    opset: int = 11,
    domain: str = "",
    dtypes: Mapping[int, int] | None = None,
    **attributes: Any,
) -> tuple[Model, Node]:
    """A model of one node; an input is a shape (computed), an array (constant) or None (left out)."""
    kinds = dtypes or {}
    names = ["" if value is None else f"i{index}" for index, value in enumerate(inputs)]
    results = [f"o{index}" for index in range(len(outputs))]
    graph = helper.make_graph(
        [helper.make_node(op, names, results, "n", domain=domain, **attributes)],
        "g",
        [
            helper.make_tensor_value_info(names[i], kinds.get(i, TensorProto.FLOAT), value)
            for i, value in enumerate(inputs)
            if value is not None and not isinstance(value, np.ndarray)
        ],
        [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in zip(results, outputs, strict=True)],
        [onnx.numpy_helper.from_array(v, names[i]) for i, v in enumerate(inputs) if isinstance(v, np.ndarray)],
    )
    imports = [helper.make_opsetid("", opset)] + ([helper.make_opsetid(domain, 1)] if domain else [])
    model = from_proto(helper.make_model(graph, opset_imports=imports, ir_version=7))
    return model, model.nodes[0]


def facts_of(
    op: str,
    inputs: Sequence[Sizes | np.ndarray | None],
    outputs: Sequence[Sizes | None] = ([1],),
    *,
    qtype: Qtype = Qtype.INT8,
    flow: Flow = Flow.PTQ,
    context: Mapping[str, bool | None] | None = None,
    **rest: Any,
) -> NodeFacts:
    """Facts of a node made by `one_node`."""
    model, node = one_node(op, inputs, outputs, **rest)
    return node_facts(model, node, qtype=qtype, flow=flow, context=context or {})


def rules_of(platform: str, op: str) -> OpRules:
    """Rules for *op* on the default march and toolchain of *platform*."""
    catalog = load_catalog()
    rules = catalog.table(resolve_target(catalog, platform)).rules("", op)
    if rules is None:
        raise KeyError(op)
    return rules


def judged(platform: str, facts: NodeFacts) -> LocalVerdict:
    """The verdict of *platform*'s table on *facts*."""
    return decide(rules_of(platform, facts.op.name), facts)


def check_of(platform: str, clause: str, facts: NodeFacts) -> Check | None:
    """The check of *clause* in that verdict; None when the clause does not apply."""
    local = judged(platform, facts)
    return next((check for check in (*local.checks, *local.cpu_checks) if check.clause == clause), None)


def weakened(facts: NodeFacts) -> Iterator[NodeFacts]:
    """*facts* with one fact less: a shape, one size, a dtype, constness, an attribute's value, a context flag."""
    for side in ("inputs", "outputs"):
        operands = getattr(facts, side)
        for index, operand in enumerate(operands):
            poorer = [replace(operand, shape=None), replace(operand, dtype=None), replace(operand, constant=None)]
            for axis in range(operand.rank or 0):
                shape = list(operand.shape or ())
                shape[axis] = replace(shape[axis], size=None)
                poorer.append(replace(operand, shape=tuple(shape)))
            for one in poorer:
                yield replace(facts, **{side: (*operands[:index], one, *operands[index + 1 :])})
    for name in facts.attributes:
        yield replace(facts, attributes={**facts.attributes, name: UNKNOWN})
    for name in facts.context:
        yield replace(facts, context={**facts.context, name: None})
    yield replace(facts, op=replace(facts.op, version=None))
