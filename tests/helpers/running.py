"""Models for tests that really run them, and what such tests ask of the worker."""

import threading
import time
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from inspector.errors import InspectorError
from tests.helpers import models


def exp_model() -> onnx.ModelProto:
    """x [2, 3] -> Relu -> Exp -> y."""
    return models.proto(
        [helper.make_node("Relu", ["x"], ["r"]), helper.make_node("Exp", ["r"], ["y"])], {"x": [2, 3]}, {"y": [2, 3]}
    )


def endless_model() -> onnx.ModelProto:
    """x [1] -> a Loop of 2^62 turns -> y: no runtime ever finishes it."""
    body = helper.make_graph(
        [helper.make_node("Add", ["v", "one"], ["v2"]), helper.make_node("Identity", ["go"], ["go2"])],
        "body",
        [
            helper.make_tensor_value_info("i", TensorProto.INT64, []),
            helper.make_tensor_value_info("go", TensorProto.BOOL, []),
            helper.make_tensor_value_info("v", TensorProto.FLOAT, [1]),
        ],
        [
            helper.make_tensor_value_info("go2", TensorProto.BOOL, []),
            helper.make_tensor_value_info("v2", TensorProto.FLOAT, [1]),
        ],
        [numpy_helper.from_array(np.ones(1, np.float32), "one")],
    )
    return models.proto(
        [helper.make_node("Loop", ["turns", "yes", "x"], ["y"], body=body)],
        {"x": [1]},
        {"y": [1]},
        {"turns": np.array(2**62, np.int64), "yes": np.array(True)},
    )


def filling_model() -> onnx.ModelProto:
    """shape [1] int64 -> ConstantOfShape -> y: as many zeros as asked for."""
    return models.proto(
        [helper.make_node("ConstantOfShape", ["shape"], ["y"])],
        {"shape": [1]},
        {"y": [None]},
        dtypes={"shape": TensorProto.INT64},
    )


class Background:
    """Calls a function in a thread; `outcome` is what it returned or raised."""

    def __init__(self, function):
        self.outcome = None
        self.finished_at = None
        self._thread = threading.Thread(target=self._call, args=(function,))
        self._thread.start()

    def _call(self, function):
        try:
            self.outcome = function()
        except InspectorError as error:
            self.outcome = error
        self.finished_at = time.monotonic()

    def join(self, timeout_s=30):
        """Wait for the end; what came out."""
        self._thread.join(timeout_s)
        assert not self._thread.is_alive(), "the call did not return"
        return self.outcome


def wait_for(condition, timeout_s=20.0):
    """Poll until *condition* holds."""
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, "condition never held"
        time.sleep(0.01)


def process_state(pid: int) -> str:
    """`R`, `S`, ... of a process on Linux; empty when it is gone or a zombie."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""
    return "" if state == "Z" else state


def cpu_ticks(pid: int) -> int:
    """Processor time of a process so far, in clock ticks; 0 when it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return int(fields[11]) + int(fields[12])
