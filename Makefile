# Two commands for newcomers: `make run` and `make test`. Everything is installed into .venv, and only when
# pyproject.toml has changed.
SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VENV := .venv
PY := $(VENV)/bin/python
# The first interpreter that is new enough; `make PYTHON=/path/to/python run` chooses another.
PYTHON ?= $(shell for p in python3.11 python3; do \
  "$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { command -v "$$p"; break; }; done)
PIP_INSTALL := $(PY) -m pip install --quiet --disable-pip-version-check --editable
ARGS ?=
# Of the tests, some of which wait: one more than there are cores, up to four of these.
WORKERS = $(shell n=$$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2); [ "$$n" -gt 4 ] && n=4; echo $$((n + 1)))
# Some images turn compiled modules off, and then each of the many processes of the tests compiles everything anew.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help run procfile test clients check format bench bench-engine bench-text bench-cache bench-dialects clean

help: ## show this help
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(VENV)/.run ## set up, then serve the page and the gateway on http://127.0.0.1:8000 (ARGS="--port 9000")
	@exec $(PY) -m gateway serve $(ARGS)

procfile: $(VENV)/.dev ## the same with a Redis beside it, both from the Procfile
	@PATH="$(CURDIR)/$(VENV)/bin:$$PATH" exec $(PY) -m honcho start

test: check chromium ## format, lint, types, then every test
	$(PY) -m pytest -q -n $(WORKERS) --dist worksteal --ignore tests/page --ignore tests/agents
	$(PY) -m pytest -q -n 2 --dist worksteal tests/page # by themselves: they hear a loudspeaker

clients: $(VENV)/.agents ## the tests with a framework of voice agents, which is large to install
	$(PY) -m pytest -q tests/agents tests/clients

check: $(VENV)/.dev ## format, lint and types, without tests
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy

format: $(VENV)/.dev ## rewrite the sources in the project's format, mend what lint can
	$(PY) -m ruff format .
	$(PY) -m ruff check --fix .

bench: $(VENV)/.bench ## time to first audio, beside Piper's own server (ARGS="--quick")
	$(PY) -m bench.first_audio $(ARGS)

bench-engine: $(VENV)/.bench ## the engine beside Piper, wyoming-piper and streaming-vits, installed in .bench (ARGS="--quick")
	$(PY) -m bench.engine $(ARGS)

bench-text: $(VENV)/.bench ## what it takes to read a text, stage by stage (ARGS="--quick")
	$(PY) -m bench.text $(ARGS)

bench-cache: $(VENV)/.bench ## the phrase cache: first audio, hits, listeners, forms of storage (ARGS="--quick")
	$(PY) -m bench.cache $(ARGS)

bench-dialects: $(VENV)/.bench ## first sound over each dialect, beside the native protocol's (ARGS="--quick")
	$(PY) -m bench.dialects $(ARGS)

clean: ## remove .venv and everything that tools have written
	rm -rf $(VENV) .bench .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Stamps: each depends on pyproject.toml, so a second call installs nothing and needs no network.

$(PY):
	@test -n "$(PYTHON)" || { echo "Onset needs Python 3.11 or newer; none was found. Install python3.11, or name one:" \
	  "make PYTHON=/path/to/python3.11 ..." >&2; exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { echo "$(PYTHON) cannot make a virtual environment." \
	  "On Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	"$(PYTHON)" -m venv --clear $(VENV)

$(VENV)/.run: pyproject.toml $(PY)
	@echo "Installing into $(VENV); once, and again when pyproject.toml changes"
	@$(PIP_INSTALL) .
	@touch $@

$(VENV)/.dev: pyproject.toml $(PY)
	@echo "Installing into $(VENV); once, and again when pyproject.toml changes"
	@$(PIP_INSTALL) '.[dev]'
	@touch $(VENV)/.run $@

$(VENV)/.agents: $(VENV)/.dev
	@$(PIP_INSTALL) '.[dev,agents]'
	@touch $@

$(VENV)/.bench: pyproject.toml $(PY)
	@echo "Installing into $(VENV); once, and again when pyproject.toml changes"
	@$(PIP_INSTALL) '.[bench]'
	@touch $(VENV)/.run $@

.PHONY: chromium
chromium:
	@for name in chromium chromium-browser google-chrome google-chrome-stable; do \
	  command -v "$$name" >/dev/null 2>&1 && exit 0; done; \
	for folder in "$${PLAYWRIGHT_BROWSERS_PATH:-$$HOME/.cache/ms-playwright}"/chromium*; do \
	  test -d "$$folder" && exit 0; done; \
	echo "The tests of the page need a Chromium, and none was found. Install one, then run this again:" >&2; \
	echo "  apt-get install chromium                        (Debian and Ubuntu, as root)" >&2; \
	echo "  $(PY) -m playwright install chromium   (anywhere)" >&2; \
	exit 1
