"""The numbers of a cell that its embedder has, how each shuffle splits them, and the items about them."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from numprobe.errors import NumprobeError
from numprobe.numbers import (
    Facts,
    Range,
    Split,
    Texts,
    extrapolation,
    generator,
    in_template,
    integer_parts,
    interpolation,
    write,
)
from numprobe.probes import Dataset, Questions
from numprobe.tasks import Items, Pool

if TYPE_CHECKING:
    from numprobe.experiments.cell import Cell

ENOUGH = 1000
"""This many numbers are never too few: a fifth of four fifths of them are still 16 integers with ten decimals each."""

LEARNED_FROM = {"test": "train", "development": "fit"}
"""The part of a split that a probe has learned from when it is asked about another."""

NEW_SHARE = 0.5
"""The share of items about training numbers that are asked: new ones, as many for every shuffle."""


@dataclass(frozen=True)
class Selection:
    cell: "Cell"
    missing: tuple[float, ...] = ()
    """Numbers that the embedder does not have. They are left out, floats with all decimals of their integer."""

    def _values(self, ranges: Sequence[Range]) -> np.ndarray:
        if isinstance(ranges[0], Facts):
            return ranges[0].values()
        values = np.unique(np.concatenate([part.values() for part in ranges]))
        if not self.missing:
            return values
        if self.cell.parts.numbers.decimals:  # a list may need all decimals of an integer
            return values[~np.isin(integer_parts(values), integer_parts(np.array(self.missing)))]
        return values[~np.isin(values, self.missing)]

    @cached_property
    def inside(self) -> np.ndarray:
        """The numbers of the cell's range."""
        return self._values([self.cell.parts.numbers])

    @cached_property
    def values(self) -> np.ndarray:
        """All numbers, those of the test ranges included, in increasing order."""
        return self._values([self.cell.parts.numbers, *self.cell.parts.tests])

    @property
    def shares_numbers(self) -> bool:
        """Whether all shuffles have the same test numbers: those of test ranges outside the range, or of its holes.

        The shuffles then differ in their development numbers and items alone, so their spread is the probe's.
        """
        tests = self.cell.parts.tests
        return bool(tests) and not any(part.contains(self.cell.parts.numbers) for part in tests)

    @property
    def _hole_size(self) -> int:
        """How many numbers of the range the test ranges hold out of training."""
        numbers, tests = self.cell.parts.numbers, self.cell.parts.tests
        return sum(part.size for part in tests if numbers.contains(part)) if self.shares_numbers else 0

    def split(self, seed: int, fold: int = 0) -> Split:
        if isinstance(numbers := self.cell.parts.numbers, Facts):
            return interpolation(numbers.groups(), seed, fold)
        if self.shares_numbers:
            own = np.setdiff1d(self.inside, self._values(self.cell.parts.tests))
            split = extrapolation(own, seed, fold)
        else:
            own = self.inside
            split = interpolation(own, seed, fold)
        split = split.among(np.isin(self.values, own))
        if not self.cell.asks_trained:
            return split
        if self.cell.transfers:  # new mentions of training numbers; settings are chosen on other numbers all the same
            return replace(split, test=split.train)
        return replace(split, test=split.train, development=split.fit)

    def held_out(self, seed: int) -> np.ndarray:
        """The test numbers of a shuffle, in increasing order."""
        held_out: np.ndarray = self.values[self.split(seed).test]
        return held_out

    def pool(self, split: Split, part: str) -> Pool:
        numbers, tests = self.cell.parts.numbers, self.cell.parts.tests
        ranges = tests if part == "test" and tests else (numbers,)
        return Pool(self.values[getattr(split, part)], _integers(ranges), numbers.decimals, part)

    def items(self, seed: int, part: str, split: Split | None = None, fold: int = 0) -> Items:
        """Draw the items of one part of a shuffle."""
        task = self.cell.parts.task
        pool = self.pool(split or self.split(seed, fold), part)
        rng = generator(seed, task.name, part, *([str(fold)] if fold else []))
        items = task.draw(pool, "train" if part in ("train", "fit") else "test", rng)
        if self.cell.asks_trained and part in LEARNED_FROM and not self.cell.transfers:
            items = self._new(items, self.items(seed, LEARNED_FROM[part], split, fold), len(pool.values))
        most = getattr(self.cell.parts.probe, "most_items", 0)
        if part != "test" or not 0 < most < len(items.targets):
            return items
        chosen = np.sort(generator(seed, "asked").permutation(len(items.targets))[:most])
        return Items(items.numbers[chosen], items.targets[chosen])

    def word(self, part: str, dataset: Dataset) -> Questions:
        """The items of one part of a dataset's split, as texts."""
        split = self.split(dataset.seed, dataset.fold)
        items = self.items(dataset.seed, part, split, dataset.fold)
        return Questions(write(self.values[getattr(split, part)], self.cell.parts.form), items.numbers, items.targets)

    def _new(self, items: Items, learned: Items, numbers: int) -> Items:
        """The items that are not among those to learn from; equally many for every shuffle."""
        places = numbers ** np.arange(items.numbers.shape[1], dtype=object)
        seen = set((learned.numbers @ places).tolist())
        new = np.flatnonzero([key not in seen for key in (items.numbers @ places).tolist()])
        wanted = math.ceil(NEW_SHARE * len(items.targets))
        if len(new) < wanted:
            raise NumprobeError(f"{self.cell}: nearly all items of trained numbers were trained on, so few are new")
        return Items(items.numbers[new[:wanted]], items.targets[new[:wanted]])

    def _doubtful(self) -> Iterator[tuple[str, Pool]]:
        """The parts that may be too small. Large ranges are not even laid out, which would take time."""
        numbers, tests = self.cell.parts.numbers, self.cell.parts.tests
        if self.missing or numbers.size - self._hole_size < ENOUGH:
            split = self.split(0)
            for part in ("train", "test", "fit", "development"):
                yield part, self.pool(split, part)
        elif self.shares_numbers and sum(part.size for part in tests) < ENOUGH:
            yield "test", Pool(self._values(tests), _integers(tests), numbers.decimals)

    def check(self) -> None:
        """Refuse numbers that are too few to ask about."""
        task, tests = self.cell.parts.task, self.cell.parts.tests
        smallest_first = sorted(self._doubtful(), key=lambda named: len(named[1].values))  # what it needs, all need
        for part, pool in smallest_first:
            problem = task.needs(pool)
            if problem:
                of_test = part == "test" and tests
                where = f"test range {self.cell.test_range}" if of_test else f"range {self.cell.parts.numbers}"
                if self._hole_size and not of_test:
                    where += f" without {self.cell.test_range}"
                raise NumprobeError(f"{where} is too small to split for {task.name}: in its {part} part {problem}")


def _integers(ranges: Sequence[Range]) -> int:
    """How many integers ranges hold. Rounded up, because -0.x has nine decimals only."""
    return sum(math.ceil(one.span / 10**one.decimals) for one in ranges)


def mentioned(cell: "Cell", values: np.ndarray) -> list[Texts]:
    """Every number in the cell's form and template, and then again as the test has it if that is otherwise."""
    if isinstance(numbers := cell.parts.numbers, Facts):
        return [Texts(values, numbers.texts(), numbers.texts())]
    own = in_template(values, cell.parts.form, cell.template)
    if not cell.transfers:
        return [own]
    return [own, in_template(values, cell.parts.test_form, cell.template_of_test)]
