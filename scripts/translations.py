"""Refresh the window's translation catalogues: collect texts from the sources, then compile `.ts` to `.qm`.

Run `python scripts/translations.py` after a text of the window changed; `--check` only says whether anything is
missing. New texts appear in `resources/i18n/app_LANGUAGE.ts` as unfinished and are translated
there by hand. English needs
entries for plural forms only.
"""

import argparse
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import PySide6

ROOT = Path(__file__).resolve().parent.parent
CATALOGUES = {"zh_CN": (), "en": ("-pluralonly",)}


def tool(name: str) -> Path:
    """The Linguist program *name* that PySide6 carries."""
    folder = Path(PySide6.__file__).parent
    found = next(
        (p for p in (folder / "Qt" / "libexec" / name, folder / f"{name}.exe", folder / name) if p.is_file()), None
    )
    if found is None:
        raise SystemExit(f"{name} is not part of this PySide6 installation")
    return found


def catalogue(language: str) -> Path:
    """The `.ts` file of *language*."""
    return ROOT / "resources" / "i18n" / f"app_{language}.ts"


def collect() -> None:
    """Bring the texts of the sources into the catalogues; translations that exist are kept."""
    sources = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "inspector" / "gui").rglob("*.py"))
    for language, options in CATALOGUES.items():
        command = [tool("lupdate"), "-silent", "-locations", "none", "-no-obsolete", "-source-language", "en"]
        command += ["-target-language", language, *options, *sources, "-ts", catalogue(language)]
        subprocess.run(command, cwd=ROOT, check=True)  # noqa: S603 - fixed arguments


def compile_all() -> None:
    """Write the `.qm` files that the window loads."""
    for language in CATALOGUES:
        source = catalogue(language)
        command = [tool("lrelease"), "-silent", source, "-qm", source.with_suffix(".qm")]
        subprocess.run(command, cwd=ROOT, check=True)  # noqa: S603 - fixed arguments


def unfinished(language: str) -> list[str]:
    """Texts of *language* without a translation."""
    root = ET.parse(catalogue(language)).getroot()  # noqa: S314 - our own file
    messages = (message for context in root.iter("context") for message in context.iter("message"))
    return [message.findtext("source", "") for message in messages if message.find("translation[@type]") is not None]


def main() -> int:
    """Collect, compile, and report what is still untranslated; 1 when anything is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing")
    if not parser.parse_args().check:
        collect()
        compile_all()
    missing = [(language, text) for language in CATALOGUES for text in unfinished(language)]
    for language, text in missing:
        sys.stderr.write(f"{language}: not translated: {text}\n")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
