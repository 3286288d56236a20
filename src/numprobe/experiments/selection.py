"""The numbers of a cell that its embedder has, and how each shuffle splits them."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from numprobe.errors import NumprobeError
from numprobe.numbers import Range, Split, extrapolation, interpolation
from numprobe.tasks import Pool, Task

if TYPE_CHECKING:
    from numprobe.experiments.cell import Cell


@dataclass(frozen=True)
class Selection:
    cell: "Cell"
    missing: tuple[float, ...] = ()
    """Numbers that the embedder does not have, and that are left out."""

    def _values(self, ranges: list[Range]) -> np.ndarray:
        values = np.unique(np.concatenate([part.values() for part in ranges]))
        return values[~np.isin(values, self.missing)] if self.missing else values

    @cached_property
    def inside(self) -> np.ndarray:
        """Those of the cell's range."""
        return self._values([self.cell.numbers])

    @cached_property
    def values(self) -> np.ndarray:
        """All of them, those of the test ranges included, in increasing order."""
        return self._values([self.cell.numbers, *self.cell.test_numbers])

    def split(self, seed: int) -> Split:
        tests, numbers = self.cell.test_numbers, self.cell.numbers
        outside = bool(tests) and not any(part.overlaps(numbers) for part in tests)
        split = extrapolation(self.inside, seed) if outside else interpolation(self.inside, seed)
        return split.among(np.isin(self.values, self.inside))

    def held_out(self, seed: int) -> np.ndarray:
        """The test numbers of a shuffle, in increasing order."""
        held_out: np.ndarray = self.values[self.split(seed).test]
        return held_out

    def pool(self, split: Split, part: str) -> Pool:
        cell = self.cell
        ranges = cell.test_numbers if part == "test" and cell.test_range else [cell.numbers]
        decimals = cell.numbers.decimals
        size = sum(numbers.size for numbers in ranges) // 10**decimals
        return Pool(self.values[getattr(split, part)], size, decimals)

    def check(self, task: Task) -> None:
        """Refuse numbers that are too few to ask about."""
        cell, split = self.cell, self.split(0)
        parts = ["train", "test"] + (["fit", "development"] if cell.protocol == "strict" else [])
        for part in parts:
            problem = task.needs(self.pool(split, part))
            if problem:
                where = f"test range {cell.test_range}" if part == "test" and cell.test_range else f"range {cell.range}"
                raise NumprobeError(f"{where} is too small to split for {task.name}: in its {part} part {problem}")
