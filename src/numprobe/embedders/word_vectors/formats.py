"""The formats of word vectors: recognising and reading them."""

from collections.abc import Callable, Collection
from pathlib import PurePath

import numpy as np

from numprobe.embedders.word_vectors import fasttext, word2vec
from numprobe.embedders.word_vectors.files import BUFFER, HEADER, Source, opened
from numprobe.errors import NumprobeError, one_of

Reader = Callable[[Source, dict[bytes, str]], dict[str, np.ndarray]]

READERS: dict[str, Reader] = {
    "glove": word2vec.read_glove,
    "word2vec": word2vec.read_word2vec,
    "word2vec-binary": word2vec.read_word2vec_binary,
    "fasttext": fasttext.read_fasttext,
}
FORMATS = tuple(READERS)
"""`fasttext` is fastText's .bin format, which also has vectors for unknown words; its .vec files are `word2vec`."""

ENDINGS = {
    ".bin": ("word2vec-binary", "fasttext"),
    ".txt": ("glove", "word2vec"),
    ".vec": ("word2vec",),
}


def read_rows(path: str, wanted: Collection[str], format: str = "") -> dict[str, np.ndarray]:
    """Read the float32 vectors of the wanted words that are in the file, in one pass.

    The format is recognised from the content unless it is given. If a word occurs twice, its first vector counts.
    Reading stops when all words are found, so the rest of the file is not checked.
    """
    if format:
        one_of("format of word vectors", format, FORMATS)
    with opened(path) as source:
        recognised = _recognise(source)
        fitting = (format,) if format else ENDINGS.get(PurePath(source.name).suffix, FORMATS)
        if recognised not in fitting:
            expected = f"format={format}" if format else f"the name {PurePath(source.name).name}"
            raise source.wrong(
                f"has the format {recognised}, which does not match {expected}; "
                f"write format={recognised} to read it anyway"
            )
        rows = READERS[recognised](source, {_bytes(word): word for word in wanted})
    for word, row in rows.items():
        if not np.isfinite(row).all():
            raise NumprobeError(f"{path}: the vector of {word!r} contains NaN or infinity")
    return rows


def _bytes(word: str) -> bytes:
    return word.encode(errors="surrogatepass")


def _recognise(source: Source) -> str:
    start = source.stream.peek(BUFFER)
    if not start:
        raise source.wrong("the file is empty")
    if start.startswith(fasttext.MAGIC):
        return "fasttext"
    if start[:1] == b"\x80" and start[1:2] in (b"\2", b"\3", b"\4", b"\5"):  # a pickle of this protocol
        raise source.wrong(
            "a pickle, which can run code: load it with gensim and pass the KeyedVectors to numprobe.probe, "
            "or save it with save_word2vec_format"
        )
    first, _, rest = start.partition(b"\n")
    if HEADER.fullmatch(first):
        return "word2vec" if not rest or word2vec.is_row(rest.partition(b"\n")[0]) else "word2vec-binary"
    if word2vec.is_row(first):
        return "glove"
    raise source.wrong(f"not word vectors in any known format ({', '.join(FORMATS)})")
