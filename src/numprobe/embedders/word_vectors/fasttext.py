"""fastText's .bin models: vectors of words, and of character n-grams for unknown words.

The file contains a magic number, a version, training arguments, a dictionary, and the input matrix. The matrix has a
row for each word, followed by a row for each of the buckets that n-grams are hashed into.
"""

import re

import numpy as np

from numprobe.embedders.word_vectors.files import Source

MAGIC = (793712314).to_bytes(4, "little")
END_OF_SENTENCE = b"</s>"
SUPERVISED = 3


def read_fasttext(source: Source, wanted: dict[bytes, str]) -> dict[str, np.ndarray]:
    _magic, version, *arguments = source.unpack("<2i12id")
    if version not in (11, 12):
        raise source.wrong(f"fastText model of version {version}; numprobe reads 11 and 12")
    dimension, model, bucket, shortest, longest = (arguments[i] for i in (0, 7, 8, 9, 10))
    source.check_dimension(dimension)
    if version == 11 and model == SUPERVISED:
        longest = 0  # like the library: those models were trained without n-grams
    entries, words, _labels, _tokens, pruned = source.unpack("<3i2q")
    listed = {}
    for index, (word, _count) in enumerate(source.records(entries, b"\0", 8 + 1)):  # followed by its count and its type
        if index < words and word in wanted:
            listed[word] = index
    if pruned >= 0 or source.exactly(1) != b"\0":
        raise source.wrong("quantised fastText models (.ftz) can't be read; use the .bin file it was made from")
    rows, columns = source.unpack("<2q")
    start = source.stream.tell()
    if columns != dimension or rows != words + bucket or min(words, bucket) < 0:
        raise source.wrong(f"damaged: a matrix of {rows} × {columns} for {words} words and {bucket} buckets")
    if source.size and source.size < start + 4 * rows * columns:
        raise source.wrong(
            f"cut off at byte {source.size}, within the vectors, which end at {start + 4 * rows * columns}"
        )

    parts = {}
    for word in wanted:
        own = [listed[word]] if word in listed else []
        buckets = [] if word == END_OF_SENTENCE or not bucket else ngram_buckets(word, shortest, longest, bucket)
        if own or buckets:
            parts[word] = own + [words + number for number in buckets]
    matrix = {}
    for number in sorted({number for numbers in parts.values() for number in numbers}):
        source.stream.seek(start + 4 * columns * number)
        matrix[number] = np.frombuffer(source.exactly(4 * columns), "<f4")
    return {wanted[word]: _mean([matrix[number] for number in numbers]) for word, numbers in parts.items()}


def _mean(rows: list[np.ndarray]) -> np.ndarray:
    """The mean, computed in the same order and precision as in the library."""
    with np.errstate(over="ignore", invalid="ignore"):  # the caller refuses infinity and NaN
        return np.asarray(np.stack(rows).sum(axis=0) * np.float32(1 / len(rows)))


def ngram_buckets(word: bytes, shortest: int, longest: int, bucket: int) -> list[int]:
    """The buckets of the n-grams that start at each character of a word.

    >>> ngram_buckets("né".encode(), 3, 4, 1000)
    [143, 91, 737]
    """
    characters = re.findall(rb"[^\x80-\xbf][\x80-\xbf]*", b"<" + word + b">")
    buckets = []
    for start in range(len(characters)):
        hashed = 2166136261  # 32-bit FNV-1a, except that the library's bytes are signed
        for length, character in enumerate(characters[start : start + longest], 1):
            for byte in character:
                hashed = (hashed ^ (byte if byte < 0x80 else byte | 0xFFFFFF00)) * 16777619 & 0xFFFFFFFF
            if length >= shortest and not (length == 1 and start in (0, len(characters) - 1)):
                buckets.append(hashed % bucket)
    return buckets
