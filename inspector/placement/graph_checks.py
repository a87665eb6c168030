"""Clauses about the whole model: opset, IR version, static inputs, their rank and batch, how many there are."""

from inspector.model.graph import Model
from inspector.placement.table import Clause, Table
from inspector.placement.target import Target
from inspector.placement.verdict import Check


def graph_checks(model: Model, table: Table, target: Target) -> tuple[Check, ...]:
    """Hold *model* against the graph clauses of *table*, except the one about BPU nodes: failed first, then by id."""
    raise NotImplementedError


def min_bpu_nodes(table: Table) -> Clause | None:
    """The clause `model.min-bpu-nodes`, which can be judged only after placement; None when the table has none."""
    raise NotImplementedError


def check_bpu_nodes(clause: Clause, bpu_nodes: int) -> Check:
    """Hold the number of nodes on the BPU against *clause*."""
    raise NotImplementedError
