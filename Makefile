# Everything a contributor runs. Each target sets up what it needs in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= auto

.PHONY: demo test check format docs bench browser accuracy edits repair-rate clean

demo: $(VENV)/.installed  ## check a shipped design, and write the report that its approver reads
	$(BIN)/designlint check examples/hawk-4096 --fail-on never
	@mkdir -p build
	$(BIN)/designlint report examples/hawk-4096 -o build/hawk-4096.html

test: $(VENV)/.installed  ## run all tests
	$(BIN)/python -m pytest -n $(JOBS)

check: $(VENV)/.installed  ## format, lint, sizes, types, layers, generated pages, rule examples, own examples
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/python -m tools.sizes
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m tools.docs --check
	$(BIN)/designlint test
	$(BIN)/designlint check examples --fail-on never > /dev/null

format: $(VENV)/.installed  ## rewrite the code in the house format
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format --quiet .

docs: $(VENV)/.installed  ## bring every generated file up to date
	$(BIN)/python -m tools.docs

browser: $(VENV)/.browser  ## open, filter, hear and print the reports in Chromium, which has to be installed
	$(BIN)/python -m pytest -m browser tests/browser

bench: $(VENV)/.installed  ## measure speed as ratios in one run
	$(BIN)/python -m tools.bench

repair-rate: $(VENV)/.installed  ## mend every design that a mutation broke, and say what is left
	$(BIN)/python -m tests.mutation.repair

accuracy: $(VENV)/.installed  ## compare predictions with published figures
	$(BIN)/python -m tools.accuracy

edits: $(VENV)/.installed  ## ten thousand random edits and the fixes of broken designs
	$(BIN)/python -m tests.random_edits 10000

clean:
	rm -rf $(VENV) .designlint build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

$(VENV)/.browser: $(VENV)/.installed
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[browser]'
	touch $@
