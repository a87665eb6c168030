"""`targets`: the platforms, their marches and toolchain versions."""

from collections.abc import Sequence

from inspector.cli.common import Parser, print_json
from inspector.placement.catalog import load_catalog
from inspector.report.documents import targets_document
from inspector.text import render, say


def run(argv: Sequence[str], language: str) -> int:
    """Run the command; exit code 0."""
    parser = Parser("targets", language)
    parser.option("--json", action="store_true")
    args = parser.parse_args(argv)
    catalog = load_catalog()
    if args.json:
        print_json(targets_document(catalog, language))
        return 0
    for platform in catalog.platforms:
        print(f"{platform.id:<6} {render(platform.title, language)}")
        figures = say(
            "cli.target_figures",
            marches=", ".join(platform.marches),
            toolchains=", ".join(toolchain.version for toolchain in platform.toolchains),
            flows=", ".join(flow.value for flow in platform.flows),
        )
        print(f"       {render(figures, language)}")
    return 0
