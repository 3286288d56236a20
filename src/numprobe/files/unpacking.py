"""Decompressing untrusted files as a stream, with bounded memory and bounded size."""

import gzip
import io
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from numprobe.errors import NumprobeError
from numprobe.files.untrusted import first_line, refuse_bomb, shortened

METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Compression methods of zip members that unpack in bounded memory; bzip2 and LZMA unpack whole blocks at once."""


GZIP = b"\x1f\x8b"
"""How a .gz file begins."""


class _Gzip(gzip.GzipFile):
    """The contents of a .gz file, up to the largest size that is plausible for it."""

    def __init__(self, file: IO[bytes], path: str, size: int) -> None:
        super().__init__(fileobj=file)
        self._path, self._packed = path, size

    def read(self, size: int | None = -1) -> bytes:
        content = super().read(size)
        refuse_bomb(self._path, self._packed, self.tell())
        return content

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        refuse_bomb(self._path, self._packed, offset)
        return super().seek(offset, whence)


def open_zip(file: Any, path: Path | str) -> zipfile.ZipFile:
    """Open a zip, given as a file or a path."""
    try:
        return zipfile.ZipFile(file)
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError) as error:  # ValueError: bad names
        raise NumprobeError(f"{path}: damaged or cut off: {first_line(error)}") from error


def member_of(archive: zipfile.ZipFile, member: str | zipfile.ZipInfo, path: Path | str) -> IO[bytes]:
    """Open a member of a zip as a stream; refuse an unusual compression method and an implausible size."""
    info = archive.getinfo(member) if isinstance(member, str) else member
    if info.compress_type not in METHODS:
        raise NumprobeError(f"{path}: can't be unpacked: {shortened(info.filename)} is neither stored nor deflated")
    refuse_bomb(path, Path(path).stat().st_size, info.file_size)  # a stream never yields more than this
    try:
        return archive.open(info)
    except (zipfile.BadZipFile, OSError) as error:
        raise NumprobeError(f"{path}: damaged or cut off: {first_line(error)}") from error
    except (RuntimeError, ValueError) as error:  # a password, or flags that Python does not know
        raise NumprobeError(f"{path}: can't be unpacked: {first_line(error)}") from error


@contextmanager
def opened_member(path: Path, member: str) -> Iterator[IO[bytes]]:
    """Open a file in a zip or a .tar.gz as a stream; what the archive says about paths is ignored."""
    try:
        with path.open("rb") as file:
            if file.peek(2).startswith(GZIP):
                with tarfile.open(fileobj=_Gzip(file, str(path), path.stat().st_size), mode="r|") as packed:
                    yield _member_of_tar(packed, member, path)
            else:
                with open_zip(file, path) as archive:
                    if member not in archive.namelist():
                        raise _lacks(path, member)
                    with member_of(archive, member, path) as source:
                        yield source
    except (zipfile.BadZipFile, gzip.BadGzipFile, tarfile.TarError, EOFError, zlib.error) as error:
        raise NumprobeError(f"{path.name} is damaged and was not kept: {first_line(error)}") from error


def _member_of_tar(archive: tarfile.TarFile, member: str, path: Path) -> IO[bytes]:
    """A plain file in a tar that is read from beginning to end; links and files with holes are refused."""
    info = next((info for info in archive if info.name == member), None)
    if info is None:
        raise _lacks(path, member)
    source = archive.extractfile(info) if info.isreg() and not info.issparse() else None
    if source is None:
        raise NumprobeError(f"{path.name}: {member!r} is no plain file, so it was not kept")
    return source


def _lacks(path: Path, member: str) -> NumprobeError:
    return NumprobeError(f"{path.name} has no file {member!r}, so it was not kept")


def unpacked(file: "io.BufferedReader[Any]", path: str, size: int) -> Any:
    """Return the contents of a .gz, of the largest member of a .zip, or of a plain file."""
    start = file.peek(6)
    if start.startswith(GZIP):
        return _Gzip(file, path, size)
    if start.startswith(b"\xfd7zXZ\0"):
        raise NumprobeError(f"{path} is an .xz file; unpack it, or use .gz or .zip")
    if start.startswith(b"PK\x03\x04"):
        archive = open_zip(file, path)
        if not archive.infolist():
            raise NumprobeError(f"{path} is an empty zip")
        return member_of(archive, max(archive.infolist(), key=lambda info: info.file_size), path)
    return file
