"""Figures and values of a comparison as files: a table in CSV, arrays in NPZ."""

import csv
from collections.abc import Sequence
from io import BytesIO, StringIO

import numpy as np

from inspector.verify.result import ArraySample, TensorDiff, Verification

COLUMNS = (
    "stage", "tensor", "kind", "shape", "dtype", "max_abs", "mean_abs", "max_rel", "cosine", "snr_db",
    "nonfinite_before", "nonfinite_after", "equal", "worst_index", "input_set", "limit_max_rel", "status", "badge",
)  # fmt: skip
"""Columns of `figures_csv`. An empty cell is a figure that does not exist."""


def figures_csv(results: Sequence[Verification]) -> str:
    """One line per compared tensor of *results*, in their order, under `COLUMNS`; numbers in full precision."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for result in results:
        writer.writerows(_row(result, diff) for diff in result.outputs)
    return out.getvalue()


def values_npz(sample: ArraySample) -> bytes:
    """The arrays `before` and `after` of *sample*, and their `difference` where there is one, as an NPZ file."""
    arrays = {"before": sample.before, "after": sample.after}
    if sample.before.shape == sample.after.shape and sample.before.dtype.kind in "iuf":
        with np.errstate(invalid="ignore", over="ignore"):
            arrays["difference"] = sample.after.astype(np.float64) - sample.before.astype(np.float64)
    out = BytesIO()
    np.savez_compressed(out, allow_pickle=False, **arrays)
    return out.getvalue()


def _row(result: Verification, diff: TensorDiff) -> tuple[object, ...]:
    index = "" if diff.worst_index is None else " ".join(map(str, diff.worst_index))
    return (
        result.stage.value, _plain(diff.name), "output" if diff.output else "intermediate",
        "x".join(map(str, diff.shape)), diff.dtype, diff.max_abs, diff.mean_abs, diff.max_rel, diff.cosine,
        diff.snr_db, *diff.nonfinite, diff.equal, index, diff.sample + 1, result.tolerance.max_rel,
        diff.status.value, diff.badge,
    )  # fmt: skip


def _plain(name: str) -> str:
    """*name* so that a spreadsheet takes it for text and never for a formula."""
    return f"'{name}" if name[:1] in ("=", "+", "-", "@") else name
