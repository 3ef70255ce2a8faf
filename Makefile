# Every check has one definition here; hooks and .ci/run call these targets.
SHELL := /bin/bash
.ONESHELL:
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CARGO_KERNEL := --manifest-path models/kernel/Cargo.toml
KERNEL_SOURCES := $(shell find models/kernel -name target -prune -o -type f \( -name '*.rs' -o -name 'Cargo.*' \) -print)
DEPLOY_TOOLS := helm3 helm4 helm-unittest kubeconform kube-score promtool python
export PYTHONDONTWRITEBYTECODE := 1

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  \1\t\2/' | expand -t 22

.PHONY: setup
setup: $(VENV)/.kernel ## the environment in .venv and the built kernel

$(VENV)/.requirements: requirements/dev.txt
	@bin/ensure-python "$(PYTHON)"
	test -x $(BIN)/python || "$(PYTHON)" -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements/dev.txt
	touch $@

$(VENV)/.kernel: $(VENV)/.requirements pyproject.toml $(KERNEL_SOURCES)
	@command -v cargo >/dev/null || { echo "winnow needs cargo (Rust 1.85 or newer) to build its kernel: install rustup or Debian's cargo" >&2; exit 1; }
	VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/maturin develop --release --locked --quiet >/dev/null
	touch $@

.PHONY: demo
demo: setup ## the main job on the embedded broker, with the sample pages
	$(BIN)/winnow demo

.PHONY: test
test: setup ## all tests but the long ones
	$(BIN)/python -m pytest -m "not faults"

.PHONY: deploy-tools
deploy-tools: ## build the tools that test chart and image (cached outside the tree)
	deploy/tools/tool build $(DEPLOY_TOOLS)

.PHONY: deploy-test
deploy-test: setup deploy-tools ## chart, compose, alerts and image, with every tool; skips nothing
	DEPLOY_TOOLS=required $(BIN)/python -m pytest tests/deploy

.PHONY: fmt
fmt: setup ## format everything
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix-only --quiet .
	cargo fmt $(CARGO_KERNEL)

.PHONY: fmt-check
fmt-check: setup ## formatters in check mode
	$(BIN)/ruff format --check .
	cargo fmt $(CARGO_KERNEL) --check

.PHONY: lint
lint: setup ## ruff, import contract, clippy
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	cargo clippy $(CARGO_KERNEL) --locked --all-targets --features python --quiet -- -D warnings

.PHONY: type
type: setup ## mypy strict and stubtest
	$(BIN)/python -m mypy
	$(BIN)/python -m mypy.stubtest models._kernel

.PHONY: cargo-test
cargo-test: ## the kernel's own tests, without Python
	cargo test $(CARGO_KERNEL) --locked --quiet >/dev/null

.PHONY: check
check: fmt-check lint type cargo-test test ## exactly what CI runs
