"""The numbers of a cell that its embedder has, and how each shuffle splits them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from numprobe.errors import NumprobeError
from numprobe.numbers import Range, Split, extrapolation, interpolation
from numprobe.tasks import Pool, Task

if TYPE_CHECKING:
    from numprobe.experiments.cell import Cell


ENOUGH = 1000
"""So many numbers are never too few: a fifth of four fifths of them are still 16 integers with ten decimals each."""


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

    @property
    def _is_outside(self) -> bool:
        """Whether none of the test ranges has a number of the training range."""
        tests = self.cell.test_numbers
        return bool(tests) and not any(part.overlaps(self.cell.numbers) for part in tests)

    def split(self, seed: int) -> Split:
        split = extrapolation(self.inside, seed) if self._is_outside else interpolation(self.inside, seed)
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

    def _doubtful(self) -> Iterator[tuple[str, Pool]]:
        """The parts that may be too small; those of a large range are not even laid out, which takes its time."""
        cell, tests = self.cell, self.cell.test_numbers
        if self.missing or cell.numbers.size < ENOUGH:
            split = self.split(0)
            for part in ["train", "test"] + (["fit", "development"] if cell.protocol == "strict" else []):
                yield part, self.pool(split, part)
        elif self._is_outside and sum(part.size for part in tests) < ENOUGH:
            values = self._values(tests)
            yield "test", Pool(values, len(values) // 10**cell.numbers.decimals, cell.numbers.decimals)

    def check(self, task: Task) -> None:
        """Refuse numbers that are too few to ask about."""
        cell = self.cell
        for part, pool in self._doubtful():
            problem = task.needs(pool)
            if problem:
                where = f"test range {cell.test_range}" if part == "test" and cell.test_range else f"range {cell.range}"
                raise NumprobeError(f"{where} is too small to split for {task.name}: in its {part} part {problem}")
