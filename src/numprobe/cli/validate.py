"""Check a suite and list its cells without running them.

examples:
  numprobe validate my-suite.toml
  numprobe validate integers --json

The time is an estimate for one core, which may be off by a factor of two or three: probes train until more steps bring
no gain.
"""

from numprobe.cli._options import JSON, SUITE, TRUST, Options
from numprobe.cli._results import print_json
from numprobe.experiments import load_suite
from numprobe.experiments.runner import cost

ARGUMENTS = [SUITE, TRUST, JSON]


def execute(options: Options) -> None:
    suite = load_suite(options.suite)
    seconds = {cell: cost(cell) for cell in suite.cells}
    total = sum(seconds.values())
    if options.json:
        cells = [{**cell.as_dict(), "hash": cell.hash, "seconds": round(own, 1)} for cell, own in seconds.items()]
        print_json({"suite": suite.name, "title": suite.title, "seconds": round(total), "cells": cells})
        return
    print(f"{suite.title}: {len(suite.cells)} cells, about {max(1, round(total / 60)):,} min of one core")
    for cell in suite.cells:
        print("  ".join(("", cell.hash, cell.embedder, cell.task, cell.where, cell.probe)))
