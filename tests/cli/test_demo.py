import json

from tests.helpers.cli import call, run, validate

PNG = b"\x89PNG\r\n\x1a\n"


def test_the_demonstration_leaves_reports_a_model_and_a_picture(tmp_path):
    answer = run("demo", "--output", tmp_path / "out")
    assert (answer.code, answer.err) == (0, "")
    names = ["check.json", "rewrite.json", "report.md", "window.png", "occupancy-head.rewritten.onnx"]
    for name in names:
        assert (tmp_path / "out" / name).is_file(), answer.out
    assert (tmp_path / "out" / "window.png").read_bytes().startswith(PNG)
    for name in ("check.json", "rewrite.json"):
        validate(json.loads((tmp_path / "out" / name).read_text(encoding="utf-8")))
    assert "| `convtranspose3d-to-2d` |" in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    for name in names[1:4]:
        assert str(tmp_path / "out" / name) in answer.out


def test_a_folder_that_cannot_be_made_is_told_before_any_work(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    answer = call("demo", "--output", tmp_path / "file" / "out")
    assert (answer.code, answer.out) == (5, "")
    assert "Traceback" not in answer.err
    assert "--output" in answer.err
