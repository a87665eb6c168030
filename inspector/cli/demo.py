"""`demo`: the whole job on one model without a window: check, rewrite, verify, report, picture."""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from inspector.assets import resources_dir
from inspector.cli.analysis import Analysis, analyse, has_findings
from inspector.cli.check import fixes_of, report_lines
from inspector.cli.common import Parser, target_defaults
from inspector.cli.rewrite import refused_value, result_lines
from inspector.cli.sequence import RewriteRun
from inspector.errors import SaveError, system_reason
from inspector.model.save import write_atomically
from inspector.report.documents import check_document, rewrite_document
from inspector.report.markdown import markdown_report
from inspector.report.output import json_text, save_with_recipe
from inspector.text import Message, render, say
from inspector.verify.result import Status, Verification
from inspector.worker.client import WorkerClient

PLATFORM = "j6p"
"""Target of the demonstration: the sample's ConvTranspose nodes fall back to the CPU there."""

PICTURE_LIMIT_S = 180
"""Seconds after which drawing the window is given up."""


def run(argv: Sequence[str], language: str) -> int:
    """Run the command; exit code 0 when the rewritten model was proven equal or nothing stood in the way, else 1."""
    parser = Parser("demo", language)
    parser.positional("model", nargs="?", default=str(sample_path()))
    parser.option("--platform", default=PLATFORM, metavar="P")
    parser.option("--output", default="out", metavar="DIR", text="output_folder")
    args = parser.parse_args(argv)
    args = argparse.Namespace(**(vars(target_defaults(args.platform, language)) | vars(args)))
    folder = _made(Path(args.output))
    _print(say("cli.demo_title", name=Path(args.model).name, platform=args.platform), language)
    analysis = analyse(args)
    found = fixes_of(analysis)
    print("\n".join(report_lines(analysis, found, language)), end="\n\n")
    _write(
        folder / "check.json",
        json_text(check_document(analysis.model, analysis.placement, analysis.catalog, found, language)),
    )
    proven = _rewrite(analysis, folder, language)
    _picture(Path(args.model), args.platform, folder / "window.png", language)
    return 0 if proven or not has_findings(analysis.placement) else 1


def sample_path() -> Path:
    """The bundled sample: the head of an occupancy network, three ConvTranspose nodes in 3-D."""
    return resources_dir() / "samples" / "occupancy-head.onnx"


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SaveError(
            say("cli.folder", path=str(folder), reason=system_reason(error)), say("cli.folder_help")
        ) from error
    return folder


def _rewrite(analysis: Analysis, folder: Path, language: str) -> bool:
    """Apply and prove every fix, and write model, recipe and reports; whether the proof passed."""
    client = WorkerClient()
    try:
        work = RewriteRun(analysis, client)
        work.apply_fixes()
        whole = work.verify_whole()
    finally:
        client.close()
    proven = whole is not None and whole.status is Status.PASSED
    name = "model" if analysis.model.origin is None else analysis.model.origin.stem
    output = folder / f"{name}.rewritten.onnx" if proven else None
    if output is not None:
        save_with_recipe(work.model, work.steps, output, overwrite=True)
    print("\n".join(result_lines(work, whole, output, language)))
    _reports(analysis, work, whole, folder, output, language)
    return proven


def _reports(
    analysis: Analysis, work: RewriteRun, whole: Verification | None, folder: Path, output: Path | None, language: str
) -> None:
    refused = [refused_value(entry, language) for entry in work.refused]
    document = rewrite_document(
        analysis.model, analysis.placement, work.placement, work.steps, refused, whole, output, language
    )
    text = markdown_report(analysis.model, analysis.placement, work.model, work.placement, work.steps, whole, language)
    for name, content in (("rewrite.json", json_text(document)), ("report.md", text)):
        _write(folder / name, content)
        _print(say("cli.demo_report", path=str(folder / name)), language)


def _picture(model: Path, platform: str, path: Path, language: str) -> None:
    """Draw the window into *path*. See `inspector.cli.picture`."""
    words = [sys.executable, "-m", "inspector.cli.picture", str(model), platform, str(path), language]
    try:
        answer = subprocess.run(  # noqa: S603 - our own interpreter and module
            words, capture_output=True, text=True, errors="replace", timeout=PICTURE_LIMIT_S, check=False
        )
    except subprocess.TimeoutExpired:
        _print(say("cli.demo_no_picture", reason=f"> {PICTURE_LIMIT_S} s"), language)
        return
    if answer.returncode == 0 and path.is_file():
        _print(say("cli.demo_picture", path=str(path)), language)
        return
    reason = next((line for line in reversed(answer.stderr.splitlines()) if line.strip()), str(answer.returncode))
    _print(say("cli.demo_no_picture", reason=reason), language)


def _write(path: Path, content: str) -> None:
    write_atomically(path, content.encode(), overwrite=True)


def _print(message: Message, language: str) -> None:
    print(render(message, language), flush=True)
