"""Vectors as text, a word and its numbers per line: GloVe's files, and word2vec's with a header."""

from collections import Counter
from functools import partial

import numpy as np

from numprobe.embedders.word_vectors.files import BUFFER, Source
from numprobe.files.untrusted import first_line

FIRST_ROWS = 100
"""Rows whose lengths are checked whether they are wanted or not."""


def read_glove(source: Source, wanted: dict[bytes, str]) -> dict[str, np.ndarray]:
    # The most frequent length, since a token may itself hold spaces ('. . .' in the 840B vectors).
    lengths = Counter(row.count(b" ") for row in _first_rows(source) if row)
    return _read(source, wanted, max(1, lengths.most_common(1)[0][0]), 1)


def read_word2vec(source: Source, wanted: dict[bytes, str]) -> dict[str, np.ndarray]:
    count, dimension = source.header()
    return _read(source, wanted, dimension, 2, count)


def is_row(line: bytes) -> bool:
    """Whether most of what follows the first word are numbers."""
    fields = line.rstrip().split(b" ")[1:]
    return 2 * sum(map(_is_number, fields)) >= len(fields) > 0


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _first_rows(source: Source) -> list[bytes]:
    """The next rows that are in the buffer, without the last, which may go on behind it."""
    rows = source.stream.peek(BUFFER).split(b"\n", FIRST_ROWS)
    return [row.rstrip() for row in rows[: max(1, len(rows) - 1)]]


def _read(
    source: Source, wanted: dict[bytes, str], dimension: int, first: int, count: int = 0
) -> dict[str, np.ndarray]:
    """The wanted rows; lines are counted from `first`, and a header promised `count` of them."""

    def split(line: bytes, number: int) -> tuple[bytes, list[bytes]]:
        """The word, which may hold spaces but is not followed by numbers too many, and its numbers."""
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
                    with np.errstate(over="ignore"):  # infinity is refused by whoever called
                        found[wanted[word]] = np.array(fields, dtype=np.float32)
                except ValueError as error:
                    raise source.wrong(f"line {number}: {first_line(error)}") from error
                if len(found) == len(wanted):
                    return found
        elif len(line) == BUFFER:
            raise source.wrong(f"line {number} does not end within {BUFFER} bytes")
    if line.strip():
        split(line, number)  # the last, which is short where the file was cut off
    if number - first + 1 < count:
        raise source.wrong(f"cut off after line {number}: the header promises {count} words")
    return found
