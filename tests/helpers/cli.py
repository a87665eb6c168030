"""Runs the command line as a user does and gives its whole output and its exit code.

`run` starts a process of its own, as a user's shell does. `call` gives the same words to `main` in this process, which
costs a tenth: for what the words answer, where start, imports, environment and end of a process prove nothing.
"""

import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from inspector.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "resources" / "schemas"

BLOCKED = """
import sys
for name in ("PySide6", "onnxruntime"):
    sys.modules[name] = None
from inspector.cli.main import main
sys.exit(main(sys.argv[1:]))
"""
"""The command line in a Python in which neither Qt nor onnxruntime can be imported."""


@dataclass(frozen=True)
class Answer:
    """What one command line gave."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as one JSON document; anything else beside it is an error."""
        return json.loads(self.out)


def run(
    *words: str | Path, blocked: bool = False, env: dict[str, str] | None = None, cwd: Path | None = None
) -> Answer:
    """Run `bpu-inspector WORDS...`; *blocked*: with Qt and onnxruntime unavailable."""
    start = ["-c", BLOCKED] if blocked else ["-m", "inspector"]
    answer = subprocess.run(
        [sys.executable, *start, *map(str, words)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment(env),
        cwd=cwd or ROOT,
        timeout=240,
        check=False,
    )
    return Answer(answer.returncode, answer.stdout, answer.stderr)


def call(*words: str | Path) -> Answer:
    """Give `bpu-inspector WORDS...` to `main` in this process; a defect of the program is raised."""
    out, err = (TextIOWrapper(BytesIO(), encoding="utf-8", newline="") for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = main([str(word) for word in words])
        except SystemExit as ended:  # `--help` of a command
            code = ended.code
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode("utf-8"))
    return Answer(code, *texts)


def environment(extra: dict[str, str] | None = None) -> dict[str, str]:
    """A plain English UTF-8 environment, changed by *extra*."""
    plain = {
        key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG", "DISPLAY", "WAYLAND"))
    }
    return {**plain, "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "", **(extra or {})}


def _closed(schema: Any) -> Any:
    """*schema* without room for keys that it does not name; readers get that room, the program does not."""
    if isinstance(schema, list):
        return [_closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: _closed(part) for key, part in schema.items()}
    if isinstance(schema.get("required"), list) and "properties" in schema:
        closed.setdefault("additionalProperties", False)
    return closed


def validate(document: Any) -> None:
    """Hold *document* against the schema that it names; a key that the schema does not describe is an error here."""
    _validator(document["schema"].split("/")[1]).validate(document)


@cache
def _validator(name: str) -> Draft202012Validator:
    files = {path.name: _closed(json.loads(path.read_text(encoding="utf-8"))) for path in SCHEMAS.glob("*.json")}
    registry = Registry().with_resources((key, Resource.from_contents(value)) for key, value in files.items())
    return Draft202012Validator(files[f"{name}.json"], registry=registry)
