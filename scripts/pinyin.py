"""Make `resources/i18n/pinyin.toml`: the readings of the characters in the window's Chinese texts.

Run `python scripts/pinyin.py` when a test names characters without a reading. It needs `pypinyin`, which the program
itself does not: `pip install pypinyin`. Characters are read as part of their sentence, because many have several
readings; one that is read in two ways in the window's texts is listed twice.
"""

import re
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

ROOT = Path(__file__).resolve().parent.parent
CATALOGUE = ROOT / "resources" / "i18n" / "app_zh_CN.ts"
TABLE = ROOT / "resources" / "i18n" / "pinyin.toml"
HAN = re.compile(r"[\u4e00-\u9fff]+")


def texts() -> list[str]:
    """The Chinese texts of the window, in order."""
    root = ET.parse(CATALOGUE).getroot()  # noqa: S314 - our own file
    return [text for message in root.iter("message") for text in message.find("translation").itertext()]


def main() -> int:
    """Write the table; 1 when pypinyin is not there."""
    try:
        from pypinyin import lazy_pinyin
    except ImportError:
        sys.stderr.write("pypinyin is not installed: pip install pypinyin\n")
        return 1
    table: dict[str, set[str]] = {}
    for text in texts():
        for words in HAN.findall(text):
            for character, syllable in zip(words, lazy_pinyin(words, v_to_u=False), strict=True):
                table.setdefault(syllable, set()).add(character)
    lines = [f'{syllable} = "{"".join(sorted(table[syllable]))}"' for syllable in sorted(table)]
    TABLE.write_text("# Made by scripts/pinyin.py.\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
