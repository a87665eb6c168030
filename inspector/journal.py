"""`Journal`: the unsaved work on one model as a JSON text, so that it can be done again after the program was killed.

It holds what the user decided, never weights: the steps as a recipe, what was asked of single nodes, sizes and target.
The model file is named with size, time of change and hash, so that a reader can tell whether it is still the same.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any

from inspector.errors import InspectorError
from inspector.model.files import FileStamp, sha256, stamp
from inspector.model.reference import NodeRef
from inspector.placement.target import Device, Flow, Qtype
from inspector.rewrite.recipe import RecipeStep, read_recipe, write_recipe
from inspector.text import say

SCHEMA = "bpu-graph-inspector/journal/1"
"""Value of `schema` in a journal; the number rises when older readers would go wrong."""

NO_TIME = datetime.min.replace(tzinfo=UTC)
"""Stands for a time that is not known."""

_SCHEMA_START = SCHEMA.rpartition("/")[0] + "/"


class JournalError(InspectorError):
    """A journal cannot be read or written."""


class FileState(StrEnum):
    """What became of a model file since it was written down."""

    SAME = "same"
    CHANGED = "changed"
    GONE = "gone"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A model file as it was.

    Attributes:
        path: absolute path.
        stamp: size and time of change.
        sha256: hash of its content in hexadecimal; empty when it was not computed.
    """

    path: Path
    stamp: FileStamp
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Aim:
    """What the model is placed on, as the user chose it.

    Attributes:
        platform: platform id.
        toolchain: version; None for the newest known one.
        march: architecture; None for the platform's default.
        flow: quantisation flow.
    """

    platform: str
    toolchain: str | None = None
    march: str | None = None
    flow: Flow = Flow.PTQ


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked of one node.

    Attributes:
        node: which one.
        device: processor it is forced to; None leaves it to the toolchain.
        qtype: number format it is asked to compute in; None leaves it to the target.
    """

    node: NodeRef
    device: Device | None = None
    qtype: Qtype | None = None


@dataclass(frozen=True)
class Journal:
    """The unsaved work on one model.

    Attributes:
        model: the file it starts from.
        aim: target chosen.
        dims: sizes bound to dynamic dimensions.
        steps: accepted rewrites in order.
        groups: number of steps of each undo step, in order; their sum is that of the steps.
        wishes: what is asked of single nodes.
        written: when, in UTC; `NO_TIME` where the file says nothing sensible.
    """

    model: ModelFile
    aim: Aim
    dims: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    steps: tuple[RecipeStep, ...] = ()
    groups: tuple[int, ...] = ()
    wishes: tuple[Wish, ...] = ()
    written: datetime = NO_TIME

    def __bool__(self) -> bool:
        """Whether there is anything to lose."""
        return bool(self.steps or self.wishes or self.dims)


def write_journal(journal: Journal) -> str:
    """*journal* as JSON text."""
    model = journal.model
    content = {
        "schema": SCHEMA,
        "written": journal.written.isoformat(),
        "model": {
            "path": str(model.path),
            "size_bytes": model.stamp.size,
            "mtime_ns": model.stamp.mtime_ns,
            "sha256": model.sha256,
        },
        "target": aim_table(journal.aim),
        "dims": dict(journal.dims),
        "groups": list(journal.groups),
        "nodes": [_wish_table(wish) for wish in journal.wishes],
        "recipe": json.loads(write_recipe(journal.steps)),
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def read_journal(text: str) -> Journal:
    """The journal in *text*.

    Raises:
        JournalError: it is damaged, or written by a newer version.
    """
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _damaged(error) from error
    schema = content.get("schema") if isinstance(content, dict) else None
    if isinstance(schema, str) and schema.startswith(_SCHEMA_START) and schema != SCHEMA:
        raise JournalError(say("journal.newer", found=schema, expected=SCHEMA), say("journal.newer_help"))
    if schema != SCHEMA:
        raise JournalError(say("journal.schema", found=str(schema), expected=SCHEMA), say("journal.damaged_help"))
    try:
        return _journal(content)
    except (KeyError, TypeError, ValueError, InspectorError) as error:
        raise _damaged(error) from error


def aim_table(aim: Aim) -> dict[str, Any]:
    """*aim* as a JSON table."""
    return {"platform": aim.platform, "toolchain": aim.toolchain, "march": aim.march, "flow": aim.flow.value}


def ref_table(ref: NodeRef) -> dict[str, Any]:
    """*ref* as a JSON table."""
    return {"op": ref.op, "name": ref.name, "outputs": list(ref.outputs), "graph": ref.graph}


def read_aim(table: Any) -> Aim:
    """The `Aim` in a JSON table.

    Raises:
        KeyError: a part is missing.
        TypeError: a part is of another kind.
        ValueError: there is no such flow.
    """
    toolchain, march = _text_or_none(table["toolchain"]), _text_or_none(table["march"])
    return Aim(_text(table["platform"]), toolchain, march, Flow(table["flow"]))


def read_ref(table: Any) -> NodeRef:
    """The `NodeRef` in a JSON table; raises as `read_aim`."""
    outputs = tuple(_text(output) for output in table["outputs"])
    return NodeRef(_text(table["op"]), _text(table["name"]), outputs, _text(table["graph"]))


def read_dims(table: Any) -> Mapping[str, int]:
    """Sizes by name in a JSON table; raises as `read_aim`."""
    return MappingProxyType({_text(name): _whole(size, 1) for name, size in _table(table).items()})


def file_state(model: ModelFile) -> FileState:
    """What became of the file of *model*; its content is read only where the file system's word does not decide."""
    try:
        there = model.path.is_file()
    except (OSError, ValueError):
        return FileState.UNREADABLE
    now = stamp(model.path) if there else None
    if now is None:
        return FileState.GONE
    if now == model.stamp:
        return FileState.SAME
    if now.size != model.stamp.size or not model.sha256:
        return FileState.CHANGED
    try:
        return FileState.SAME if sha256(model.path) == model.sha256 else FileState.CHANGED
    except OSError:
        return FileState.UNREADABLE


def _damaged(error: Exception) -> JournalError:
    return JournalError(say("journal.damaged", reason=f"{type(error).__name__}: {error}"), say("journal.damaged_help"))


def _wish_table(wish: Wish) -> dict[str, Any]:
    return {
        "node": ref_table(wish.node),
        "device": wish.device.value if wish.device is not None else None,
        "qtype": wish.qtype.value if wish.qtype is not None else None,
    }


def _journal(content: dict[str, Any]) -> Journal:
    steps = read_recipe(json.dumps(content["recipe"]))
    groups = tuple(_whole(number, 1) for number in content["groups"])
    if sum(groups) != len(steps):
        raise ValueError(f"groups {groups} for {len(steps)} steps")
    model = content["model"]
    return Journal(
        model=ModelFile(
            Path(_text(model["path"])),
            FileStamp(_whole(model["size_bytes"]), _whole(model["mtime_ns"])),
            _text(model["sha256"]),
        ),
        aim=read_aim(content["target"]),
        dims=read_dims(content["dims"]),
        steps=steps,
        groups=groups,
        wishes=tuple(_wish(entry) for entry in content["nodes"]),
        written=_time(content["written"]),
    )


def _wish(entry: dict[str, Any]) -> Wish:
    return Wish(
        read_ref(entry["node"]),
        Device(entry["device"]) if entry["device"] is not None else None,
        Qtype(entry["qtype"]) if entry["qtype"] is not None else None,
    )


def _time(text: object) -> datetime:
    """The time in *text*, or `NO_TIME`: no work is given up because its time is odd."""
    try:
        found = datetime.fromisoformat(_text(text))
    except (TypeError, ValueError):
        return NO_TIME
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def _table(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError(f"{value!r} is no table")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _text_or_none(value: object) -> str | None:
    return None if value is None else _text(value)


def _whole(value: object, least: int = -(2**63)) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise TypeError(f"{value!r} is no whole number from {least} on")
    return value
