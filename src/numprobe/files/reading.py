"""Reading files: reporting progress, errors in one line, Parquet, .npy and checksums."""

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from numprobe.errors import NumprobeError
from numprobe.files.untrusted import first_line, refuse_bomb

PRETRAINED_EXTRA = 'pip install "numprobe[pretrained]"'

Watcher = Callable[[str, int, int], None]
"""Takes what is being read, how many bytes are done, and how many there are in all (0 if unknown)."""

_watchers: list[Watcher] = []


@contextmanager
def watching(watcher: Watcher) -> Iterator[None]:
    """Report the progress of long reads and downloads to `watcher` while the block runs."""
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)


def tell(what: str, done: int, total: int) -> None:
    """Report progress to every watcher."""
    for watcher in _watchers:
        watcher(what, done, total)


@contextmanager
def one_line_errors(path: str, verb: str = "read") -> Iterator[None]:
    """Turn any error that a library raises while it reads a file into one line."""
    try:
        yield
    except NumprobeError:
        raise
    except ModuleNotFoundError as error:
        raise NumprobeError(f"{path} needs the package {error.name}: {PRETRAINED_EXTRA}") from error
    except Exception as error:  # every library has its own errors, and damaged files raise nearly any of them
        raise NumprobeError(f"can't {verb} {path}: {reason(error)}") from error


def reason(error: Exception) -> str:
    """The first line of what an error says, or its class if it says nothing."""
    return getattr(error, "strerror", None) or first_line(error) or type(error).__name__


def read_parquet(path: str, columns: Sequence[str] | None = None) -> Any:
    """Read columns of a Parquet file; refuse a file that claims to unpack to far more than its size."""
    from pyarrow import parquet

    found = parquet.ParquetFile(path)
    about = found.metadata
    promised = sum(about.row_group(number).total_byte_size for number in range(about.num_row_groups))
    refuse_bomb(path, os.path.getsize(path), max(promised, about.num_rows))
    return found.read(columns=columns)


def map_npy(path: str) -> np.ndarray:
    """Map the array in a .npy file into memory; refuse one that contains pickled objects."""
    with one_line_errors(path), np.errstate(over="raise"):  # the header's shape may exceed any number of bytes
        table: np.ndarray = np.load(path, mmap_mode="r", allow_pickle=False)
    return table


def sha256(path: str | Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
