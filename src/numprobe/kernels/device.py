"""The device and the threads that PyTorch computes with."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from numprobe.errors import NumprobeError


def pick_device(name: str = "auto") -> torch.device:
    """Return a device by name; `auto` picks the fastest one available."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
    try:
        return torch.empty(0, device=name).device
    except (RuntimeError, AssertionError) as error:
        raise NumprobeError(f"device {name!r} can't be used: {str(error).splitlines()[0]}") from None


@contextmanager
def one_thread() -> Iterator[None]:
    """Run PyTorch on one thread, so that sums are added in the same order on every machine."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
