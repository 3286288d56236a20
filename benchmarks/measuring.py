"""Helpers of the benchmarks: timing, the machine's matrix-multiplication rate, and the history of earlier runs."""

import json
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import torch

from numprobe.kernels.products import products

HISTORY = Path(__file__).with_name("history.jsonl")


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def suite_seconds(suite: str, folder: str, *options: str) -> float:
    """Time the command that runs a suite, with the suite's file and its store in `folder`."""
    path = Path(folder) / "suite.toml"
    path.write_text(suite, encoding="utf-8")
    command = [str(Path(sys.executable).parent / "numprobe"), "run", str(path), "--store", f"{folder}/results"]
    return seconds(lambda: subprocess.run([*command, *options], check=True, stdout=subprocess.DEVNULL))


def matmul_rate(size: int = 1536, runs: int = 7) -> float:
    """Measure the operations per second of one core in float32 matrix products (the median of several runs)."""
    matrices = torch.randn(2, 1, size, size)
    products(*matrices)
    return 2 * size**3 / statistics.median(seconds(lambda: products(*matrices)) for _ in range(runs))


def record(benchmark: str, **figures: float) -> None:
    """Print figures next to those of the last recorded run, and append them to the history."""
    lines = HISTORY.read_text(encoding="utf-8").splitlines() if HISTORY.exists() else []
    last = next((one for one in map(json.loads, reversed(lines)) if one["benchmark"] == benchmark), {"figures": {}})
    print(f"{benchmark}:")
    for name, value in figures.items():
        before = last["figures"].get(name)
        print(f"  {name}: {value:.4g}" + (f" (last time {before:.4g})" if before is not None else ""))
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    entry = {
        "benchmark": benchmark,
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M"),
        "commit": commit.stdout.strip(),
        "processor": platform.machine(),
        "torch": torch.__version__,
        "figures": {name: float(f"{value:.4g}") for name, value in figures.items()},
    }
    with HISTORY.open("a", encoding="utf-8") as file:
        file.write(json.dumps(entry) + "\n")
