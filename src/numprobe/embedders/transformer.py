"""Language models and encoders through `transformers`: any layer, each number on its own or in its list."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from numprobe.embedders.base import check_context
from numprobe.embedders.pretrained import TOKENIZER, load_pretrained, word_pieces
from numprobe.embedders.sources import resolve, revision
from numprobe.embedders.states import States
from numprobe.errors import NumprobeError, one_of

READINGS = ("last", "mean", "first", "sentence")


@dataclass(frozen=True)
class Transformer:
    """An encoder or a decoder: a folder with safetensors or GGUF, or a hub id. Layer 0 is the input embeddings."""

    name: ClassVar[str] = "transformer"

    model: str
    layer: str = "last"
    reading: str = "last"
    """The vector of a number: its last or first word piece, their mean, or the model's sentence token ([CLS])."""
    context: str = "isolated"
    gguf: str = ""
    """The GGUF file in the folder, if the weights are in one."""
    commit: str = ""
    """The revision of a hub model."""
    trust_remote_code: str = "no"

    def __post_init__(self) -> None:
        if not re.fullmatch(r"last|all|mix|-?\d+", self.layer):
            raise NumprobeError(f"layer must be a number, last, all or mix, not {self.layer!r}")
        one_of("reading", self.reading, READINGS)
        check_context(self.context, self.layer)
        one_of("trust_remote_code", self.trust_remote_code, ("no", "yes"))

    @property
    def revision(self) -> str:
        """Identify the weights without loading them; empty for a hub model without a commit."""
        return revision(self.model) or self.commit

    @property
    def hub_commit(self) -> str:
        """The commit that the hub's name refers to now."""
        return str(_load_states(*self._source).model.config._commit_hash or "")

    @property
    def _source(self) -> tuple[str, str, str, bool, str]:
        return resolve(self.model), self.gguf, self.commit, self.trust_remote_code == "yes", self.revision

    def encode(self, texts: list[str]) -> np.ndarray:
        """(texts, dimension)"""
        return self.encode_in_list([[text] for text in texts])[:, 0]

    def encode_layers(self, texts: list[str]) -> np.ndarray:
        """(layers, texts, dimension), in one pass over the model."""
        return self._read([[text] for text in texts], slice(None))[:, :, 0]

    def encode_in_list(self, lists: list[list[str]]) -> np.ndarray:
        """(lists, arity, dimension): each list goes through the model as one sequence."""
        number = self._layer_number()
        vectors: np.ndarray = self._read(lists, slice(number, number + 1))[0]
        return vectors

    def pieces(self, texts: list[str]) -> list[list[str]]:
        """The word pieces of each text."""
        return word_pieces(_load_tokenizer(*self._source), texts)

    def _layer_number(self) -> int:
        layers = _load_states(*self._source).layers
        number = layers - 1 if self.layer in ("last", "all", "mix") else int(self.layer)
        if not -layers <= number < layers:
            raise NumprobeError(f"{self.model} has layers 0 to {layers - 1}, and no layer {number}")
        return number % layers

    def _read(self, lists: Sequence[Sequence[str]], layers: slice) -> np.ndarray:
        """(layers, lists, arity, dimension). Equal lists are encoded once."""
        states, tokenizer = _load_states(*self._source), _load_tokenizer(*self._source)
        place = {words: at for at, words in enumerate(dict.fromkeys(map(tuple, lists)))}
        tokenised = [self._tokenise(words, tokenizer) for words in place]
        read: list[np.ndarray] = [np.empty(0)] * len(tokenised)
        for at, found in states.of([ids for ids, _ in tokenised]):
            read[at] = np.stack([found[layers, places].mean(dim=1).numpy() for places in tokenised[at][1]], axis=1)
        return np.stack(read, axis=1)[:, [place[tuple(words)] for words in lists]]

    def _tokenise(self, words: Sequence[str], tokenizer: Any) -> tuple[list[int], list[list[int]]]:
        """The piece ids of a sequence of words, and the positions to read for each word."""
        made = tokenizer(" ".join(words), return_offsets_mapping=True, return_special_tokens_mask=True, verbose=False)
        special = made["special_tokens_mask"]
        if self.reading == "sentence":
            if not any(special):
                raise NumprobeError(f"{self.model} adds no sentence token; use reading=last or reading=mean")
            return made["input_ids"], [[special.index(1)]] * len(words)
        places: list[list[int]] = []
        end = -1
        for word in words:
            start, end = end + 1, end + 1 + len(word)
            inside = [
                at
                for at, (first, last) in enumerate(made["offset_mapping"])
                if not special[at] and first < end and last > start
            ]
            if not inside:
                raise NumprobeError(f"{self.model} has no pieces for {word!r}")
            places.append({"last": inside[-1:], "first": inside[:1], "mean": inside}[self.reading])
        return made["input_ids"], places


@lru_cache(maxsize=8)  # reading one from a GGUF file takes seconds
def _load_tokenizer(source: str, gguf: str, commit: str, trust: bool, revision: str) -> Any:
    tokenizer = load_pretrained(TOKENIZER, source, gguf, commit, trust)
    if not tokenizer.is_fast:
        raise NumprobeError(f"{source} has only a slow tokenizer, which does not report the positions of word pieces")
    return tokenizer


@lru_cache(maxsize=1)
def _load_states(source: str, gguf: str, commit: str, trust: bool, revision: str) -> States:
    return States(load_pretrained("AutoModel", source, gguf, commit, trust))
