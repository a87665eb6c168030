"""What the system answers to a file is told in the language of the reader."""

import errno
import os

import pytest

from inspector.errors import ModelLoadError, SettingsError, system_reason
from inspector.model.load import load_model
from inspector.settings import load_settings
from inspector.text import render


@pytest.mark.parametrize("number", [errno.EACCES, errno.ENOSPC, errno.EROFS, errno.ELOOP, errno.ENAMETOOLONG])
def test_a_common_cause_has_words_in_both_languages(number):
    reason = system_reason(OSError(number, os.strerror(number), "net.onnx"))
    assert render(reason, "zh_CN") != render(reason, "en")
    assert render(reason, "zh_CN").isalpha(), "no path, no number, no blank"
    assert not render(reason, "zh_CN").isascii()


def test_a_rare_cause_keeps_the_words_of_the_system():
    assert system_reason(OSError(errno.ENOTTY, "no terminal", "net.onnx")) == "no terminal"
    assert system_reason(OSError("odd")) == "odd"
    assert system_reason(ValueError("no TOML")) == "no TOML"


def test_a_link_that_leads_to_itself_is_told_in_chinese(tmp_path):
    path = tmp_path / "net.onnx"
    path.symlink_to(path)
    with pytest.raises(ModelLoadError) as told:
        load_model(path)
    assert told.value.text("zh_CN").count(str(path)) == 1
    assert "符号链接形成循环" in told.value.text("zh_CN")


def test_settings_that_are_a_folder_are_told_in_chinese(tmp_path):
    with pytest.raises(SettingsError) as told:
        load_settings(tmp_path)
    assert "Errno" not in told.value.text("zh_CN")
