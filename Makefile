# The two commands of the README, and the pieces they are made of. `make help` lists them.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
RUN    := $(BIN)/python

.DEFAULT_GOAL := help
.PHONY: help demo test lint types format test-export test-editor test-vscode extension extension-check docs bench clean

help: ## List the commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

# A stamp for each set of extras: nothing is installed twice, and a changed pyproject.toml installs again.
$(VENV)/.base: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { \
	  echo "pymeta-lsp needs Python 3.10 or newer; '$(PYTHON)' is older. Try: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --disable-pip-version-check --editable '.[cpu]'
	@touch $@

$(VENV)/.dev: $(VENV)/.base
	$(RUN) -m pip install --quiet --disable-pip-version-check --editable '.[cpu,bench,dev]'
	@touch $@

# On Linux PyPI's PyTorch is a CUDA build of several gigabytes; for the CPU build set
# PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu.
$(VENV)/.export: $(VENV)/.dev
	$(RUN) -m pip install --quiet --disable-pip-version-check 'torch==2.13.0'
	$(RUN) -m pip install --quiet --disable-pip-version-check --editable '.[cpu,bench,dev,export]'
	@touch $@

demo: $(VENV)/.base ## Set up, then diagnose the programs in examples/ through the real server
	$(RUN) examples/demo.py

test: $(VENV)/.dev ## Set up, then run the tests
	$(RUN) -m pytest -m "not export and not editor"

test-export: $(VENV)/.export ## Tests that train, export and check small models (installs PyTorch)
	$(RUN) -m pytest -m export

test-editor: $(VENV)/.dev ## Tests in real editors: Neovim, Emacs
	$(RUN) -m pytest -m editor

test-vscode: $(VENV)/.base extension ## Tests in the real Visual Studio Code, in a browser (Debian; installs it)
	bash editors/vscode/scripts/editor-tools.sh "$(abspath $(VENV))/editor-tools"
	mkdir -p "$(abspath $(VENV))/screenshots"  # how each test left the editor
	cd editors/vscode && PYMETA_EDITOR_TOOLS="$(abspath $(VENV))/editor-tools" PYMETA_PYTHON="$(abspath $(RUN))" \
	  PYMETA_SCREENSHOTS="$(abspath $(VENV))/screenshots" \
	  PYMETA_BARE_PYTHON="$$($(PYTHON) -c 'import sys; print(sys.executable)')" npm run --silent e2e

lint: $(VENV)/.dev ## ruff: lint and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev ## mypy
	$(BIN)/mypy

format: $(VENV)/.dev ## Mend what ruff can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

extension: ## Build editors/vscode/*.vsix
	cd editors/vscode && npm ci --no-audit --no-fund && npm run package

extension-check: extension ## Lint and test the extension
	cd editors/vscode && npm run lint && npm test

docs: $(VENV)/.base ## The documentation site, into site/
	$(RUN) -m pip install --quiet --disable-pip-version-check --editable '.[cpu,docs]'
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

bench: $(VENV)/.dev ## Latency of typing sessions, beside other servers
	$(BIN)/pymeta-bench latency --out runs/latency

clean: ## Remove what the commands above made
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache
