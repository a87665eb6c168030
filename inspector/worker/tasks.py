"""What the worker does: check, infer shapes, run. The only module that calls native inference.

Libraries are imported inside the functions: a worker that only infers shapes never pays for ONNX Runtime.
"""

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from inspector.worker.arrays import read_arrays, write_arrays
from inspector.worker.limits import peak_memory
from inspector.worker.protocol import Array, Backend, Op, RuntimeInfo, Transform

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # before onnxruntime is imported: models are confidential

PROVIDER = "CPUExecutionProvider"
OPTIMIZATION = "ORT_DISABLE_ALL"

_MAX_SESSIONS = 2  # a comparison alternates between two models


def check_model(model: bytes) -> str | None:
    """What the checker of onnx says against the serialised *model*; None without complaint."""
    import onnx

    try:
        onnx.checker.check_model(model)
    except onnx.checker.ValidationError as error:
        return str(error)
    return None


def infer_shapes(model: bytes, *, data_prop: bool = True, strict: bool = False) -> bytes:
    """The serialised *model* with inferred shapes; *strict*: types and declared shapes are checked too.

    Raises:
        onnx.shape_inference.InferenceError: the graph is inconsistent, unless *strict* beyond what inference skips.
    """
    import onnx

    found = onnx.shape_inference.infer_shapes(model, check_type=strict, strict_mode=strict, data_prop=data_prop)
    return found.SerializeToString()


def transform(model: bytes, how: Transform, version: int = 0) -> bytes:
    """The serialised *model* converted to opset *version*, or simplified.

    Raises:
        onnx.version_converter.ConvertError: an operator has no adapter.
        ModuleNotFoundError: onnxslim is not installed.
    """
    import onnx

    proto = onnx.ModelProto.FromString(model)
    if how is Transform.OPSET:
        from onnx import version_converter

        try:
            return version_converter.convert_version(proto, version).SerializeToString()
        except RuntimeError as error:  # how its native assertions arrive; a missing adapter is one of them
            raise version_converter.ConvertError(str(error)) from error
    import onnxslim  # type: ignore[import-not-found]  # an optional extra

    made: onnx.ModelProto = onnxslim.slim(proto)
    return made.SerializeToString()


class Tasks:
    """Answers requests; keeps sessions open between them when asked to."""

    def __init__(self) -> None:
        self._sessions: dict[tuple[object, ...], Any] = {}

    def answer(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """The reply to *message*, as JSON types. Whatever the libraries raise goes through."""
        op = Op(message["op"])
        if op is Op.HELLO:
            return {"onnxruntime": _onnxruntime().__version__}
        if op is Op.RUN:
            return self._run(message)
        self._sessions.clear()  # left by a comparison that was given up
        model = Path(message["model"]).read_bytes()
        if op is Op.CHECK:
            return {"complaint": check_model(model)}
        if op is Op.TRANSFORM:
            made = transform(model, Transform(message["how"]), int(message["version"]))
            Path(message["result"]).write_bytes(made)
            return {}
        inferred = infer_shapes(model, data_prop=bool(message["data_prop"]), strict=bool(message["strict"]))
        Path(message["result"]).write_bytes(inferred)
        return {}

    def _run(self, message: Mapping[str, Any]) -> dict[str, Any]:
        feeds = read_arrays(Path(message["feeds"]), message["table"])
        outputs = list(message["outputs"]) or None
        reference = Backend(message["backend"]) is Backend.REFERENCE
        try:
            session = self._session(Path(message["model"]), int(message["threads"]), reference)
            names = outputs or (
                list(session.output_names) if reference else [output.name for output in session.get_outputs()]
            )
            elapsed = 0.0

            def results() -> Any:
                nonlocal elapsed
                for feed in feeds:
                    start = time.perf_counter()
                    arrays = session.run(outputs, feed if reference else {k: _native(v) for k, v in feed.items()})
                    elapsed += time.perf_counter() - start
                    yield {n: _array(a) for n, a in zip(names, arrays, strict=True) if _is_tensor(a)}

            table = write_arrays(Path(message["results"]), results())
        finally:
            if not message["keep"]:
                self._sessions.clear()
        info = runtime_info(reference, int(message["threads"]))
        return {"table": table, "runtime": info, "elapsed_s": elapsed, "peak_bytes": peak_memory()}

    def _session(self, path: Path, threads: int, reference: bool) -> Any:
        stamp = path.stat()
        key = (str(path), stamp.st_size, stamp.st_mtime_ns, threads, reference)
        session = self._sessions.pop(key, None)
        if session is None:
            while len(self._sessions) >= _MAX_SESSIONS:
                self._sessions.pop(next(iter(self._sessions)))
            session = _reference_session(path) if reference else _native_session(path, threads)
        self._sessions[key] = session
        return session


def runtime_info(reference: bool, threads: int) -> dict[str, Any]:
    """The fields of `RuntimeInfo` for what computes here."""
    if reference:
        import onnx

        info = RuntimeInfo("onnx reference evaluator", onnx.__version__, "numpy", "none", 1)
    else:
        info = RuntimeInfo("onnxruntime", _onnxruntime().__version__, PROVIDER, OPTIMIZATION, threads)
    return {name: getattr(info, name) for name in RuntimeInfo.__slots__}


def _onnxruntime() -> Any:
    import onnxruntime  # type: ignore[import-untyped]  # its wheel carries no annotations

    return onnxruntime


def _native_session(path: Path, threads: int) -> Any:
    onnxruntime = _onnxruntime()
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # an idle worker must not heat a core
    return onnxruntime.InferenceSession(str(path), options, providers=[PROVIDER])


def _reference_session(path: Path) -> Any:
    import onnx
    from onnx.reference import ReferenceEvaluator

    return ReferenceEvaluator(onnx.load(str(path)))


def _is_tensor(value: object) -> bool:
    return isinstance(value, np.ndarray | np.generic)


def _array(value: Any) -> Array:
    return np.asarray(value)


def _native(array: Array) -> Any:
    """What ONNX Runtime takes for *array*: bfloat16 and the like need an OrtValue with a stated type."""
    if array.dtype.kind != "V" and array.dtype.name in np.sctypeDict:
        return array
    if array.dtype == object:
        return array
    from onnx import helper

    code = helper.np_dtype_to_tensor_dtype(array.dtype)
    return _onnxruntime().OrtValue.ortvalue_from_numpy_with_onnx_type(np.array(array), code)
