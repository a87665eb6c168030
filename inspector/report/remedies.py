"""Remedies of failed checks as `help:` lines for a terminal and as values for JSON."""

from inspector.model.graph import NodeId
from inspector.placement.remedies import AllRemedies, Remedies, in_order
from inspector.report.values import Json
from inspector.text import Message, render, say


def node_help(remedies: AllRemedies | None, node: NodeId, language: str, *, fixed: bool) -> list[str]:
    """What would satisfy the failed checks of *node*; where a rule is offered (*fixed*), the smallest changes alone."""
    if remedies is None:
        return []
    return [_line(m, language) for m in in_order(remedies.nodes.get(node, {})) if not (fixed and is_way(m))]


def graph_help(remedies: AllRemedies | None, clause: str, language: str) -> list[str]:
    """What would satisfy a failed check of the whole model."""
    return [] if remedies is None else [_line(message, language) for message in remedies.graph.get(clause, ())]


def add_remedies(placed: Json, remedies: AllRemedies, language: str) -> None:
    """Add `remedies` to each check of a placement as JSON: sentences in the order in which they are tried."""
    for check in placed["graph_checks"]:
        check["remedies"] = _sentences(remedies.graph, check["clause"], language)
    for node in placed["nodes"]:
        of_node = remedies.nodes.get(node["id"], {})
        for check in node["checks"]:
            check["remedies"] = _sentences(of_node, check["clause"], language)


def _sentences(remedies: Remedies, clause: str, language: str) -> list[str]:
    return [render(message, language) for message in remedies.get(clause, ())]


def is_way(message: Message) -> bool:
    """Whether *message* is a way to meet a limit rather than the limit itself."""
    return message.key.count(".") > 1


def _line(message: Message, language: str) -> str:
    return "  " + render(say("remedy.help", remedy=message), language)
