"""Time Table 4 from an empty store on two workers, and measure the memory of the largest worker.

Then time its column [0,99] on one worker and on two; `--ratio` does only this. `--keep FOLDER` keeps the results of the
whole table.
"""

import argparse
import os
import resource
import shutil
import tempfile
from importlib.resources import files
from pathlib import Path

from measuring import matmul_rate, record, suite_seconds

from numprobe.files import cache_folder

SUITE = (files("numprobe.experiments") / "suites" / "integers.toml").read_text(encoding="utf-8")
CACHE = cache_folder()
COLUMN = SUITE[: SUITE.index("[[cells]]")] + '[[cells]]\nrange = "0:99"\n'


def run(suite: str, workers: int, keep: str = "") -> float:
    """Time a suite with the weights on this machine, but without vectors from earlier runs."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "weights").symlink_to(CACHE / "weights")
        os.environ["NUMPROBE_CACHE"] = folder
        taken = suite_seconds(suite, folder, "--workers", str(workers), "--offline")
        if keep:
            shutil.copytree(f"{folder}/results", keep, dirs_exist_ok=True)
        return taken


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--ratio", action="store_true")
    parser.add_argument("--keep", default="", metavar="FOLDER")
    options = parser.parse_args()
    if not options.ratio:
        whole = run(SUITE, workers=2, keep=options.keep)
        largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
        record("Table 4 on two workers", minutes=whole / 60, gigabytes_of_the_largest_process=largest)
    one, two = run(COLUMN, workers=1), run(COLUMN, workers=2)
    record(
        "Table 4's column [0,99]: one worker ÷ two",
        ratio=one / two,
        minutes_on_two=two / 60,
        matmul_rate_in_GFLOP_per_second=matmul_rate() / 1e9,
    )


if __name__ == "__main__":
    main()
