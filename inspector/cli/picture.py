"""`python -m inspector.cli.picture MODEL PLATFORM OUT LANGUAGE`: draw the window into a PNG, without a display.

A program of its own, because Qt ends the process when a system library is missing.
"""

import os
import sys
from pathlib import Path

if __name__ == "__main__":
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from inspector.gui.snapshot import render_window

    model, platform, out, language = sys.argv[1:]
    render_window(Path(model), platform, Path(out), language=language)
