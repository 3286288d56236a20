"""Language models and encoders through `transformers`: any layer, each number on its own or in its list."""

import json
import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from numprobe.embedders.base import Allocate, check_context
from numprobe.embedders.pretrained import CONFIG, DTYPES, TOKENIZER, load_pretrained, untrained, word_pieces
from numprobe.embedders.running_text import Places, encode_words
from numprobe.embedders.sources import resolve, revision
from numprobe.embedders.speech.local import LocalSpeaker, first_token
from numprobe.embedders.speech.writing import CAUSAL
from numprobe.embedders.states import BATCH_PIECES, States
from numprobe.embedders.tables import cached, pinned
from numprobe.errors import NumprobeError, at_least, one_of
from numprobe.registry import RUNTIME

READINGS = ("last", "mean", "first", "end", "sentence", "pooled")

OF_NUMBERS = READINGS[:3]
"""Readings that need a number to read at."""

Spans = Sequence[tuple[int, int]]
"""Where numbers begin and end in a text."""

STARTS = ("auto", "none")

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Transformer:
    """An encoder or a decoder: a folder with safetensors or GGUF, or a hub id. Layer 0 is the input embeddings."""

    name: ClassVar[str] = "transformer"
    version: ClassVar[int] = 2
    """Raised when the same weights and settings would give other vectors."""

    model: str
    layer: str = "last"
    reading: str = "last"
    """The vector of a number: its last or first word piece, their mean, the end of its sentence, the model's sentence
    token ([CLS]), or the mean of all pieces of the sentence (pooled), which MiniLM and MPNet were trained for."""
    context: str = "isolated"
    gguf: str = ""
    """The GGUF file in the folder, if the weights are in one."""
    commit: str = ""
    """The revision of a hub model."""
    trust_remote_code: str = "no"
    start: str = "auto"
    """`auto` puts a start token first where a model reads from left to right and its tokenizer adds none.

    Such a model uses its first piece as a rest for attention, and a number there gets a state that says little else.
    """

    dtype: str = "float32"
    """The precision that the model computes with. Large models fit into memory with bfloat16 or float16."""
    device: str = field(default="", metadata=RUNTIME)
    """Where the model computes; by default where the probes do (`--device`)."""
    device_map: str = field(default="", metadata=RUNTIME)
    """How to spread a large model over devices, such as auto; accelerate explains it."""
    batch: int = field(default=BATCH_PIECES, metadata=RUNTIME)
    """Word pieces that go through the model at a time."""

    def __post_init__(self) -> None:
        one_of("dtype", self.dtype, DTYPES)
        at_least(1, batch=self.batch)
        if not re.fullmatch(r"last|all|best|mix|-?\d+", self.layer):
            raise NumprobeError(f"layer must be a number, last, all, best or mix, not {self.layer!r}")
        one_of("reading", self.reading, READINGS)
        check_context(self.context, self.layer)
        one_of("trust_remote_code", self.trust_remote_code, ("no", "yes"))
        one_of("start", self.start, STARTS)

    @property
    def revision(self) -> str:
        """Identify the weights without loading them; empty for a hub model without a commit."""
        return revision(self.model) or self.commit

    @property
    def hub_commit(self) -> str:
        """The commit that the hub's name refers to now."""
        return str(load_pretrained(CONFIG, *self._source[:4])._commit_hash or "")

    @property
    def start_token(self) -> str:
        """The token that numprobe puts before every text; empty if it puts none there."""
        return self._start[0]

    @property
    def _start(self) -> tuple[str, list[int]]:
        return _find_start(self._source, self._model) if self.start == "auto" else ("", [])

    @property
    def _source(self) -> tuple[str, str, str, bool, str]:
        return resolve(self.model), self.gguf, self.commit, self.trust_remote_code == "yes", self.revision

    @property
    def _model(self) -> tuple[str, str, str, bool, str, str, str, str, int]:
        return *self._source, self.dtype, self.device, self.device_map, self.batch

    @property
    def for_texts(self) -> Self:
        """The same model for tasks about whole texts, where it reads more than a number."""
        return replace(self, reading="pooled") if self.reading in OF_NUMBERS else self

    @property
    def bytes_per_text(self) -> int:
        """How much memory the vectors of a text take, in all layers."""
        states = _load_states(*self._model)
        return 4 * states.layers * int(states.model.config.hidden_size)

    def encode(self, texts: list[str]) -> np.ndarray:
        """(texts, dimension)"""
        return self.encode_at(texts)

    def encode_layers(self, texts: list[str]) -> np.ndarray:
        """(layers, texts, dimension), in one pass over the model."""
        return self.encode_at(texts, layers=True)

    def encode_at(self, texts: list[str], spans: Spans = (), layers: bool = False) -> np.ndarray:
        """(texts, dimension) or (layers, texts, dimension), read where the spans say; by default all of each text."""
        number = 0 if layers else self._layer_number()
        vectors = self._read(_alone(texts, spans), slice(None) if layers else slice(number, number + 1))[:, :, 0]
        return vectors if layers else np.asarray(vectors[0])

    def encode_in_list(self, lists: list[list[str]]) -> np.ndarray:
        """(lists, arity, dimension): each list goes through the model as one sequence."""
        number = self._layer_number()
        vectors: np.ndarray = self._read([_joined(words) for words in lists], slice(number, number + 1))[0]
        return vectors

    def encode_words(self, texts: Sequence[str], places: Sequence[Places]) -> Iterator[tuple[int, np.ndarray]]:
        """Yield each text's index and (words, dimension), given where its words are: their states in the whole text."""
        states, tokenizer = _load_states(*self._model), _load_tokenizer(*self._source)
        yield from encode_words(states, tokenizer, self._layer_number(), texts, places)

    def encode_untrained(self, texts: list[str], seed: int, spans: Spans = ()) -> np.ndarray:
        """(texts, dimension), by the same architecture before any training."""
        number = self._layer_number()
        trained = _load_states(*self._model)
        states = States(untrained(trained.model, seed), trained.batch)
        vectors: np.ndarray = self._read(_alone(texts, spans), slice(number, number + 1), states)[0, :, 0]
        return vectors

    def pieces(self, texts: list[str]) -> list[list[str]]:
        """The word pieces of each text."""
        return word_pieces(_load_tokenizer(*self._source), texts)

    def speaker(self, style: str, pieces: int) -> LocalSpeaker:
        """The model with its head, to be asked in words."""
        start = self.start == "auto"
        source = (*self._source[:4], pinned(self) or "")
        return LocalSpeaker(source, self.dtype, self.device, self.device_map, start, style, pieces)

    @property
    def speaks(self) -> bool:
        """Whether it is a causal language model, told without loading or fetching it; False where that is unknown."""
        if self.gguf:
            return True
        try:
            config = json.loads((Path(resolve(self.model)) / "config.json").read_text(encoding="utf-8"))
            return str(config["architectures"][0]).endswith(CAUSAL)
        except (OSError, ValueError, TypeError, LookupError):
            return False

    def _layer_number(self) -> int:
        layers = _load_states(*self._model).layers
        number = int(self.layer) if re.fullmatch(r"-?\d+", self.layer) else layers - 1
        if not -layers <= number < layers:
            raise NumprobeError(f"{self.model} has layers 0 to {layers - 1}, and no layer {number}")
        return number % layers

    def _read(self, asked: Sequence[tuple[str, Spans]], layers: slice, states: States | None = None) -> np.ndarray:
        """(layers, texts, spans, dimension). Equal texts with equal spans are encoded once."""
        states, tokenizer = states or _load_states(*self._model), _load_tokenizer(*self._source)
        place = {own: at for at, own in enumerate(dict.fromkeys(asked))}
        _, before = self._start
        tokenised = [self._tokenise(text, spans, tokenizer, before) for text, spans in place]
        read = np.empty(0, dtype=np.float32)
        last = None if layers.stop is None else layers.stop - 1
        for at, found in states.of([ids for ids, _ in tokenised], last):
            vectors = np.stack([found[layers, places].mean(dim=1).numpy() for places in tokenised[at][1]], axis=1)
            if not read.size:
                read = np.empty((len(vectors), len(tokenised), *vectors.shape[1:]), dtype=vectors.dtype)
            read[:, at] = vectors
        rows = [place[own] for own in asked]
        return read if rows == list(range(len(place))) else read[:, rows]

    def _tokenise(
        self, text: str, spans: Spans, tokenizer: Any, before: list[int]
    ) -> tuple[list[int], list[list[int]]]:
        """The piece ids of a text after those of the start, and the positions to read for each span."""
        made = tokenizer(text, return_offsets_mapping=True, return_special_tokens_mask=True, verbose=False)
        special = made["special_tokens_mask"]
        if self.reading == "sentence":
            if not any(special):
                raise NumprobeError(f"{self.model} adds no sentence token; use reading=last or reading=mean")
            return before + made["input_ids"], [[len(before) + special.index(1)]] * len(spans)
        if self.reading == "pooled":
            return before + made["input_ids"], [[len(before) + at for at in range(len(special))]] * len(spans)
        places: list[list[int]] = []
        for start, end in spans:
            start, end = (0, len(text)) if self.reading == "end" else (start, end)
            inside = [
                len(before) + at
                for at, (first, last) in enumerate(made["offset_mapping"])
                if not special[at] and first < end and last > start
            ]
            if not inside:
                raise NumprobeError(f"{self.model} has no pieces for {text[start:end]!r}")
            read = {"last": inside[-1:], "end": inside[-1:], "first": inside[:1], "mean": inside}
            places.append(read[self.reading])
        return before + made["input_ids"], places


def _alone(texts: Sequence[str], spans: Spans) -> list[tuple[str, Spans]]:
    """Each text with its one span, or with all of it."""
    return [(text, (span,)) for text, span in zip(texts, spans or [(0, len(text)) for text in texts], strict=True)]


def _joined(words: Sequence[str]) -> tuple[str, Spans]:
    """Words as one text, and where each stands in it."""
    ends = list(accumulate(len(word) + 1 for word in words))
    return " ".join(words), tuple((end - 1 - len(word), end - 1) for word, end in zip(words, ends, strict=True))


@lru_cache(maxsize=8)  # reading one from a GGUF file takes seconds
def _load_tokenizer(source: str, gguf: str, commit: str, trust: bool, revision: str) -> Any:
    tokenizer = load_pretrained(TOKENIZER, source, gguf, commit, trust)
    if not tokenizer.is_fast:
        raise NumprobeError(f"{source} has only a slow tokenizer, which does not report the positions of word pieces")
    return tokenizer


@lru_cache(maxsize=1)
def _load_states(
    source: str,
    gguf: str,
    commit: str,
    trust: bool,
    revision: str,
    dtype: str,
    device: str,
    device_map: str,
    batch: int,
) -> States:
    model = load_pretrained("AutoModel", source, gguf, commit, trust, dtype, device_map)
    return States(model if device_map else model.to(device or "cpu"), batch)


@lru_cache(maxsize=8)
def _find_start(
    from_where: tuple[str, str, str, bool, str], model: tuple[str, str, str, bool, str, str, str, str, int]
) -> tuple[str, list[int]]:
    """The token to put before every text, and its ids: one or none."""
    source, gguf, *_, revision = from_where
    tokenizer = _load_tokenizer(*from_where)
    if any(tokenizer("0", return_special_tokens_mask=True)["special_tokens_mask"][:1]):
        return "", []

    def find(allocate: Allocate | None = None) -> np.ndarray:
        return np.array([[_load_states(*model).reads_from_left_to_right]])

    # Where the vectors are cached, nothing else needs the model, and a large one takes minutes to load.
    about = {"embedder": f"{source} {gguf}".strip(), "revision": revision, "texts": "reads from left to right"}
    if not (cached(about, [], find) if revision else find()).item():
        return "", []
    token, ids = first_token(tokenizer)
    if ids:
        return token, ids
    logger.warning("%s has no token to put first, so the vectors of numbers of one piece may be outliers", source)
    return "", []
