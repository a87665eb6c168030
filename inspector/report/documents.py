"""The JSON documents of the command line: a contract, described in docs/json.md and resources/schemas/.

Every document carries `schema` (`bpu-inspector/COMMAND/VERSION`). Within a version keys may be added; a change of
meaning or a removed key raises the version.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from inspector import __version__
from inspector.model.graph import Model, NodeId
from inspector.placement.catalog import Catalog, ClauseHit
from inspector.placement.remedies import placement_remedies
from inspector.placement.source_text import source_text
from inspector.placement.statements import Statement
from inspector.placement.table import OpRules
from inspector.placement.toolchains import Difference
from inspector.placement.verdict import Placement, Verdict
from inspector.report.islands import island_values
from inspector.report.remedies import add_remedies
from inspector.report.specs import spec_text
from inspector.report.values import (
    Json,
    cost_value,
    counts_value,
    gain_value,
    model_value,
    node_ref,
    placement_value,
    sentence,
    table_value,
    target_value,
    verification_value,
)
from inspector.rewrite.find import Found, Offer
from inspector.rewrite.registry import rule as rule_of
from inspector.rewrite.rule import Preview, Refusal, Rule
from inspector.text import Message, render
from inspector.verify.result import Status, Verification
from inspector.workspace import Step


@dataclass(frozen=True)
class Explanation:
    """What a name stands for.

    Attributes:
        query: the name.
        clauses: clauses of that id, of that operator or of that document.
        operator: operator that it spells; empty when it is none.
        operators: table id -> what the table says about the operator.
        unlisted: table id -> verdict on the operator, for tables that do not list it.
        rules: rewrite rules of that id.
        rewrites: rewrite rules that ask about the operator.
        statement: what a check or a cause of that id states; None when it is no such id.
    """

    query: str
    clauses: tuple[ClauseHit, ...]
    operator: str
    operators: Mapping[str, OpRules]
    unlisted: Mapping[str, Verdict]
    rules: tuple[Rule, ...]
    rewrites: tuple[Rule, ...]
    statement: Statement | None = None

    @property
    def empty(self) -> bool:
        """Whether the name stands for nothing."""
        return not (self.clauses or self.operator or self.rules or self.statement)


def check_document(
    model: Model, placement: Placement, catalog: Catalog, found: Mapping[NodeId, Found], language: str
) -> Json:
    """The answer of `check`: every node with its verdict, checks, fixes and refusals."""
    placed = placement_value(model, placement, language)
    add_remedies(placed, placement_remedies(model, placement, catalog), language)
    for node in placed["nodes"]:
        here = found.get(node["id"])
        node["fixes"] = [] if here is None else [offer_value(offer) for offer in here.fixes]
        node["refusals"] = [] if here is None else [refusal_value(refusal, language) for refusal in here.refusals]
    return {
        "schema": "bpu-inspector/check/1",
        "generator": __version__,
        "model": model_value(model, language),
        "target": target_value(placement.target),
        "table": table_value(catalog, placement.target, language),
        "catalog": placement.catalog_digest,
        **placed,
        "islands": island_values(placement),
    }


def verify_document(before: Path, after: Path, result: Verification, language: str) -> Json:
    """The answer of `verify`."""
    return {
        "schema": "bpu-inspector/verify/1",
        "generator": __version__,
        "before": str(before),
        "after": str(after),
        **verification_value(result, language),
    }


def rewrite_document(
    before: Model,
    placement_before: Placement,
    placement_after: Placement,
    steps: Sequence[Step],
    refused: Sequence[Json],
    whole: Verification | None,
    output: Path | None,
    language: str,
) -> Json:
    """The answer of `rewrite`: *steps* that were proven, what was refused, and the file that was written."""
    return {
        "schema": "bpu-inspector/rewrite/1",
        "generator": __version__,
        "model": model_value(before, language),
        "target": target_value(placement_before.target),
        "steps": [step_value(step, language) for step in steps],
        "refused": list(refused),
        "verification": None if whole is None else verification_value(whole, language),
        "output": None if output is None else str(output),
        "counts": {"before": counts_value(placement_before.counts), "after": counts_value(placement_after.counts)},
    }


def tool_document(
    tool: str,
    model: Model,
    made: Preview | Sequence[Model] | Message,
    result: Verification | None,
    output: Sequence[Path],
    language: str,
) -> Json:
    """The answer of `tool`: what was *made*, the changed model, its parts, or the reason why nothing was."""
    built = made if isinstance(made, Preview) else None
    parts = () if isinstance(made, Preview | Message) else made
    return {
        "schema": "bpu-inspector/tool/1",
        "generator": __version__,
        "tool": tool,
        "model": model_value(model, language),
        "reason": sentence(made if isinstance(made, Message) else None, language),
        "arguments": None if built is None else json.loads(built.variant),
        "removed": [] if built is None else [node_ref(built.before, node) for node in built.removed],
        "added": [] if built is None else [node_ref(built.after, node) for node in built.added],
        "parts": [
            {"nodes": len(part.main.nodes), "inputs": list(part.main.inputs), "outputs": list(part.main.outputs)}
            for part in parts
        ],
        "verification": None if result is None else verification_value(result, language),
        "output": [str(path) for path in output],
    }


def targets_document(catalog: Catalog, language: str) -> Json:
    """The answer of `targets`."""
    return {
        "schema": "bpu-inspector/targets/1",
        "generator": __version__,
        "catalog": catalog.digest,
        "platforms": [
            {
                "id": platform.id,
                "title": render(platform.title, language),
                "chips": list(platform.chips),
                "marches": list(platform.marches),
                "flows": [flow.value for flow in platform.flows],
                "qtypes": {march: [q.value for q in qtypes] for march, qtypes in platform.qtypes.items()},
                "toolchains": [
                    {
                        "version": toolchain.version,
                        "ground": toolchain.ground.value,
                        "source": toolchain.source,
                        "tables": dict(toolchain.tables),
                        "own_table": toolchain.own_table,
                        "components": dict(toolchain.components),
                        "note": sentence(toolchain.note, language),
                    }
                    for toolchain in platform.toolchains
                ],
                "differences": [difference_value(difference, language) for difference in platform.differences],
            }
            for platform in catalog.platforms
        ],
    }


def rules_document(rules: Sequence[Rule], language: str) -> Json:
    """The answer of `rules`."""
    return {
        "schema": "bpu-inspector/rules/1",
        "generator": __version__,
        "rules": [rule_value(rule, language) for rule in rules],
    }


def explain_document(answer: Explanation, language: str) -> Json:
    """The answer of `explain`."""
    return {
        "schema": "bpu-inspector/explain/1",
        "generator": __version__,
        "query": answer.query,
        "clauses": [clause_value(hit, language) for hit in answer.clauses],
        "operators": [operator_value(table, rules_of, language) for table, rules_of in answer.operators.items()],
        "unlisted": {table: verdict.value for table, verdict in answer.unlisted.items()},
        "rules": [rule_value(rule, language) for rule in answer.rules],
        "rewrites": [rule.id for rule in answer.rewrites],
        "statement": None if answer.statement is None else _statement_value(answer.statement, language),
    }


def _statement_value(statement: Statement, language: str) -> Json:
    """An id that is no clause: what it states, and where."""
    return {
        "id": statement.id,
        "op": statement.operator,
        "text": render(statement.text, language),
        "grounds": [
            {
                "tables": list(ground.tables),
                "text": render(ground.text, language),
                "source": None if ground.source is None else render(source_text(ground.source), language),
                "standing": None if ground.source is None else ground.source.standing.value,
            }
            for ground in statement.grounds
        ],
    }


def offer_value(offer: Offer) -> Json:
    """A rewrite on offer: placed on the target, not yet proven."""
    return {
        "rule": offer.rule.id,
        "variant": offer.variant,
        "gain": gain_value(offer.gain),
        "cost": cost_value(offer.cost),
    }


def refusal_value(refusal: Refusal, language: str) -> Json:
    """A rewrite that does not fit, and why."""
    return {"rule": refusal.rule, "reason": render(refusal.reason, language), "subject": refusal.subject}


def step_value(step: Step, language: str) -> Json:
    """One proven rewrite; `verification` is its fragment stage, the matched nodes against their replacement."""
    preview = step.preview
    fragment = step.verifications[0] if step.verifications else None
    rule = rule_of(preview.match.rule)
    return {
        "rule": rule.id,
        "safety": rule.safety.value,
        "limit": rule.limit,
        "variant": preview.variant,
        "node": node_ref(preview.before, preview.match.anchor),
        "node_id": preview.match.anchor,
        "removed": [node_ref(preview.before, node) for node in preview.removed],
        "added": [node_ref(preview.after, node) for node in preview.added],
        "gain": gain_value(preview.gain),
        "cost_before": cost_value(preview.cost_before),
        "cost_after": cost_value(preview.cost_after),
        "status": (Status.INCONCLUSIVE if fragment is None else fragment.status).value,
        "verification": None if fragment is None else verification_value(fragment, language),
        "override": sentence(step.override, language),
    }


def rule_value(rule: Rule, language: str) -> Json:
    """A rewrite rule."""
    return {
        "id": rule.id,
        "title": render(rule.title, language),
        "summary": render(rule.summary, language),
        "operators": sorted(rule.anchors),
        "fixes": sorted(rule.fixes),
        "safety": rule.safety.value,
        "limit": rule.limit,
        "variants": [{"id": variant.id, "title": render(variant.title, language)} for variant in rule.variants],
    }


def clause_value(hit: ClauseHit, language: str) -> Json:
    """A clause of a constraint table."""
    clause = hit.clause
    return {
        "id": clause.id,
        "table": hit.table,
        "op": hit.op,
        "side": clause.side.value,
        "text": render(clause.text, language),
        "require": None if clause.note else spec_text(clause.require),
        "when": None if clause.when is None else spec_text(clause.when),
        "otherwise": clause.otherwise.value,
        "source": render(source_text(clause.source), language),
        "standing": clause.source.standing.value,
        "contradicted": sentence(clause.contradicted, language),
        "checkable": not clause.note,
    }


def difference_value(difference: Difference, language: str) -> Json:
    """Something that is known to differ between toolchain versions."""
    return {
        "id": difference.id,
        "since": difference.since or None,
        "operators": list(difference.ops),
        "clauses": list(difference.clauses),
        "text": render(difference.text, language),
        "ground": difference.ground.value,
        "source": difference.source,
    }


def operator_value(table: str, rules: OpRules, language: str) -> Json:
    """What one table says about one operator."""
    return {
        "table": table,
        "op": rules.op,
        "bpu": rules.bpu,
        "cpu": rules.kernel.value,
        "fold": rules.fold.value,
        "default_device": None if rules.default_device is None else rules.default_device.value,
        "force_option": rules.force_option,
        "clauses": [clause.id for clause in rules.clauses],
        "lowering": [render(text, language) for text in rules.lowering],
        "source": render(source_text(rules.source), language),
        "standing": rules.source.standing.value,
        "stand_in": sentence(rules.stand_in, language),
    }
