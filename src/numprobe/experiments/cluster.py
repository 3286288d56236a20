"""Run cells on a Ray cluster.

This uses Ray's tasks and not joblib's Ray backend, whose workers are actors: a run would end when one of them dies.
"""

import logging
import os
import socket
from concurrent.futures import Future
from typing import Any

from numprobe.errors import NumprobeError
from numprobe.experiments.cell import Cell
from numprobe.experiments.workers import Event, WorkerDied, attempt

CONNECT = 10.0
"""Seconds to wait for an address to answer."""

MOST = 500
"""The most cells at once. Each has an open file here."""


class Cluster:
    """The processors of a cluster. This process hands out the cells and writes the results."""

    def __init__(self, address: str, most: int | None, device: str) -> None:
        self.most, self.device = most or MOST, device
        self._ray = _connected(address)
        self._running: dict[Future[Event], Any] = {}
        self._attempt = self._ray.remote(_attempt).options(
            num_cpus=1,
            num_gpus=1 if device.startswith("cuda") else 0,
            max_retries=0,  # `dispatch` hands the cell out again
            scheduling_strategy="SPREAD",
        )

    @property
    def places(self) -> int:
        """One for each processor that the cluster has now."""
        return max(1, min(self.most, int(self._ray.cluster_resources().get("CPU", 0))))

    def submit(self, cell: Cell) -> "Future[Event]":
        reference = self._attempt.remote(cell, cell.hash, self.device)
        future: Future[Event] = reference.future()
        self._running[future] = reference
        return future

    def result(self, future: "Future[Event]") -> Event:
        from ray.exceptions import NodeDiedError, ObjectLostError, OutOfMemoryError, RayError, WorkerCrashedError

        del self._running[future]
        try:
            return future.result()
        except (WorkerCrashedError, NodeDiedError, OutOfMemoryError, ObjectLostError):
            raise WorkerDied from None
        except RayError as error:
            reason = str(error).strip().splitlines()[-1]
            raise NumprobeError(
                f"the cluster can't run a cell; does it have this version of numprobe? {reason}"
            ) from error

    def close(self) -> None:
        for reference in self._running.values():
            self._ray.cancel(reference, force=True)
        self._ray.shutdown()


def _connected(address: str) -> Any:
    try:
        import ray
    except ImportError:
        raise NumprobeError("--cluster needs Ray: pip install 'numprobe[ray]'") from None
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if address != "auto" and not (colon and host and port.isdecimal()):
        raise NumprobeError(
            f"--cluster {address}: write ray://HOST:10001, HOST:6379, or auto for the cluster of this machine"
        )
    try:
        if address != "auto":  # Ray would try for minutes
            socket.create_connection((host, int(port)), timeout=CONNECT).close()
        ray.init(
            address,
            log_to_driver=False,
            logging_level=logging.ERROR,
            runtime_env={"env_vars": _settings()},
        )
    except (OSError, RuntimeError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).splitlines()[0]
        raise NumprobeError(f"can't reach the Ray cluster {address}: {reason}") from error
    return ray


def _settings() -> dict[str, str]:
    """What workers must know of this process: where weights and the cache are, and whether to stay offline."""
    return {name: value for name, value in os.environ.items() if name.startswith(("NUMPROBE_", "HF_HUB_OFFLINE"))}


def _attempt(cell: Cell, known_as: str, device: str) -> Event:
    if cell.hash != known_as:  # worked out anew: a cell travels as text
        error = f"{socket.gethostname()} has other weights or another version of numprobe than the machine that asks"
        return Event("failed", cell, error=error)
    return attempt(cell, device)
