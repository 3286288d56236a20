"""What readers of weights share: errors in one line, and checksums."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from numprobe.embedders.sources import PRETRAINED_EXTRA
from numprobe.errors import NumprobeError


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


def sha256(path: str | Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
