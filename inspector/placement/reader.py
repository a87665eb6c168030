"""Read constraint files: YAML with JSON's types only, compiled to JSON once per content.

Plain YAML turns `no` into false, `2024-09-26` into a date and `1.20` into 1.2; in a table of versions and limits each
of these is a trap. Here only `true`, `false`, `null` and plain numbers are not text, a key may stand only once in a
mapping, and aliases are refused.
"""

import hashlib
import json
import logging
import os
import re
import sys
import tempfile
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any

import yaml

from inspector.errors import ConstraintDataError
from inspector.text import say

_LOG = logging.getLogger("inspector.placement")


_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the compiled parser where PyYAML has it


class _JsonTypes(_Base):  # type: ignore[misc]
    """YAML loader that knows only JSON's types."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012 - PyYAML's own attribute

    def document(self) -> Any:
        """The one document of the text, as Python values."""
        node = self.get_single_node()
        if node is None:
            return None
        _refuse_aliases(node)
        return self.construct_document(node)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:  # noqa: ARG002 - the base class's signature
        """Refuse a key that stands twice, or that is not text."""
        seen: set[str] = set()
        for key, _ in node.value:
            name = key.value
            if not isinstance(key, yaml.ScalarNode) or name in seen:
                problem = f"key {name!r} is repeated or not text"
                raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
            seen.add(name)
        return {self.text(key): self.construct_object(value, deep=True) for key, value in node.value}

    @staticmethod
    def text(node: yaml.ScalarNode) -> str:
        """A key as it is written, whatever it looks like."""
        return str(node.value)


_JsonTypes.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), list("tf"))
_JsonTypes.add_implicit_resolver("tag:yaml.org,2002:null", re.compile(r"^(?:null)$"), ["n"])
_JsonTypes.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"^-?(?:0|[1-9][0-9]*)$"), list("-0123456789"))
_JsonTypes.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"^-?(?:0|[1-9][0-9]*)\.[0-9]+$"), list("-0123456789")
)


def _refuse_aliases(root: yaml.Node) -> None:
    """Raise if a node stands in two places: a few lines of aliases can stand for gigabytes."""
    seen: set[int] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            raise yaml.constructor.ConstructorError(None, None, "aliases are not allowed", node.start_mark)
        seen.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            waiting.extend(node.value)
        elif isinstance(node, yaml.MappingNode):
            waiting.extend(part for pair in node.value for part in pair)


def bad(file: str, key: str, found: object, expected: str) -> ConstraintDataError:
    """The error for *key* of *file*: what stands there, and what should."""
    return ConstraintDataError(
        say("constraints.bad_entry", file=file, entry=key, found=str(found), expected=expected),
        say("constraints.bad_entry_help", file=file),
    )


def parse(text: str, file: str) -> Mapping[str, Any]:
    """The mapping in YAML *text*; *file* is its name for messages.

    Raises:
        ConstraintDataError: not YAML of the restricted kind, or not a mapping.
    """
    try:
        data = _JsonTypes(text).document()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = "-" if mark is None else f"line {mark.line + 1}"
        raise bad(file, where, getattr(error, "problem", None) or error, "YAML with JSON's types") from error
    except (ValueError, RecursionError) as error:
        raise bad(file, "-", error, "YAML with JSON's types") from error
    if not isinstance(data, dict):
        raise bad(file, "-", type(data).__name__, "a mapping")
    return data


def read(path: Path, file: str) -> tuple[Mapping[str, Any], bytes]:
    """Contents of the constraint file *path*, and its bytes.

    Raises:
        ConstraintDataError: it cannot be read or is not of the restricted kind.
    """
    try:
        payload = path.read_bytes()
        text = payload.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise bad(file, "-", error, "a readable UTF-8 file") from error
    compiled = cache_dir() / f"{hashlib.sha256(payload).hexdigest()[:32]}.json"
    data = _compiled(compiled)
    if data is None:
        data = parse(text, file)
        _store(compiled, data)
    return data, payload


def cache_dir() -> Path:
    """Folder for compiled tables: `bpu-graph-inspector` under the user's cache folder of the operating system."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "bpu-graph-inspector" / "constraints"


def _compiled(path: Path) -> Mapping[str, Any] | None:
    try:
        data = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return data if isinstance(data, dict) else None


def _store(path: Path, data: Mapping[str, Any]) -> None:
    """Keep *data* for the next start; a folder that cannot be written only costs time."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(data, file, ensure_ascii=False, separators=(",", ":"))
        Path(name).replace(path)
    except OSError as error:
        _LOG.debug("compiled table not kept: %s", error)
