import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from inspector import __version__
from inspector.cli.main import COMMANDS
from tests.helpers.cli import ROOT, call, environment, run

HELP = ROOT / "resources" / "i18n" / "help"


@pytest.mark.parametrize(("language", "lang"), [("en", "C.UTF-8"), ("zh_CN", "zh_CN.UTF-8")])
@pytest.mark.parametrize("word", ["--help", "-h"])
def test_help_lists_the_commands_in_the_language_of_the_environment(language, lang, word):
    answer = run(word, env={"LC_ALL": lang, "PYTHONUTF8": "1"})
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == (HELP / f"{language}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_the_list_of_commands_is_complete(language):
    text = (HELP / f"{language}.txt").read_text(encoding="utf-8")
    assert re.findall(r"^  ([a-z]+) ", text, re.MULTILINE) == list(COMMANDS)
    assert max(map(len, text.splitlines())) <= 120


def test_version():
    assert run("--version").out == f"bpu-inspector {__version__}\n"


@pytest.mark.parametrize("word", ["--help", "--version"])
def test_help_and_version_load_nothing_heavy(word):
    code = f"import sys; from inspector.cli.main import main; main(['{word}']); print(*sys.modules, file=sys.stderr)"
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment(), cwd=ROOT, check=True
    )
    loaded = set(answer.stderr.split())
    assert not loaded & {
        "argparse",
        "dataclasses",
        "numpy",
        "onnx",
        "onnxruntime",
        "PySide6",
        "tomllib",
        "yaml",
        "json",
    }


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_explains_itself_in_both_languages(command):
    english, chinese = (call(command, "--help", "--lang", language) for language in ("en", "zh_CN"))
    assert (english.code, chinese.code) == (0, 0)
    assert english.out.startswith(f"usage: bpu-inspector {command} [-h]")
    assert chinese.out.startswith(f"用法：bpu-inspector {command} [-h]")
    assert not re.search(r"[\u4e00-\u9fff]", english.out)
    assert "options" not in chinese.out.split("\n", 2)[2].replace("[OPTIONS]", "")


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["check"], "MODEL"),
        (["check", "m.onnx"], "--platform"),
        (["check", "m.onnx", "--platform", "x5", "--flow", "fast"], "fast"),
        (["verify", "a.onnx"], "AFTER"),
        (["verify", "a.onnx", "b.onnx", "--samples", "0"], "samples"),
        (["rewrite", "m.onnx", "--platform", "x5", "-o", "o.onnx"], "rewrites"),
        (["rewrite", "m.onnx", "--platform", "x5", "-o", "o.onnx", "--all", "--rule", "bn-fold"], "rewrites"),
        (["rewrite", "m.onnx", "--platform", "x5", "-o", "o.onnx", "--all", "--node", "n"], "--node"),
        (["rewrite", "m.onnx", "--platform", "x5", "-o", "m.onnx", "--all"], "never overwritten"),
        (["rewrite", "m.onnx", "--platform", "x5", "-o", ".", "--all"], "folder"),
        (["rewrite", "m.onnx", "--platform", "x5", "-o", "", "--all"], "folder"),
        (["rewrite", "m.onnx", "--platform", "x5", "-o", "nowhere/o.onnx", "--all"], "nowhere"),
        (["rewrite", "m.onnx", "--platform", "x5", "-o", "o" * 300, "--all"], "ooo"),
        (["verify", "a.onnx", "b.onnx", "--samples", "1001"], "samples"),
        (["verify", "a.onnx", "b.onnx", "--dim", "n=1", "--dim", "n=2"], "`n` is given twice"),
        (["verify", "a.onnx", "b.onnx", "--dim", "n=" + "9" * 5000], "n=999"),
        (["explain", ""], "Nothing is called"),
        (["chekc"], "check"),
        (["targets", "--no-such-option"], "--no-such-option"),
        (["targets", "--lang", "fr"], "fr"),
        (["targets", "--lang"], "--lang"),
    ],
)
def test_wrong_usage_is_exit_code_2_with_a_way_out(words, named):
    answer = call(*words)
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.startswith("error: ")
    assert named in answer.err
    assert "Traceback" not in answer.err


def test_without_a_display_the_window_says_what_to_use_instead():
    answer = run(ROOT / "resources" / "samples" / "occupancy-head.onnx")
    assert answer.code == 2
    assert "bpu-inspector demo" in answer.err


def test_of_several_files_the_missing_one_is_named():
    sample = ROOT / "resources" / "samples" / "occupancy-head.onnx"
    answer = run(sample, sample, "gone.onnx")
    assert answer.code == 2
    assert "gone.onnx" in answer.err
    several = run(sample, sample)
    assert several.code == 2
    assert "bpu-inspector demo" in several.err, "files are fine, only the display is missing"
    assert "loud" in run(sample, "--log-level", "loud").err


def test_a_terminal_that_is_not_utf8_gets_escapes_instead_of_a_crash():
    answer = run("--help", "--lang", "zh_CN", env={"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"})
    assert (answer.code, answer.err) == (0, "")
    assert "\\u7528\\u6cd5" in answer.out


def test_a_reader_that_has_seen_enough_is_no_error():
    with subprocess.Popen(
        [sys.executable, "-m", "inspector", "rules", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        cwd=ROOT,
    ) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 0


def test_ctrl_c_ends_quietly():
    code = (
        "import os, signal, sys\n"
        "from inspector.cli import main as module\n"
        "module._run = lambda *_: os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.exit(module.main(['targets']))"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment(), cwd=ROOT, check=False
    )
    assert (answer.returncode, answer.stderr) == (128 + signal.SIGINT, "")


def test_a_defect_is_exit_code_5_and_not_findings():
    code = (
        "import sys; from inspector.cli import main as module\n"
        "module._run = lambda *_: 1 // 0\n"
        "sys.argv[1:] = ['targets']\n"
        "sys.exit(module.main())"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment(), cwd=ROOT, check=False
    )
    assert (answer.returncode, answer.stdout) == (5, "")
    assert "ZeroDivisionError" in answer.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("words", [("--help",), ("rules", "--json"), ("targets", "--lang", "zh_CN")])
def test_a_full_disk_is_told_and_is_no_defect(words):
    with Path("/dev/full").open("w") as full:
        answer = subprocess.run(
            [sys.executable, "-m", "inspector", *words],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=environment(),
            cwd=ROOT,
            check=False,
        )
    assert answer.returncode == 5
    assert len(answer.stderr.splitlines()) == 2
    assert answer.stderr.startswith(("error: ", "错误："))


@pytest.mark.skipif(sys.platform == "win32", reason="closes streams with a POSIX shell")
@pytest.mark.parametrize(("closed", "code"), [("<&-", 0), (">&-", 0), ("2>&-", 0), ("<&- >&- 2>&-", 0)])
def test_streams_that_the_caller_closed_are_done_without(closed, code):
    command = f'"$0" -m inspector rules --json {closed}'
    answer = subprocess.run(
        ["/bin/sh", "-c", command, sys.executable], env=environment(), cwd=ROOT, capture_output=True, check=False
    )
    assert (answer.returncode, answer.stderr) == (code, b"")
