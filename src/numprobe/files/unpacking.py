"""Decompressing untrusted files as a stream, with bounded memory and bounded size."""

import gzip
import io
import lzma
import zipfile
from pathlib import Path
from typing import IO, Any

from numprobe.errors import NumprobeError
from numprobe.files.untrusted import EXPANSION, first_line, most_bytes, refuse_bomb, shortened

BLOCK = 1 << 18
XZ_MEMORY = 1 << 28
"""Bytes of memory that unpacking an .xz may take, four times what `xz -9` needs. A header may ask for 4 GB."""

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


class Xz(io.RawIOBase):
    """The contents of an .xz file, with a limit on memory that `lzma.LZMAFile` does not have."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self._rewind()

    def _rewind(self) -> None:
        self._file.seek(0)
        self._position = 0
        self._decoder = self._new_decoder()

    @staticmethod
    def _new_decoder() -> lzma.LZMADecompressor:
        return lzma.LZMADecompressor(lzma.FORMAT_XZ, XZ_MEMORY)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        made = b""
        while len(buffer) and not made:
            packed = b""
            if self._decoder.eof:  # another stream may follow, after zeros
                packed = self._decoder.unused_data.lstrip(b"\0")
                while not packed:
                    block = self._file.read(BLOCK)
                    if not block:
                        return 0
                    packed = block.lstrip(b"\0")
                self._decoder = self._new_decoder()
            elif self._decoder.needs_input and not (packed := self._file.read(BLOCK)):
                raise EOFError("it ends in the middle of its contents")
            made = self._decoder.decompress(packed, len(buffer))
        buffer[: len(made)] = made
        self._position += len(made)
        return len(made)

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        target = offset + (self._position if whence == io.SEEK_CUR else 0)
        if target < self._position:
            self._rewind()
        while self._position < target and self.read(min(BLOCK, target - self._position)):
            pass
        return self._position


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
    """Return the name and the contents of a .gz, an .xz, the largest member of a .zip, or a plain file."""
    start = file.peek(6)
    if start.startswith(b"\x1f\x8b"):
        return path.removesuffix(".gz"), Bounded(gzip.GzipFile(fileobj=file), path, size)
    if start.startswith(b"\xfd7zXZ\0"):
        return path.removesuffix(".xz"), Bounded(Xz(file), path, size)
    if start.startswith(b"PK\x03\x04"):
        archive = open_zip(file, path)
        if not archive.infolist():
            raise NumprobeError(f"{path} is an empty zip")
        member = max(archive.infolist(), key=lambda info: info.file_size)
        return member.filename, Bounded(member_of(archive, member, path), path, size)
    return path, file
