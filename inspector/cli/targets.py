"""`targets`: the platforms, their marches and toolchain versions, and what is known of each version."""

from collections.abc import Sequence

from inspector.cli.common import Parser, print_json
from inspector.placement.catalog import Platform, load_catalog
from inspector.placement.toolchains import Difference, Toolchain
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
        print("\n".join(_platform_lines(platform, language)))
    return 0


def _platform_lines(platform: Platform, language: str) -> list[str]:
    formats = [f"{march} ({', '.join(qtypes)})" for march, qtypes in platform.qtypes.items()]
    flows = ", ".join(flow.value for flow in platform.flows)
    figures = say("cli.target_figures", marches="; ".join(formats), flows=flows)
    lines = [f"{platform.id:<6} {render(platform.title, language)}", f"       {render(figures, language)}"]
    for toolchain in reversed(platform.toolchains):
        lines += [f"       {line}" for line in _toolchain_lines(toolchain, language)]
    lines += [f"       {_difference_line(difference, language)}" for difference in platform.differences]
    return lines


def _toolchain_lines(toolchain: Toolchain, language: str) -> list[str]:
    parts = ", ".join(f"{name} {version}" for name, version in toolchain.components.items())
    ground = say(f"cli.ground.{toolchain.ground.value}")
    tables = ", ".join(dict.fromkeys(toolchain.tables.values()))
    key = "cli.toolchain" if toolchain.own_table else "cli.toolchain_borrowed"
    line = say(key, version=toolchain.version, ground=ground, source=toolchain.source or "-", tables=tables)
    lines = [render(line, language)]
    if parts:
        lines.append("  " + render(say("cli.toolchain_components", parts=parts), language))
    if toolchain.note is not None:
        lines.append("  " + render(toolchain.note, language))
    return lines


def _difference_line(difference: Difference, language: str) -> str:
    ground = say(f"cli.ground.{difference.ground.value}")
    key = "cli.difference_since" if difference.since else "cli.difference"
    text, source = difference.text, difference.source
    return render(say(key, since=difference.since, text=text, ground=ground, source=source), language)
