# Set-up, tests and the main job. Needs Python 3.11 or newer, pip and make.
PYTHON ?= python3
VENV := .venv
STORE ?= numprobe-results
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

export PIP_CONSTRAINT := $(CURDIR)/constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: demo reproduce publish resume tutorial docs package plateau lengths choice-on-test test test-slow test-crashes test-server test-harness fuzz check format bench bench-growth bench-table4 bench-reference clean bench-layers bench-sklearn

demo: $(INSTALLED)  ## probe three embedders on the paper's three tasks, and write the card of one
	$(BIN)/numprobe run demo --workers 2
	$(BIN)/numprobe card glove-6b-50d --quick --published --out card.html

reproduce: $(INSTALLED)  ## run every synthetic table of the paper and its figure (hours)
	$(BIN)/numprobe reproduce all --store $(STORE)

publish: $(INSTALLED)  ## publish the results of reproduce with the package
	$(BIN)/python -c "from numprobe import Store; from numprobe.cards.reference import publish_cards; from numprobe.experiments.archive import publish; store = Store('$(STORE)'); print(publish(store), publish_cards(store))"

resume: $(INSTALLED)  ## put the published results into the store, so that reproduce runs only what is missing
	$(BIN)/python -c "from numprobe import Store; from numprobe.experiments.archive import restore; print(restore(Store('$(STORE)')))"

test: $(INSTALLED)  ## run the default tests, with coverage
	$(BIN)/pytest -n 2 --cov --cov-report=term:skip-covered

test-slow: $(INSTALLED)  ## run the tests that train for minutes
	$(BIN)/pytest -m slow --ignore tests/test_crashes.py

test-crashes: $(INSTALLED)  ## kill a hundred runs, share a store, lose the workers of a Ray cluster (half an hour)
	$(BIN)/pytest -s -m "slow or not slow" tests/test_crashes.py tests/experiments/test_cluster.py

test-server: $(INSTALLED)  ## ask a real server (llama.cpp's) on this machine for vectors, and compare
	$(BIN)/pip install --quiet xllamacpp
	$(BIN)/pytest -s -m slow tests/embedders/test_real_server.py

test-harness:  ## let the real lm-evaluation-harness and the real MTEB read what numprobe exports, in a venv of their own
	$(PYTHON) -m venv .venv-harness
	.venv-harness/bin/pip install --quiet --editable ".[pretrained]" lm_eval mteb pytest
	.venv-harness/bin/pytest -s -m slow tests/reports/test_harnesses.py

fuzz: $(INSTALLED)  ## read 10,000 damaged files with each reader, in bounded memory (about ten minutes)
	$(BIN)/python -m tests.fuzzing --inputs 10000

check: $(INSTALLED)  ## check style, types and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict
	$(BIN)/lint-imports --no-logo

format: $(INSTALLED)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(INSTALLED)  ## print ratios measured in one run, and add them to benchmarks/history.jsonl
	$(BIN)/python benchmarks/start_up.py
	$(BIN)/python benchmarks/finished.py
	$(BIN)/python benchmarks/banks.py
	$(BIN)/python benchmarks/arithmetic.py
	$(BIN)/python benchmarks/against_reference.py
	$(BIN)/python benchmarks/readers.py
	$(BIN)/python benchmarks/naqanet.py

plateau: $(INSTALLED)  ## check that four times the steps bring next to nothing (hours)
	$(BIN)/python benchmarks/plateau.py

lengths: $(INSTALLED)  ## check that no fixed length of the vectors beats the chosen one (hours)
	$(BIN)/python benchmarks/lengths.py

choice-on-test: $(INSTALLED)  ## show what the released code gains by choosing on test numbers (an hour)
	$(BIN)/python benchmarks/choice_on_test.py

tutorial: $(INSTALLED)  ## run the notebook and keep what it shows
	$(BIN)/python -c "import nbformat; from nbclient import execute; path = 'docs/tutorial.ipynb'; nbformat.write(execute(nbformat.read(path, 4)), path)"

docs: $(INSTALLED)  ## build the site into docs/_build; a warning is an error
	$(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build

package: $(INSTALLED)  ## build the wheel and the sdist, and check them
	rm -rf dist
	$(BIN)/python -m build --quiet
	$(BIN)/twine check --strict dist/*

bench-layers: $(INSTALLED)  ## print memory and time of sweeps over 33 layers of 4,096 dimensions (an hour)
	$(BIN)/python benchmarks/large_layers.py

bench-sklearn: $(INSTALLED)  ## time probes in banks against scikit-learn (minutes)
	$(BIN)/python benchmarks/against_sklearn.py

bench-growth: $(INSTALLED)  ## draw how time grows
	$(BIN)/python benchmarks/growth.py docs/growth.svg

bench-table4: $(INSTALLED)  ## time Table 4 with one worker and with two
	$(BIN)/python benchmarks/table4.py

bench-reference: $(INSTALLED)  ## run the released recipe to its end (an hour or more)
	for task in decoding addition list-maximum; do $(BIN)/python benchmarks/against_reference.py --reference $$task; done

$(INSTALLED): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --editable ".[dev]"
	@touch $@

clean:
	rm -rf $(VENV) .venv-harness .coverage .mypy_cache .pytest_cache .ruff_cache docs/_build dist .hypothesis .import_linter_cache
