# Set-up, tests and the main job. Needs Python 3.11 or newer, pip and make.
PYTHON ?= python3
VENV := .venv
STORE ?= numprobe-results
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

export PIP_CONSTRAINT := $(CURDIR)/constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: demo reproduce publish test test-slow test-crashes fuzz check format bench bench-growth bench-table4 bench-reference clean

demo: $(INSTALLED)  ## eight embedders on the paper's three tasks, beside the paper's numbers
	$(BIN)/numprobe run demo

reproduce: $(INSTALLED)  ## every synthetic table of the paper and its figure of predictions (hours)
	$(BIN)/numprobe reproduce all --store $(STORE)

publish: $(INSTALLED)  ## the results of reproduce as those that come with numprobe
	$(BIN)/python -c "from numprobe import Store; from numprobe.experiments.archive import publish; print(publish(Store('$(STORE)')))"

test: $(INSTALLED)  ## the default tests, with coverage
	$(BIN)/pytest --cov --cov-report=term:skip-covered

test-slow: $(INSTALLED)  ## the tests that train for minutes
	$(BIN)/pytest -m slow --ignore tests/test_crashes.py

test-crashes: $(INSTALLED)  ## a hundred killed runs, four at once, a Ray cluster that loses workers (half an hour)
	$(BIN)/pytest -s -m "slow or not slow" tests/test_crashes.py tests/experiments/test_cluster.py

fuzz: $(INSTALLED)  ## 10,000 spoilt files for each reader, in bounded memory (ten minutes or so)
	$(BIN)/python -m tests.fuzzing --inputs 10000

check: $(INSTALLED)  ## style, types, and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict
	$(BIN)/lint-imports --no-logo

format: $(INSTALLED)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(INSTALLED)  ## ratios measured in one run, added to benchmarks/history.jsonl
	$(BIN)/python benchmarks/start_up.py
	$(BIN)/python benchmarks/finished.py
	$(BIN)/python benchmarks/banks.py
	$(BIN)/python benchmarks/arithmetic.py
	$(BIN)/python benchmarks/against_reference.py
	$(BIN)/python benchmarks/readers.py
	$(BIN)/python benchmarks/naqanet.py

bench-growth: $(INSTALLED)  ## how time grows, as a chart
	$(BIN)/python benchmarks/growth.py docs/growth.svg

bench-table4: $(INSTALLED)  ## the whole of Table 4 with one and with two workers
	$(BIN)/python benchmarks/table4.py

bench-reference: $(INSTALLED)  ## the released recipe, run to its end (an hour or more)
	for task in decoding addition list-maximum; do $(BIN)/python benchmarks/against_reference.py --reference $$task; done

$(INSTALLED): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --editable ".[dev]"
	@touch $@

clean:
	rm -rf $(VENV) .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
