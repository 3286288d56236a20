"""GloVe's and word2vec's formats: text with one word and its numbers per line, and word2vec's binary files."""

from collections import Counter
from functools import partial

import numpy as np

from numprobe.embedders.word_vectors.files import BUFFER, Source
from numprobe.files.untrusted import first_line

FIRST_ROWS = 100
"""Rows at the start of a file whose lengths are always checked."""


def read_glove(source: Source, wanted: dict[bytes, str]) -> dict[str, np.ndarray]:
    # The most frequent length, since a token may contain spaces itself ('. . .' in the 840B vectors).
    lengths = Counter(row.count(b" ") for row in _first_rows(source) if row)
    return _read(source, wanted, max(1, lengths.most_common(1)[0][0]), 1)


def read_word2vec(source: Source, wanted: dict[bytes, str]) -> dict[str, np.ndarray]:
    count, dimension = source.header()
    return _read(source, wanted, dimension, 2, count)


def read_word2vec_binary(source: Source, wanted: dict[bytes, str]) -> dict[str, np.ndarray]:
    count, dimension = source.header()
    found: dict[str, np.ndarray] = {}
    for word, row in source.records(count, b" ", 4 * dimension):
        word = word.lstrip(b"\n")  # word2vec ends each row with a newline, gensim does not
        if b"\0" in word:
            raise source.wrong(f"damaged, or its header is wrong: {word[:20]!r} is where a word should be")
        if word in wanted and wanted[word] not in found:
            found[wanted[word]] = np.frombuffer(row, "<f4").astype(np.float32)
            if len(found) == len(wanted):
                return found
    if source.stream.read(2).strip():
        raise source.wrong(f"continues after the {count} words of {dimension} numbers that its header promises")
    return found


def is_row(line: bytes) -> bool:
    """Whether most of the fields after the first word are numbers."""
    fields = line.rstrip().split(b" ")[1:]
    return 2 * sum(map(_is_number, fields)) >= len(fields) > 0


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _first_rows(source: Source) -> list[bytes]:
    """The next rows in the buffer, without the last one, which may be incomplete."""
    rows = source.stream.peek(BUFFER).split(b"\n", FIRST_ROWS)
    return [row.rstrip() for row in rows[: max(1, len(rows) - 1)]]


def _read(
    source: Source, wanted: dict[bytes, str], dimension: int, first: int, count: int = 0
) -> dict[str, np.ndarray]:
    """Read the wanted rows. The first row is line `first`, and the header promised `count` rows."""

    def split(line: bytes, number: int) -> tuple[bytes, list[bytes]]:
        """Split a line into its word, which may contain spaces, and its numbers; refuse a wrong number of numbers."""
        fields = line.rstrip().split(b" ")
        length = len(fields) - dimension
        word = b" ".join(fields[: max(1, length)])
        if length < 1 or (word not in wanted and any(map(_is_number, fields[1:length]))):
            promise = "the header promises" if first > 1 else "other rows have"
            raise source.wrong(f"line {number} has {len(fields) - 1} numbers where {promise} {dimension}")
        return word, fields[length:]

    for number, line in enumerate(_first_rows(source), first):
        if line:
            split(line, number)
    heads = {word.partition(b" ")[0] for word in wanted}
    found: dict[str, np.ndarray] = {}
    number, line = first - 1, b""
    for number, line in enumerate(iter(partial(source.stream.readline, BUFFER), b""), first):
        if line[: line.find(b" ")] in heads:
            word, fields = split(line, number)
            if word in wanted and wanted[word] not in found:
                try:
                    with np.errstate(over="ignore"):  # the caller refuses infinity
                        found[wanted[word]] = np.array(fields, dtype=np.float32)
                except ValueError as error:
                    raise source.wrong(f"line {number}: {first_line(error)}") from error
                if len(found) == len(wanted):
                    return found
        elif len(line) == BUFFER:
            raise source.wrong(f"line {number} does not end within {BUFFER} bytes")
    if line.strip():
        split(line, number)  # the last line is too short if the file was cut off
    if number - first + 1 < count:
        raise source.wrong(f"cut off after line {number}: the header promises {count} words")
    return found
