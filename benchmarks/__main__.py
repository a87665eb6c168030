"""`python -m benchmarks [SUITE...] [--json]`: measure, print a table or JSON, exit 1 if a budget is broken."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping

from benchmarks import layout, palette, placement, stalls, start
from benchmarks.figures import Figure

SUITES: Mapping[str, Callable[[], Iterator[Figure]]] = {
    "layout": layout.figures,
    "placement": placement.figures,
    "palette": palette.figures,
    "stalls": stalls.figures,
    "start": start.figures,
}
"""Name on the command line and what it measures."""


def main(arguments: list[str]) -> int:
    """Run the suites named in *arguments*, all without any."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("suite", nargs="*", choices=[*SUITES, []], help="what to measure; everything when left out")
    parser.add_argument("--json", action="store_true", help="print [{name, value, unit, budget, ok}]")
    options = parser.parse_args(arguments)
    measured: list[Figure] = []
    for suite in options.suite or SUITES:
        for figure in SUITES[suite]():
            measured.append(figure)
            if not options.json:
                print(_row(figure), flush=True)
    if options.json:
        print(json.dumps([figure.as_json() for figure in measured], indent=1))
    return 0 if all(figure.ok for figure in measured) else 1


def _row(figure: Figure) -> str:
    budget = "" if figure.budget is None else f"{'>=' if figure.at_least else '<='} {figure.budget:g}"
    return f"{figure.name:<48}{figure.value:>12.4g} {figure.unit:<6} {budget:<10} {'' if figure.ok else 'BROKEN'}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
