"""Verdict counts of a folder of models on every platform: `python -m benchmarks.sweep FOLDER... [--out FILE]`.

Each model is placed as `check` places it, on the default march, the newest toolchain and the default number format of
each platform, dynamic dimensions left open. Platforms that give the same counts for every model share a column. A model
that cannot be read is listed with the reason; any other exception ends the run.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from inspector.errors import InspectorError
from inspector.model.infer import infer_shapes
from inspector.model.load import load_model
from inspector.placement.catalog import Catalog, load_catalog, resolve_target
from inspector.placement.engine import PlacementCache, place
from inspector.placement.target import Flow, Target
from inspector.placement.verdict import Placement, Verdict
from inspector.text import render
from inspector.worker.client import InProcessRunner

OUT = Path(__file__).resolve().parents[1] / "docs" / "verdict-counts.md"
ORDER = (Verdict.BPU, Verdict.CPU, Verdict.UNSUPPORTED, Verdict.UNKNOWN, Verdict.FOLDED)
"""Order of the counts in a cell."""

_HEAD = """# Verdict counts

Every model on every platform, as `check` places it: default march, newest toolchain, PTQ unless QAT is said, dynamic
dimensions left open. A cell counts nodes in the order BPU / CPU / UNSUPPORTED / UNKNOWN / FOLDED; `+n` counts failed
graph checks, with which the toolchain would refuse the file as it is. Platforms with the same counts for every model
share a column. Written by `python -m benchmarks.sweep FOLDER...`; constraint tables {digest}.

{models} models, {placements} placements, {failures} that could not be made.
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One model.

    Attributes:
        name: file name.
        nodes: number of its nodes; None when it cannot be read.
        cells: column -> counts as text; empty when it cannot be read.
        reason: why it cannot be read; empty when it can.
    """

    name: str
    nodes: int | None
    cells: Mapping[str, str]
    reason: str = ""


def targets(catalog: Catalog) -> dict[str, Target]:
    """Column -> target: every platform, and one QAT flow of the newest march."""
    found = {platform.id: resolve_target(catalog, platform.id) for platform in catalog.platforms}
    return found | {"j6p QAT": resolve_target(catalog, "j6p", flow=Flow.QAT)}


def sweep(paths: Sequence[Path], catalog: Catalog) -> Iterator[Row]:
    """One row per model file."""
    columns = targets(catalog)
    for path in paths:
        try:
            model = infer_shapes(load_model(path), InProcessRunner())
        except InspectorError as error:
            yield Row(path.name, None, {}, render(error.message, "en"))
            continue
        cache = PlacementCache()
        cells = {name: cell(place(model, catalog, target, cache=cache)) for name, target in columns.items()}
        yield Row(path.name, len(model.nodes), cells)


def cell(placement: Placement) -> str:
    """Counts of one placement."""
    counts = "/".join(str(placement.counts[verdict]) for verdict in ORDER)
    failed = len(placement.graph_failures)
    return f"{counts} +{failed}" if failed else counts


def merged(rows: Sequence[Row]) -> dict[str, list[str]]:
    """First column of each group of equal ones -> the group."""
    groups: dict[tuple[str, ...], list[str]] = {}
    readable = [row for row in rows if row.cells]
    for name in readable[0].cells if readable else ():
        groups.setdefault(tuple(row.cells[name] for row in readable), []).append(name)
    return {group[0]: group for group in groups.values()}


def document(rows: Sequence[Row], digest: str) -> str:
    """The table as Markdown."""
    groups = merged(rows)
    placements = sum(len(row.cells) for row in rows)
    failures = sum(not row.cells for row in rows)
    lines = [_HEAD.format(digest=digest, models=len(rows), placements=placements, failures=failures)]
    lines.append("| model | nodes | " + " | ".join(", ".join(group) for group in groups.values()) + " |")
    lines.append("|---|---" + "|---" * len(groups) + "|")
    for row in rows:
        if row.cells:
            lines.append(f"| {row.name} | {row.nodes} | " + " | ".join(row.cells[name] for name in groups) + " |")
        else:
            lines.append(f"| {row.name} | - | " + " | ".join([row.reason, *[""] * (len(groups) - 1)]) + " |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    paths = sorted((p for folder in arguments.folder for p in folder.glob("*.onnx")), key=lambda p: p.name)
    catalog = load_catalog()
    rows = []
    for row in sweep(paths, catalog):
        rows.append(row)
        print(row.name, row.nodes, row.reason, flush=True)
    arguments.out.write_text(document(rows, catalog.digest), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
