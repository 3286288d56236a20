"""The states of a transformer after every layer, for many short texts."""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import torch

BATCH_PIECES = 512
"""Word pieces in a batch, including padding; larger batches don't fit into the processor's cache."""

SHARED_PIECES = 192
"""Word pieces in a batch of shared beginnings, where attention compares each piece with each other."""

SHARED_TIMES = 3
"""A batch may have this many times the pieces that all of its texts share, so that a long start is read seldom."""


@dataclass(frozen=True)
class States:
    """Runs texts through a model in batches."""

    model: Any
    batch: int = BATCH_PIECES

    @property
    def layers(self) -> int:
        """The number of layers, including the input embeddings."""
        return int(self.model.config.num_hidden_layers) + 1

    def of(self, texts: Sequence[list[int]], last: int | None = None) -> "Iterator[tuple[int, torch.Tensor]]":
        """Yield each text's index and (layers, pieces, dimension) states, in any order. A text is a list of ids.

        If no layer after `last` is wanted, none is computed that needn't be.
        """
        # In one sequence, a piece would not know which pieces are outside its window.
        shares = self._shares_beginnings and max(map(len, texts), default=0) <= window(self.model)
        batches, forward = (
            (_of_shared_start(texts), self._shared) if shares else (_of_length(texts, self.batch), self._padded)
        )
        for batch in batches:
            with self._up_to(last):
                found = forward([texts[at] for at in batch])
            yield from zip(batch, found, strict=True)

    @contextmanager
    def _up_to(self, last: int | None) -> Iterator[None]:
        """Leave out the blocks after a layer, where the model keeps them in a list."""
        holder, name = self._blocks
        if last is None or holder is None:
            yield
            return
        blocks = getattr(holder, name)
        # One block more, as models with a norm after the last block show its output only behind that norm.
        setattr(holder, name, blocks[: last + 1])
        try:
            yield
        finally:
            setattr(holder, name, blocks)

    @cached_property
    def _blocks(self) -> tuple[Any, str]:
        return find_blocks(self.model)

    @cached_property
    def reads_from_left_to_right(self) -> bool:
        """Whether states don't depend on later pieces, found by trying it."""
        one, other = self._padded([[1, 2, 3], [1, 2, 4]])
        return _is_close(one[:, :2], other[:, :2])

    @cached_property
    def _shares_beginnings(self) -> bool:
        """Whether texts that begin alike can share their first states, found by trying it."""
        trial = [[1, 2, 3], [1, 2, 4], [1, 3]]
        try:
            return all(map(_is_close, self._shared(trial), self._padded(trial)))
        except (TypeError, ValueError, RuntimeError, IndexError):  # the model does not take such a mask or positions
            return False

    def _padded(self, texts: Sequence[list[int]]) -> "list[torch.Tensor]":
        import torch

        longest = max(map(len, texts))
        ids = torch.tensor([text + [0] * (longest - len(text)) for text in texts])
        inside = torch.tensor([[1] * len(text) + [0] * (longest - len(text)) for text in texts])
        states = self._forward(input_ids=ids, attention_mask=inside)
        return [states[:, row, : len(text)] for row, text in enumerate(texts)]

    def _shared(self, texts: Sequence[list[int]]) -> "list[torch.Tensor]":
        """Put all distinct beginnings into one sequence, where each attends only to its own beginnings."""
        import torch

        places: dict[tuple[int, ...], int] = {}
        rows = [[places.setdefault(tuple(text[: n + 1]), len(places)) for n in range(len(text))] for text in texts]
        sees = torch.zeros(len(places), len(places), dtype=torch.bool)
        for row in rows:
            for n, place in enumerate(row):
                sees[place, row[: n + 1]] = True
        kind = self.model.dtype
        hidden = torch.zeros(sees.shape, dtype=kind).masked_fill(~sees, torch.finfo(kind).min)
        states = self._forward(
            input_ids=torch.tensor([[beginning[-1] for beginning in places]]),
            position_ids=torch.tensor([[len(beginning) - 1 for beginning in places]]),
            attention_mask=hidden[None, None],
        )
        return [states[:, 0, row] for row in rows]

    def _forward(self, **inputs: "torch.Tensor") -> "torch.Tensor":
        """(layers, texts, pieces, dimension), here and in single precision, wherever and however the model computes."""
        import torch

        with torch.inference_mode():
            there = {name: tensor.to(self.model.device) for name, tensor in inputs.items()}
            states = self.model(**there, output_hidden_states=True).hidden_states
            return torch.stack([layer.float().cpu() for layer in states])


def window(model: Any) -> float:
    """How many pieces back a model sees in the layers that see least; infinite if all see everything."""
    return float(getattr(model.config, "sliding_window", None) or math.inf)


def find_blocks(model: Any) -> tuple[Any, str]:
    """The module that holds the list of a transformer's blocks, and what it calls it; None if there is no such list."""
    import torch

    count = model.config.num_hidden_layers
    for module in model.modules():
        for name, own in module.named_children():
            if isinstance(own, torch.nn.ModuleList) and len(own) == count:
                return module, name
    return None, ""


def _is_close(one: "torch.Tensor", other: "torch.Tensor") -> bool:
    return bool(((one - other).norm(dim=2) <= 1e-4 * other.norm(dim=2)).all())


def _of_length(texts: Sequence[list[int]], pieces: int) -> Iterator[list[int]]:
    """Batch texts of similar length, so that there is little padding."""
    batch: list[int] = []
    for at in np.argsort([len(text) for text in texts], kind="stable").tolist():
        if batch and len(texts[at]) * (len(batch) + 1) > pieces:
            yield batch
            batch = []
        batch.append(at)
    if batch:
        yield batch


def _of_shared_start(texts: Sequence[list[int]]) -> Iterator[list[int]]:
    """Batch texts that begin alike, so that there are few distinct beginnings."""
    batch: list[int] = []
    beginnings: set[tuple[int, ...]] = set()
    for at in sorted(range(len(texts)), key=lambda at: texts[at]):
        own = {tuple(texts[at][: n + 1]) for n in range(len(texts[at]))}
        alike = len(common_start([texts[one] for one in (*batch[:1], at)]))
        if batch and len(beginnings | own) > max(SHARED_PIECES, SHARED_TIMES * alike):
            yield batch
            batch, beginnings = [], set()
        batch.append(at)
        beginnings |= own
    if batch:
        yield batch


def common_start(texts: Sequence[list[int]]) -> list[int]:
    """The pieces with which all texts begin.

    >>> common_start([[5, 6, 7], [5, 6, 8, 9]])
    [5, 6]
    """
    alike = takewhile(lambda pieces: len(set(pieces)) == 1, zip(*texts, strict=False))
    return [pieces[0] for pieces in alike]
