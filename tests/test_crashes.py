"""What is left when runs are killed, meet each other, or run out of disk: nothing but finished results."""

import os
import random
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.running import cells_run, finish, kept, start, strays, write_suite

SLOW = pytest.mark.slow


@pytest.mark.parametrize("runs", [2, pytest.param(100, marks=SLOW)])
def test_killed_runs_end_as_an_undisturbed_one(tmp_path: Path, runs: int) -> None:
    suite = write_suite(tmp_path, 2)
    began = time.monotonic()
    finish(start(suite, tmp_path / "whole" / "store", "--workers", "2"))
    whole, took = kept(tmp_path / "whole" / "store"), time.monotonic() - began
    assert len(whole) == 9
    moments, before = random.Random(0), []
    for run in range(runs):
        store = tmp_path / str(run) / "store"
        killed = start(suite, store, "--workers", "2")
        time.sleep(moments.uniform(0, took))
        with suppress(ProcessLookupError):
            os.killpg(killed.pid, signal.SIGKILL)
        killed.communicate()
        before.append((len(kept(store)), len(strays(store.parent))))
        finish(start(suite, store, "--workers", "2"))
        assert kept(store) == whole
        assert strays(store.parent) == []
    print(f"undisturbed {took:.1f} s; (results, stray files) after each kill: {before}")


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
def test_runs_at_once_share_the_work(tmp_path: Path, runs: int) -> None:
    suite = write_suite(tmp_path, 9)
    finish(start(suite, tmp_path / "alone" / "store", "--workers", "1"))
    store = tmp_path / "shared" / "store"
    together = [start(suite, store, "--workers", "1") for _ in range(runs)]
    shares = [cells_run(finish(run)) for run in together]
    assert sum(shares) == 37
    assert max(shares) < 37
    assert kept(store) == kept(tmp_path / "alone" / "store")
    assert strays(store.parent) == []


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], capture_output=True, text=True)
    if mount.returncode:
        pytest.skip(f"can't mount a small disk: {mount.stderr.strip() or mount.stdout.strip()}")
    yield disk
    subprocess.run(["umount", "-l", disk], check=True)


def test_a_disk_that_fills_up(tmp_path: Path, small_disk: Path) -> None:
    suite = write_suite(tmp_path, 5)
    finish(start(suite, tmp_path / "whole" / "store", "--workers", "1"))
    whole = kept(tmp_path / "whole" / "store")
    store = small_disk / "store"
    said = finish(start(suite, store, "--workers", "2", cache=tmp_path / "cache"), code=2)
    assert said.splitlines()[-1] == f"numprobe: can't write to the result store {store}: No space left on device"
    before = kept(store)
    assert 0 < len(before) < len(whole)
    assert before.items() <= whole.items()
    assert strays(store) == []
    subprocess.run(["mount", "-o", "remount,size=4m", small_disk], check=True)
    assert cells_run(finish(start(suite, store, "--workers", "2", cache=tmp_path / "cache"))) == 21 - len(before)
    assert kept(store) == whole


def test_a_cache_whose_disk_is_full(tmp_path: Path, small_disk: Path) -> None:
    suite = write_suite(tmp_path, 1)
    full = small_disk / "full"
    with full.open("wb") as file, suppress(OSError):
        while True:
            file.write(bytes(4096))
    said = finish(start(suite, tmp_path / "store", "--workers", "2", cache=small_disk / "cache"), code=2)
    assert "No space left on device" in said
    assert len(kept(tmp_path / "store")) == 4
    full.unlink()
    assert cells_run(finish(start(suite, tmp_path / "store", "--workers", "2", cache=small_disk / "cache"))) == 1
    assert strays(tmp_path / "store", small_disk) == []
