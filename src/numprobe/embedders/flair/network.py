"""An LSTM over characters that was trained to predict the next one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import torch
from torch import Tensor

BATCH_CHARACTERS = 4096
"""Characters that are read at once, which bounds memory."""


@dataclass(frozen=True)
class CharacterModel:
    """One direction. The backward model takes texts from right to left."""

    is_forward: bool
    start: str
    """What it reads before each text."""
    ids: Mapping[str, int]
    unknown: int
    """The id of all other characters."""
    characters: Tensor
    """The vector of each character."""
    lstm: torch.nn.LSTM

    def ids_of(self, text: str) -> list[int]:
        return [self.ids.get(character, self.unknown) for character in self.start + text]

    @torch.inference_mode()
    def states(self, texts: Sequence[str]) -> np.ndarray:
        """(texts, dimension): the state after each text. Equal texts are read once."""
        place = {text: at for at, text in enumerate(dict.fromkeys(texts))}
        read = np.empty((len(place), self.lstm.hidden_size), dtype=np.float32)
        for batch in _of_one_length(list(place)):
            ids = torch.tensor([self.ids_of(text) for text in batch])
            state = cell = torch.zeros(1, len(batch), self.lstm.hidden_size)
            for first in range(0, ids.shape[1], BATCH_CHARACTERS):
                vectors = self.characters[ids[:, first : first + BATCH_CHARACTERS]]
                _, (state, cell) = self.lstm(vectors, (state, cell))
            read[[place[text] for text in batch]] = state[0].numpy()
        return read[[place[text] for text in texts]]


def _of_one_length(texts: Sequence[str]) -> Iterator[list[str]]:
    """Batches of texts of equal length: there is no padding that a state could depend on.

    >>> list(_of_one_length(["7", "75", "8"]))
    [['7', '8'], ['75']]
    """
    for length, group in groupby(sorted(texts, key=len), len):
        equal = list(group)
        count = max(1, BATCH_CHARACTERS // (length + 1))
        yield from (equal[first : first + count] for first in range(0, len(equal), count))
