"""Helpers of the window's stories: a window, what a user does with it, and tiny models to do it on."""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from PySide6.QtWidgets import QApplication

from inspector.assets import resources_dir
from inspector.gui.app import make_window
from inspector.gui.proposal import Proof
from inspector.gui.service import Service
from inspector.log import set_up
from inspector.placement.verdict import Verdict
from inspector.settings import Settings

SAMPLE = resources_dir() / "samples" / "occupancy-head.onnx"
"""Three ConvTranspose3d that fall back to the CPU on j6p."""

LIMIT_MS = 60_000


class SharedService(Service):
    """A service that outlives the windows of the tests, so that tables are read and the worker is started once."""

    def close(self):
        """The fixture closes it."""


class Desk:
    """A window and a user in front of it."""

    def __init__(self, qtbot, languages, service, platform="j6p"):
        self.bot = qtbot
        self.window = make_window(Settings(platform=platform, animations=False), languages, set_up(), service)
        self.window.keeps_settings = False
        self.errors = []
        self.crashes = []
        self.window.failed.connect(self.errors.append)
        self.window.crashed.connect(self.crashes.append)
        self.window.show()
        self.idle()

    @property
    def document(self):
        return self.window.document

    @property
    def bench(self):
        return self.window.bench

    @property
    def model(self):
        return self.document.workspace.model

    @property
    def counts(self):
        return self.document.workspace.placement.counts

    def idle(self):
        """Wait until no job runs."""
        self.bot.waitUntil(lambda: not self.window.is_busy, timeout=LIMIT_MS)
        for _ in range(3):  # widgets that a layout has just taken in are shown by a queued event
            QApplication.processEvents()

    def open(self, path=SAMPLE):
        self.window.open(Path(path))
        self.idle()
        return self

    def node(self, op, index=0):
        return [node for node in self.model.main.nodes if node.op.name == op][index]

    def preview(self, rule, op="ConvTranspose", *, every_site=False, variant=None):
        """Preview and wait for the proof."""
        self.document.propose(rule, self.node(op).id, variant=variant, every_site=every_site)
        self.wait_proof()
        return self.document.proposal

    def wait_proof(self):
        self.bot.waitUntil(
            lambda: self.document.proposal is not None and self.document.proposal.proof is not Proof.RUNNING,
            timeout=LIMIT_MS,
        )
        self.idle()

    def trouble(self):
        return sum(self.counts[v] for v in (Verdict.CPU, Verdict.UNSUPPORTED, Verdict.UNKNOWN))

    def close(self):
        self.window.forget_changes()
        self.window.close()
        self.window.deleteLater()
        assert not self.crashes, self.crashes


def choose(desk, platform):
    """Pick *platform* in the target bar, as a user does."""
    bar = desk.bench.target_bar
    bar.platform.setCurrentIndex(bar.platform.findData(platform))
    bar.platform.activated.emit(bar.platform.currentIndex())


def save_conv_bn(path, *, dynamic=False):
    """A model with one Conv and one BatchNormalization; *dynamic* leaves the batch open."""
    rng = np.random.default_rng(5)
    tensors = {"w": rng.normal(size=(8, 4, 3, 3)), "b": np.zeros(8)}
    tensors |= {name: rng.uniform(0.5, 1.5, 8) for name in ("scale", "shift", "mean", "var")}
    nodes = [
        helper.make_node("Conv", ["x", "w", "b"], ["c"], name="conv", pads=[1, 1, 1, 1]),
        helper.make_node("BatchNormalization", ["c", "scale", "shift", "mean", "var"], ["y"], name="bn"),
    ]
    batch = "batch" if dynamic else 1
    graph = helper.make_graph(
        nodes,
        "conv_bn",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [batch, 4, 8, 8])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [batch, 8, 8, 8])],
        [numpy_helper.from_array(value.astype(np.float32), name) for name, value in tensors.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)], ir_version=6)
    onnx.save(model, str(path))
    return path


def save_nonzero(path):
    """A model whose output shape no inference can know."""
    graph = helper.make_graph(
        [helper.make_node("NonZero", ["x"], ["y"], name="nonzero")],
        "nonzero",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 3])],
        [helper.make_tensor_value_info("y", TensorProto.INT64, [2, None])],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)], ir_version=6), str(path))
    return path
