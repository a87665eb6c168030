"""Predicates about the operands as such: which are given, how many, which are constant and whether they hold a 0."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from inspector.placement.facts import NodeFacts
from inspector.placement.finding import Finding, Piece, Words, bounds, names_of, outcome_of, presence, within, worst
from inspector.placement.variables import variable
from inspector.text import say

Predicate = Callable[[Any, NodeFacts], Finding | None]


def _constant(parameters: Mapping[str, Any], facts: NodeFacts) -> Finding | None:
    words = {True: say("constraints.constant"), False: say("constraints.computed")}
    expected = bool(parameters["is"])
    pieces = [
        Piece(
            outcome_of(None if operand.constant is None else operand.constant is expected),
            say("constraints.subject_operand", operand=operand.name),
            "?" if operand.constant is None else words[operand.constant],
        )
        for operand in facts.operands(parameters["of"])
    ]
    return worst(pieces, words[expected])


def _constant_count(parameters: Mapping[str, Any], facts: NodeFacts) -> Finding:
    present = [operand for operand in facts.inputs if operand.present]
    sure = sum(operand.constant is True for operand in present)
    maybe = sure + sum(operand.constant is None for operand in present)
    holds = False if sure > parameters["max"] else (True if maybe <= parameters["max"] else None)
    return Finding(outcome_of(holds), say("constraints.subject_constants"), str(sure), bounds(parameters))


def _nonzero(parameters: str, facts: NodeFacts) -> Finding | None:
    """Constants among the operands hold no 0; the values of what is computed are not known before run time."""
    words: Mapping[bool | None, Words] = {True: say("constraints.with_zero"), False: say("constraints.without_zero")}
    pieces = [
        Piece(
            outcome_of(None if operand.zeros is None else not operand.zeros),
            say("constraints.subject_values", operand=operand.name),
            words.get(operand.zeros, "?"),
        )
        for operand in facts.operands(parameters)
        if operand.constant is not False
    ]
    return worst(pieces, words[False])


def _count(side: str) -> Predicate:
    def predicate(parameters: Mapping[str, Any], facts: NodeFacts) -> Finding:
        count = variable(facts, side)
        return Finding(outcome_of(within(count, parameters)), say(f"constraints.subject_{side}"), str(count),
                       bounds(parameters))  # fmt: skip

    return predicate


def _operands_present(side: str) -> Predicate:
    def predicate(parameters: Sequence[Sequence[str]], facts: NodeFacts) -> Finding:
        operands = facts.inputs if side == "inputs" else facts.outputs
        given = [operand.name for operand in operands if operand.present]
        holds = any(sorted(given) == sorted(names) for names in parameters)
        allowed = " | ".join(", ".join(names) for names in parameters)
        return Finding(outcome_of(holds), say(f"constraints.subject_n_{side}"), names_of(given), allowed)

    return predicate


def _operand_given(parameters: str, facts: NodeFacts) -> Finding:
    given = bool(facts.operands(parameters))
    return presence(True, given, say("constraints.subject_operand", operand=parameters))


PREDICATES: Final[Mapping[str, Predicate]] = {
    "const": _constant,
    "const_count": _constant_count,
    "nonzero": _nonzero,
    "n_inputs": _count("n_inputs"),
    "n_outputs": _count("n_outputs"),
    "inputs_present": _operands_present("inputs"),
    "outputs_present": _operands_present("outputs"),
    "given": _operand_given,
}
"""Predicates of this module by their key."""
