"""The long run: `python -m tests.fuzzing [--inputs N] [READER …]`. Each reader runs in a process with bounded memory.

A process that computes for five seconds, or does not answer for a minute, is killed. That counts as a failure, and a
new process continues with the next input.
"""

import argparse
import logging
import multiprocessing
import resource
import signal
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

from tests.fuzzing.attempts import attempt, workshop
from tests.fuzzing.readers import READERS

SECONDS, WAITING = 5.0, 60.0
"""Limits on the processor time and on the real time of an input; the latter is long because machines may be busy."""
MEMORY = 1 << 29
"""Bytes that a reader may allocate in addition to what its process has at the start."""


@dataclass
class Found:
    taken: int = 0
    refused: int = 0
    slowest: tuple[float, int] = (0.0, 0)
    memory: int = 0
    """The peak of resident memory, in addition to what there was before the first input."""
    failures: list[str] = field(default_factory=list)


def _address_space() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * resource.getpagesize()


def _resident() -> int:
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _work(name: str, first: int, inputs: int, pipe: Connection) -> None:
    logging.disable(logging.WARNING)
    found = Found()
    with tempfile.TemporaryDirectory() as folder, workshop(name, Path(folder)) as path:
        limit = _address_space() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        before = _resident()
        for seed in range(first, inputs):
            pipe.send(seed)
            signal.setitimer(signal.ITIMER_PROF, SECONDS)  # kills the process, wherever it is
            start = time.process_time()
            try:
                if attempt(name, seed, path):
                    found.taken += 1
                else:
                    found.refused += 1
            except BaseException:
                found.failures.append(f"input {seed}: {traceback.format_exc()}")
            found.slowest = max(found.slowest, (time.process_time() - start, seed))
            found.memory = _resident() - before
        pipe.send(found)


def fuzz(name: str, inputs: int) -> Found:
    """Run a reader on damaged inputs and count what happens."""
    whole, first = Found(), 0
    context = multiprocessing.get_context("fork")
    while first < inputs:
        pipe, theirs = context.Pipe(duplex=False)
        process = context.Process(target=_work, args=(name, first, inputs, theirs))
        process.start()
        theirs.close()
        at, said, ended = first, None, ""
        try:
            while not isinstance(said, Found):
                if not pipe.poll(WAITING):
                    ended = f"more than {WAITING} seconds"
                    break
                said = pipe.recv()
                at = said if isinstance(said, int) else at
        except EOFError:
            ended = "the process died"
        if ended:
            process.kill()
        process.join()
        if isinstance(said, Found):
            whole.taken += said.taken
            whole.refused += said.refused
            whole.slowest = max(whole.slowest, said.slowest)
            whole.memory = max(whole.memory, said.memory)
            whole.failures += said.failures
            return whole
        whole.failures.append(f"input {at}: {ended} (exit code {process.exitcode})")
        first = at + 1
    return whole


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzzing", description=__doc__)
    parser.add_argument("--inputs", type=int, default=10_000, metavar="N", help="inputs per reader (default: 10,000)")
    parser.add_argument("readers", nargs="*", metavar="READER", help=f"any of {', '.join(READERS)} (default: all)")
    options = parser.parse_args()
    failed = 0
    print(
        f"{'reader':16}{'inputs':>8}{'taken':>8}{'refused':>9}{'failures':>10}{'slowest':>10}{'memory':>10}", flush=True
    )
    for name in options.readers or READERS:
        found = fuzz(name, options.inputs)
        failed += len(found.failures)
        seconds, megabytes = f"{found.slowest[0]:.2f} s", f"{found.memory / 1e6:.0f} MB"
        counts = f"{options.inputs:8,}{found.taken:8,}{found.refused:9,}{len(found.failures):10,}"
        print(f"{name:16}{counts}{seconds:>10}{megabytes:>10}", flush=True)
        for failure in found.failures[:3]:
            print(failure, file=sys.stderr, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
