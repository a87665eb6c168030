"""BPU Graph Inspector: where each node of an ONNX model runs on a BPU, why, and what can be done about it."""

__version__ = "0.1.0"
