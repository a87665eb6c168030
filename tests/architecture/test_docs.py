"""The documents: links lead somewhere, examples can be typed, every dependency has its page."""

import json
import re
import shlex
import tomllib
from pathlib import Path

import pytest

from inspector.cli.main import COMMANDS
from inspector.placement.verdict import Verdict
from inspector.rewrite.registry import rules

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_inside_the_project_lead_somewhere(path):
    for target in re.findall(r"\]\(([^)#\s]+)", path.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (path.parent / target).exists(), target


def test_examples_of_the_readme_name_commands_that_exist():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = re.findall(r"^bpu-inspector (.+)$", text, re.MULTILINE)
    words = [shlex.split(line, comments=True) for line in lines]
    named = {first for first, *_ in filter(None, words) if not first.endswith(".onnx")}
    assert named == set(COMMANDS)


def test_the_two_commands_come_first():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert text.index("make run") < text.index("make test") < text.index("pip install .")


def test_every_dependency_has_its_page():
    pages = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "decisions").glob("*.md")).lower()
    for requirement in PROJECT["dependencies"]:
        name = re.match(r"[A-Za-z0-9-]+", requirement)[0].lower()
        assert re.search(rf"^# {name}\b", pages, re.MULTILINE), name


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_the_locks_pin_every_dependency_with_hashes_and_name_no_host(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    assert "://" not in text
    pins = re.findall(r"^([a-z0-9-]+)==\S+ \\\n    --hash=sha256:", text, re.MULTILINE)
    assert len(pins) == len(re.findall(r"^[a-z0-9-]+[=<>~@]", text, re.MULTILINE))
    wanted = PROJECT["dependencies"] + (PROJECT["optional-dependencies"]["dev"] if "dev" in name else [])
    assert {re.match(r"[A-Za-z0-9-]+", requirement)[0].lower() for requirement in wanted} <= set(pins)


def keys_of(schema):
    """Names of all properties in a schema, at any depth."""
    if isinstance(schema, list):
        return set().union(*map(keys_of, schema))
    if not isinstance(schema, dict):
        return set()
    own = set(schema["properties"]) if isinstance(schema.get("required"), list) and "properties" in schema else set()
    return own.union(*map(keys_of, schema.values()))


@pytest.mark.parametrize("path", sorted((ROOT / "resources" / "schemas").glob("*.json")), ids=lambda path: path.name)
def test_every_key_of_the_json_documents_is_described(path):
    words = set(re.findall(r"`([A-Za-z_]+)`", (ROOT / "docs" / "json.md").read_text(encoding="utf-8")))
    assert keys_of(json.loads(path.read_text(encoding="utf-8"))) - words - set(Verdict) == set()


def test_every_rule_stands_in_the_changelog():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    for rule in rules():
        assert f"`{rule.id}`" in text
