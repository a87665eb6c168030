"""`Target`: which chip, toolchain and flow a placement is for."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from inspector.model.graph import NodeId


class Flow(StrEnum):
    """Quantisation flow: post-training quantisation, or quantisation-aware training."""

    PTQ = "ptq"
    QAT = "qat"


class Qtype(StrEnum):
    """Number format a node computes in on the BPU."""

    INT8 = "int8"
    INT16 = "int16"
    FLOAT16 = "float16"


class Device(StrEnum):
    """Processor a node can be forced to, as the toolchain's `node_info` does."""

    BPU = "bpu"
    CPU = "cpu"


@dataclass(frozen=True)
class Target:
    """What a model is placed on.

    Attributes:
        platform: id of the platform, `x5`.
        march: architecture name that the compiler takes, `bayes-e`.
        toolchain: version of the toolchain (OpenExplorer), `1.2.8`.
        flow: PTQ or QAT.
        qtype: default number format; None takes the march's own default.
        qtypes: per-node override.
        forced: per-node device, as `node_info` / `run_on_cpu` / `run_on_bpu` would set it.
    """

    platform: str
    march: str
    toolchain: str
    flow: Flow = Flow.PTQ
    qtype: Qtype | None = None
    qtypes: Mapping[NodeId, Qtype] = field(default_factory=lambda: MappingProxyType({}))
    forced: Mapping[NodeId, Device] = field(default_factory=lambda: MappingProxyType({}))
