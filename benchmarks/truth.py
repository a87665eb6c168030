"""Measure placements against real ones: `python -m benchmarks.truth FOLDER [NAME...]`.

FOLDER holds `models/NAME.onnx[.gz]` and `truth/NAME.json`, the placement that a build log shows for that graph: under
`nodes`, node name -> `on` (`BPU`, `CPU`, `absent` when the node has no row, `unknown`), `cpu_notice` when the compiler
says CPU although the row says BPU, `into` for the node it was fused into. `index.json` may list nodes that were
forced to the BPU (`force_bpu`).

On X5 nearly every node is on the BPU, so plain accuracy says nothing. Printed per graph: false CPU alarms (must be 0 on
X5), real CPU nodes found, and CPU predictions for nodes without a row whose host is not on the CPU.
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
from inspector.placement.engine import place
from inspector.placement.target import Device
from inspector.placement.verdict import Placement, Verdict
from inspector.worker.client import InProcessRunner

PLATFORM = {"bernoulli2": "x3", "bayes-e": "x5", "bayes": "ultra", "nash-e": "s100", "nash-p": "j6p"}
_SOFTMAX_OPTIONS = ("set_Softmax_input_int8", "set_Softmax_output_int8")


@dataclass
class Score:
    """What one graph gives."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def add(self, name: str, op: str, real: str, predicted: Verdict, host_on_cpu: bool) -> None:
        """Count one node; *real* is BPU, CPU or absent."""
        self.counts[f"{real} as {predicted}"] += 1
        if real == "absent":
            right = predicted in (Verdict.BPU, Verdict.FOLDED) or (predicted is Verdict.CPU and host_on_cpu)
        else:
            right = predicted.value == real
        if not right:
            self.wrong.append(f"{name} ({op}): {real}, predicted {predicted}")
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
    predicted = {node.name: placement.verdicts[node.id].verdict for node in model.main.nodes}
    for name, entry in truth["nodes"].items():
        real = "CPU" if entry.get("cpu_notice") else entry["on"]
        if real == "unknown":
            continue
        host = truth["nodes"].get(entry.get("into"), {})
        on_cpu = host.get("on") == "CPU" or bool(host.get("cpu_notice"))
        result.add(name, entry["op"], real, predicted.get(name, Verdict.UNKNOWN), on_cpu)
    return result


def run(folder: Path, names: list[str], catalog: Catalog, limit: int) -> int:
    """Print the scores of *names* (all when empty); the number of wrong nodes."""
    index_file = folder / "index.json"
    index = {e["graph"]: e for e in json.loads(index_file.read_text())} if index_file.is_file() else {}
    total: Counter[str] = Counter()
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
        total[truth["march"]] += len(result.wrong)
    print("wrong nodes:", dict(total))
    return sum(total.values())


def main() -> int:
    """Entry point; the exit code is 1 when a node is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--show", type=int, default=20, help="wrong nodes to print per graph")
    arguments = parser.parse_args()
    return 1 if run(arguments.folder, arguments.names, load_catalog(), arguments.show) else 0


if __name__ == "__main__":
    sys.exit(main())
