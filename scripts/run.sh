#!/bin/sh
# Open the window on a model; where there is no display, do the same job headless and leave the results in a folder.
set -eu
venv=$1
out=$2
model=$3
system=$(uname -s)
if [ "$system" = Linux ] && [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    echo "No display (neither DISPLAY nor WAYLAND_DISPLAY is set): doing the same job without a window."
    exec "$venv/bin/python" -m inspector demo --output "$out" "$model"
fi
exec "$venv/bin/python" -m inspector "$model"
