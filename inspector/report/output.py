"""Writing results: a rewritten model with its recipe beside it, and reports."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from inspector.model.graph import Model
from inspector.model.save import check_target, save_model, write_atomically
from inspector.rewrite.recipe import steps_of, write_recipe
from inspector.workspace import Step

METADATA_KEY = "inspector.steps"
"""Key of the model's metadata under which the applied rewrites stand, as the recipe does."""


def recipe_path(model: Path) -> Path:
    """The recipe that belongs to a saved model: `NAME.recipe.json` beside `NAME.onnx`."""
    return model.with_name(f"{model.stem}.recipe.json")


def check_output(path: Path, source: Path | None, *, overwrite: bool = False) -> None:
    """Whether a rewritten model may go to *path* and its recipe beside it; *source* is the file it was read from.

    Raises:
        SaveError: one of the two cannot be written; see `check_target`.
    """
    check_target(path, overwrite=overwrite, source=source)
    check_target(recipe_path(path), overwrite=overwrite, source=source)


def save_with_recipe(model: Model, steps: Sequence[Step], path: Path, *, overwrite: bool = False) -> tuple[Path, ...]:
    """Write *model* and the recipe of *steps*, which also goes into the model's metadata; the files written.

    Raises:
        SaveError: a file exists and *overwrite* is off, or it cannot be written; see `save_model`.
        TensorDataError: a weight cannot be read.
    """
    check_output(path, model.origin, overwrite=overwrite)
    recipe = write_recipe(steps_of(step.preview for step in steps))
    beside = recipe_path(path)
    written = save_model(model, path, metadata={METADATA_KEY: recipe}, overwrite=overwrite)
    write_atomically(beside, recipe.encode(), overwrite=overwrite)
    return (*written, beside)


def json_text(document: Mapping[str, Any]) -> str:
    """*document* as it stands in a file: one line per value, same bytes for the same document."""
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
