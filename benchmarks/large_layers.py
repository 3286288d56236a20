"""Sweep over 33 layers of 4,096 dimensions (synthetic, 1,000 numbers): peak memory and time, linear and MLP.

Each sweep runs in a process of its own with an empty cache. Memory is what the process alone holds: pages of the
cache's file are shared, and the system takes them back when it needs them. `--quick` sweeps with an MLP of 300 steps.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from measuring import record

LAYERS, DIMENSION, RANGE = 33, 4096, "0:999"
SWEEPS = {"linear": ("linear", 5), "mlp": ("mlp", 1), "quick mlp": ("mlp:most_steps=300", 1)}


@dataclass(frozen=True)
class Large:
    """The layers of a large model, in which the value is encoded a little better from layer to layer."""

    layer: str = "all"
    revision: str = "1"
    bytes_per_text: int = 4 * LAYERS * DIMENSION

    def encode(self, texts: list[str]) -> np.ndarray:
        return self.encode_layers(texts)[-1]

    def encode_layers(self, texts: list[str]) -> np.ndarray:
        made = np.empty((LAYERS, len(texts), DIMENSION), dtype=np.float32)
        directions = np.random.default_rng(0).standard_normal((8, DIMENSION), dtype=np.float32)
        for row, text in enumerate(texts):
            rng = np.random.default_rng(int(text))
            made[:, row] = rng.standard_normal((LAYERS, DIMENSION), dtype=np.float32)
            made[:, row] += np.linspace(0, 4, LAYERS)[:, None] * int(text) / 1000 * directions[0]
        return made


def megabytes(kind: str) -> float:
    """A figure that Linux keeps of this process, such as RssAnon."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.split(f"{kind}:")[1].split()[0]) / 1024


def sweep(name: str) -> dict[str, float]:
    from numprobe.experiments import Cell
    from numprobe.experiments.laboratory import run_cell

    probe, seeds = SWEEPS[name]
    run_cell(Cell.make("length", "decoding", "0:99", probe=probe, seeds=1))  # loads what every cell needs
    before, peak, done = megabytes("RssAnon"), [0.0], threading.Event()

    def watch() -> None:
        while not done.wait(0.02):
            peak[0] = max(peak[0], megabytes("RssAnon"))

    watcher = threading.Thread(target=watch)
    watcher.start()
    start = time.perf_counter(), time.process_time()
    result = run_cell(Cell.make(Large(), "decoding", RANGE, probe=probe, seeds=seeds, name="large"))
    took = time.perf_counter() - start[0], time.process_time() - start[1]
    done.set()
    watcher.join()
    assert len(result.layers) == LAYERS
    layer = DIMENSION * 1000 * 4 / 2**20
    return {
        "megabytes_at_peak": peak[0],
        "of_these_before": before,
        "layers_worth_of_memory": (peak[0] - before) / layer,
        "seconds": took[0],
        "processor_seconds": took[1],
    }


def main(names: list[str]) -> None:
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            environment = os.environ | {"NUMPROBE_CACHE": folder, "OMP_NUM_THREADS": "1"}
            made = subprocess.run(
                [sys.executable, __file__, "--sweep", name], check=True, capture_output=True, env=environment
            )
        shuffles = SWEEPS[name][1]
        record(f"{LAYERS} layers × {DIMENSION}-d × {RANGE}, {name}, {shuffles} shuffles", **json.loads(made.stdout))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--sweep"]:
        print(json.dumps(sweep(sys.argv[2])))
    else:
        main(["linear", "quick mlp"] if "--quick" in sys.argv[1:] else ["linear", "mlp"])
