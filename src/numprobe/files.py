"""Writing files that a reader finds whole or not at all."""

import os
import tempfile
from pathlib import Path

from numprobe.errors import NumprobeError


def write_whole(path: Path, text: str) -> None:
    """Write a text under another name first, then move it to its place; makes the folder if it has to."""
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, prefix=".", delete=False) as file:
            temporary = Path(file.name)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        raise NumprobeError(f"can't write {path}: {error.strerror}") from error
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
