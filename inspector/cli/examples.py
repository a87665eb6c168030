"""The example of a clause for `explain`: a model that breaks it, and the command line that shows it."""

import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import onnx

from inspector.errors import UsageError
from inspector.model.save import check_target, write_atomically
from inspector.placement.catalog import Catalog, ClauseHit, resolve_target
from inspector.placement.example_find import find_example
from inspector.placement.example_model import NODE
from inspector.placement.example_run import Example, Lack
from inspector.text import Message, render, say

FILE: Final = "example.onnx"
"""What the file is called where the user named none."""

# Values of a tensor stand on one line; the body of a graph, in braces too, does not.
_LONG_VALUES = re.compile(r"\{([^{},<>=\n]+,){8}[^{}<>=\n]*\}")


def example_of(catalog: Catalog, hits: Sequence[ClauseHit]) -> tuple[ClauseHit, Example | Lack] | None:
    """The first of *hits* that has an example, else the first one with the reason; None where there are no hits."""
    found: tuple[ClauseHit, Example | Lack] | None = None
    for hit in hits:
        answer = find_example(catalog, hit)
        if isinstance(answer, Example):
            return hit, answer
        found = found or (hit, answer)
    return found


def example_lines(catalog: Catalog, hit: ClauseHit, answer: Example | Lack, path: str | None, language: str) -> str:
    """The model, how to get it as a file, and the command that shows the clause fail; or why there is none."""
    if isinstance(answer, Lack):
        return render(_reason(answer), language)
    explain = ["bpu-inspector", "explain", hit.clause.id, *_own(answer), "--example", FILE]
    written = say("example.write", command=shlex.join(explain)) if path is None else say("example.written", path=path)
    lines = [
        render(say("example.failing", table=hit.table), language),
        *("  " + line for line in example_text(answer.model).splitlines()),
        "",
        render(written, language),
        render(say("example.check"), language),
        "  " + shlex.join(["bpu-inspector", "check", FILE if path is None else path, *options(catalog, answer)]),
        render(_answer(hit, answer), language),
    ]
    return "\n".join(lines)


def options(catalog: Catalog, example: Example) -> list[str]:
    """Options of `check` with which the example shows its clause; defaults are left out."""
    target = example.target
    usual = resolve_target(catalog, target.platform)
    words = _own(example)
    for name in ("toolchain", "march", "flow"):
        if getattr(target, name) != getattr(usual, name):
            words += [f"--{name}", str(getattr(target, name))]
    if example.qtype is not None:
        words += ["--node-qtype", f"{NODE}={example.qtype.value}"]
    if example.forced is not None:
        words += ["--force", f"{NODE}={example.forced.value}"]
    return words


def _own(example: Example) -> list[str]:
    return ["--platform", example.target.platform]


def _answer(hit: ClauseHit, example: Example) -> Message:
    if hit.clause.contradicted is not None:
        return say("example.contradicted", clause=hit.clause.id)
    if example.verdict is None:
        return say("example.refused", clause=hit.clause.id)
    return say("example.verdict", node=NODE, verdict=example.verdict.value, clause=hit.clause.id)


def _reason(lack: Lack) -> Message:
    return say(f"example.lack-{lack.value}")


def example_value(catalog: Catalog, hit: ClauseHit, answer: Example | Lack, language: str) -> dict[str, Any]:
    """The example as JSON."""
    if isinstance(answer, Lack):
        none: dict[str, Any] = {"table": hit.table, "model": None, "options": [], "verdict": None}
        return none | {"lack": answer.value, "reason": render(_reason(answer), language)}
    return {
        "table": hit.table,
        "model": example_text(answer.model),
        "options": options(catalog, answer),
        "verdict": None if answer.verdict is None else answer.verdict.value,
        "lack": None,
        "reason": None,
    }


def example_text(model: onnx.ModelProto) -> str:
    """*model* in ONNX's own text form, long lists of values cut short."""
    return _LONG_VALUES.sub(lambda match: "{" + match.group(1) + " ...}", onnx.printer.to_text(model)).rstrip()


def write_example(found: tuple[ClauseHit, Example | Lack] | None, path: Path) -> None:
    """Write the example to *path*.

    Raises:
        UsageError: there is none.
        SaveError: the file exists or cannot be written.
    """
    if found is None:
        raise UsageError(say("example.none"), say("example.none_help"))
    answer = found[1]
    if isinstance(answer, Lack):
        raise UsageError(_reason(answer), say("example.none_help"))
    check_target(path)
    write_atomically(path, answer.model.SerializeToString(deterministic=True))
