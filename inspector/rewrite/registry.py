"""Which rewrite rules there are: the folder `inspector.rewrite.rules` is the list."""

import importlib
import inspect
import pkgutil
from functools import cache
from types import MappingProxyType, ModuleType
from typing import Any

from inspector.errors import RewriteError, UsageError
from inspector.rewrite import rules as folder
from inspector.rewrite.rule import Rule
from inspector.rewrite.tools.registry import TOOLS
from inspector.text import say


@cache
def rules() -> tuple[Rule, ...]:
    """All rules, by id.

    Raises:
        RewriteError: two rules have the same id, or a file of the folder does not hold exactly one rule.
    """
    names = sorted(info.name for info in pkgutil.iter_modules(folder.__path__))
    return ordered(tuple(_rule_of(importlib.import_module(f"{folder.__name__}.{name}")) for name in names))


def rule(rule_id: str) -> Rule:
    """The rule with this id; a tool is found by its id likewise.

    Raises:
        UsageError: there is none.
    """
    for candidate in (*rules(), *TOOLS):
        if candidate.id == rule_id:
            return candidate
    known = ", ".join(candidate.id for candidate in rules())
    raise UsageError(say("rewrite.no_rule", rule=rule_id), say("rewrite.no_rule_help", rules=known))


def ordered(found: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """*found* by id.

    Raises:
        RewriteError: two of them have the same id.
    """
    by_id: dict[str, Rule] = {}
    for candidate in found:
        if candidate.id in by_id:
            raise RewriteError(say("rewrite.repeated_id", rule=candidate.id))
        by_id[candidate.id] = candidate
    return tuple(by_id[rule_id] for rule_id in sorted(by_id))


def headings(subject: Rule) -> MappingProxyType[str, str]:
    """Heading -> text of the module docstring of a rule: what `explain` and the documentation print."""
    sections: dict[str, list[str]] = {}
    current: list[str] | None = None
    for line in (inspect.getdoc(inspect.getmodule(type(subject))) or "").splitlines():
        if line.endswith(":") and line[:-1] in HEADINGS:
            current = sections.setdefault(line[:-1], [])
        elif current is not None:
            current.append(line)
    return MappingProxyType({name: inspect.cleandoc("\n" + "\n".join(lines)) for name, lines in sections.items()})


HEADINGS = ("What it does", "When it applies", "Why it is equivalent", "Safety", "Costs", "Source")
"""Headings that the module docstring of every rule has, in this order."""


def _rule_of(module: ModuleType) -> Rule:
    classes: list[Any] = [
        value
        for name, value in vars(module).items()
        if inspect.isclass(value) and value.__module__ == module.__name__ and not name.startswith("_")
    ]
    if len(classes) != 1:
        raise RewriteError(say("rewrite.one_rule_per_file", file=module.__name__, found=len(classes)))
    instance: Rule = classes[0]()
    return instance
