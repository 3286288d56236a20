"""A Ray cluster of this machine: a head without processors, and two workers with one each."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from numprobe.errors import NumprobeError
from numprobe.experiments import Cell, Store, run
from numprobe.experiments.cluster import _attempt
from tests.running import cells_run, finish, kept, start, strays

CELL = Cell.make("value", "decoding", "0:40", probe="linear", seeds=2)

START = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", "--object-store-memory=100000000"]


class Cluster(NamedTuple):
    address: str
    nodes: list[subprocess.Popen[bytes]]


def until(true: Callable[[], bool]) -> None:
    for _ in range(1200):
        if true():
            return
        time.sleep(0.05)
    raise AssertionError("it did not come about within a minute")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    pytest.importorskip("ray", reason="Ray is not installed")
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
    with tempfile.TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True) as folder:  # sockets want short names
        said = Path(folder, "said")
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}

        def node(*options: str) -> subprocess.Popen[bytes]:
            started = said.read_text().count("Ray runtime started") if said.exists() else 0
            with said.open("a") as output:
                process = subprocess.Popen(
                    [*START, "--node-ip-address=127.0.0.1", "--disable-usage-stats", *options],
                    stdout=output,
                    stderr=output,
                    env=environment,
                    start_new_session=True,
                )
            until(lambda: said.read_text().count("Ray runtime started") > started or process.poll() is not None)
            assert process.poll() is None, said.read_text()
            return process

        head = ["--head", f"--port={address.partition(':')[2]}", "--num-cpus=0", "--include-dashboard=false"]
        nodes = [node(*head, f"--temp-dir={folder}", "--ray-client-server-port=0")]
        nodes += [node(f"--address={address}", "--num-cpus=1") for _ in range(2)]
        yield Cluster(address, nodes)
        for process in reversed(nodes):
            process.terminate()
            process.wait(30)


def busy_workers() -> list[int]:
    """The worker processes that are running a cell."""
    listed = subprocess.run(["ps", "-eo", "pid=,args="], capture_output=True, text=True, check=True).stdout
    return [int(line.split()[0]) for line in listed.splitlines() if line.split()[1].startswith("ray::_attempt")]


def write_suite(folder: Path, ranges: int) -> Path:
    suite = folder / "cells.toml"
    suite.write_text(f"""protocol = "paper"
task = "decoding"
seeds = 1
[[cells]]
embedder = ["value", "random", "untrained-cnn", "untrained-lstm"]
range = {[f"0:{20 + number}" for number in range(ranges)]}
""")
    return suite


@pytest.mark.parametrize("ranges", [2, pytest.param(15, marks=pytest.mark.slow)])
def test_a_cluster_gives_the_same_bytes_though_a_worker_is_killed_half_way(
    tmp_path: Path, cluster: Cluster, ranges: int
) -> None:
    suite = write_suite(tmp_path, ranges)
    seconds = {}
    for name, options in {"local": ["--workers", "2"], "ray": ["--cluster", cluster.address]}.items():
        began = time.monotonic()
        finish(start(suite, tmp_path / name / "store", *options))
        seconds[name] = time.monotonic() - began
    store = tmp_path / "killed" / "store"
    process = start(suite, store, "--cluster", cluster.address)
    until(lambda: len(list(store.glob("*.json"))) >= 2 * ranges and bool(busy_workers()))
    os.kill(busy_workers()[0], signal.SIGKILL)
    said = finish(process)
    assert said.count("died; the cell will run once more") == 1
    assert cells_run(said) == 4 * ranges
    assert kept(store) == kept(tmp_path / "ray" / "store") == kept(tmp_path / "local" / "store")
    assert len(kept(store)) == 4 * ranges
    assert strays(tmp_path / "killed", tmp_path / "ray") == []
    print(f"{4 * ranges} cells, seconds: {seconds}")


@pytest.mark.slow
def test_a_whole_machine_of_the_cluster_may_go(tmp_path: Path, cluster: Cluster) -> None:
    suite = write_suite(tmp_path, 6)
    finish(start(suite, tmp_path / "local" / "store", "--workers", "2"))
    store = tmp_path / "killed" / "store"
    process = start(suite, store, "--cluster", cluster.address)
    until(lambda: len(list(store.glob("*.json"))) >= 8)
    cluster.nodes.pop().kill()
    said = finish(process)
    assert "Traceback" not in said
    assert kept(store) == kept(tmp_path / "local" / "store")


def test_an_interrupt_stops_the_work_on_the_cluster(tmp_path: Path, cluster: Cluster) -> None:
    suite = tmp_path / "long.toml"
    suite.write_text('[[cells]]\nembedder = ["char-lstm", "char-cnn"]\ntask = "decoding"\nrange = "0:9999"\n')
    process = start(suite, tmp_path / "store", "--cluster", cluster.address)
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
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    for address in (f"127.0.0.1:{port}", f"ray://127.0.0.1:{port}"):
        with pytest.raises(NumprobeError, match=f"^can't reach the Ray cluster {address}: Connection refused$"):
            run([CELL], Store(tmp_path), cluster=address)
    with pytest.raises(NumprobeError, match=r"^--cluster nowhere: write ray://HOST:10001, "):
        run([CELL], Store(tmp_path), cluster="nowhere")
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(NumprobeError, match=r"^--cluster needs Ray: pip install 'numprobe\[ray\]'$"):
        run([CELL], Store(tmp_path), cluster="auto")


def test_nothing_of_ray_is_imported_without_a_cluster() -> None:
    code = "import sys, numprobe, numprobe.cli, numprobe.console; numprobe.cli.parser(); print('ray' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout == "False\n"
