"""The window speaks both languages, can be switched at run time, and leaves no text untranslated."""

import re
import shutil
from xml.etree import ElementTree as ET

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QWidget

from inspector.assets import resources_dir
from inspector.gui.i18n import Languages
from inspector.gui.theme import ThemeName
from inspector.placement.verdict import Verdict

FOLDER = resources_dir() / "i18n"
FIELD = re.compile(r"\{(\w+)\}|%n")


def messages(language):
    root = ET.parse(FOLDER / f"app_{language}.ts").getroot()
    return [message for context in root.iter("context") for message in context.iter("message")]


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_catalogue_is_complete(language):
    open_ = [m.findtext("source") for m in messages(language) if m.find("translation").get("type") is not None]
    assert open_ == []
    assert (FOLDER / f"app_{language}.qm").stat().st_size > 0


def test_translations_keep_their_fields():
    for message in messages("zh_CN"):
        source = sorted(FIELD.findall(message.findtext("source")))
        forms = [form.text for form in message.iter("numerusform")] or [message.findtext("translation")]
        for form in forms:
            assert sorted(FIELD.findall(form)) == source, message.findtext("source")


def test_chinese_uses_full_width_punctuation():
    for message in messages("zh_CN"):
        text = message.findtext("translation") or ""
        assert not re.search(r"[一-鿿][,;:?!]", text), text


def shown(window):
    found = []
    for widget in window.findChildren(QWidget):
        if not widget.isVisible():
            continue
        if isinstance(widget, QLabel | QAbstractButton):
            found.append(widget.text())
        if isinstance(widget, QLineEdit):
            found.append(widget.placeholderText())
    return {text for text in found if text}


def test_language_switches_at_run_time(desk):
    desk.open()
    desk.window.actions_["view.next_problem"].trigger()
    desk.idle()
    english = shown(desk.window)
    desk.window.set_language("zh_CN")
    desk.idle()
    chinese = shown(desk.window)
    assert desk.bench.target_bar.chips[Verdict.UNKNOWN].text().startswith("未知")
    assert desk.window.actions_["file.open"].text() == "打开(&O)…"
    # What stays the same in both languages: names, figures, shapes, operators, clause ids, signs.
    verdicts = desk.document.workspace.placement.verdicts.values()
    documents = {check.source.document for verdict in verdicts for check in verdict.checks}
    same = {text for text in english & chinese if not any(document in text for document in documents)}
    sentences = {text for text in same if re.search(r"[a-z]{3,} [a-z]{3,}", text)}
    assert sentences == set()
    desk.window.set_language("en")
    desk.idle()
    assert shown(desk.window) == english


def test_theme_switches_at_run_time(desk):
    desk.open()
    desk.window.set_theme(ThemeName.DARK)
    assert desk.bench.graph.look.dark
    dark = desk.window.grab().toImage().pixelColor(2, desk.window.height() // 2)
    desk.window.set_theme(ThemeName.LIGHT)
    assert desk.window.grab().toImage().pixelColor(2, desk.window.height() // 2).lightness() > dark.lightness()


def test_every_action_has_its_own_key(desk):
    keys = [action.shortcut().toString() for action in desk.window.actions() if not action.shortcut().isEmpty()]
    assert len(keys) == len(set(keys))


def test_disabled_actions_say_why(desk):
    off = [action for action in desk.window.actions() if not action.isEnabled()]
    assert off
    assert all(action.toolTip() and action.toolTip() != action.text() for action in off)


def test_catalogue_that_is_rewritten_while_it_is_used_does_no_harm(desk, tmp_path, monkeypatch):
    shutil.copytree(FOLDER, tmp_path / "i18n")
    monkeypatch.setattr("inspector.gui.i18n.resources_dir", lambda: tmp_path)
    desk.window.set_language("zh_CN")
    for file in (tmp_path / "i18n").glob("*.qm"):
        file.write_bytes(b"")
    desk.open()
    desk.window.retranslate()
    assert desk.window.actions_["file.open"].text() == "打开(&O)…"


def test_a_second_switch_leaves_nothing_of_the_first(qapp):
    Languages(qapp).use("zh_CN")
    assert QCoreApplication.translate("Words", "Unknown") == "未知"
    Languages(qapp).use("en")
    assert QCoreApplication.translate("Words", "Unknown") == "Unknown"
