"""Wrong usage is told in the language of the user, whatever argparse says."""

import pytest

from inspector.cli.main import main
from inspector.cli.usage import usage_reason

WRONG = [
    (["check"], "缺少：MODEL", "missing: MODEL"),
    (["check", "m.onnx", "--platform"], "--platform 需要一个值", "--platform needs a value"),
    (["check", "m.onnx", "--platform", "x5", "--bogus"], "无法识别：--bogus", "unknown words: --bogus"),
    (["check", "m.onnx", "--platform", "x5", "--flow", "abc"], "--flow 的值为 'abc'", "--flow is 'abc', allowed: "),
    (["check", "m.onnx", "--platform", "x5", "--json=3"], "--json 不接受值", "--json takes no value"),
    (["rules", "more"], "无法识别：more", "unknown words: more"),
]


@pytest.mark.parametrize(("words", "chinese", "english"), WRONG)
def test_both_languages(words, chinese, english, capsys):
    for language, wanted in (("zh_CN", chinese), ("en", english)):
        assert main([*words, "--lang", language]) == 2
        assert wanted in capsys.readouterr().err


def test_what_is_not_known_stays_as_it_is():
    assert usage_reason("something new") == "something new"
