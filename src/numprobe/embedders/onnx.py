"""Transformers exported to ONNX, with the tokenizer of each."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from glob import escape
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from numprobe.embedders.onnx_graph import EXTRA, Graph, load_graph
from numprobe.embedders.sources import local_file, locate, resolve, revision
from numprobe.embedders.sources.catalogue import PACKAGE
from numprobe.embedders.states import BATCH_PIECES
from numprobe.errors import NumprobeError, at_least, one_of
from numprobe.files.reading import one_line_errors
from numprobe.files.untrusted import first_line, shortened
from numprobe.registry import RUNTIME

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

WHOLE = ("pooled", "sentence")
"""Readings of whole texts, called as those of `transformer` are."""

TOKENIZERS = ("tokenizer.json", "vocab.txt")


@dataclass(frozen=True)
class Onnx:
    """A transformer exported to ONNX: an .onnx file, and a tokenizer.json or vocab.txt. Vectors are not normalised."""

    name: ClassVar[str] = "onnx"

    model: str
    tokenizer: str = ""
    """By default the tokenizer.json beside the model, or else the vocab.txt, a list of BERT's word pieces."""
    reading: str = "pooled"
    """The mean of all pieces of the text (pooled), or the model's sentence token ([CLS]), of the last layer.

    A model whose only output is one vector per text pools by itself.
    """
    prefix: str = ""
    """What stands before every text, such as `query: ` for E5."""
    batch: int = field(default=BATCH_PIECES, metadata=RUNTIME)
    """Word pieces that go through the model at a time."""

    def __post_init__(self) -> None:
        one_of("reading", self.reading, WHOLE)
        at_least(1, batch=self.batch)

    @property
    def revision(self) -> str | None:
        return revision(*_files(self.model), self._tokenizer)

    @property
    def _tokenizer(self) -> str:
        return self.tokenizer or _beside(self.model)

    @property
    def _parts(self) -> "tuple[Graph, Tokenizer]":
        return _load(resolve(self.model), self._tokenizer, self.revision)

    def pieces(self, texts: list[str]) -> list[list[str]]:
        """The word pieces of each text, without special ones."""
        _, tokenizer = self._parts
        return [encoding.tokens for encoding in tokenizer.encode_batch(texts, add_special_tokens=False)]

    def encode(self, texts: list[str]) -> np.ndarray:
        """(texts, dimension)"""
        graph, tokenizer = self._parts
        if graph.pools and self.reading != WHOLE[0]:
            raise NumprobeError(f"{self.model} gives one vector per text: leave out reading={self.reading}")
        encodings = tokenizer.encode_batch([self.prefix + text for text in texts])
        rows: list[np.ndarray] = [np.empty(0)] * len(texts)
        for batch in _of_equal_length([len(encoding.ids) for encoding in encodings], self.batch, graph.takes_one):
            with self._refusing(texts[batch[0]], len(encodings[batch[0]].ids), graph):
                found = graph.run([encodings[at].ids for at in batch])
            for at, states in zip(batch, found, strict=True):
                rows[at] = states if graph.pools else self._read(states, encodings[at])
        return np.stack(rows).astype(np.float32)

    @contextmanager
    def _refusing(self, text: str, pieces: int, graph: Graph) -> Iterator[None]:
        """Say in one line why a text can't be read."""
        if not pieces:
            raise NumprobeError(f"{self.model} has no pieces for {text!r}")
        try:
            yield
        except Exception as error:  # onnxruntime's have no common class
            most = bisect_left(range(1, pieces), True, key=lambda count: not graph.reads([[0] * count]))
            if most < pieces - 1 or not graph.reads([[0] * pieces]):
                raise NumprobeError(
                    f"{self.model} reads at most {most} pieces, and {shortened(text)} has {pieces}"
                ) from error
            raise NumprobeError(f"{self.model} can't read {shortened(text)}: {first_line(error)}") from error

    def _read(self, states: np.ndarray, encoding: "Encoding") -> np.ndarray:
        """The vector of a text from the (pieces, dimension) states of its pieces."""
        if self.reading == WHOLE[0]:
            return np.asarray(states.mean(axis=0, dtype=np.float32))
        if not any(encoding.special_tokens_mask):
            raise NumprobeError(f"the tokenizer of {self.model} adds no sentence token; use reading=pooled")
        return np.asarray(states[encoding.special_tokens_mask.index(1)])


def _files(model: str) -> list[str]:
    """A model and the data that its exporter put beside it, such as model.onnx.data or model.onnx_data."""
    path = None if resolve(model).startswith(PACKAGE) else locate(model)
    return [model] if path is None else sorted(map(str, path.parent.glob(f"{escape(path.name)}*")))


def _beside(model: str) -> str:
    """The tokenizer in the folder of a model."""
    found = [path for name in TOKENIZERS if (path := Path(local_file(model)).with_name(name)).is_file()]
    if not found:
        raise NumprobeError(f"there is no {' or '.join(TOKENIZERS)} beside {model}: write onnx:model=…,tokenizer=FILE")
    return str(found[0])


def _of_equal_length(lengths: Sequence[int], pieces: int, takes_one: bool) -> Iterator[list[int]]:
    """Batch texts with as many pieces as each other, so that there is no padding to change their vectors."""
    for length, same in groupby(sorted(range(len(lengths)), key=lengths.__getitem__), key=lengths.__getitem__):
        rows, size = list(same), 1 if takes_one else max(1, pieces // max(1, length))
        yield from (rows[start : start + size] for start in range(0, len(rows), size))


@lru_cache(maxsize=1)
def _load(model: str, tokenizer: str, revision: str | None) -> "tuple[Graph, Tokenizer]":
    cut = _load_tokenizer(tokenizer)
    graph = load_graph(model)
    highest = max(cut.get_vocab().values(), default=0)
    if not graph.reads([[highest]]):
        raise NumprobeError(f"{tokenizer} has {highest + 1:,} pieces, more than the table of {model}")
    return replace(graph, takes_one=graph.depends_on_neighbours(highest)), cut


def _load_tokenizer(tokenizer: str) -> "Tokenizer":
    path = local_file(tokenizer)
    with one_line_errors(tokenizer, extra=EXTRA):
        from tokenizers import BertWordPieceTokenizer, Tokenizer

        if path.endswith(".txt"):
            pieces = [line for line in Path(path).read_text(encoding="utf-8").splitlines() if not line.startswith("[")]
            is_lower = all(piece == piece.lower() for piece in pieces)
            loaded: Tokenizer = BertWordPieceTokenizer(path, lowercase=is_lower)._tokenizer
        else:
            loaded = Tokenizer.from_file(path)
    loaded.no_padding()
    loaded.no_truncation()
    return loaded
