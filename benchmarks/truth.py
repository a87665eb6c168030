"""Measure placements against real ones: `python -m benchmarks.truth FOLDER [NAME...] [--report docs/truth.md]`.

FOLDER holds `models/NAME.onnx[.gz]` and `truth/NAME.json`, the placement that a build log shows for that graph: under
`nodes`, node name -> `on` (`BPU`, `CPU`, `absent` when the node has no row, `unknown`), `cpu_notice` when the compiler
says CPU although the row says BPU, `into` for the node it was fused into. `index.json` may list nodes that were
forced to the BPU (`force_bpu`).

On X5 nearly every node is on the BPU, so plain accuracy says nothing. Printed per graph: false CPU alarms (must be 0 on
X5), real CPU nodes found, and CPU predictions for nodes without a row whose host is not on the CPU. The
report lists every disagreement with what decided.
"""

import argparse
import gzip
import json
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from inspector.model.graph import Model, NodeId
from inspector.model.infer import infer_shapes
from inspector.model.load import load_model
from inspector.placement.catalog import Catalog, load_catalog, resolve_target
from inspector.placement.compare import side
from inspector.placement.engine import place
from inspector.placement.target import Device
from inspector.placement.verdict import NodeVerdict, Placement, Verdict
from inspector.text import render
from inspector.worker.client import InProcessRunner

PLATFORM = {"bernoulli2": "x3", "bayes-e": "x5", "bayes": "ultra", "nash-e": "s100", "nash-p": "j6p"}
_SOFTMAX_OPTIONS = ("set_Softmax_input_int8", "set_Softmax_output_int8")


@dataclass
class Score:
    """What one graph gives."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    reasons: dict[str, str] = field(default_factory=dict)
    unknown: int = 0

    def add(self, name: str, op: str, real: str, predicted: Verdict, host_on_cpu: bool, why: str) -> None:
        """Count one node; *real* is BPU, CPU or absent, *why* what decided for *predicted*."""
        self.counts[f"{real} as {predicted}"] += 1
        if real == "absent":
            right = predicted in (Verdict.BPU, Verdict.FOLDED) or (predicted is Verdict.CPU and host_on_cpu)
        else:
            right = predicted.value == real
        if not right:
            line = f"{name} ({op}): {real}, predicted {predicted}"
            self.wrong.append(line)
            self.reasons[line] = why
            kind = "missed" if real == "CPU" else "absent" if real == "absent" else "false"
            self.counts[f"{kind} {predicted}"] += 1


def load(path: Path) -> Model:
    """The model with shapes, from a plain or a gzipped file."""
    if path.suffix != ".gz":
        return infer_shapes(load_model(path), InProcessRunner())
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / path.stem
        plain.write_bytes(gzip.decompress(path.read_bytes()))
        return infer_shapes(load_model(plain), InProcessRunner())


def forced_nodes(model: Model, entry: dict[str, Any]) -> dict[NodeId, Device]:
    """Nodes that the build put on the BPU by an option."""
    names = set(entry.get("force_bpu") or ())
    options = entry.get("optimization") or ()
    softmax = any(option in options for option in _SOFTMAX_OPTIONS)
    return {n.id: Device.BPU for n in model.nodes if n.name in names or (softmax and n.op.name == "Softmax")}


def score(model: Model, placement: Placement, truth: dict[str, Any]) -> Score:
    """Compare *placement* with the real one, node by node; nodes whose real place is unknown do not count."""
    result = Score()
    predicted = {node.name: placement.verdicts[node.id] for node in model.main.nodes}
    for name, entry in truth["nodes"].items():
        real = "CPU" if entry.get("cpu_notice") else entry["on"]
        if real == "unknown":
            result.unknown += 1
            continue
        host = truth["nodes"].get(entry.get("into"), {})
        on_cpu = host.get("on") == "CPU" or bool(host.get("cpu_notice"))
        verdict = predicted.get(name)
        if verdict is None:
            result.add(name, entry["op"], real, Verdict.UNKNOWN, on_cpu, "the graph has no such node")
        else:
            result.add(name, entry["op"], real, verdict.verdict, on_cpu, _why(placement, verdict))
    return result


def _why(placement: Placement, verdict: NodeVerdict) -> str:
    """What decided, in one line."""
    decided = side(placement, verdict)
    parts = [f"{c.clause}: {render(c.found, 'en')}, allowed {render(c.allowed, 'en')}" for c in decided.checks]
    if decided.because is not None:
        parts.append(f"{decided.because.pass_name}: {render(decided.because.message, 'en')}")
    return "; ".join(parts) or "every limit is met"


@dataclass(frozen=True)
class Graph:
    """One graph with its score."""

    name: str
    march: str
    forced: int
    score: Score


def run(folder: Path, names: list[str], catalog: Catalog, limit: int) -> list[Graph]:
    """Print the scores of *names* (all when empty), and give them."""
    index_file = folder / "index.json"
    index = {e["graph"]: e for e in json.loads(index_file.read_text())} if index_file.is_file() else {}
    graphs: list[Graph] = []
    for path in sorted((folder / "truth").glob("*.json")):
        if names and path.stem not in names:
            continue
        truth = json.loads(path.read_text())
        found = [p for p in (folder / "models").glob(f"{path.stem}.onnx*") if p.suffix in (".onnx", ".gz")]
        model = load(found[0])
        target = resolve_target(catalog, PLATFORM[truth["march"]], march=truth["march"])
        forced = forced_nodes(model, index.get(path.stem, {}))
        target = type(target)(target.platform, target.march, target.toolchain, forced=MappingProxyType(forced))
        result = score(model, place(model, catalog, target), truth)
        real_cpu = sum(n for key, n in result.counts.items() if key.startswith("CPU as "))
        print(
            f"{path.stem:24} {truth['march']:10} BPU right {result.counts['BPU as BPU']}, "
            f"false CPU {result.counts['false CPU']}, false UNSUPPORTED {result.counts['false UNSUPPORTED']}, "
            f"false UNKNOWN {result.counts['false UNKNOWN']}, CPU found {result.counts['CPU as CPU']} of {real_cpu}, "
            f"without a row but CPU {result.counts['absent CPU']}"
        )
        for line in result.wrong[:limit]:
            print("   ", line)
        graphs.append(Graph(path.stem, truth["march"], len(forced), result))
    total: Counter[str] = Counter()
    for graph in graphs:
        total[graph.march] += len(graph.score.wrong)
    print("wrong nodes:", dict(total))
    return graphs


_COLUMNS = (
    "graph",
    "march",
    "nodes",
    "agree",
    "BPU",
    "CPU found",
    "false alarms",
    "without a row",
    "of these wrong",
    "place unknown",
    "forced",
)
_HEAD = """# Against real builds

What `check` says beside what the vendor's tool did, node by node, for {graphs} graphs whose build log is public. Placed
on the newest toolchain of each platform, with the nodes forced that the build forced. A node without a row of its own
in the log (fused, folded, absorbed) must not be a problem; UNKNOWN, UNSUPPORTED and missing nodes count as wrong; a
message of the compiler that a node runs on the CPU outranks the row. Written by
`python -m benchmarks.truth FOLDER --report docs/truth.md`; constraint tables {digest}.

{right} of {nodes} nodes agree. {cpu_found} of {cpu} real CPU nodes are found; {false} BPU nodes are taken for something
else.

"""

_CAUTION = """
These graphs are networks that vendors had already adapted to the BPU, so that nearly every node is on it: agreement
here says little about operators that do not occur in them. The passes and clauses were mended with these logs in hand;
graphs that are not among them will do worse.
"""


def document(graphs: list[Graph], digest: str) -> str:
    """The report as Markdown: a row per graph, then every disagreement with its reason."""
    rows, total = [], Counter[str]()
    for graph in graphs:
        counts, wrong = graph.score.counts, len(graph.score.wrong)
        real = {kind: sum(n for key, n in counts.items() if key.startswith(f"{kind} as ")) for kind in _REAL}
        false = sum(n for key, n in counts.items() if key.startswith("false "))
        lost = sum(n for key, n in counts.items() if key.startswith("absent ") and " as " not in key)
        nodes = sum(real.values())
        total.update(nodes=nodes, right=nodes - wrong, cpu=real["CPU"], cpu_found=counts["CPU as CPU"], false=false)
        rows.append(
            f"| {graph.name} | {graph.march} | {nodes} | {nodes - wrong} | {real['BPU']} | {counts['CPU as CPU']} of "
            f"{real['CPU']} | {false} | {real['absent']} | {lost} | {graph.score.unknown} | {graph.forced} |"
        )
    figures = {key: total[key] for key in ("nodes", "right", "cpu", "cpu_found", "false")}
    head = _HEAD.format(graphs=len(graphs), digest=digest, **figures)
    table = ["| " + " | ".join(_COLUMNS) + " |", "|---" * len(_COLUMNS) + "|", *rows]
    return "\n".join([head + "\n".join(table), _CAUTION, "## Disagreements", "", *_disagreements(graphs)]) + "\n"


_REAL = ("BPU", "CPU", "absent")


def _disagreements(graphs: list[Graph]) -> list[str]:
    lines = [
        f"- {graph.name}: {line}. What decided: {why}" for graph in graphs for line, why in graph.score.reasons.items()
    ]
    return lines or ["None."]


def main() -> int:
    """Entry point; the exit code is 1 when a node is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--show", type=int, default=20, help="wrong nodes to print per graph")
    parser.add_argument("--report", type=Path, help="Markdown file to write")
    arguments = parser.parse_args()
    catalog = load_catalog()
    graphs = run(arguments.folder, arguments.names, catalog, arguments.show)
    if arguments.report is not None:
        arguments.report.write_text(document(graphs, catalog.digest), encoding="utf-8")
    return int(any(graph.score.wrong for graph in graphs))


if __name__ == "__main__":
    sys.exit(main())
