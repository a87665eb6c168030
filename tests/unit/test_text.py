import pytest

from inspector.text import LANGUAGES, Message, Text, render, say


def test_a_plain_string_is_its_own_sentence():
    assert render("Conv_3", "zh_CN") == "Conv_3"


def test_a_text_carries_its_languages():
    text = Text("rank", "秩")
    assert [render(text, language) for language in LANGUAGES] == ["rank", "秩"]


def test_an_unknown_language_falls_back_to_english():
    assert render(say("report.stage.model"), "fr") == "whole model"


def test_the_number_chooses_the_form():
    assert "1 node on" in render(say("report.summary", name="m", n=1, target="x5"))
    assert "2 nodes on" in render(say("report.summary", name="m", n=2, target="x5"))


def test_a_message_inside_a_message_takes_the_same_language():
    outer = say("report.because", message=say("report.standing.inferred"))
    assert render(outer, "zh_CN") == "原因：推断"


@pytest.mark.parametrize(
    ("subject", "found", "expected"),
    [
        (Text("rank", "维数"), 5, "维数为 5"),
        (Text("rank", "维数"), Text("unknown", "未知"), "维数为未知"),
        ("group", Text("unknown", "未知"), "group 为未知"),
        ("group", 2, "group 为 2"),
        ("模型 一", 2, "模型 一为 2"),
    ],
)
def test_no_space_stands_between_chinese_and_chinese(monkeypatch, subject, found, expected):
    monkeypatch.setattr("inspector.text.catalogue", lambda _package, _language: {"is": "{subject} 为 {found}"})
    assert render(say("x.is", subject=subject, found=found), "zh_CN") == expected


def test_messages_compare_by_value():
    assert say("report.help", rule="a") == Message("report.help", {"rule": "a"})


def test_an_unknown_key_is_an_error():
    with pytest.raises(KeyError):
        render(say("report.no-such-entry"))
