#!/bin/sh
# Set up everything that `make run` (scripts/setup.sh run) and `make test` (scripts/setup.sh test) need.
# Idempotent: stamp files named after the lock's checksum make a second call return at once.
set -eu
cd "$(dirname "$0")/.."
what=${1:-run}
venv=${VENV:-.venv}
here=$(pwd)
case $what in
run) lock=requirements.lock ;;
test) lock=requirements-dev.lock ;;
*) echo "usage: scripts/setup.sh run|test" >&2; exit 2 ;;
esac

# Qt's libraries; names differ between releases, so each is asked for by itself.
qt_libs="libegl1 libgl1 libfontconfig1 libxkbcommon0 libdbus-1-3 libglib2.0-0|libglib2.0-0t64"
display_libs="libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-image0 libxcb-randr0 libxcb-render-util0
 libxcb-shape0 libxcb-xfixes0 libxcb-xkb1 libxcb-xinerama0 libxkbcommon-x11-0 libx11-xcb1"
fonts="fonts-inter fonts-jetbrains-mono fonts-noto-cjk"

say() { echo "setup: $*" >&2; }
has() { command -v "$1" >/dev/null 2>&1; }
installed() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }
may_apt() { has apt-get && [ "$(id -u)" = 0 ]; }

updated=
apt_update() {
    [ -n "$updated" ] || apt-get update -qq >/dev/null 2>&1 || say "apt-get update failed; trying with what is known"
    updated=1
}
apt_install() {
    apt_update
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null </dev/null
}

find_python() {
    for candidate in ${PYTHON:-} python3 python3.13 python3.12 python3.11; do
        if has "$candidate" && "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    say "Python 3.11 or newer was not found; install it, or run: make $what PYTHON=/path/to/python3.11"
    exit 1
}

# The scripts in a virtual environment name its folder, so one that was moved or copied is made again.
usable() {
    [ -x "$venv/bin/python" ] || return 1
    if [ -e "$venv/.made-in" ]; then [ "$(cat "$venv/.made-in")" = "$here" ]; else "$venv/bin/pip" --version >/dev/null 2>&1; fi
}

make_venv() {
    usable && "$venv/bin/python" -c 'import pip' 2>/dev/null && return
    python=$(find_python)
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    if ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
        if ! has apt-get; then
            say "$python has no venv module; install it, or run: make $what PYTHON=/path/to/python3.11"
            exit 1
        fi
        if ! may_apt; then
            say "this Python has no venv module; run: sudo apt-get install -y python$version-venv"
            exit 1
        fi
        say "installing python3-venv"
        apt_install "python$version-venv" || apt_install python3-venv
    fi
    if ! mkdir -p "$venv" 2>/dev/null || [ ! -w "$venv" ]; then
        say "$venv cannot be written; run: make $what VENV=/a/folder/of/yours OUT=/another"
        exit 1
    fi
    say "creating $venv with $python ($version)"
    clear=
    [ ! -e "$venv/pyvenv.cfg" ] || clear=--clear
    "$python" -m venv $clear "$venv"
    echo "$here" >"$venv/.made-in"
}

# The first of the alternatives "a|b" that this release has; nothing when it has none.
pick() {
    for name in $(echo "$1" | tr '|' ' '); do
        if installed "$name" || apt-cache show "$name" >/dev/null 2>&1; then
            echo "$name"
            return
        fi
    done
}

missing() {
    for entry in "$@"; do
        for name in $(echo "$entry" | tr '|' ' '); do
            installed "$name" && continue 2
        done
        echo "$entry"
    done
}

system_libs() {
    has dpkg-query || return 0
    wanted="$qt_libs"
    [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || wanted="$wanted $display_libs"
    # shellcheck disable=SC2086
    lacking=$(missing $wanted)
    if [ -n "$lacking" ]; then
        if ! may_apt; then
            say "Qt may lack libraries; run: sudo apt-get install -y $(echo "$lacking" | sed 's/|.*//' | tr '\n' ' ')"
            return 0
        fi
        say "installing Qt's system libraries"
        apt_update
        names=$(for entry in $lacking; do pick "$entry"; done)
        # shellcheck disable=SC2086
        apt_install $names || say "apt-get could not install: $(echo "$names" | tr '\n' ' ')"
    fi
    may_apt || return 0
    for font in $(missing $fonts); do
        apt_update
        apt_install "$font" || say "font $font could not be installed; Qt takes another one"
    done
}

stamp="$venv/.ready-$what-$(cat "$lock" pyproject.toml | cksum | tr ' ' '-')"
[ -e "$stamp" ] && usable && exit 0
make_venv
system_libs
say "installing the pinned packages of $lock"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes -r "$lock"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
rm -f "$venv"/.ready-"$what"-*
: >"$stamp"
