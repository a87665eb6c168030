"""Problem models: the limit or decision that keeps a node off the BPU, where the vendor's tool is known to name it."""

import pytest

from inspector.model.infer import infer_shapes
from inspector.model.load import from_proto
from inspector.placement.catalog import load_catalog, resolve_target
from inspector.placement.engine import place
from inspector.placement.target import Flow
from inspector.worker.client import InProcessRunner
from tests.golden.problems import MODEL, PROBLEMS

REASONS = {
    ("P01", "deconv3d"): "conv-transpose.kernel-depth",
    **{("P06", f"slice_{axis}{part}"): "passive" for axis in "hw" for part in range(4)},
    ("P06", "focus"): "passive",
    ("P07", "to5d"): "reshape.bpu",
    ("P07", "to_bhw"): "transpose.bpu",
    ("P08", "fc1_reshape"): "reshape.bpu",
    ("P08", "square"): "pow.rank",
    ("P08", "sum"): "reduce-sum.bpu",
    ("P10", "softmax"): "default-cpu",
    ("P13", MODEL): "model.opset",
    ("P14", "sample"): "grid-sample.cpu-kernel",
    ("P15", "assign"): "scatter-nd.bpu",
    ("P16", MODEL): "model.opset",
    ("P17", MODEL): "model.static-inputs",
    ("P18", MODEL): "model.input-rank",
    ("P20", MODEL): "model.min-bpu-nodes",
    ("P21", "silu_mul"): "sigmoid.aligned-elements",
    ("P23", "hsig"): "hard-sigmoid.bpu",
    ("P24", "act"): "tail",
    ("P25", "s_r1"): "reshape.bpu",
    ("P25", "s_t"): "transpose.bpu",
    ("P25", "s_r2"): "reshape.bpu",
    ("P28", "big"): "conv.kernel-shape",
    ("P29", "up"): "resize.nearest-factor",
    ("P30", "up"): "resize.mode",
    ("P32", "mean"): "reduce-mean.rank",
    ("P32", "center"): "sub.bpu",
    ("P32", "sq"): "mul.rank",
    ("P34", "scale"): "div.computed-inputs",
    ("P36", "einsum"): "einsum.cpu-kernel",
    ("P39", "deconv"): "conv-transpose.strides",
    ("P45", "pow"): "pow.exponent-elements",
    ("P46", "mask"): "where.bpu",
    ("P48", MODEL): "model.domains",
}
"""Problem and node -> clause that fails, or pass that decides, on every platform where the node is off the BPU."""

FLOW_REASONS = {
    ("ptq", "x3"): "resize.cpu-rank",
    ("ptq", "ultra"): "resize.cpu-rank",
    ("qat", "j6p"): "resize.rank-qat",
}
"""The same for the trilinear Resize: without a CPU kernel of five axes, and stopped in training."""

CASES = [
    (problem, platform, node)
    for problem in PROBLEMS
    for platform, node, verdict in problem.expects
    if verdict not in ("BPU", "FOLDED")
]


@pytest.mark.parametrize(("problem", "platform", "node"), CASES, ids=[f"{p.id}-{pl}-{n}" for p, pl, n in CASES])
def test_the_known_limit_decides(problem, platform, node):
    key = problem.id.partition("-")[0]
    reason = FLOW_REASONS[problem.flow, platform] if key == "P03" else REASONS[key, node]
    catalog = load_catalog()
    model = infer_shapes(from_proto(problem.build()), InProcessRunner())
    placement = place(model, catalog, resolve_target(catalog, platform, flow=Flow(problem.flow)))
    if node == MODEL:
        found = [check.clause for check in placement.graph_failures]
    else:
        verdict = next(placement.verdicts[n.id] for n in model.main.nodes if n.name == node)
        found = [check.clause for check in verdict.failed] + [because.pass_name for because in verdict.because]
    assert reason in found
