"""The numbers of a cell that its embedder has, how each shuffle splits them, and the items about them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from numprobe.errors import NumprobeError
from numprobe.numbers import Range, Split, extrapolation, generator, interpolation
from numprobe.tasks import Items, Pool

if TYPE_CHECKING:
    from numprobe.experiments.cell import Cell

ENOUGH = 1000
"""This many numbers are never too few: a fifth of four fifths of them are still 16 integers with ten decimals each."""


@dataclass(frozen=True)
class Selection:
    cell: "Cell"
    missing: tuple[float, ...] = ()
    """Numbers that the embedder does not have. They are left out."""

    def _values(self, ranges: list[Range]) -> np.ndarray:
        values = np.unique(np.concatenate([part.values() for part in ranges]))
        return values[~np.isin(values, self.missing)] if self.missing else values

    @cached_property
    def inside(self) -> np.ndarray:
        """The numbers of the cell's range."""
        return self._values([self.cell.parts.numbers])

    @cached_property
    def values(self) -> np.ndarray:
        """All numbers, those of the test ranges included, in increasing order."""
        return self._values([self.cell.parts.numbers, *self.cell.parts.tests])

    @property
    def _is_outside(self) -> bool:
        """Whether no test range has a number of the training range."""
        tests = self.cell.parts.tests
        return bool(tests) and not any(part.overlaps(self.cell.parts.numbers) for part in tests)

    def split(self, seed: int) -> Split:
        split = extrapolation(self.inside, seed) if self._is_outside else interpolation(self.inside, seed)
        return split.among(np.isin(self.values, self.inside))

    def held_out(self, seed: int) -> np.ndarray:
        """The test numbers of a shuffle, in increasing order."""
        held_out: np.ndarray = self.values[self.split(seed).test]
        return held_out

    def pool(self, split: Split, part: str) -> Pool:
        numbers, tests = self.cell.parts.numbers, self.cell.parts.tests
        ranges = tests if part == "test" and tests else (numbers,)
        size = sum(one.size for one in ranges) // 10**numbers.decimals
        return Pool(self.values[getattr(split, part)], size, numbers.decimals)

    def items(self, seed: int, part: str, split: Split | None = None) -> Items:
        """Draw the items of one part of a shuffle."""
        task = self.cell.parts.task
        pool = self.pool(split or self.split(seed), part)
        return task.draw(pool, "train" if part in ("train", "fit") else "test", generator(seed, task.name, part))

    def _doubtful(self) -> Iterator[tuple[str, Pool]]:
        """The parts that may be too small. Large ranges are not even laid out, which would take time."""
        numbers, tests = self.cell.parts.numbers, list(self.cell.parts.tests)
        if self.missing or numbers.size < ENOUGH:
            split = self.split(0)
            for part in ("train", "test", "fit", "development"):
                yield part, self.pool(split, part)
        elif self._is_outside and sum(part.size for part in tests) < ENOUGH:
            values = self._values(tests)
            yield "test", Pool(values, len(values) // 10**numbers.decimals, numbers.decimals)

    def check(self) -> None:
        """Refuse numbers that are too few to ask about."""
        task, tests = self.cell.parts.task, self.cell.parts.tests
        for part, pool in self._doubtful():
            problem = task.needs(pool)
            if problem:
                of_test = part == "test" and tests
                where = f"test range {','.join(map(str, tests))}" if of_test else f"range {self.cell.parts.numbers}"
                raise NumprobeError(f"{where} is too small to split for {task.name}: in its {part} part {problem}")
