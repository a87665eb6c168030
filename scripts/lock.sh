#!/bin/sh
# Pin the dependencies of pyproject.toml, with hashes, into requirements.lock and requirements-dev.lock.
# Run it with the oldest supported Python, so that the pins fit all of them: make lock PYTHON=python3.11
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
${PYTHON:-python3} -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet pip-tools
# --build-deps-for adds the build backend, so that an editable install needs no build environment of its own.
pin() {
    "$work/venv/bin/pip-compile" --quiet --upgrade --generate-hashes --strip-extras --allow-unsafe --no-header \
        --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-emit-options --annotation-style line \
        --build-deps-for wheel "$@" pyproject.toml
}
pin --output-file requirements.lock
pin --extra dev --constraint requirements.lock --output-file requirements-dev.lock
