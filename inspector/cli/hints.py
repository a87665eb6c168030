"""What a user can do next, as lines below the answer of a command: a command to type, an option to add."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from inspector.cli.analysis import Analysis, has_findings
from inspector.model.graph import Model, NodeId
from inspector.model.infer import dynamic_dims
from inspector.model.load import load_model
from inspector.rewrite.find import Found
from inspector.text import render, say
from inspector.verify.result import Status, Verification

_NAMED_DIMS = 4
"""Open dimensions that are spelt out; a model with more has them all in its JSON document."""


def after_check(analysis: Analysis, found: Mapping[NodeId, Found], words: Sequence[str], language: str) -> list[str]:
    """Below the findings: sizes to give, and the `rewrite` that does for the same *words* what is on offer."""
    lines = open_dims(analysis.model, language) if has_findings(analysis.placement) else []
    origin = analysis.model.origin
    if origin is not None and any(here.fixes for here in found.values()):
        output = origin.with_name(f"{origin.stem}.fixed.onnx")
        command = shlex.join(["bpu-inspector", "rewrite", *words, "--all", "-o", str(output)])
        lines.append(render(say("cli.fix_all", command=command), language))
    return ["", *lines] if lines else []


def after_comparison(result: Verification, model: Model | Path, dims: Mapping[str, int], language: str) -> list[str]:
    """Below a comparison that could not be made: sizes to give; *dims* are those that were given."""
    if result.status is not Status.INCONCLUSIVE:
        return []
    return open_dims(load_model(model) if isinstance(model, Path) else model, language, dims)


def open_dims(model: Model, language: str, dims: Mapping[str, int] | None = None) -> list[str]:
    """The dimensions of the inputs that have no size yet, as the options that give one; empty when all have."""
    given = {**model.dims, **(dims or {})}
    names = [name for name in dynamic_dims(model) if name not in given]
    if not names:
        return []
    options = shlex.join([word for name in names[:_NAMED_DIMS] for word in ("--dim", f"{name}=1")])
    return [render(say("cli.open_dims", n=len(names), options=options), language)]
