#!/bin/sh
# Writes the hash-pinned lock files from pyproject.toml (needs uv; names no download host).
set -eu
cd "$(dirname "$0")/.."
compile() {
    uv pip compile pyproject.toml "$@" --generate-hashes --no-emit-index-url --no-annotate \
        --no-header --universal --python-version 3.11 --quiet
}
compile --extra dev -o requirements/dev.txt
compile -c requirements/dev.txt -o requirements/runtime.txt
