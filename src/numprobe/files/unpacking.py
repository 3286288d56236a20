"""Decompressing untrusted files as a stream, with bounded memory and bounded size."""

import gzip
import io
import zipfile
from pathlib import Path
from typing import IO, Any

from numprobe.errors import NumprobeError
from numprobe.files.untrusted import EXPANSION, first_line, most_bytes, refuse_bomb, shortened

METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Compression methods of zip members that unpack in bounded memory; bzip2 and LZMA unpack whole blocks at once."""


class Bounded(io.RawIOBase):
    """Unpacked contents, up to the largest size that is plausible for the file."""

    def __init__(self, contents: Any, path: str, size: int) -> None:
        self._contents, self._path, self._most = contents, path, most_bytes(size)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        count = int(self._contents.readinto(buffer))
        self._check(self._contents.tell())
        return count

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        if whence == io.SEEK_SET:
            self._check(offset)
        return int(self._contents.seek(offset, whence))

    def _check(self, position: int) -> None:
        if position > self._most:
            raise NumprobeError(
                f"{self._path} unpacks to more than {EXPANSION} times its size; if that is intended, unpack it yourself"
            )


def open_zip(file: Any, path: Path | str) -> zipfile.ZipFile:
    """Open a zip, given as a file or a path."""
    try:
        return zipfile.ZipFile(file)
    except (
        zipfile.BadZipFile,
        NotImplementedError,
        OSError,
        ValueError,
    ) as error:  # ValueError: bad names
        raise NumprobeError(f"{path}: damaged or cut off: {first_line(error)}") from error


def member_of(archive: zipfile.ZipFile, member: str | zipfile.ZipInfo, path: Path | str) -> IO[bytes]:
    """Open a member of a zip as a stream; refuse an unusual compression method and an implausible size."""
    info = archive.getinfo(member) if isinstance(member, str) else member
    if info.compress_type not in METHODS:
        raise NumprobeError(f"{path}: can't be unpacked: {shortened(info.filename)} is neither stored nor deflated")
    refuse_bomb(path, Path(path).stat().st_size, info.file_size)
    try:
        return archive.open(info)
    except (zipfile.BadZipFile, OSError) as error:
        raise NumprobeError(f"{path}: damaged or cut off: {first_line(error)}") from error
    except (RuntimeError, ValueError) as error:  # a password, or flags that Python does not know
        raise NumprobeError(f"{path}: can't be unpacked: {first_line(error)}") from error


def unpacked(file: "io.BufferedReader[Any]", path: str, size: int) -> tuple[str, Any]:
    """Return the name and the contents of a .gz, the largest member of a .zip, or a plain file."""
    start = file.peek(6)
    if start.startswith(b"\x1f\x8b"):
        return path.removesuffix(".gz"), Bounded(gzip.GzipFile(fileobj=file), path, size)
    if start.startswith(b"\xfd7zXZ\0"):
        raise NumprobeError(f"{path} is an .xz file; unpack it, or use .gz or .zip")
    if start.startswith(b"PK\x03\x04"):
        archive = open_zip(file, path)
        if not archive.infolist():
            raise NumprobeError(f"{path} is an empty zip")
        member = max(archive.infolist(), key=lambda info: info.file_size)
        return member.filename, Bounded(member_of(archive, member, path), path, size)
    return path, file
