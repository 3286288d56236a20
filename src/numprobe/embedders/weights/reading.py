"""What readers of weights share: errors in one line, and checksums."""

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from numprobe.embedders.sources import PRETRAINED_EXTRA
from numprobe.errors import NumprobeError
from numprobe.files.untrusted import refuse_bomb


@contextmanager
def reading(path: str) -> Iterator[None]:
    """Put whatever goes wrong while a file is read into one line."""
    try:
        yield
    except NumprobeError:
        raise
    except ImportError as error:
        raise NumprobeError(f"{path} needs the package {error.name}: {PRETRAINED_EXTRA}") from error
    except Exception as error:  # each library has its own class, and `tokenizers` has none
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise NumprobeError(f"can't read {path}: {reason.splitlines()[0]}") from error


def read_parquet(path: str, columns: Sequence[str] | None = None) -> Any:
    """The columns of a Parquet file, which is refused if it says that it unpacks to far more than it is."""
    from pyarrow import parquet

    found = parquet.ParquetFile(path)
    about = found.metadata
    promised = sum(about.row_group(number).total_byte_size for number in range(about.num_row_groups))
    refuse_bomb(path, os.path.getsize(path), max(promised, about.num_rows))
    return found.read(columns=columns)


def sha256(path: str | Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
