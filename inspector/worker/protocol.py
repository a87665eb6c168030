"""Requests and replies between the program and its worker process, as dataclasses and as JSON lines.

A request is one line on the child's standard input, a reply one line on its standard output. Tensors never travel in a
line: they lie in one binary file per direction (see `arrays`), in a private folder that the client makes and removes.
Nothing is pickled.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
"""A tensor. String tensors have dtype object and hold `str`."""


class Backend(StrEnum):
    """What computes a run."""

    ONNXRUNTIME = "onnxruntime"
    REFERENCE = "reference"  # onnx.reference.ReferenceEvaluator: slow, but knows what ONNX Runtime lacks


@dataclass(frozen=True, slots=True)
class RuntimeInfo:
    """What computed the numbers.

    Attributes:
        name: `onnxruntime` or `onnx reference evaluator`.
        version: its version.
        provider: execution provider, `CPUExecutionProvider`; `numpy` for the reference evaluator.
        optimization: graph optimisation level, `ORT_DISABLE_ALL`; `none` for the reference evaluator.
        threads: threads within one operator.
    """

    name: str
    version: str
    provider: str
    optimization: str
    threads: int


@dataclass(frozen=True, slots=True)
class RunRequest:
    """Run one model file on one or more input sets.

    Attributes:
        model: model file, weights beside it if external.
        feeds: input sets; each maps every graph input to an array.
        outputs: graph outputs to return, in this order; empty returns all. An intermediate must be exposed as a graph
            output of the file (`model.save.write_runtime(extra_outputs=...)`).
        backend: what computes it.
        threads: threads within one operator, at least 1.
        keep: leave the session open for the next request on the same file. A request without it closes all sessions.
    """

    model: Path
    feeds: tuple[Mapping[str, Array], ...]
    outputs: tuple[str, ...] = ()
    backend: Backend = Backend.ONNXRUNTIME
    threads: int = 1
    keep: bool = False


@dataclass(frozen=True, slots=True)
class RunReply:
    """What a run gave.

    Attributes:
        results: per input set, output name -> array, read-only and mapped from a file that is already unlinked (where
            the system allows it), so memory is used as it is read. Outputs that are no tensors are left out.
        runtime: what computed it.
        elapsed_s: seconds inside the runtime, without loading and without moving tensors.
        peak_bytes: largest resident size of the worker so far, in bytes; None where the system does not tell.
    """

    results: tuple[Mapping[str, Array], ...]
    runtime: RuntimeInfo
    elapsed_s: float
    peak_bytes: int | None = None


class Op(StrEnum):
    """Tasks of the worker."""

    HELLO = "hello"  # load the libraries and answer
    CHECK = "check"
    INFER = "infer"
    RUN = "run"
    TRANSFORM = "transform"


class Transform(StrEnum):
    """What a library makes of a whole model."""

    OPSET = "opset"  # onnx.version_converter
    SIMPLIFY = "simplify"  # onnxslim, where it is installed


class Fault(StrEnum):
    """Why a task gave no result although the worker is alive."""

    MODEL = "model"  # the runtime refuses the model or an operator of it
    MEMORY = "memory"
    DISK = "disk"
    TASK = "task"  # anything else


def encode(message: Mapping[str, Any]) -> bytes:
    """One line of JSON, ASCII only, so that no native library's locale can break it."""
    return json.dumps(message, ensure_ascii=True, separators=(",", ":")).encode("ascii") + b"\n"


def decode(line: bytes) -> dict[str, Any]:
    """The message in *line*.

    Raises:
        ValueError: the line is not a JSON object.
    """
    message = json.loads(line)
    if not isinstance(message, dict):
        raise ValueError(f"a JSON object was expected, found {type(message).__name__}")
    return message


def readonly(array: Array) -> Array:
    """*array* itself, marked read-only."""
    array.flags.writeable = False
    return array


def as_feed(array: npt.ArrayLike) -> Array:
    """A contiguous array in native byte order, as a runtime wants it."""
    result: Array = np.ascontiguousarray(array)
    return result.reshape(np.shape(array)).astype(result.dtype.newbyteorder("="), copy=False)
