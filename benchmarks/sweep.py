"""Estimate the cost of a sweep over many models from the times of the published cells.

python benchmarks/sweep.py [MODELS]
"""

import sys
from statistics import mean

from numprobe.embedders.sources.catalogue import catalogue
from numprobe.experiments import load_suite
from numprobe.experiments.archive import published_results

RANGES = ("0:99", "0:999", "0:9999")
LARGEST = "smollm2-135m"


def main() -> None:
    models = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    cells = set(load_suite("integers").cells)
    results = [result for result in published_results() if result.cell in cells]
    print(f"{'seconds of one core for a cell':<32}{'mean':>8}{'largest':>9}")
    weights = [name for name, entry in catalogue().items() if entry.wheels]
    whole = largest = 0.0
    for task in ("decoding", "addition", "list-maximum"):
        for numbers in RANGES:
            group = {
                result.cell.embedder.partition(":")[0]: result.made["seconds"]
                for result in results
                if result.cell.task.partition(":")[0] == task and result.cell.range == numbers
            }
            seconds = [value for name, value in group.items() if name in weights]
            if LARGEST not in group:
                print(f"{task + ' ' + numbers:<32}{'not published':>17}")
                continue
            print(f"{task + ' ' + numbers:<32}{mean(seconds):8.1f}{group[LARGEST]:9.1f}   ({len(seconds)} embedders)")
            whole, largest = whole + mean(seconds), largest + group[LARGEST]
    print(f"{'one model, all of these cells':<32}{whole:8.0f}{largest:9.0f}")
    print(f"{models} models: {models * whole / 3600:.1f} core hours")
    longest = max(result.made["seconds"] for result in results if result.cell.embedder in weights)
    for cores in (2, 8, 64, 256):
        print(f"  {cores:>3} cores: {max(models * whole / cores, longest) / 3600:6.2f} h")


if __name__ == "__main__":
    main()
