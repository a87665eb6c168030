import json

import jsonschema
import pytest
import yaml

from inspector.assets import constraints_dir, resources_dir
from inspector.errors import ConstraintDataError
from inspector.placement import context_facts as module
from inspector.placement.catalog import load_catalog
from inspector.placement.context_facts import PASSES, context_facts
from inspector.text import catalogue

FILES = sorted((constraints_dir() / "context").glob("*.yaml"))


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_files_follow_the_schema(path):
    schema = json.loads((constraints_dir() / "context" / "schema.json").read_text("utf-8"))
    jsonschema.validate(yaml.safe_load(path.read_text("utf-8")), schema)
    assert set(schema["properties"]["facts"]["items"]["properties"]["pass"]["enum"]) == PASSES


MARCHES = sorted({march for platform in load_catalog().platforms for march in platform.marches})


@pytest.mark.parametrize("march", MARCHES)
def test_every_march_has_findings_in_both_languages(march):
    facts = context_facts(march).facts
    assert "fold-constant" in facts
    for fact in facts.values():
        assert fact.text.en
        assert fact.text.zh_CN
        assert str(fact.source)


def test_findings_of_the_x_series_do_not_reach_nash():
    nash = context_facts("nash-p").facts
    assert not [name for name in nash if name.startswith("tail") or name in ("passive", "compiler-cpu", "fuse-silu")]


def test_a_march_without_file_has_no_findings():
    assert not context_facts("no-such-march").facts


@pytest.mark.parametrize(
    "text",
    [
        "marches: [m]",
        "- a",
        "marches: [m]\nsources: {}\nfacts: [{pass: fold-constant, source: s, text: {en: a, zh_CN: b}}]",
        "marches: [m]\nsources: {s: {document: d, standing: documented}}\nfacts: [{pass: no, source: s}]",
        "marches: [m]\nsources: {s: {document: d, standing: sure}}\nfacts: []",
        "a: [",
    ],
)
def test_a_broken_file_is_refused(tmp_path, text):
    path = tmp_path / "broken.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(ConstraintDataError, match=r"broken\.yaml"):
        module._read(path)


def test_texts_have_the_same_entries_in_both_languages():
    assert catalogue("context", "en").keys() == catalogue("context", "zh_CN").keys()
    assert (resources_dir() / "i18n" / "core" / "en" / "context.toml").is_file()
