"""`tool NAME MODEL`: change a whole model, or take parts of it, and prove by numbers that nothing else changed."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from inspector.cli.analysis import find_node, open_model
from inspector.cli.common import Parser, nearest, parse_dims, print_json, print_lines
from inspector.cli.hints import open_dims
from inspector.errors import SaveError, UsageError
from inspector.model.graph import Model
from inspector.model.save import check_target, save_model
from inspector.prove import prove
from inspector.report.documents import tool_document
from inspector.report.output import check_output, save_with_recipe
from inspector.report.text import verification_lines
from inspector.rewrite.rule import Preview
from inspector.rewrite.tools.parts import between, cut, extract
from inspector.rewrite.tools.registry import tool as tool_of
from inspector.rewrite.tools.tool import apply
from inspector.text import Message, render, say
from inspector.verify.parts import verify_parts
from inspector.verify.result import Status, Verification
from inspector.worker.client import WorkerClient
from inspector.workspace import Step

WHOLE = {
    "freeze": "freeze-dims",
    "fold": "fold-constants",
    "prune": "remove-dead",
    "opset": "convert-opset",
    "rename": "rename-duplicates",
    "nhwc": "nhwc-outputs",
    "simplify": "simplify",
}
"""Name on the command line -> tool that changes a model."""

PARTS = ("extract", "cut")
"""Tools that write parts of a model."""

Made = Preview | tuple[Model, ...] | Message
"""The changed model, the parts, or why there is nothing."""


def run(argv: Sequence[str], language: str) -> int:
    """Run the command; exit code 0 when a file was written and the comparison passed, else 1.

    Raises:
        UsageError: no such tool, options that it does not take, or an output that may not be written.
    """
    words = list(argv)
    name = words[0] if words and not words[0].startswith("-") else ""
    if name not in (*WHOLE, *PARTS):
        known = ", ".join((*WHOLE, *PARTS))
        name = name or _overview(language).parse_args(words).tool
        raise UsageError(say("cli.tool_unknown", name=name), say("cli.tool_unknown_help", names=known))
    args = _parser(name, language).parse_args(words[1:])
    output = Path(args.output)
    _check(output, Path(args.model), args, recipe=name in WHOLE)
    model = open_model(Path(args.model), {})
    client = WorkerClient()
    try:
        made = _parts if name in PARTS else _whole
        return made(name, model, args, client, language)
    finally:
        client.close()


def _overview(language: str) -> Parser:
    """The parser of `tool` alone, which answers `--help`."""
    parser = Parser("tool", language)
    parser.positional("tool")
    summaries = {name: tool_of(tool).summary for name, tool in WHOLE.items()}
    summaries |= {name: say(f"tool.{name}.summary") for name in PARTS}
    parser.usage = "%(prog)s [-h] TOOL MODEL -o OUT"
    for name, summary in summaries.items():
        parser.options.add_argument(name, nargs="?", metavar=f"  {name}", help=render(summary, language))
    return parser


def _parser(name: str, language: str) -> Parser:
    parser = Parser("tool", language)
    parser.prog = f"{parser.prog} {name}"
    summary = tool_of(WHOLE[name]).summary if name in WHOLE else say(f"tool.{name}.summary")
    parser.description = render(summary, language)
    parser.positional("model")
    parser.option("--dim", action="append", default=[], metavar="NAME=N")
    if name == "opset":
        parser.option("--to", type=int, required=True, metavar="N", text="opset_to")
    if name == "nhwc":
        parser.option("--output-name", action="append", default=[], metavar="T")
    if name == "extract":
        parser.option("--node", action="append", default=[], metavar="N", text="extract_node")
        parser.option("--from", action="append", default=[], metavar="T", text="extract_from", dest="sources")
        parser.option("--to", action="append", default=[], metavar="T", text="extract_to", dest="targets")
    if name == "cut":
        parser.option("--at", action="append", required=True, metavar="T", text="cut_at")
        parser.option("--tail", required=True, metavar="OUT", text="cut_tail")
    parser.option("-o", "--output", required=True, metavar="OUT")
    parser.option("--force-overwrite", action="store_true")
    parser.option("--accept-inconclusive", action="store_true")
    parser.option("--seed", type=int, default=7, metavar="N")
    parser.option("--json", action="store_true")
    return parser


def _check(output: Path, source: Path, args: argparse.Namespace, *, recipe: bool) -> None:
    """Refuse what cannot be written before any work."""
    if args.seed < 0:
        raise UsageError(say("cli.samples", samples=1, seed=args.seed), say("cli.samples_help"))
    try:
        if recipe:
            check_output(output, source, overwrite=args.force_overwrite)
            return
        files = [output, *([Path(args.tail)] if "tail" in args else [])]
        for path in files:
            check_target(path, overwrite=args.force_overwrite, source=source)
    except SaveError as error:
        exists = error.message.key == "model.save_exists" and not args.force_overwrite
        raise UsageError(error.message, say("cli.exists_help") if exists else error.help) from error
    if len({path.absolute() for path in files}) < len(files):
        raise UsageError(say("cli.cut_same", path=str(output)), say("cli.exists_help"))


def _whole(name: str, model: Model, args: argparse.Namespace, client: WorkerClient, language: str) -> int:
    """A tool that changes the model."""
    chosen, dims = tool_of(WHOLE[name]), parse_dims(args.dim)
    built = apply(model, chosen, _arguments(name, args, dims), client)
    result: Verification | None = None
    written: tuple[Path, ...] = ()
    if isinstance(built, Preview):
        sizes = {} if name == "freeze" else dims
        (result,) = prove(built, chosen.safety, chosen.limit, client, seed=args.seed, dims=sizes)
        accepted = result.status is Status.INCONCLUSIVE and args.accept_inconclusive
        if result.status is Status.PASSED or accepted:
            step = Step(built, (result,), say("cli.override") if accepted else None)
            save_with_recipe(built.after, [step], Path(args.output), overwrite=args.force_overwrite)
            written = (Path(args.output),)
    _tell(chosen.id, model, built, result, written, args, language)
    return 0 if result is not None and result.status is Status.PASSED else 1


def _arguments(name: str, args: argparse.Namespace, dims: Mapping[str, int]) -> Mapping[str, Any]:
    if name == "freeze":
        return {"dims": dict(dims)}
    if name == "opset":
        return {"version": args.to}
    return {"outputs": list(args.output_name)} if name == "nhwc" else {}


def _parts(name: str, model: Model, args: argparse.Namespace, client: WorkerClient, language: str) -> int:
    """A tool that writes parts of the model."""
    files = [Path(args.output), *([Path(args.tail)] if name == "cut" else [])]
    parts = cut(model, args.at) if name == "cut" else _extracted(model, args)
    result: Verification | None = None
    written: tuple[Path, ...] = ()
    if not isinstance(parts, Message):
        result = verify_parts(model, parts, client, seed=args.seed, dims=parse_dims(args.dim))
        if result.status is Status.PASSED or (result.status is Status.INCONCLUSIVE and args.accept_inconclusive):
            for part, path in zip(parts, files, strict=True):
                save_model(part, path, overwrite=args.force_overwrite)
            written = tuple(files)
    _tell(name, model, parts, result, written, args, language)
    return 0 if result is not None and result.status is Status.PASSED else 1


def _extracted(model: Model, args: argparse.Namespace) -> tuple[Model] | Message:
    """The part that the options describe.

    Raises:
        UsageError: nodes and tensors are both named, or neither.
    """
    if bool(args.node) == bool(args.targets) or (args.sources and not args.targets):
        raise UsageError(say("cli.extract_what"), say("cli.extract_what_help"))
    if args.node:
        return _alone(extract(model, [find_node(model, name) for name in args.node]))
    nodes = between(model, args.sources, args.targets)
    if isinstance(nodes, Message):
        values = [*model.main.inputs, *(o for node in model.main.nodes for o in node.outputs if o)]
        wrong = str(nodes.args.get("value", ""))
        raise UsageError(nodes, say("cli.tensor_help", names=nearest(wrong, values)))
    return _alone(extract(model, nodes))


def _alone(part: Model | Message) -> tuple[Model] | Message:
    return part if isinstance(part, Message) else (part,)


def _tell(
    name: str,
    model: Model,
    made: Made,
    result: Verification | None,
    written: Sequence[Path],
    args: argparse.Namespace,
    language: str,
) -> None:
    if args.json:
        print_json(tool_document(name, model, made, result, written, language))
    else:
        print_lines(_lines(name, model, made, result, written, args, language))


def _lines(
    name: str,
    model: Model,
    made: Made,
    result: Verification | None,
    written: Sequence[Path],
    args: argparse.Namespace,
    language: str,
) -> list[str]:
    if isinstance(made, Message):
        return [render(say("cli.tool_refused", tool=name, reason=made), language)]
    lines: list[str] = []
    if isinstance(made, Preview):
        figures = {"removed": len(made.removed), "added": len(made.added)}
        lines.append(render(say("cli.tool_nodes", tool=name, **figures), language))
    else:
        lines += [render(say("cli.tool_part", **_border(part)), language) for part in made]
    if result is not None:
        lines += verification_lines(result, language)
        if result.status is Status.INCONCLUSIVE:
            lines += open_dims(model, language, parse_dims(args.dim))
    lines += [render(say("cli.written", path=str(path)), language) for path in written]
    return lines if written else [*lines, render(say("cli.tool_not_written"), language)]


def _border(part: Model) -> dict[str, object]:
    return {
        "n": len(part.main.nodes),
        "inputs": ", ".join(part.main.inputs) or "-",
        "outputs": ", ".join(part.main.outputs),
    }
