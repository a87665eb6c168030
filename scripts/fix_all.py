"""What all offered fixes do to whole models: `python scripts/fix_all.py [-o FILE] FOLDER...` writes docs/fixes.md.

Every ONNX file of the folders that runs is rewritten as by `rewrite --all` on three platforms, without approximate
rules. The result is compared with the original once more, on inputs of another seed. Open dimensions are taken as 1.
"""

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from inspector.cli.analysis import Analysis, open_model  # noqa: E402 - the path must be set first
from inspector.cli.sequence import RewriteRun  # noqa: E402
from inspector.cli.settle import settle  # noqa: E402
from inspector.errors import InspectorError  # noqa: E402
from inspector.model.graph import Model  # noqa: E402
from inspector.model.infer import dynamic_dims, infer_shapes  # noqa: E402
from inspector.placement.catalog import Catalog, load_catalog, resolve_target  # noqa: E402
from inspector.placement.engine import PlacementCache, place  # noqa: E402
from inspector.placement.verdict import Placement, Verdict  # noqa: E402
from inspector.prove import whole_tolerance  # noqa: E402
from inspector.text import render  # noqa: E402
from inspector.verify.compare import verify_models  # noqa: E402
from inspector.verify.result import Status, Verification  # noqa: E402
from inspector.verify.structure import depth  # noqa: E402
from inspector.worker.client import WorkerClient  # noqa: E402
from inspector.worker.forked import ForkedRunner  # noqa: E402

TABLE = ROOT / "docs" / "fixes.md"
PLATFORMS = ("x3", "x5", "j6p")
OTHER_SEED = 11
TIME_LIMIT_S = 120.0
_FOLDERS = re.compile(r"/\S*/(?=\S+\.onnx)")  # the runtime names the private folder of a run

HEAD = f"""# What all offered fixes do

Every model that runs, rewritten as by `rewrite --all` (no approximate rules) on three platforms. *CPU*, *UNSUPPORTED*
and *UNKNOWN* count nodes before and after. *steps*: rules that were applied, how often; *refused*: rewrites whose
fragment or whole model did not pass, so that they are not in the result. *result*: the rewritten model against the
original, on inputs of another seed ({OTHER_SEED}) than the one it was proven with; *max rel* is that of the worst
output. Open dimensions are taken as 1. Written by `python scripts/fix_all.py FOLDER...`.

"""
COLUMNS = ("model", "platform", "CPU", "UNSUPPORTED", "UNKNOWN", "steps", "refused", "result", "max rel")


@dataclass(frozen=True, slots=True)
class Outcome:
    """One model on one platform."""

    model: str
    platform: str
    before: Placement
    after: Placement
    rules: Counter[str]
    refused: int
    again: Verification | None

    @property
    def row(self) -> str:
        """Its line of the table."""
        counts = [
            f"{self.before.counts[v]} → {self.after.counts[v]}"
            for v in (Verdict.CPU, Verdict.UNSUPPORTED, Verdict.UNKNOWN)
        ]
        steps = ", ".join(f"{rule} ×{n}" for rule, n in sorted(self.rules.items())) or "-"
        status, worst = "-", "-"
        if self.again is not None:
            status = self.again.status.value
            known = [diff.max_rel for diff in self.again.outputs if diff.output and diff.max_rel is not None]
            worst = f"{max(known):.1e}" if known else "-"
        cells = (self.model, self.platform, *counts, steps, str(self.refused) if self.refused else "-", status, worst)
        return f"| {' | '.join(cells)} |"


def main(arguments: list[str]) -> int:
    """Rewrite all models and write the table; 1 when a result is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("-o", "--output", type=Path, default=TABLE)
    options = parser.parse_args(arguments)
    files = {path.name: path for folder in options.folders for path in folder.glob("*.onnx")}
    catalog = load_catalog()
    outcomes: list[Outcome] = []
    left_out: list[str] = []
    with WorkerClient(time_limit_s=TIME_LIMIT_S) as client:
        for path in sorted(files.values(), key=lambda path: path.stat().st_size):
            start = time.perf_counter()
            try:
                outcomes += outcomes_of(path, catalog, client)
            except InspectorError as error:
                left_out.append(f"- {path.name}: {_FOLDERS.sub('', render(error.message, 'en'))}")
            print(f"{path.name}: {time.perf_counter() - start:.0f} s", flush=True)
            options.output.write_text(document(outcomes, left_out), encoding="utf-8")
    return int(any(wrong(outcome) for outcome in outcomes))


def outcomes_of(path: Path, catalog: Catalog, client: WorkerClient) -> Iterator[Outcome]:
    """The model *path* on each platform.

    Raises:
        InspectorError: the model cannot be read or does not run.
    """
    model = open_model(path, {})
    model = infer_shapes(model, ForkedRunner(), dict.fromkeys(dynamic_dims(model), 1))
    same = verify_models(model, model, client, samples=1, dims=model.dims, intermediates=False)
    if not same.outputs or any(diff.max_abs is None for diff in same.outputs):
        raise InspectorError(same.reason or same.tolerance.origin)
    for platform in PLATFORMS:
        yield rewritten(path.name, model, platform, catalog, client)


def rewritten(name: str, model: Model, platform: str, catalog: Catalog, client: WorkerClient) -> Outcome:
    """All fixes on *platform*, and the comparison on other inputs."""
    cache = PlacementCache()
    before = place(model, catalog, resolve_target(catalog, platform), cache=cache)
    work = RewriteRun(Analysis(model, catalog, before, cache), client)
    work.apply_fixes()
    whole = settle(work)
    steps = [step.preview for step in work.steps]
    again = None
    if whole is not None and whole.status is Status.PASSED:
        limit = whole_tolerance(steps, depth(model))
        again = verify_models(
            model, work.model, client, tolerance=limit, seed=OTHER_SEED, dims=model.dims, changes_proven=True
        )
    else:
        again = whole
    refused = sum(entry.verification is not None for entry in work.refused)
    return Outcome(name, platform, before, work.placement, Counter(s.match.rule for s in steps), refused, again)


def wrong(outcome: Outcome) -> bool:
    """Whether the result differs from the original by more than the limit."""
    return outcome.again is not None and outcome.again.status is Status.FAILED


def document(outcomes: list[Outcome], left_out: list[str]) -> str:
    """The table with its sums."""
    models = len({outcome.model for outcome in outcomes})
    changed = [outcome for outcome in outcomes if outcome.rules]
    status = Counter(outcome.again.status for outcome in changed if outcome.again is not None)
    sums = [
        f"{platform}: CPU {total(outcomes, platform, Verdict.CPU)}, "
        f"UNSUPPORTED {total(outcomes, platform, Verdict.UNSUPPORTED)}"
        for platform in PLATFORMS
    ]
    lines = [
        f"{models} models, {len(outcomes)} placements, {len(changed)} of them rewritten: "
        + ", ".join(f"{status[s]} {s.value}" for s in Status)
        + f". All models together: {'; '.join(sums)}.",
        "",
        f"| {' | '.join(COLUMNS)} |",
        "|" + "---|" * len(COLUMNS),
        *(outcome.row for outcome in sorted(outcomes, key=lambda outcome: outcome.model)),
    ]
    if left_out:
        lines += ["", "Left out, because they do not run:", "", *sorted(left_out)]
    return HEAD + "\n".join(lines) + "\n"


def total(outcomes: list[Outcome], platform: str, verdict: Verdict) -> str:
    """Nodes of *verdict* on *platform* over all models, before and after."""
    here = [outcome for outcome in outcomes if outcome.platform == platform]
    return f"{sum(o.before.counts[verdict] for o in here)} → {sum(o.after.counts[verdict] for o in here)}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
