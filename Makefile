# Every check has one definition here; hooks and .ci/run call these targets.
SHELL := /bin/bash
.ONESHELL:
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# the project itself, editable, with the kernel that setuptools-rust builds
INSTALL := -m pip install --quiet --no-deps --no-index --no-build-isolation --editable .
CARGO_KERNEL := --manifest-path models/kernel/Cargo.toml
KERNEL_SOURCES := $(shell find models/kernel \( -name target -o -name fuzz \) -prune -o -type f \( -name '*.rs' -o -name 'Cargo.*' \) -print)
# each process of the tests would compile all modules again, and rewrite the assertions
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  \1\t\2/' | expand -t 22

.PHONY: setup
setup: $(VENV)/.kernel ## the environment in .venv and the built kernel

$(VENV)/.requirements: requirements/dev.txt
	@bin/ensure-python "$(PYTHON)"
	test -x $(BIN)/python || "$(PYTHON)" -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --no-deps --require-hashes -r requirements/dev.txt
	touch $@

$(VENV)/.kernel: $(VENV)/.requirements pyproject.toml $(KERNEL_SOURCES)
	@command -v cargo >/dev/null || { echo "winnow needs cargo (Rust 1.85 or newer) to build its kernel: install rustup or Debian's cargo" >&2; exit 1; }
	PYTHONWARNINGS=ignore $(BIN)/python $(INSTALL)
	touch $@

.PHONY: demo
demo: setup ## the whole pipeline on the embedded broker, with the sample pages
	$(BIN)/winnow demo

.PHONY: services
BROKERS ?= 1
SERVICES_FOLDER ?= .services
services: setup ## Kafka and Redis on loopback (BROKERS=3; SECURED=--secured); prints what to export
	@$(BIN)/python -m tests.services --folder "$(SERVICES_FOLDER)" start --brokers $(BROKERS) $(SECURED)

.PHONY: services-stop
services-stop: ## stop Kafka and Redis, and delete their data
	@$(BIN)/python -m tests.services --folder "$(SERVICES_FOLDER)" stop

.PHONY: services-install
services-install: setup
	@$(BIN)/python -m tests.services install

.PHONY: messages
messages: setup ## generate docs/messages.md and docs/asyncapi.json from streams/schemas
	$(BIN)/python -m tests.messages

.PHONY: generated
generated: setup ## generate the tables of docs from the code: settings, commands, options
	$(BIN)/python -m docs.site.generated

.PHONY: pictures
pictures: setup ## capture winnow clean in a terminal (needs tmux) into docs/pictures
	$(BIN)/python -m tests.pictures

SITE_TOOLS := build/docs
SITE_PORT ?= 8000

.PHONY: docs
docs: site ## build the documentation and serve it on loopback (SITE_PORT)
	@echo "http://127.0.0.1:$(SITE_PORT)/ (stop it with Ctrl-C)"
	$(BIN)/python -m http.server --bind 127.0.0.1 --directory build/site $(SITE_PORT)

.PHONY: site
SITE ?= build/site
site: setup $(SITE_TOOLS)/.tools ## build the documentation into build/site, without a network
	packages=$$($(SITE_TOOLS)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
	NO_MKDOCS_2_WARNING=1 PYTHONPATH="$$packages" $(BIN)/python -m mkdocs build --strict --quiet --site-dir "$(SITE)"

$(SITE_TOOLS)/.tools: docs/site/requirements.txt
	test -x $(SITE_TOOLS)/bin/python || "$(PYTHON)" -m venv $(SITE_TOOLS)
	$(SITE_TOOLS)/bin/python -m pip install --quiet --no-deps --require-hashes -r $<
	touch $@

UNIT_TESTS := $(BIN)/python -m pytest tests/unit --numprocesses auto --dist worksteal
QUICK := not faults and not soak and not image and not cluster and not recipes and not adapters and not web
# most of the time these wait for servers and other processes
TEST_PROCESSES ?= 4

.PHONY: test
test: setup services-install chart-tools chromium $(SITE_TOOLS)/.tools ## all tests except the long ones (TEST_PROCESSES)
	$(UNIT_TESTS) -m "$(QUICK)"
	@services() { $(BIN)/python -m tests.services --folder "$(CURDIR)/.services-test" "$$@"; }
	trap 'services stop' EXIT
	variables=$$(services start)
	eval "$$variables"
	tests() { $(BIN)/python -m pytest --ignore tests/unit --kafka-bootstrap-servers "$$WINNOW_KAFKA_BOOTSTRAP" --redis-url "$$WINNOW_REDIS_URL" "$$@"; }
	tests --numprocesses $(TEST_PROCESSES) --dist loadgroup -m "$(QUICK) and not alone"
	tests -m "$(QUICK) and alone"

.PHONY: unit
unit: setup ## unit tests on all cores, without services, tools and development pages (UNIT=-k...)
	$(UNIT_TESTS) -q -m "not quality" $(UNIT)

.PHONY: kernel-fast
kernel-fast: $(VENV)/.requirements ## build the kernel with a quick profile, to edit and test; `make kernel` builds the real one again
	SETUPTOOLS_RUST_CARGO_PROFILE=quick PYTHONWARNINGS=ignore $(BIN)/python $(INSTALL)
	touch $(VENV)/.kernel

.PHONY: kernel
kernel: ## build the real kernel, after kernel-fast
	rm -f $(VENV)/.kernel
	$(MAKE) setup

.PHONY: chromium
chromium: ## install Debian's Chromium, for tests of the inspector
	@bin/ensure-chromium

WEB_TOOLS := build/web

.PHONY: test-web
test-web: setup chromium $(WEB_TOOLS)/.tools $(SITE_TOOLS)/.tools ## test inspector and documentation in Chromium, accessibility, and the API with schemathesis
	WEB_TOOLS="$(WEB_TOOLS)" $(BIN)/python -m pytest tests/web

SCREENSHOT_PAGES ?= ../shared/pages/dragnet.tar.zst

.PHONY: screenshots
screenshots: setup chromium ## draw the pictures of the documentation: inspector, explain, report (SCREENSHOT_PAGES: labelled pages)
	$(BIN)/python -m tests.web.screenshots "$(SCREENSHOT_PAGES)"

$(WEB_TOOLS)/.tools: tests/web/requirements.txt tests/web/package-lock.json
	test -x $(WEB_TOOLS)/bin/python || "$(PYTHON)" -m venv $(WEB_TOOLS)
	$(WEB_TOOLS)/bin/python -m pip install --quiet --no-deps --require-hashes -r tests/web/requirements.txt
	cp tests/web/package.json tests/web/package-lock.json $(WEB_TOOLS)
	npm ci --prefix $(WEB_TOOLS) --ignore-scripts --silent
	touch $@

PYTHONS ?= python3.12 python3.13

.PHONY: test-pythons
test-pythons: services-install ## test what depends on the Python version: unit tests, embedded broker, Redis, types (PYTHONS)
	for python in $(PYTHONS); do
	  venv=build/$${python##*/}
	  $(MAKE) setup VENV="$$venv" PYTHON="$$python"
	  "$$venv/bin/python" -m mypy --cache-dir "$$venv/mypy"
	  "$$venv/bin/python" -m pytest tests/unit tests/integration/processes tests/integration/embedded tests/integration/redis
	done

WHEEL_TOOLS := build/wheels/tools
WHEEL_ARCHITECTURES ?= x86_64 aarch64
WHEEL_PYTHONS ?= python3.11 python3.12 python3.13 python3.14

$(WHEEL_TOOLS)/.requirements: requirements/wheels.txt
	test -x $(WHEEL_TOOLS)/bin/python || "$(PYTHON)" -m venv $(WHEEL_TOOLS)
	$(WHEEL_TOOLS)/bin/python -m pip install --quiet --no-deps --require-hashes -r $<
	touch $@

.PHONY: wheels
wheels: $(WHEEL_TOOLS)/.requirements ## build wheels of the commit in build/dist, for manylinux 2.17, and try the wheel of this machine on each of WHEEL_PYTHONS
	rm -rf build/dist
	$(WHEEL_TOOLS)/bin/python -m deploy.wheels.build build/dist $(WHEEL_ARCHITECTURES)
	for wheel in build/dist/*.whl; do
	  case "$$wheel" in
	  *_$$(uname -m).whl) $(WHEEL_TOOLS)/bin/python -m deploy.wheels.trial "$$wheel" $(WHEEL_PYTHONS) ;;
	  *) echo "$$wheel: not tried on $$(uname -m)" ;;
	  esac
	done

.PHONY: release-check
RELEASE ?=
release-check: $(WHEEL_TOOLS)/.requirements chart-tools $(SITE_TOOLS)/.tools ## all that must hold before a version is tagged, with a table (RELEASE="--only docs")
	$(BIN)/python -m deploy.release --wheel-tools "$(CURDIR)/$(WHEEL_TOOLS)/bin/python" $(RELEASE)

build/recipes/.requirements: tests/recipes/requirements.txt
	"$(PYTHON)" -m venv build/recipes
	build/recipes/bin/python -m pip install --quiet --no-deps --require-hashes -r $<
	touch $@

.PHONY: test-recipes
test-recipes: setup services-install build/recipes/.requirements ## test docs/recipes.md with its programs: Scrapy, Kafka Connect
	$(BIN)/python -m pytest tests/recipes

.PHONY: chart-tools
chart-tools: setup ## build the tools for the quick part of deploy-test (cached outside the tree)
	PYTHON="$(PYTHON)" deploy/tools/tool build helm3 kubeconform promtool python

ADAPTERS := build/adapters

# the engines alone: all else, and the project with its kernel, comes from the environment of the project
$(ADAPTERS)/.requirements: requirements/adapters.txt
	"$(PYTHON)" -m venv --clear $(ADAPTERS)
	$(ADAPTERS)/bin/python -m pip install --quiet --no-deps --require-hashes -r $<
	packages='import sysconfig; print(sysconfig.get_path("purelib"))'
	echo "import site; site.addsitedir('$$($(BIN)/python -c "$$packages")')" \
	    > "$$($(ADAPTERS)/bin/python -c "$$packages")/winnow.pth"
	touch $@

.PHONY: test-adapters
test-adapters: setup $(ADAPTERS)/.requirements ## test Winnow on datatrove, Spark (needs Java 17 or newer), Ray and NeMo Curator, in a separate environment
	$(ADAPTERS)/bin/python -m pytest tests/adapters tests/unit/winnow/test_datatrove.py -m ""

.PHONY: test-faults
test-faults: setup services-install ## test every fault on a real Kafka and Redis, with a table at the end (FAULTS=-k...)
	$(BIN)/python -m pytest tests/faults $(FAULTS)

SOAK_MINUTES ?= 30

.PHONY: soak
soak: setup services-install ## run workers for SOAK_MINUTES: memory, descriptors, tasks and lag must not grow; drawing in build/soak.svg
	SOAK_MINUTES="$(SOAK_MINUTES)" $(BIN)/python -m pytest tests/soak -rP

.PHONY: deploy-tools
deploy-tools: chart-tools ## build all tools for tests of chart and image
	PYTHON="$(PYTHON)" deploy/tools/tool build helm4 helm-unittest kube-score manifests compose

.PHONY: deploy-test
deploy-test: deploy-tools services-install ## test chart, compose, alerts and image with every tool; skips nothing
	deploy/image/build programs
	DEPLOY_TOOLS=required $(BIN)/python -m pytest tests/deploy -m "not cluster"

.PHONY: cluster-test
cluster-test: deploy-tools ## test install, upgrade, rollback and uninstall on a real Kubernetes API server
	deploy/tools/tool build apiserver etcd
	DEPLOY_TOOLS=required $(BIN)/python -m pytest tests/deploy -m cluster

.PHONY: fmt
fmt: setup ## format everything
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix-only --quiet .
	cargo fmt $(CARGO_KERNEL) --all

.PHONY: fmt-check
fmt-check: setup ## formatters in check mode
	$(BIN)/ruff format --check .
	cargo fmt $(CARGO_KERNEL) --all --check

.PHONY: lint
lint: setup ## ruff, plain words, import contract, clippy
	$(BIN)/ruff check .
	$(BIN)/python -m tests.plain_words
	# grimp follows no links to folders: it reads a tree of links to files
	rm -rf build/imports
	mkdir -p build/imports
	cp --recursive --dereference --symbolic-link "$(CURDIR)/winnow" build/imports/winnow
	(cd build/imports && "$(CURDIR)/$(BIN)/lint-imports" --config "$(CURDIR)/pyproject.toml")
	cargo clippy $(CARGO_KERNEL) --workspace --locked --all-targets --features python --quiet -- -D warnings

.PHONY: type
type: setup ## mypy strict and stubtest
	$(BIN)/python -m mypy
	$(BIN)/python -m mypy.stubtest winnow.models._kernel

.PHONY: cargo-test
cargo-test: ## test the kernel and its parser, without Python
	cargo test $(CARGO_KERNEL) --workspace --locked --quiet >/dev/null

OLDEST_CARGO ?= cargo +1.85

.PHONY: oldest-rust
oldest-rust: ## compile the kernel and its tests with the oldest Rust that is promised (OLDEST_CARGO)
	$(OLDEST_CARGO) --version | grep --fixed-strings "cargo $$(sed -n 's/^rust-version = "\(.*\)"/\1/p' models/kernel/Cargo.toml)."
	$(OLDEST_CARGO) check $(CARGO_KERNEL) --workspace --locked --all-targets --features python

FUZZ_SECONDS ?= 300
FUZZ_SEED ?= 1

.PHONY: fuzz-kernel
fuzz-kernel: ## build the fuzz targets of the kernel
	@bin/ensure-cxx
	"$(PYTHON)" -m tests.fuzz.kernel

.PHONY: fuzz
fuzz: setup ## fuzz every reader of untrusted bytes, with a table at the end (FUZZ_SECONDS for each, FUZZ_SEED, FUZZ=--sanitizer)
	@bin/ensure-cxx
	$(BIN)/python -m tests.fuzz --seconds $(FUZZ_SECONDS) --seed $(FUZZ_SEED) $(FUZZ)

.PHONY: fuzz-short
fuzz-short: fuzz-kernel setup ## fuzz for some seconds, and run every input that once failed
	$(BIN)/python -m tests.fuzz --seconds 5

.PHONY: hostile
hostile: setup ## clean hostile pages of every construct up to 7 MB, with a table of the worst; about 25 minutes of CPU (HOSTILE=--every 40)
	$(BIN)/python -m tests.growth $(HOSTILE)

.PHONY: advisories
advisories: ## list known vulnerabilities of the shipped packages, if a database is reachable
	@bin/advisories

.PHONY: supply-chain
supply-chain: setup advisories ## check licences, pins and bill of materials (part of `test`), and advisories
	$(BIN)/python -m pytest tests/supply_chain

.PHONY: instructions
instructions: setup ## compare the kernel's instructions by stage with the committed table (INSTRUCTIONS=--write writes a new one)
	@bin/ensure-valgrind
	$(BIN)/python -m bench.speed.instructions $(INSTRUCTIONS)

.PHONY: check
check: ## run the same checks as CI
	@bin/ensure-cxx # before others install at the same time
	# the two long builds use one core each
	$(MAKE) fuzz-kernel cargo-test &
	trap 'kill $$! 2>/dev/null || true' EXIT
	$(MAKE) fmt-check lint type
	wait $$!
	$(MAKE) advisories fuzz-short instructions test

QUALITY_CACHE ?= $(HOME)/.cache/winnow-quality
# labelled by rule, or selected with the results of other tools: these do not rank tools
BY_RULE := containers jsonld recipes
QUALITY_PAGES ?= $(filter-out $(BY_RULE:%=../shared/pages/%.tar.zst),$(wildcard ../shared/pages/*.tar.zst))
QUALITY_BY_RULE ?= $(BY_RULE:%=../shared/pages/%.tar.zst)
SIGNAL_PAGES ?= ../shared/pages/wcxb.tar.zst
QUALITY_ENGINES ?= hybrid hybrid:training=open contrast web2text perplexity everything

.PHONY: peers-tools
peers-tools: setup
	test -x "$(QUALITY_CACHE)/peers/bin/python" || "$(PYTHON)" -m venv "$(QUALITY_CACHE)/peers"
	"$(QUALITY_CACHE)/peers/bin/python" -m pip install --quiet --no-deps --require-hashes -r lab/measure/peers/peers.txt
	cargo build --manifest-path lab/measure/peers/rs/Cargo.toml --target-dir "$(QUALITY_CACHE)/rs" --release --locked --quiet

.PHONY: quality-peers
quality-peers: peers-tools ## run other tools on the development pages, in a separate environment
	$(BIN)/python -m winnow.lab.measure.peers.pages "$(QUALITY_CACHE)" $(QUALITY_PAGES)
	nice -n 15 "$(QUALITY_CACHE)/peers/bin/python" -m winnow.lab.measure.peers "$(QUALITY_CACHE)" --rs "$(QUALITY_CACHE)/rs/release/rs-trafilatura-worker"

.PHONY: quality-signals
quality-signals: setup ## compare quality signals with datatrove, in a separate environment; their cost; near copies
	test -x "$(QUALITY_CACHE)/datatrove/bin/python" || "$(PYTHON)" -m venv "$(QUALITY_CACHE)/datatrove"
	"$(QUALITY_CACHE)/datatrove/bin/python" -m pip install --quiet --no-deps --require-hashes -r lab/measure/peers/datatrove.txt
	$(BIN)/python -m winnow.lab.measure.signals "$(QUALITY_CACHE)/datatrove/bin/python" "$(SIGNAL_PAGES)"
	$(BIN)/python -m winnow.lab.measure.near_copies $(QUALITY_PAGES)

MARKDOWN_OUT ?= build/markdown

INTEGRITY_PAGES ?= $(QUALITY_PAGES)
INTEGRITY_LIMIT ?= 60

.PHONY: integrity
integrity: setup ## count tables with holes, cut lists and other broken units per 1,000 documents, on INTEGRITY_PAGES; needs no gold
	$(BIN)/python -m winnow.lab.measure.integrity $(INTEGRITY_PAGES) --limit $(INTEGRITY_LIMIT)

.PHONY: integrity-left-out
integrity-left-out: train-tools ## the same, and word F1, on sites that training did not see; the first run trains each of THIRDS
	mkdir -p "$(QUALITY_CACHE)/thirds"
	for third in $(THIRDS); do
	    test -e "$(QUALITY_CACHE)/thirds/$$third.bin" || nice -n 15 "$(QUALITY_CACHE)/train/bin/python" -m winnow.lab.train.hybrid $(HYBRID_PAGES) --fold "$$third" --folds 3 --out "$(QUALITY_CACHE)/thirds/$$third.bin"
	done
	$(BIN)/python -m winnow.lab.measure.unseen $(HYBRID_PAGES) "$(QUALITY_CACHE)/thirds"

.PHONY: markdown-pages
markdown-pages: setup chromium ## draw ten development pages next to their rendered Markdown, in build/markdown; figures of tables and code
	$(BIN)/python -m winnow.lab.report.markdown_pages $(MARKDOWN_OUT) ../shared/pages --screenshots chromium-headless-shell
	$(BIN)/python -m winnow.lab.measure.structure $(QUALITY_PAGES)

.PHONY: bench-kernel
bench-kernel: setup ## measure the cost of a page in units of a bare parse, of sentences, training and the model file
	$(BIN)/python -m bench.speed.kernel $(BENCH_ARGS)

.PHONY: bench-trees
bench-trees: setup ## compare texts and cost of this tree with another checkout with a built kernel (OLD=path)
	$(BIN)/python -m bench.speed.trees "$(OLD)" $(BENCH_ARGS)

.PHONY: bench-peers
bench-peers: peers-tools ## measure cost and accuracy of the engines and of other tools on the same pages: bench/RESULTS-peers.md, docs/compare.md
	$(BIN)/python -m bench.speed.peers "$(QUALITY_CACHE)/peers/bin/python" "$(QUALITY_CACHE)/rs/release/rs-trafilatura-worker" $(BENCH_ARGS)

# the training of training=open has no page of these sets
COMPARED := $(addprefix ../shared/pages/,$(addsuffix .tar.zst,cleaneval daniel dragnet page-signal fundus fundus-eval harvest jocmp leogao newspaper4k postlight turing))

COMPARED_TOOLS := resiliparse turbohtml html-to-markdown inscriptis justext boilerpy3 readability-lxml trafilatura trafilatura-no-comments rs-trafilatura

.PHONY: compare
compare: peers-tools ## write the tables of docs/compare.md and of the README: quality, whole things, memory, size (ten minutes)
	$(BIN)/python -m winnow.lab.measure.peers.pages "$(QUALITY_CACHE)/compare" $(COMPARED) --split test
	nice -n 15 "$(QUALITY_CACHE)/peers/bin/python" -m winnow.lab.measure.peers "$(QUALITY_CACHE)/compare" --rs "$(QUALITY_CACHE)/rs/release/rs-trafilatura-worker" $(addprefix --tool ,$(COMPARED_TOOLS))
	$(BIN)/winnow evaluate $(COMPARED) --split test --engine hybrid:training=open --engine everything --against "$(QUALITY_CACHE)/compare/outputs" --json | $(BIN)/python -m bench.compare.quality
	$(BIN)/python -m bench.compare.integrity "$(QUALITY_CACHE)/compare/outputs" $(COMPARED)
	$(BIN)/python -m bench.compare.footprint "$(QUALITY_CACHE)/peers/bin/python" "$(QUALITY_CACHE)/rs/release/rs-trafilatura-worker" "$(QUALITY_CACHE)/compare/pages/dragnet.jsonl"
	$(BIN)/python -m docs.site.generated

.PHONY: bench-stream
bench-stream: setup services-install ## compare the cost of the stream with bare client loops, on a real Kafka
	@services() { $(BIN)/python -m tests.services --folder "$(CURDIR)/.services-bench" "$$@"; }
	trap 'services stop' EXIT
	variables=$$(services start)
	eval "$$variables"
	$(BIN)/python -m bench.speed.stream $(BENCH_ARGS)
	$(BIN)/python -m bench.speed.stream_parts $(filter --write,$(BENCH_ARGS))

.PHONY: bench-cache
bench-cache: setup services-install ## measure the cost of a second pass over unchanged pages, on a real Kafka and Redis
	@services() { $(BIN)/python -m tests.services --folder "$(CURDIR)/.services-bench" "$$@"; }
	trap 'services stop' EXIT
	variables=$$(services start)
	eval "$$variables"
	$(BIN)/python -m bench.speed.cache $(BENCH_ARGS)

.PHONY: bench-archives
bench-archives: setup ## measure the cost of archives around the cleaner, memory, datatrove's other extractors, sizing
	test -x "$(QUALITY_CACHE)/peers/bin/python" || "$(PYTHON)" -m venv "$(QUALITY_CACHE)/peers"
	"$(QUALITY_CACHE)/peers/bin/python" -m pip install --quiet --no-deps --require-hashes -r lab/measure/peers/peers.txt
	packages=$$("$(QUALITY_CACHE)/peers/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
	BENCH_PACKAGES="$$packages" $(BIN)/python -m bench.speed.archives $(BENCH_ARGS)

.PHONY: bench-growth
bench-growth: setup services-install ## measure the growth of cost with pages, blocks, batches, hosts, models, processes, partitions: exponents of fits
	$(BIN)/python -m bench.speed.growth $(BENCH_ARGS)
	@services() { $(BIN)/python -m tests.services --folder "$(CURDIR)/.services-bench" "$$@"; }
	trap 'services stop' EXIT
	variables=$$(services start)
	eval "$$variables"
	$(BIN)/python -m bench.speed.partitions $(filter --write,$(BENCH_ARGS))

CAPACITY_TOOLS := build/capacity

$(CAPACITY_TOOLS)/.requirements: bench/capacity/requirements.txt
	test -x $(CAPACITY_TOOLS)/bin/python || "$(PYTHON)" -m venv $(CAPACITY_TOOLS)
	$(CAPACITY_TOOLS)/bin/python -m pip install --quiet --no-deps --require-hashes -r $<
	touch $@

.PHONY: capacity
capacity: setup ## write docs/capacity.md: cores, partitions, memory and bandwidth by rate, from measured costs
	$(BIN)/python -m bench.capacity.model $(CAPACITY_ARGS)

.PHONY: capacity-simulation
capacity-simulation: setup $(CAPACITY_TOOLS)/.requirements ## write docs/capacity.md: scaling rules on simulated days, with drawings (ten minutes)
	packages=$$($(CAPACITY_TOOLS)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
	PYTHONPATH="$$packages" $(BIN)/python -m bench.capacity.compare

.PHONY: capacity-measure
capacity-measure: setup services-install ## measure the inputs of both on a real Kafka and Redis: costs of a page, starts and rebalances
	@services() { $(BIN)/python -m tests.services --folder "$(CURDIR)/.services-bench" "$$@"; }
	trap 'services stop' EXIT
	variables=$$(services start)
	eval "$$variables"
	$(BIN)/python -m bench.capacity.costs --logs .services-bench
	$(BIN)/python -m bench.capacity.rebalances

.PHONY: capacity-all
capacity-all: ## measure all figures of docs/capacity.md, and write them (an hour on an idle machine)
	failed=0
	for part in capacity-measure capacity capacity-simulation bench-growth bench-stream; do
	    $(MAKE) $$part BENCH_ARGS=--write || failed=1
	done
	exit $$failed

.PHONY: test-capacity
test-capacity: setup $(CAPACITY_TOOLS)/.requirements ## test the simulation, in the environment with its package
	packages=$$($(CAPACITY_TOOLS)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
	PYTHONPATH="$$packages" $(BIN)/python -m pytest tests/capacity

.PHONY: bench
bench: bench-kernel bench-stream bench-cache ## run all speed measurements, one after another

LEFT_OUT ?= cleaneval daniel dragnet page-signal wcxb

# one thread: a fixed order of sums in matrix products
quality-left-out quality-seeds integrity-left-out train-hybrid train-confidence test-training: export OPENBLAS_NUM_THREADS := 1

.PHONY: quality-left-out
quality-left-out: train-tools ## F of the hybrid engine on sets outside of its training, one line per set of LEFT_OUT, and on a third of all sites
	nice -n 15 "$(QUALITY_CACHE)/train/bin/python" -m winnow.lab.train.hybrid $(HYBRID_PAGES) $(addprefix --leave-out ,$(LEFT_OUT)) --fold 0 --folds 3

SEEDS ?= 0 1 2
THIRDS ?= 0 1 2

.PHONY: quality-seeds
quality-seeds: train-tools ## F of the hybrid engine on THIRDS of all sites left out in turn, trained with each of SEEDS: mean, min and max (ten minutes per training)
	mkdir -p build/seeds
	for seed in $(SEEDS); do
	    for third in $(THIRDS); do
	        nice -n 15 "$(QUALITY_CACHE)/train/bin/python" -m winnow.lab.train.hybrid $(HYBRID_PAGES) --fold "$$third" --folds 3 --seed "$$seed"
	    done > "build/seeds/$$seed.jsonl"
	done
	$(BIN)/python -m winnow.lab.train.hybrid.spread $(SEEDS:%=build/seeds/%.jsonl)

.PHONY: train-tools
train-tools: setup
	test -x "$(QUALITY_CACHE)/train/bin/python" || "$(PYTHON)" -m venv "$(QUALITY_CACHE)/train"
	"$(QUALITY_CACHE)/train/bin/python" -m pip install --quiet --no-deps --require-hashes -r requirements/runtime.txt
	"$(QUALITY_CACHE)/train/bin/python" -m pip install --quiet --no-deps --require-hashes -r lab/train/hybrid/requirements.txt

.PHONY: test-training
test-training: train-tools ## test the training, in the environment with its packages
	packages=$$("$(QUALITY_CACHE)/train/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
	PYTHONPATH="$$packages" $(BIN)/python -m pytest tests/training

.PHONY: quality
quality: quality-peers quality-left-out ## evaluate engines and other tools on the development pages and left-out sets: tables, report, the full gate
	mkdir -p build
	$(BIN)/winnow evaluate $(QUALITY_PAGES) --split test $(addprefix --engine ,$(QUALITY_ENGINES)) --against "$(QUALITY_CACHE)/outputs" --sweep perplexity.threshold=500,1000,2000,4000,8000,16000,32000 --report build/quality.html
	$(BIN)/winnow evaluate $(QUALITY_BY_RULE) --split test $(addprefix --engine ,$(QUALITY_ENGINES)) --report build/quality-by-rule.html
	$(BIN)/python -m winnow.lab.measure.integrity $(QUALITY_PAGES) --limit $(INTEGRITY_LIMIT)
	$(BIN)/python -m winnow.lab.gate full
	$(BIN)/python -m tests.trees

.PHONY: quality-web2text
quality-web2text: quality-peers ## compare Web2Text on both published splits with BTE, Boilerpipe and keeping everything
	for split in cleaneval web2text; do
	  $(BIN)/winnow web2text evaluate --split $$split --against "$(QUALITY_CACHE)/outputs/cleaneval/boilerpy3.jsonl"
	done

DOWNSTREAM_OUT ?= build/downstream
# here the tools of the third paper run in more configurations than for make quality
DOWNSTREAM_PEERS := $(QUALITY_CACHE)/downstream-peers
LUCENE_JARS := $(HOME)/.cache/winnow/lucene

.PHONY: downstream-tools
downstream-tools: peers-tools
	@command -v javac mvn >/dev/null || { apt-get update -qq && apt-get install -qq -y --no-install-recommends default-jdk-headless maven; }
	test -x "$(QUALITY_CACHE)/downstream/bin/python" || "$(PYTHON)" -m venv "$(QUALITY_CACHE)/downstream"
	for lock in requirements/runtime.txt lab/downstream/requirements.txt lab/downstream/encoder.txt; do
	  "$(QUALITY_CACHE)/downstream/bin/python" -m pip install --quiet --no-deps --require-hashes -r "$$lock"
	done
	mvn -q -B -f lab/downstream/lucene/pom.xml org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory="$(LUCENE_JARS)"
	(cd "$(LUCENE_JARS)" && sha256sum --check --quiet "$(CURDIR)/lab/downstream/lucene/jars.sha256")

.PHONY: downstream-peers
downstream-peers: peers-tools
	$(BIN)/python -m winnow.lab.measure.peers.pages "$(DOWNSTREAM_PEERS)" ../shared/pages/cleaneval.tar.zst ../shared/pages/daniel.tar.zst
	nice -n 10 "$(QUALITY_CACHE)/peers/bin/python" -m winnow.lab.measure.peers "$(DOWNSTREAM_PEERS)" --all --rs "$(QUALITY_CACHE)/rs/release/rs-trafilatura-worker"

# one thread: a fixed order of sums
.PHONY: downstream
downstream: export OPENBLAS_NUM_THREADS := 1
downstream: downstream-tools downstream-peers ## measure effects of cleaning on search, classification and energy: docs/downstream.md and a report in build/downstream
	python="$(QUALITY_CACHE)/downstream/bin/python"
	nice -n 10 "$$python" -m winnow.lab.downstream.cleaning ../shared/pages/cleaneval.tar.zst ../shared/corpus/en --against "$(DOWNSTREAM_PEERS)/outputs" --out $(DOWNSTREAM_OUT)
	nice -n 10 "$$python" -m winnow.lab.downstream.tools ../shared/pages/daniel.tar.zst --against "$(DOWNSTREAM_PEERS)/outputs" --out $(DOWNSTREAM_OUT)
	nice -n 10 "$$python" -m winnow.lab.downstream.classification ../shared/webkb/webkb.tar.zst --out $(DOWNSTREAM_OUT)
	nice -n 10 "$$python" -m winnow.lab.downstream.search $(QUALITY_PAGES) --jars "$(LUCENE_JARS)" --out $(DOWNSTREAM_OUT)
	nice -n 10 "$$python" -m winnow.lab.downstream.energy $(QUALITY_PAGES) --search $(DOWNSTREAM_OUT)/search --out $(DOWNSTREAM_OUT)
	"$$python" -m winnow.lab.downstream.report $(DOWNSTREAM_OUT) --page docs/downstream.md

CORPUS ?= ../shared/corpus
MODELS ?= build/models

.PHONY: models
models: setup ## build the language models again, byte for byte (CORPUS, MODELS, LANGUAGES=da nb), and print what the shipped ones know
	nice -n 15 $(BIN)/python -m winnow.lab.train.language $(CORPUS) $(MODELS) $(LANGUAGES)
	nice -n 15 $(BIN)/python -m winnow.lab.train.language.table $(foreach set,daniel fundus containers,$(HYBRID_PAGES)/$(set).tar.zst)

HYBRID_PAGES ?= ../shared/pages
HYBRID_OUT ?= models/data

CONTRAST_PAGES ?= ../shared/pages/wcxb.tar.zst
CONTRAST_OUT ?= models/data

.PHONY: train-contrast
train-contrast: setup ## count the boilerplate model of the contrast engine
	$(BIN)/python -m winnow.lab.train.contrast train $(CONTRAST_PAGES) -o $(CONTRAST_OUT)/boilerplate.winnow

WEB2TEXT_PAGES ?= ../shared/pages/wcxb.tar.zst
WEB2TEXT_OUT ?= models/data

.PHONY: train-web2text
train-web2text: export OPENBLAS_NUM_THREADS := 1
train-web2text: setup ## train the web2text engine
	$(BIN)/winnow web2text train $(WEB2TEXT_PAGES) -o $(WEB2TEXT_OUT)/web2text.weights

.PHONY: train-hybrid
train-hybrid: train-tools ## train the hybrid engine on the development pages, in a separate environment
	nice -n 15 "$(QUALITY_CACHE)/train/bin/python" -m winnow.lab.train.hybrid $(HYBRID_PAGES) --out $(HYBRID_OUT)/hybrid.bin
	nice -n 15 "$(QUALITY_CACHE)/train/bin/python" -m winnow.lab.train.hybrid $(HYBRID_PAGES) --only wcxb --copies --seed 2 --out $(HYBRID_OUT)/hybrid-wcxb.bin

.PHONY: train-confidence
train-confidence: train-tools ## fit the confidence of the hybrid engine, after its parameters
	mkdir -p build
	nice -n 15 "$(QUALITY_CACHE)/train/bin/python" -m winnow.lab.train.hybrid.confidence $(HYBRID_PAGES) --trees 60 --out $(HYBRID_OUT)/hybrid-confidence.bin --report build/confidence.html --figure docs/confidence.svg
	nice -n 15 "$(QUALITY_CACHE)/train/bin/python" -m winnow.lab.train.hybrid.confidence $(HYBRID_PAGES) --trees 60 --only wcxb --copies --out $(HYBRID_OUT)/hybrid-wcxb-confidence.bin
