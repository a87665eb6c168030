"""`ops [OPERATOR]`: which operators run where, and the conditions of one of them side by side."""

from collections.abc import Sequence

from inspector.cli.common import Parser, nearest, print_json
from inspector.errors import UsageError
from inspector.placement.catalog import load_catalog
from inspector.placement.matrix import find_operators, matrix
from inspector.report.operators import matrix_lines, operator_lines, ops_document
from inspector.text import say


def run(argv: Sequence[str], language: str) -> int:
    """Run the command; exit code 0.

    Raises:
        UsageError: there is no such operator or platform.
    """
    parser = Parser("ops", language)
    parser.positional("operator", nargs="?")
    parser.option("--platform", action="append", default=[], metavar="P", text="ops_platform")
    parser.option("--json", action="store_true")
    args = parser.parse_args(argv)
    catalog = load_catalog()
    found = matrix(catalog, list(dict.fromkeys(args.platform)))
    keys = tuple(found.rows) if args.operator is None else find_operators(found, args.operator)
    if not keys:
        names = nearest(args.operator, [key.rpartition("::")[2] for key in found.rows])
        raise UsageError(say("cli.operator_unknown", name=args.operator), say("cli.operator_unknown_help", names=names))
    if args.json:
        print_json(ops_document(catalog, found, keys, language, detail=args.operator is not None))
    elif args.operator is None:
        print("\n".join(matrix_lines(found, language)))
    else:
        print("\n\n".join("\n".join(operator_lines(found, key, language)) for key in keys))
    return 0
