"""The example of a clause for `explain`: a model that breaks it, as text and as a file."""

import re
from pathlib import Path

import onnx

from inspector.errors import UsageError
from inspector.model.save import check_target, write_atomically
from inspector.placement.catalog import Catalog, ClauseHit
from inspector.placement.example import failing_example
from inspector.text import say

# Values of a tensor stand on one line; the body of a graph, in braces too, does not.
_LONG_VALUES = re.compile(r"\{([^{},<>=\n]+,){8}[^{}<>=\n]*\}")


def example_of(catalog: Catalog, hits: tuple[ClauseHit, ...]) -> onnx.ModelProto | None:
    """A model that breaks the first of *hits* that a model can break; None where none can."""
    for hit in hits:
        model = failing_example(catalog, hit)
        if model is not None:
            return model
    return None


def example_text(model: onnx.ModelProto) -> str:
    """*model* in ONNX's own text form, long lists of values cut short."""
    return _LONG_VALUES.sub(lambda match: "{" + match.group(1) + " ...}", onnx.printer.to_text(model)).rstrip()


def write_example(model: onnx.ModelProto | None, path: Path) -> None:
    """Write *model* to *path*.

    Raises:
        UsageError: there is no model.
        SaveError: the file exists or cannot be written.
    """
    if model is None:
        raise UsageError(say("example.none"), say("example.none_help"))
    check_target(path)
    write_atomically(path, model.SerializeToString(deterministic=True))
