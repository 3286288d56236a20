"""Compare numprobe and gensim at reading 10,000 of the 200,000 words of a text file.

Prints the ratios of time and peak memory, and whether both read the same vectors. Each reader runs in its own process;
numprobe's figures are medians of several runs, gensim's are of one, because it takes minutes.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

WORDS, WANTED, DIMENSION = 200_000, 10_000, 300
RUNS = {"numprobe": 5, "gensim": 1}

MEASURE = """
import hashlib, json, sys, time
import numpy as np

def memory(which):
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(which))

path, wanted = sys.argv[1], [str(n) for n in range(int(sys.argv[2]))]
IMPORT
open("/proc/self/clear_refs", "w").write("5")  # reset the peak after the imports
before, start = memory("VmRSS"), time.perf_counter()
rows = READ
seconds, peak = time.perf_counter() - start, memory("VmHWM")
digest = hashlib.sha256(np.stack([rows[word] for word in wanted])).hexdigest()
print(json.dumps([seconds, peak - before, peak, digest]))
"""
READERS = {
    "numprobe": ("from numprobe.embedders.word_vectors import read_rows", "read_rows(path, wanted)"),
    "gensim": ("from gensim.models import KeyedVectors", "KeyedVectors.load_word2vec_format(path)"),
}


def write(path: Path) -> None:
    rng = np.random.default_rng(0)
    rows = [" ".join(f"{number:.5f}" for number in row) for row in rng.normal(0, 0.4, (1000, DIMENSION))]
    with path.open("w") as file:
        file.write(f"{WORDS} {DIMENSION}\n")
        for word in rng.permutation(WORDS):
            file.write(f"{word if word < WANTED else f'word{word}'} {rows[word % len(rows)]}\n")


def measure(name: str, path: Path) -> tuple[list[float], str]:
    """Return the seconds, the peak KiB above the imports, the total peak KiB, and a digest of the wanted vectors."""
    module, read = READERS[name]
    script = MEASURE.replace("IMPORT", module).replace("READ", read)
    command = [sys.executable, "-c", script, str(path), str(WANTED)]
    *numbers, digest = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return numbers, digest


def count_lines(path: Path) -> float:
    start = time.perf_counter()
    subprocess.run(["wc", "-l", path], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vectors.txt"
        write(path)
        counting = statistics.median(count_lines(path) for _ in range(RUNS["numprobe"]))
        measured = {name: [measure(name, path) for _ in range(runs)] for name, runs in RUNS.items()}
    ours, theirs = (np.median([numbers for numbers, _ in runs], axis=0) for runs in measured.values())
    digests = {digest for runs in measured.values() for _, digest in runs}
    seconds, loading, process = ours / theirs
    print(
        f"{WANTED:,} of {WORDS:,} × {DIMENSION} as text: numprobe ÷ gensim = {seconds:.3f} in time, "
        f"{loading:.3f} in peak memory above the imports ({process:.2f} with them); "
        f"numprobe ÷ wc -l = {ours[0] / counting:.1f} in time; "
        f"{'the same vectors' if len(digests) == 1 else 'DIFFERENT VECTORS'}"
    )


if __name__ == "__main__":
    main()
