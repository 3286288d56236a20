"""word2vec's binary format: a header, then words, each with its float32 numbers."""

import numpy as np

from numprobe.embedders.word_vectors.files import Source


def read(source: Source, wanted: dict[bytes, str]) -> dict[str, np.ndarray]:
    count, dimension = source.header()
    found: dict[str, np.ndarray] = {}
    for word, row in source.records(count, b" ", 4 * dimension):
        word = word.lstrip(b"\n")  # word2vec ends each row with a newline, gensim does not
        if b"\0" in word:
            raise source.wrong(f"damaged, or its header is wrong: {word[:20]!r} stands where a word should")
        if word in wanted and wanted[word] not in found:
            found[wanted[word]] = np.frombuffer(row, "<f4").astype(np.float32)
            if len(found) == len(wanted):
                return found
    if source.stream.read(2).strip():
        raise source.wrong(f"goes on after the {count} words of {dimension} numbers that its header promises")
    return found
