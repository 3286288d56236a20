"""The formats of word vectors: which one a file has, and reading it."""

from collections.abc import Callable, Collection
from pathlib import PurePath

import numpy as np

from numprobe.embedders.word_vectors import binary, fasttext, keyed, text
from numprobe.embedders.word_vectors.files import BUFFER, HEADER, Source, opened
from numprobe.errors import NumprobeError, one_of

Reader = Callable[[Source, dict[bytes, str]], dict[str, np.ndarray]]

READERS: dict[str, Reader] = {
    "glove": text.read_glove,
    "word2vec": text.read_word2vec,
    "word2vec-binary": binary.read,
    "fasttext": fasttext.read,
    "gensim": keyed.read,
}
FORMATS = tuple(READERS)
"""fastText's .vec files are word2vec's text; `fasttext` is its .bin, which has vectors for words it never saw."""

ENDINGS = {
    ".bin": ("word2vec-binary", "fasttext"),
    ".kv": ("gensim",),
    ".txt": ("glove", "word2vec"),
    ".vec": ("word2vec",),
}


def read_rows(path: str, wanted: Collection[str], format: str = "") -> dict[str, np.ndarray]:
    """The float32 vectors of those wanted words that the file has, in one pass that keeps nothing else.

    The format is recognised from the content unless given. Of a word that comes twice the first vector counts,
    and reading stops once every word is found, so what follows is neither seen nor checked.
    """
    if format:
        one_of("format of word vectors", format, FORMATS)
    with opened(path) as source:
        recognised = _recognise(source)
        fitting = (format,) if format else ENDINGS.get(PurePath(source.name).suffix, FORMATS)
        if recognised not in fitting:
            claim = f"format={format} was given" if format else f"a file called {PurePath(source.name).name} should not"
            raise source.wrong(f"has the format {recognised}, and {claim}; write format={recognised} if that is meant")
        rows = READERS[recognised](source, {_bytes(word): word for word in wanted})
    for word, row in rows.items():
        if not np.isfinite(row).all():
            raise NumprobeError(f"{path}: the vector of {word!r} holds NaN or infinity")
    return rows


def _bytes(word: str) -> bytes:
    return word.encode(errors="surrogatepass")


def _recognise(source: Source) -> str:
    start = source.stream.peek(BUFFER)
    if not start:
        raise source.wrong("the file is empty")
    if start.startswith(fasttext.MAGIC):
        return "fasttext"
    if start[:1] == b"\x80" and start[1:2] in (b"\2", b"\3", b"\4", b"\5"):  # a pickle and its protocol
        return "gensim"
    first, _, rest = start.partition(b"\n")
    if HEADER.fullmatch(first):
        return "word2vec" if not rest or text.is_row(rest.partition(b"\n")[0]) else "word2vec-binary"
    if text.is_row(first):
        return "glove"
    raise source.wrong(f"not recognised as word vectors of any format ({', '.join(FORMATS)})")
