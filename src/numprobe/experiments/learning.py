"""What probes answer after they have learned from few numbers or many: learning curves and online coding."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np

from numprobe.embedders.base import EVERY_LAYER
from numprobe.errors import NumprobeError
from numprobe.experiments.cell import Cell
from numprobe.experiments.laboratory import Laboratory
from numprobe.experiments.selection import Selection
from numprobe.kernels.device import one_thread, pick_device
from numprobe.numbers import TRAIN_SHARE, Split, beginning
from numprobe.probes import Answers

FEWEST = 16
"""Fewer numbers don't make a block: the next one takes its deviation from them."""

COUNTS = (25, 50, 100, 200, 400, 800, 1600, 3200, 6400)
"""The numbers to learn from that a learning curve tries, as far as there are so many."""

BLOCKS = (1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1.0)
"""Where the blocks of an online code end, as shares of all numbers."""


@dataclass(frozen=True)
class _Beginning(Selection):
    """The numbers of a cell, of which few train."""

    count: int = field(default=0, kw_only=True)
    following: int = field(default=0, kw_only=True)
    """How many numbers after those test; 0 for the usual test numbers."""

    def split(self, seed: int, fold: int = 0) -> Split:
        return beginning(self.values, seed, self.count, self.following, fold)


@dataclass(frozen=True)
class Schooling:
    """A cell whose probe learns from as many numbers as one asks for. The vectors are computed once."""

    cell: Cell
    device: str = "auto"

    def __post_init__(self) -> None:
        cell = self.cell
        if not cell.parts.task.asks_for_number or cell.test_range or cell.parts.numbers.decimals:
            raise NumprobeError(f"learning curves are about decoding held-out whole numbers, and not about {cell}")
        if getattr(cell.parts.embedder, "layer", "") in EVERY_LAYER:
            raise NumprobeError(f"{cell.embedder}: name one layer, such as layer=12")

    @cached_property
    def _laboratory(self) -> Laboratory:
        return Laboratory(self.cell, pick_device(self.device))

    @property
    def values(self) -> np.ndarray:
        """All numbers that the embedder has, in increasing order."""
        return self._laboratory.selection.values

    def first(self, seed: int, count: int) -> np.ndarray:
        """The first numbers of a shuffle."""
        return np.asarray(self.values[beginning(self.values, seed, count).train])

    def curve(self) -> Iterator[tuple[int, Answers]]:
        """The answers about the usual test numbers, after learning from more and more of the training numbers."""
        train = int(TRAIN_SHARE * len(self.values))
        for count in sorted({min(count, train) for count in COUNTS}):
            yield count, self._answers(count, 0)

    def blocks(self) -> tuple[int, list[Answers]]:
        """The size of the first block, and the answers about each later one after learning from all before it."""
        ends = [max(FEWEST, round(BLOCKS[0] * len(self.values)))]
        for share in BLOCKS[1:]:
            end = round(share * len(self.values))
            if end - ends[-1] >= FEWEST:
                ends.append(end)
        return ends[0], [self._answers(start, end - start) for start, end in pairwise(ends)]

    def _answers(self, count: int, following: int) -> Answers:
        """What the probes of all shuffles answer, each after it has learned from the first numbers of its shuffle."""
        laboratory, parts = self._laboratory, self.cell.parts
        whole = laboratory.selection
        laboratory.selection = _Beginning(self.cell, whole.missing, count=count, following=following)
        with one_thread():
            (datasets,) = laboratory.banks()
            answers = parts.probe.fit(parts.task.answer, laboratory.prepare, datasets)
        laboratory.selection = whole
        return answers
