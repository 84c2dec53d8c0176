# Two commands do all the set-up:
#   make run     installs what is needed into .venv and runs the bundled labs to results/report/
#   make test    installs what is needed and runs the tests
# Others: make lint (all checks CI runs), make lock (renew the locks), make names (compare import names with pipreqs), make clean
# Variables: CORES=2, VENV=.venv (conda users: VENV="$CONDA_PREFIX"), PYTHON=python3.12, ARGS="…" (for snakemake or pytest)

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
VENV ?= .venv
CORES ?= 2
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { command -v $$p; break; }; done)
ARGS ?=
BIN := $(abspath $(VENV))/bin
WITH_PATH := PATH="$(BIN):$$PATH"

.PHONY: run test lint performance lock names clean
.DEFAULT_GOAL := run

run: $(VENV)/.labagent-run
	$(WITH_PATH) snakemake --cores $(CORES) $(ARGS)

test: $(VENV)/.labagent-dev
	$(WITH_PATH) python -m pytest $(ARGS)

performance: $(VENV)/.labagent-dev
	$(WITH_PATH) python -m pytest tests/performance -n 0 -s $(ARGS)

lint: $(VENV)/.labagent-dev
	$(WITH_PATH) .ci/check

lock: $(VENV)/.labagent-dev
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		--extra build --extra dev pyproject.toml -o requirements-dev.lock
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		--extra build -c requirements-dev.lock pyproject.toml -o requirements.lock

names: $(VENV)/.labagent-dev
	@place=$$(mktemp -d) && trap 'rm -rf "$$place"' EXIT && $(BIN)/uv pip install --quiet --no-deps --target "$$place" pipreqs \
		&& $(BIN)/python -m labagent.memory.renew "$$place/pipreqs/mapping"

clean:
	rm -rf results .snakemake .labagent

# $(1): lock file. uv when it is there, else venv and pip; both check the lock's hashes.
define install
	@[[ -n "$(PYTHON)" ]] || { echo "labagent needs Python 3.11 or newer: install one, or name it: make PYTHON=…" >&2; exit 1; }
	@echo "installing into $(VENV) …"
	@if command -v uv >/dev/null; then \
		[[ -x "$(BIN)/python" ]] || uv venv --quiet --python "$(PYTHON)" "$(VENV)"; \
		uv pip install --quiet --python "$(BIN)/python" --require-hashes -r $(1); \
		uv pip install --quiet --python "$(BIN)/python" --no-deps --no-build-isolation -e .; \
	else \
		[[ -x "$(BIN)/python" ]] || "$(PYTHON)" -m venv "$(VENV)"; \
		"$(BIN)/python" -m pip install --quiet --disable-pip-version-check --require-hashes -r $(1); \
		"$(BIN)/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .; \
	fi
endef

$(VENV)/.labagent-run: requirements.lock pyproject.toml
	$(call install,requirements.lock)
	@touch $@

$(VENV)/.labagent-dev: requirements-dev.lock pyproject.toml
	$(call install,requirements-dev.lock)
	@touch $@ $(VENV)/.labagent-run
