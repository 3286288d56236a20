"""Measure how long `numprobe run` takes for a finished suite of 520 cells, from the start to the printed table.

The cells are real but fast: linear regression on small ranges.
"""

import tempfile
from pathlib import Path

from measuring import record, suite_seconds

SUITE = f"""
probe = "linear"
task = "decoding"
seeds = 2

[[cells]]
embedder = ["random", "value"]
range = {[f"0:{high}" for high in range(50, 310)]}
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        first, *again = (suite_seconds(SUITE, folder) for _ in range(4))
        cells = len(list(Path(folder, "results").glob("*.json")))
    record(f"a finished suite of {cells} cells", seconds=min(again), first_run_seconds=first)


if __name__ == "__main__":
    main()
