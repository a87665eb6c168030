"""Small constraint tables as data, for tests of building and reading."""

from typing import Any

BASE: dict[str, Any] = {
    "title": {"en": "Base table", "zh_CN": "基础表"},
    "march": "m",
    "complete": True,
    "sources": {"list": {"document": "operator list", "section": "ONNX table", "read_on": "2026-01-02"}},
    "source": "list",
    "general": [{"id": "general.batch", "dim": {"of": "input", "axis": "N", "max": 8}}],
    "graph": [{"id": "model.opset", "opset": {"range": [10, 11]}}],
    "ops": {
        "Conv": {
            "row": 7,
            "bpu": [
                {"id": "conv.rank", "rank": {"of": "X", "in": [4, 5]}},
                {
                    "alternative": "flat",
                    "when": {"rank": {"of": "X", "eq": 4}},
                    "clauses": [{"id": "conv.kernel", "attr": {"name": "kernel_shape", "range": [1, 7]}}],
                },
                {
                    "alternative": "deep",
                    "when": {"rank": {"of": "X", "eq": 5}},
                    "clauses": [{"id": "conv.depth", "expr": "kd <= 2", "when": {"expr": "D > 1"}}],
                },
            ],
            "kernel": "exists",
            "cpu": [{"id": "conv.cpu-dtype", "dtype": {"of": "all", "in": ["float32"]}}],
        },
        "Gemm": {"bpu": [{"like": "Conv", "alternative": "flat", "only": ["attr"]}], "kernel": "unstated"},
        "Softmax": {
            "default_device": "cpu",
            "force_option": "run_on_bpu",
            "bpu": [
                {"id": "softmax.rank", "rank": {"eq": 4}, "contradicted": {"en": "2 of 2", "zh_CN": "2 个"}},
                {"id": "softmax.words", "note": True, "text": {"en": "mind this", "zh_CN": "请注意"}},
                {"id": "softmax.place", "context": "output_is_graph_output"},
            ],
            "kernel": "exists",
        },
        "Shape": {"fold": "constant", "bpu": "none", "kernel": "unstated"},
        "Grid": {"domains": ["horizon"], "bpu": [], "kernel": "none"},
    },
}
"""A complete table with one of each kind of row."""

NASH: dict[str, Any] = {
    "title": {"en": "Open table", "zh_CN": "未完成的表"},
    "march": "n",
    "complete": False,
    "stand_in": {"table": "m/base", "drop": ["rank"]},
    "sources": {"list": {"document": "first rows"}},
    "source": "list",
    "general": [{"id": "general.wide", "dim": {"of": "all", "axis": 0, "max": 100}}],
    "ops": {
        "Gemm": {
            "bpu": [
                {"id": "gemm.own", "opset": {"min": 7}, "otherwise": "UNSUPPORTED"},
                {"stand_in": "Gemm", "except": ["words"]},
            ],
            "kernel": "unstated",
        }
    },
}
"""A table that is not complete, with `BASE` (as `m/base`) standing in."""


def table_data(**changes: Any) -> dict[str, Any]:
    """The smallest table that can be built, changed by *changes*."""
    return {
        "title": {"en": "T", "zh_CN": "表"},
        "march": "m",
        "complete": True,
        "sources": {"list": {"document": "mine"}},
        "source": "list",
        "ops": {"Relu": {"bpu": [], "kernel": "exists"}},
    } | changes
