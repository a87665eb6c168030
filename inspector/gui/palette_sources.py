"""The entries of the command palette: from the action table, the tables of clauses, and the platforms."""

from collections.abc import Sequence

from PySide6.QtCore import QT_TRANSLATE_NOOP

from inspector.gui.action_table import ActionSpec
from inspector.gui.actions import keys_text, title_of
from inspector.gui.i18n import in_language, language
from inspector.gui.palette_entries import Entry, Kind, Titles
from inspector.placement.catalog import Catalog, Platform
from inspector.text import LANGUAGES, render

_HELP = (
    ("/", QT_TRANSLATE_NOOP("Palette", "Nodes, by name, operator, or filters as op:Conv rank:5 status:cpu")),
    (">", QT_TRANSLATE_NOOP("Palette", "Commands")),
    ("#", QT_TRANSLATE_NOOP("Palette", "Clauses: what a table says, and who says so")),
    ("@", QT_TRANSLATE_NOOP("Palette", "Platforms and toolchain versions")),
)
_NOT_LISTED = frozenset({"view.palette"})
"""Commands that make no sense from the palette."""


def command_titles(specs: Sequence[ActionSpec]) -> Titles:
    """The commands of *specs* in the language of the window and the other one."""
    entries = (
        Entry(
            Kind.COMMAND, spec.id, title_of(spec, language()), title_of(spec, _other()), keys_text(spec), icon=spec.icon
        )
        for spec in specs
        if spec.id not in _NOT_LISTED
    )
    return Titles(tuple(entries))


def help_titles() -> Titles:
    """What each prefix searches."""
    entries = (
        Entry(
            Kind.HELP, sign, in_language(language(), "Palette", str(text)), in_language(_other(), "Palette", str(text))
        )
        for sign, text in _HELP
    )
    return Titles(tuple(entries))


def clause_titles(catalog: Catalog, spoken: str) -> Titles:
    """Every clause of every table once, by its id, with its sentence in the language *spoken*; may run in a thread."""
    found: dict[str, Entry] = {}
    for table in catalog.tables.values():
        for clauses in (table.graph, *(rules.clauses for rules in table.ops.values())):
            for clause in clauses:
                if clause.id not in found:
                    found[clause.id] = Entry(Kind.CLAUSE, clause.id, clause.id, render(clause.text, spoken))
    return Titles(tuple(found[name] for name in sorted(found)), by_pinyin=False)


def target_titles(catalog: Catalog) -> Titles:
    """Every platform, and below it each of its toolchain versions, newest first."""
    entries: list[Entry] = []
    for platform in catalog.platforms:
        entries.append(_target(platform, ""))
        entries += [_target(platform, toolchain.version) for toolchain in reversed(platform.toolchains)]
    return Titles(tuple(entries))


def _target(platform: Platform, version: str) -> Entry:
    titles = [f"{render(platform.title, spoken)} {version}".rstrip() for spoken in (language(), _other())]
    chips = [chip for chip in platform.chips if chip.casefold() not in titles[0].casefold()]
    other = titles[1] if titles[1] != titles[0] else ", ".join(chips)
    name = f"{platform.id}@{version}" if version else platform.id
    return Entry(Kind.TARGET, name, titles[0], other, platform.marches[0])


def _other() -> str:
    return next(spoken for spoken in LANGUAGES if spoken != language())
