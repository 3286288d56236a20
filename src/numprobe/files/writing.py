"""Atomic writes: a file is there completely or not at all, even if processes compete or are killed.

A file is first written as a draft under another name in the same folder. The draft is locked while it is written, so
that it also tells other processes to wait. The lock ends with its process, so a draft that a killed process left behind
is not locked, and the next process that makes the same file takes it over.
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
except ImportError:  # on Windows processes don't wait for each other, and use different names
    fcntl = None  # type: ignore[assignment]

NO_LOCKS = (errno.ENOSYS, errno.ENOTSUP, errno.ENOLCK)
"""Errors of file systems without locks, such as some on clusters."""


class Draft:
    """An unfinished file that will become `path`."""

    def __init__(self, path: Path, made: Path, file: IO[bytes]) -> None:
        self.path, self.made, self._file = path, made, file

    def publish(self, content: str | bytes) -> None:
        """Write the contents and give the file its name."""
        self.write(content.encode() if isinstance(content, str) else content)
        self.finish()

    def write(self, content: bytes) -> None:
        """Begin the file anew with these contents."""
        self._file.truncate(0)
        self._file.write(content)
        self._file.flush()

    def extend(self, size: int) -> None:
        """Add so many zeros, for whoever opens `made` to write over. Fail now if the disk has no room for them."""
        start = os.fstat(self._file.fileno()).st_size
        if hasattr(os, "posix_fallocate") and size:
            os.posix_fallocate(self._file.fileno(), start, size)
        else:
            self._file.truncate(start + size)

    def finish(self) -> None:
        """Give the file its name."""
        self._file.flush()
        os.fsync(self._file.fileno())
        if fcntl is None:  # Windows can't rename or remove an open file
            self._file.close()
        os.replace(self.made, self.path)
        self._file.close()

    def discard(self) -> None:
        """Remove the draft unless it was published."""
        if self._file.closed:
            return
        with suppress(OSError):  # closing writes what is left, which may not fit on the disk
            if fcntl is None:
                self._file.close()
            self.made.unlink(missing_ok=True)  # while it is locked: later it may belong to another process
            self._file.close()


def claim(path: Path, wait: bool = False) -> Draft | None:
    """Return a draft of a file, or None if another process is making it; with `wait`, wait for that process."""
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
            file.close()  # another process published or discarded it before this one got the lock
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
    except (BlockingIOError, PermissionError):  # another process holds it; the second on some network file systems
        return False
    return True


@contextmanager
def drafted(path: Path) -> Iterator[Draft]:
    """Wait for a draft of a file; discard it after the block unless the block published it."""
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
    """Write a file so that readers find the new contents, the old ones, or no file, but never a part."""
    with drafted(path) as draft:
        draft.publish(content)


def sweep(folder: Path) -> None:
    """Remove the drafts that killed processes left in a folder."""
    for made in folder.glob(".*.partial"):
        with suppress(OSError):
            draft = claim(folder / made.name.removeprefix(".").removesuffix(".partial"))
            if draft is not None:
                draft.discard()
