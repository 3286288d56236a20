# Set-up, tests and the main job. Needs Python 3.11 or newer, pip and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

export PIP_CONSTRAINT := $(CURDIR)/constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: demo test test-slow check format bench clean

demo: $(INSTALLED)  ## six embedders on the paper's three tasks, beside the paper's numbers
	$(BIN)/numprobe run demo

test: $(INSTALLED)  ## the default tests, with coverage
	$(BIN)/pytest --cov --cov-report=term:skip-covered

test-slow: $(INSTALLED)  ## the tests that train for minutes
	$(BIN)/pytest -m slow

check: $(INSTALLED)  ## style, types, and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict
	$(BIN)/lint-imports --no-logo

format: $(INSTALLED)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(INSTALLED)  ## ratios measured in one run
	$(BIN)/python benchmarks/start_up.py
	$(BIN)/python benchmarks/banks.py
	$(BIN)/python benchmarks/readers.py

$(INSTALLED): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --editable ".[dev]"
	@touch $@

clean:
	rm -rf $(VENV) .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
