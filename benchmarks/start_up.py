"""Time `numprobe --help` as a multiple of starting Python (medians of alternating runs)."""

import statistics
import subprocess
import sys
import time
from pathlib import Path

RUNS = 40
COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "numprobe --help": [str(Path(sys.executable).parent / "numprobe"), "--help"],
}


def main() -> None:
    seconds: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(RUNS):
        for name, command in COMMANDS.items():
            start = time.perf_counter()
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
            seconds[name].append(time.perf_counter() - start)
    plain, shown = (statistics.median(seconds[name]) for name in COMMANDS)
    print(f"numprobe --help: {shown / plain:.2f} × python -c pass ({1e3 * shown:.0f} ms, {1e3 * plain:.0f} ms)")


if __name__ == "__main__":
    main()
