"""Find the data folders `constraints/` and `resources/`, in an installed wheel or in a checkout.

No other module computes a data path.
"""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def data_dir(name: str) -> Path:
    """Folder of shipped data called *name* (`constraints` or `resources`).

    The wheel carries it as `inspector/_data/NAME`; a checkout (and so an editable install) has it beside `inspector/`.

    Raises:
        FileNotFoundError: neither place holds the folder, so the installation is damaged.
    """
    for folder in (_PACKAGE / "_data" / name, _PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"{name}/ is missing from the installation; reinstall bpu-graph-inspector")


def constraints_dir() -> Path:
    """Folder of the shipped constraint tables."""
    return data_dir("constraints")


def resources_dir() -> Path:
    """Folder of icons, translations and sample models."""
    return data_dir("resources")
