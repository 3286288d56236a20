"""A Ray cluster of this machine: a head with two workers."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from numprobe.errors import NumprobeError
from numprobe.experiments import Cell, Store, load_suite, run
from numprobe.experiments.cluster import _attempt
from tests.running import cells_run, finish, kept, start, strays

CELL = Cell.make("value", "decoding", "0:40", probe="linear", seeds=2)

START = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", "--object-store-memory=100000000"]


class Node(NamedTuple):
    """A running `ray start`, and the address of its cluster."""

    address: str
    process: subprocess.Popen[bytes]


def until(true: Callable[[], bool]) -> None:
    for _ in range(12_000):
        if true():
            return
        time.sleep(0.05)
    raise AssertionError("it did not come about within ten minutes")


def free_ports() -> tuple[int, int]:
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as other:
        return one.getsockname()[1], other.getsockname()[1]


@contextmanager
def ray_started(folder: Path, address: str, processors: int, *options: str) -> Iterator[Node]:
    said = folder / f"said-{len(options)}"
    command = [*START, "--node-ip-address=127.0.0.1", f"--num-cpus={processors}", *options]
    with said.open("w") as output:
        process = subprocess.Popen(
            command,
            stdout=output,
            stderr=output,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            start_new_session=True,
        )
    try:
        until(lambda: "Ray runtime started" in said.read_text() or process.poll() is not None)
        assert process.poll() is None, said.read_text()
        yield Node(address, process)
    finally:
        process.terminate()
        process.wait(30)


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True) as short:  # as Ray's sockets want
        yield Path(short)


@pytest.fixture(scope="module")
def cluster(folder: Path) -> Iterator[str]:
    pytest.importorskip("ray", reason="Ray is not installed")
    port, client = free_ports()
    head = ["--head", f"--port={port}", f"--ray-client-server-port={client}", f"--temp-dir={folder}"]
    address = f"127.0.0.1:{port}"
    with ray_started(folder, address, 2, *head, "--include-dashboard=false", "--disable-usage-stats"):
        yield address


def busy_workers() -> list[int]:
    """The worker processes that are running a cell."""
    listed = subprocess.run(["ps", "-eo", "pid=,args="], capture_output=True, text=True, check=True).stdout
    return [int(line.split()[0]) for line in listed.splitlines() if line.split()[1].startswith("ray::_attempt")]


def write_suite(folder: Path, ranges: int) -> Path:
    suite = folder / "cells.toml"
    suite.write_text(f"""task = "decoding"
probe = "mlp:most_steps=800"
seeds = 1
[[cells]]
embedder = ["value", "random", "untrained-cnn", "untrained-lstm"]
range = {[f"0:{20 + number}" for number in range(ranges)]}
""")
    return suite


def killed_half_way(suite: Path, cells: int, store: Path, cluster: str) -> str:
    """What a run said that lost a worker process."""
    process = start(suite, store, "--cluster", cluster)
    until(lambda: len(list(store.glob("*.json"))) >= cells // 2 and bool(busy_workers()))
    os.kill(busy_workers()[0], signal.SIGKILL)
    said = finish(process)
    assert cells_run(said) == cells
    assert strays(store) == []
    return said


@pytest.mark.slow
def test_a_cluster_gives_the_same_bytes_though_a_worker_is_killed(tmp_path: Path, cluster: str) -> None:
    suite = write_suite(tmp_path, 1)
    run(load_suite(str(suite)).cells, Store(tmp_path / "local"))
    said = killed_half_way(suite, 4, tmp_path / "ray", cluster)
    assert said.count("died; the cell will run once more") == 1
    assert kept(tmp_path / "ray") == kept(tmp_path / "local")


@pytest.mark.slow
def test_sixty_cells_on_a_cluster_beside_local_processes(tmp_path: Path, cluster: str) -> None:
    suite, seconds = write_suite(tmp_path, 15), {}
    for name, options in {"local": ["--workers", "2"], "ray": ["--cluster", cluster]}.items():
        began = time.monotonic()
        finish(start(suite, tmp_path / name, *options))
        seconds[name] = time.monotonic() - began
    killed_half_way(suite, 60, tmp_path / "killed", cluster)
    assert len(kept(tmp_path / "local")) == 60
    assert kept(tmp_path / "killed") == kept(tmp_path / "ray") == kept(tmp_path / "local")
    print(f"60 cells, seconds: {seconds}")


@pytest.mark.slow
def test_a_whole_machine_of_the_cluster_may_go(tmp_path: Path, folder: Path, cluster: str) -> None:
    suite = write_suite(tmp_path, 6)
    run(load_suite(str(suite)).cells, Store(tmp_path / "local"))
    with ray_started(folder, cluster, 2, f"--address={cluster}") as node:
        process = start(suite, tmp_path / "ray", "--cluster", cluster)
        until(lambda: len(list((tmp_path / "ray").glob("*.json"))) >= 8)
        os.killpg(node.process.pid, signal.SIGKILL)
        finish(process)
    assert kept(tmp_path / "ray") == kept(tmp_path / "local")


@pytest.mark.slow
def test_an_interrupt_stops_the_work_on_the_cluster(tmp_path: Path, cluster: str) -> None:
    suite = tmp_path / "long.toml"
    suite.write_text('[[cells]]\nembedder = ["char-lstm", "char-cnn"]\ntask = "decoding"\nrange = "0:9999"\n')
    process = start(suite, tmp_path / "store", "--cluster", cluster)
    until(lambda: len(busy_workers()) == 2)
    os.killpg(process.pid, signal.SIGINT)
    said = finish(process, code=130)
    assert "stopped. 0 of 2 cells are done" in said
    until(lambda: not busy_workers())
    assert strays(tmp_path / "store") == []


def test_a_worker_with_other_weights_or_another_version_refuses() -> None:
    assert _attempt(CELL, CELL.hash, "cpu").result is not None
    refused = _attempt(CELL, replace(CELL, seeds=3).hash, "cpu")
    assert "has other weights or another version of numprobe" in refused.error


def test_clusters_that_can_not_be_had_are_told_of_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray", reason="Ray is not installed")
    port, _ = free_ports()
    for address in (f"127.0.0.1:{port}", f"ray://127.0.0.1:{port}"):
        with pytest.raises(NumprobeError, match=f"^can't reach the Ray cluster {address}: Connection refused$"):
            run([CELL], Store(tmp_path), cluster=address)
    with pytest.raises(NumprobeError, match=r"^--cluster nowhere: write ray://HOST:10001, "):
        run([CELL], Store(tmp_path), cluster="nowhere")
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(NumprobeError, match=r"^--cluster needs Ray: pip install 'numprobe\[ray\]'$"):
        run([CELL], Store(tmp_path), cluster="auto")


def test_nothing_of_ray_is_imported_without_a_cluster() -> None:
    code = "import sys, numprobe.cli, numprobe.cli.run, numprobe.cli._results; print('ray' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout == "False\n"
