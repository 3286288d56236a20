"""What is left when runs are killed, meet each other, or run out of disk: nothing but finished results."""

import os
import random
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from numprobe.embedders.tables import cached
from numprobe.errors import NumprobeError
from tests.running import cells_run, finish, kept, start, strays, write_suite

SLOW = pytest.mark.slow


class Whole(NamedTuple):
    """A suite, and what an undisturbed run makes of it."""

    suite: Path
    results: dict[str, str]
    seconds: float


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    folder, began = tmp_path_factory.mktemp("whole"), time.monotonic()
    suite = write_suite(folder, 4)
    finish(start(suite, folder / "store", "--workers", "2"))
    results = kept(folder / "store")
    assert len(results) == 17
    return Whole(suite, results, time.monotonic() - began)


@pytest.mark.parametrize("runs", [1, pytest.param(100, marks=SLOW)])
def test_killed_runs_end_as_an_undisturbed_one(tmp_path: Path, whole: Whole, runs: int) -> None:
    moments, longest, left = random.Random(0), whole.seconds, []
    while len(left) < runs:
        store = Path(tempfile.mkdtemp(dir=tmp_path)) / "store"
        killed = start(whole.suite, store, "--workers", "2")
        time.sleep(moments.uniform(0, longest))
        if killed.poll() is not None:  # too late: the machine has less to do than it had
            killed.communicate()
            longest *= 0.9
            continue
        os.killpg(killed.pid, signal.SIGKILL)
        killed.communicate()
        left.append((len(kept(store)), len(strays(store.parent))))
        finish(start(whole.suite, store, "--workers", "2"))
        assert kept(store) == whole.results
        assert strays(store.parent) == []
    print(f"undisturbed {whole.seconds:.1f} s, in the end {longest:.1f} s; (results, files in the making): {left}")


def test_workers_end_with_their_run(tmp_path: Path) -> None:
    suite = tmp_path / "long.toml"
    suite.write_text('[[cells]]\nembedder = ["char-lstm", "char-cnn"]\ntask = "decoding"\nrange = "0:9999"\n')
    run = start(suite, tmp_path / "store", "--workers", "2")
    while len(workers := _group(run.pid) - {run.pid}) < 2:
        assert run.poll() is None
        time.sleep(0.1)
    os.kill(run.pid, signal.SIGKILL)
    run.communicate()
    for _ in range(100):
        if not workers & _group(run.pid):
            return
        time.sleep(0.1)
    raise AssertionError("workers outlived their run by ten seconds")


def _group(leader: int) -> set[int]:
    listed = subprocess.run(["ps", "-eo", "pid=,pgid=,stat="], capture_output=True, text=True, check=True).stdout
    return {
        int(pid)
        for pid, group, state in map(str.split, listed.splitlines())
        if int(group) == leader and state[0] != "Z"
    }


@pytest.mark.parametrize("runs", [2, pytest.param(4, marks=SLOW)])
def test_runs_at_once_share_the_work(tmp_path: Path, whole: Whole, runs: int) -> None:
    store = tmp_path / "store"
    together = [start(whole.suite, store, "--workers", "1") for _ in range(runs)]
    shares = [cells_run(finish(run)) for run in together]
    print(f"cells that each of {runs} runs did: {shares}")
    assert sum(shares) == 17
    assert kept(store) == whole.results
    assert strays(tmp_path) == []


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=40k", "tmpfs", disk], capture_output=True, text=True)
    if mount.returncode:
        pytest.skip(f"can't mount a small disk: {mount.stderr.strip() or mount.stdout.strip()}")
    yield disk
    subprocess.run(["umount", "-l", disk], check=True)


def remount(disk: Path, options: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{options}", disk], check=True)


def test_a_disk_that_fills_up_and_is_read_only(tmp_path: Path, whole: Whole, small_disk: Path) -> None:
    store = small_disk / "store"
    said = finish(start(whole.suite, store, "--workers", "2", cache=tmp_path / "cache"), code=2)
    assert said.splitlines()[-1] == f"numprobe: can't write to the result store {store}: No space left on device"
    before = kept(store)
    assert 0 < len(before) < 17
    assert before.items() <= whole.results.items()
    assert strays(store) == []
    remount(small_disk, "size=4m,ro")
    said = finish(start(whole.suite, store, "--workers", "1", cache=tmp_path / "cache"), code=2)
    assert said == f"numprobe: can't write to the result store {store}: Read-only file system\n"
    remount(small_disk, "rw")
    assert cells_run(finish(start(whole.suite, store, "--workers", "2", cache=tmp_path / "cache"))) == 17 - len(before)
    assert kept(store) == whole.results
    assert strays(store) == []


def test_a_cache_whose_disk_is_full(small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMPROBE_CACHE", str(small_disk))

    def table(numbers: int) -> np.ndarray:
        texts = [str(number) for number in range(numbers)]
        return cached({"embedder": "mine"}, texts, lambda allocate: np.ones((numbers, 10), dtype=np.float32))

    assert table(10).shape == (10, 10)
    with pytest.raises(NumprobeError, match=r"^can't write .*tables.*safetensors: No space left on device$"):
        table(2000)
    assert strays(small_disk) == []
    remount(small_disk, "size=4m")
    assert table(2000).sum() == 20_000
