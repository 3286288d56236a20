"""Check a suite and list its cells without running them.

examples:
  numprobe validate my-suite.toml
"""

from numprobe.cli._options import SUITE, TRUST, Options
from numprobe.experiments import load_suite

ARGUMENTS = [SUITE, TRUST]


def execute(options: Options) -> None:
    suite = load_suite(options.suite)
    print(f"{suite.title}: {len(suite.cells)} cells")
    for cell in suite.cells:
        print("  ".join(("", cell.hash, cell.embedder, cell.task, cell.where, cell.probe)))
