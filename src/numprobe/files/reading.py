"""Reading files: reporting progress, errors in one line, and Parquet."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from numprobe.errors import NumprobeError
from numprobe.files.untrusted import first_line, refuse_bomb

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
def one_line_errors(path: str, verb: str = "read", extra: str = "pretrained") -> Iterator[None]:
    """Turn any error of a library that reads a file into one line; `extra` installs the library."""
    try:
        yield
    except NumprobeError:
        raise
    except ModuleNotFoundError as error:
        install = f'pip install "numprobe[{extra}]"'
        raise NumprobeError(f"{path} needs the package {error.name}: {install}") from error
    except Exception as error:  # every library has its own errors, and damaged files raise nearly any of them
        reason = getattr(error, "strerror", None) or first_line(error) or type(error).__name__
        raise NumprobeError(f"can't {verb} {path}: {reason}") from error


def read_parquet(path: str, columns: Sequence[str] | None = None) -> Any:
    """Read columns of a Parquet file; refuse a file that claims to unpack to far more than its size."""
    from pyarrow import parquet

    found = parquet.ParquetFile(path)
    about = found.metadata
    promised = sum(about.row_group(number).total_byte_size for number in range(about.num_row_groups))
    refuse_bomb(path, os.path.getsize(path), max(promised, about.num_rows))
    return found.read(columns=columns)
