"""`verify BEFORE AFTER`: do two models compute the same, by numbers."""

from collections.abc import Sequence
from pathlib import Path

from inspector.cli.common import Parser, parse_dims, print_json, print_lines
from inspector.cli.hints import after_comparison
from inspector.errors import UsageError
from inspector.report.documents import verify_document
from inspector.report.text import verification_lines
from inspector.text import say
from inspector.verify.compare import verify_files
from inspector.verify.result import Status
from inspector.verify.tolerance import user_tolerance
from inspector.worker.client import WorkerClient

MOST_SAMPLES = 1000
"""Input sets that one comparison may take; more would run for hours and say nothing new."""


def run(argv: Sequence[str], language: str) -> int:
    """Run the command; exit code 0 when PASSED, else 1."""
    parser = Parser("verify", language)
    parser.positional("before")
    parser.positional("after")
    parser.option("--dim", action="append", default=[], metavar="NAME=N")
    parser.option("--seed", type=int, default=7, metavar="N")
    parser.option("--samples", type=int, default=3, metavar="N")
    parser.option("--max-rel", type=float, metavar="X")
    parser.option("--json", action="store_true")
    args = parser.parse_args(argv)
    if not 1 <= args.samples <= MOST_SAMPLES or args.seed < 0:
        raise UsageError(say("cli.samples", samples=args.samples, seed=args.seed), say("cli.samples_help"))
    before, after, dims = Path(args.before), Path(args.after), parse_dims(args.dim)
    client = WorkerClient()
    try:
        result = verify_files(
            before,
            after,
            client,
            tolerance=None if args.max_rel is None else user_tolerance(args.max_rel),
            seed=args.seed,
            samples=args.samples,
            dims=dims,
        )
    finally:
        client.close()
    if args.json:
        print_json(verify_document(before, after, result, language))
    else:
        print_lines([*verification_lines(result, language), *after_comparison(result, before, dims, language)])
    return 0 if result.status is Status.PASSED else 1
