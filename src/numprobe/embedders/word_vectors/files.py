"""Files of vectors, plain or compressed, read forwards in bounded memory."""

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from numprobe.errors import NumprobeError
from numprobe.files.reading import tell
from numprobe.files.unpacking import unpacked

BUFFER = 1 << 18
"""Bytes that are read at once, and the longest row of text and the longest word."""

HEADER = re.compile(rb"(\d{1,15}) (\d{1,15})\s*")
"""The first line of word2vec's formats: the number of words, and of numbers per word."""

MOST_NUMBERS = BUFFER // 4
"""The largest dimension of a vector."""

_DAMAGE = (EOFError, OSError, zlib.error, zipfile.BadZipFile)


@dataclass(frozen=True)
class Source:
    """The decompressed contents of a file, with what error messages need."""

    path: str
    stream: "io.BufferedReader[Any]"
    size: int
    """Bytes of the contents; 0 if unknown before they are read to the end."""

    def wrong(self, what: str) -> NumprobeError:
        return NumprobeError(f"{self.path}: {what}")

    def exactly(self, count: int) -> bytes:
        """Read so many bytes. No caller asks for more than BUFFER, whatever a file claims."""
        content = self.stream.read(count)
        if len(content) < count:
            raise self.wrong(f"cut off at byte {self.stream.tell()}, where {count - len(content)} more should follow")
        return content

    def unpack(self, layout: str) -> tuple[Any, ...]:
        return struct.unpack(layout, self.exactly(struct.calcsize(layout)))

    def header(self) -> tuple[int, int]:
        """Read the count and the dimension from word2vec's first line."""
        line = self.stream.readline(BUFFER)
        match = HEADER.fullmatch(line)
        if not match:
            raise self.wrong("line 1 is not word2vec's header, 'count dimension'")
        count, dimension = map(int, match.groups())
        self.check_dimension(dimension)
        return count, dimension

    def check_dimension(self, dimension: int) -> None:
        if not 1 <= dimension <= MOST_NUMBERS:
            raise self.wrong(f"the header promises {dimension} numbers per word")

    def records(self, count: int, separator: bytes, size: int) -> Iterator[tuple[bytes, bytes]]:
        """Read words that end with a separator, each with the `size` bytes after it."""
        buffer, start, offset = b"", 0, self.stream.tell()
        for number in range(count):
            end = buffer.find(separator, start)
            while end < 0 or end + 1 + size > len(buffer):
                block = self.stream.read(BUFFER)
                if not block:
                    at = offset + len(buffer)
                    raise self.wrong(f"cut off at byte {at}, within word {number + 1} of the {count} promised")
                if end < 0 and len(buffer) - start > BUFFER:
                    raise self.wrong(f"damaged: no word ends after byte {offset + start}")
                buffer, offset, start = buffer[start:] + block, offset + start, 0
                end = buffer.find(separator)
            yield buffer[start:end], buffer[end + 1 : end + 1 + size]
            start = end + 1 + size
        self.stream.seek(offset + start)


class _Watched(io.FileIO):
    """A file that reports how far it has been read."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.size = self.seek(0, io.SEEK_END)
        self.seek(0)

    def readinto(self, buffer: Any, /) -> int | None:
        count = super().readinto(buffer)
        tell(f"reading {self.name}", self.tell(), self.size)
        return count


@contextmanager
def opened(path: str) -> Iterator[Source]:
    """Open a file, and decompress a .gz or the largest member of a .zip."""
    try:
        raw = _Watched(path)
    except OSError as error:
        raise NumprobeError(f"{path}: {error.strerror or error}") from error
    file: io.BufferedReader[Any]
    with io.BufferedReader(raw, BUFFER) as file:
        try:
            contents = unpacked(file, path, raw.size)
            if contents is file:
                yield Source(path, file, raw.size)
            else:
                yield Source(path, io.BufferedReader(contents, BUFFER), 0)
        except _DAMAGE as error:
            raise NumprobeError(f"{path}: damaged or cut off near byte {file.tell()}: {error}") from error
