# Everything a contributor runs. Each target sets up what it needs in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= auto
# Where it is set, each of the processes that checks and tests start would compile the whole program anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo demo-fleet test check format docs site bench browser accuracy calibrate faults edits repair-rate clean

demo: $(VENV)/.installed  ## check a shipped design, and write the report that its approver reads
	$(BIN)/designlint check examples/hawk-4096 --fail-on never
	@mkdir -p build
	$(BIN)/designlint report examples/hawk-4096 -o build/hawk-4096.html

FLEET ?= 10000
demo-fleet: $(VENV)/.installed  ## load generated designs into a Virtuoso, which has to be installed, and ask about all of them
	$(BIN)/python -m tools.fleet $(FLEET)

test: $(VENV)/.installed  ## run all tests
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal

.PHONY: lint types layers pages rules examples
check: lint types layers pages examples  ## all of the following; `make -j2 check` does two at a time

lint: $(VENV)/.installed  ## format, style, sizes of files
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/python -m tools.sizes

types: $(VENV)/.installed  ## what the types say
	$(BIN)/mypy

layers: $(VENV)/.installed  ## which room may use which
	$(BIN)/lint-imports --no-logo

pages: $(VENV)/.installed  ## whether generated files are up to date
	$(BIN)/python -m tools.docs --check

rules: $(VENV)/.installed  ## the examples of every rule, which `make test` runs too
	$(BIN)/designlint test

examples: $(VENV)/.installed  ## the shipped designs
	$(BIN)/designlint check examples --fail-on never > /dev/null

format: $(VENV)/.installed  ## rewrite the code in the house format
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format --quiet .

docs: $(VENV)/.installed  ## bring every generated file up to date
	$(BIN)/python -m tools.docs

site: $(VENV)/.site  ## write the documentation, every rule's page included, as a site into build/site
	$(BIN)/python -m tools.site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo "to read it: $(BIN)/python -m http.server -d build/site"

browser: $(VENV)/.browser  ## open, filter, hear and print the reports in Chromium, which has to be installed
	$(BIN)/python -m pytest -m browser -n $(JOBS) tests/browser

.PHONY: counterparts
counterparts: $(VENV)/.installed  ## let ibsim, opensm, ibnetdiscover and Slurm judge what is exported; they have to be installed
	$(BIN)/python -m pytest -m counterparts tests/counterparts

bench: $(VENV)/.installed  ## measure speed as ratios in one run
	$(BIN)/python -m tools.bench

repair-rate: $(VENV)/.installed  ## mend every design that a mutation broke, and say what is left
	$(BIN)/python -m tests.mutation.repair

STEPS ?= tests/corpus/step_times.csv
calibrate: $(VENV)/.installed  ## fit the constants of the step-time model on measured steps
	$(BIN)/python -m tools.calibrate $(STEPS)

accuracy: $(VENV)/.installed  ## compare predictions with published figures
	$(BIN)/python -m tools.accuracy

faults: $(VENV)/.installed  ## change each value of each example and say which slips are noticed
	$(BIN)/python -m tools.accuracy.faults
	$(BIN)/python -m tools.accuracy.swaps
	$(BIN)/python -m tools.accuracy > /dev/null

edits: $(VENV)/.installed  ## ten thousand random edits and the fixes of broken designs
	$(BIN)/python -m tests.random_edits 10000

clean:
	rm -rf $(VENV) .designlint build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

# The scripts that an older pip writes import `re`, which takes nearly as long as Python's own start.
$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	@-$(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/pip install --quiet --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

$(VENV)/.site: $(VENV)/.installed
	$(BIN)/pip install --quiet --quiet --disable-pip-version-check --editable '.[docs]'
	touch $@

$(VENV)/.browser: $(VENV)/.installed
	$(BIN)/pip install --quiet --quiet --disable-pip-version-check --editable '.[browser]'
	touch $@
