"""What recent files looked like when they were last open: target and verdicts, so that a list of them tells something.

Which files are recent stands in the settings; what they looked like is kept with the program's state, because it may be
lost without harm.
"""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from inspector.errors import SaveError
from inspector.placement.kinds import Verdict
from inspector.state import state_dir

SCHEMA = "bpu-graph-inspector/recent/1"
"""Value of `schema` in the file."""

_LARGEST_BYTES = 1_000_000
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Glance:
    """A model as it was last seen.

    Attributes:
        platform: platform id.
        toolchain: toolchain version.
        counts: number of nodes per verdict; verdicts without a node may be left out.
    """

    platform: str
    toolchain: str
    counts: Mapping[Verdict, int]


def glances_path() -> Path:
    """The file; it may not exist yet."""
    return state_dir() / "recent.json"


def read_glances(path: Path | None = None) -> Mapping[str, Glance]:
    """Absolute path of a model -> how it was last seen; empty when the file is missing, damaged or of a newer form."""
    path = path or glances_path()
    try:
        if path.stat().st_size > _LARGEST_BYTES:
            return MappingProxyType({})
        text = path.read_text(encoding="utf-8")
        import json

        content = json.loads(text)
        if content["schema"] != SCHEMA:
            return MappingProxyType({})
        return MappingProxyType({str(name): _read(entry) for name, entry in content["files"].items()})
    except FileNotFoundError:
        return MappingProxyType({})
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        _log.info("recent files: %r", error)
        return MappingProxyType({})


def note_glance(name: str, glance: Glance, others: Iterable[str], path: Path | None = None) -> None:
    """Write that the model *name* looks like *glance*; of the *others* what is known is kept, of the rest it goes.

    Another process may write at the same time; then one of the two is not noted. A file that cannot be written is only
    logged.
    """
    path = path or glances_path()
    known = read_glances(path)
    kept = {other: known[other] for other in others if other in known} | {name: glance}
    files = {
        key: {
            "platform": value.platform,
            "toolchain": value.toolchain,
            "counts": {verdict.value: count for verdict, count in value.counts.items() if count},
        }
        for key, value in kept.items()
    }
    import json

    from inspector.model.save import write_atomically  # brings the model's libraries, which a start can do without

    text = json.dumps({"schema": SCHEMA, "files": files}, ensure_ascii=False, indent=1) + "\n"
    try:
        path.parent.mkdir(0o700, parents=True, exist_ok=True)
        write_atomically(path, text.encode(), overwrite=True, durable=False)
    except (OSError, SaveError) as error:
        _log.info("recent files: %s", error)


def _read(entry: Any) -> Glance:
    counts = {Verdict(name): int(count) for name, count in entry["counts"].items()}
    if any(count < 0 for count in counts.values()):
        raise ValueError(counts)
    return Glance(str(entry["platform"]), str(entry["toolchain"]), MappingProxyType(counts))
