"""Files that are there whole or not at all."""

import os
from contextlib import suppress
from pathlib import Path

from numprobe.errors import NumprobeError


def write_whole(path: Path, content: str | bytes) -> None:
    """Write under another name first, so that a reader finds the whole file, the one before, or none."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        raise NumprobeError(f"can't write {path}: {error.strerror}") from error
    finally:
        with suppress(OSError):
            temporary.unlink()
