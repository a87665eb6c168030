"""The registry: the folder is the list, and every rule is complete."""

import re
from pathlib import Path

import pytest

from inspector.errors import RewriteError, UsageError
from inspector.rewrite.registry import HEADINGS, headings, ordered, rule, rules
from inspector.rewrite.rule import Safety
from inspector.text import LANGUAGES, catalogue, render

ROOT = Path(__file__).resolve().parents[3]


def test_rules_are_sorted_and_found_by_id():
    ids = [r.id for r in rules()]
    assert ids == sorted(ids)
    assert len(set(ids)) == len(ids)
    assert {"bn-fold", "convtranspose3d-to-2d", "hardswish", "resize5d-split"} <= set(ids)
    assert all(rule(rule_id).id == rule_id for rule_id in ids)


def test_unknown_rule_names_those_there_are():
    with pytest.raises(UsageError, match="bn-fold"):
        rule("no-such-rule")


def test_repeated_id_is_refused():
    with pytest.raises(RewriteError, match="bn-fold"):
        ordered((rule("bn-fold"), rule("hardswish"), rule("bn-fold")))


@pytest.mark.parametrize("subject", rules(), ids=lambda r: r.id)
def test_rule_is_complete(subject):
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", subject.id)
    assert tuple(headings(subject)) == HEADINGS
    assert all(headings(subject).values())
    assert subject.anchors
    assert subject.safety in Safety
    if subject.safety is Safety.APPROXIMATE:
        assert subject.limit is not None, "an approximation states its error"
    else:
        assert subject.limit is None or 0 < subject.limit <= 1e-5
    assert subject.variants
    assert len({v.id for v in subject.variants}) == len(subject.variants)
    texts = [subject.title, subject.summary, *(v.title for v in subject.variants)]
    for language in LANGUAGES:
        assert all(render(text, language).strip() for text in texts)
    own = ROOT / "tests" / "rules" / f"test_{subject.id.replace('-', '_')}.py"
    assert f'"{subject.id}"' in own.read_text(encoding="utf-8")
    assert "test_random_cases = hold(RULE, case" in own.read_text(encoding="utf-8")


def test_table_of_rules_names_each_rule_once():
    rows = re.findall(r"^\| `([a-z0-9-]+)` \|", (ROOT / "docs" / "rules.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert rows == [subject.id for subject in rules()]


def test_both_languages_have_the_same_words_and_arguments():
    english, chinese = (catalogue("rewrite", language) for language in LANGUAGES)
    assert english.keys() == chinese.keys()
    for key, text in english.items():
        fields = [sorted(re.findall(r"{(\w+)", str(t))) for t in (text, chinese[key])]
        assert fields[0] == fields[1], key


def test_every_reason_in_the_code_has_words():
    code = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "inspector" / "rewrite").rglob("*.py"))
    words = catalogue("rewrite", "en")
    used = {f"refuse.{k}" for k in re.findall(r'refuse\(\s*"(\w+)"', code)}
    used |= {f"needs.{k}" for k in re.findall(r'holds\(\s*"(\w+)"', code)}
    used |= set(re.findall(r'say\(\s*"rewrite\.([\w.-]+)"', code))
    assert used
    assert used <= words.keys()
