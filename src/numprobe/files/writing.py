"""Files that are there whole or not at all, whoever else writes them and whoever is killed while writing.

A file is made under another name beside its own, and that file is locked while it is made: so it is also a claim that
others respect. The lock ends with the process that holds it, so what a killed process left behind is told from what a
living one is making, and is taken over by the next who makes the same file.
"""

import errno
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from numprobe.errors import NumprobeError

try:
    import fcntl
except ImportError:  # Windows: nobody waits for anybody there, and names differ instead
    fcntl = None  # type: ignore[assignment]

NO_LOCKS = (errno.ENOSYS, errno.ENOTSUP, errno.ENOLCK)
"""What a file system says that can't lock, as some of clusters can't."""


class Draft:
    """A file in the making, for `path`."""

    def __init__(self, path: Path, made: Path, file: IO[bytes]) -> None:
        self.path, self.made, self._file = path, made, file

    def publish(self, *parts: str | bytes | memoryview) -> None:
        """Write the file and give it its name."""
        self._file.truncate(0)
        for part in parts:
            self._file.write(part.encode() if isinstance(part, str) else part)
        self._file.flush()
        os.fsync(self._file.fileno())
        if fcntl is None:  # Windows neither renames nor removes what is open
            self._file.close()
        os.replace(self.made, self.path)
        self._file.close()

    def discard(self) -> None:
        """Remove what was not published; others may make the file."""
        if self._file.closed:
            return
        with suppress(OSError):  # what was not written yet may not fit on the disk
            if fcntl is None:
                self._file.close()
            self.made.unlink(missing_ok=True)  # before the lock ends with the file: later, it may be another's
            self._file.close()


def claim(path: Path, wait: bool = False) -> Draft | None:
    """The right to make a file, or None where another process is making it; or wait until that one is done."""
    path.parent.mkdir(parents=True, exist_ok=True)
    made = path.with_name(f".{path.name}.partial")
    while True:
        file = made.open("ab")
        try:
            if not _lock(file, wait):
                file.close()
                return None
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(file.fileno()), made.stat()):
                    return Draft(path, made, file)
            file.close()  # it was published or discarded before it was locked
        except OSError as error:
            file.close()
            if error.errno not in NO_LOCKS:
                raise
            made = path.with_name(f".{path.name}.{socket.gethostname()}-{os.getpid()}.partial")
            return Draft(path, made, made.open("wb"))


def _lock(file: IO[bytes], wait: bool) -> bool:
    if fcntl is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    try:
        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # held by another; the second on some network file systems
        return False
    return True


@contextmanager
def drafted(path: Path) -> Iterator[Draft]:
    """A draft that waits for its turn; it is discarded unless the block publishes it."""
    try:
        draft = claim(path, wait=True)
        assert draft is not None
        try:
            yield draft
        finally:
            draft.discard()
    except OSError as error:
        raise NumprobeError(f"can't write {path}: {error.strerror or error}") from error


def write_whole(path: Path, content: str | bytes) -> None:
    """Write so that a reader finds the whole file, the one before, or none."""
    with drafted(path) as draft:
        draft.publish(content)


def sweep(folder: Path) -> None:
    """Remove what killed processes left behind in a folder."""
    for made in folder.glob(".*.partial"):
        with suppress(OSError):
            draft = claim(folder / made.name.removeprefix(".").removesuffix(".partial"))
            if draft is not None:
                draft.discard()
