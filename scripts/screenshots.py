"""Make the pictures of the documentation: `python scripts/screenshots.py [FOLDER]`, by default docs/screenshots.

Needs no display. The pictures show the bundled sample: the main view, the preview with its proof, Chinese, and dark.
"""

import os
import sys
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from inspector.gui.snapshot import Scene, render_window  # noqa: E402 - the platform must be chosen before Qt loads

SAMPLE = ROOT / "resources" / "samples" / "occupancy-head.onnx"
PLATFORM = "j6p"
NODE = "/v2/v2.0/ConvTranspose"
PREVIEW = Scene(select=NODE, preview="convtranspose3d-to-2d", every_site=True)


def main(folder: Path) -> None:
    """Write the four pictures into *folder*."""
    render_window(SAMPLE, PLATFORM, folder / "main.png", scene=Scene(select=NODE))
    render_window(SAMPLE, PLATFORM, folder / "preview.png", scene=PREVIEW)
    render_window(SAMPLE, PLATFORM, folder / "main-zh.png", scene=Scene(select=NODE), language="zh_CN")
    render_window(SAMPLE, PLATFORM, folder / "preview-dark.png", scene=PREVIEW, theme="dark")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "screenshots")
