"""A cell: one embedder, one task, one range, one protocol. Its hash names its result."""

import dataclasses
import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from numprobe.embedders import EMBEDDERS, is_learned
from numprobe.errors import NumprobeError, at_least, one_of
from numprobe.numbers import FORMS, Range, Split, check_form, extrapolation, interpolation, natural_form
from numprobe.probes import PROBES, PROTOCOLS, RECIPES
from numprobe.specs import Spec, build, resolved
from numprobe.tasks import TASKS, Pool, Task

VERSION = 3
"""Part of every hash; raised when the same cell would give other scores."""


@dataclass(frozen=True)
class Cell:
    """A validated experiment. All fields are text or counts in one canonical spelling; `Cell.make` makes one."""

    embedder: str
    task: str
    range: str
    form: str
    probe: str
    protocol: str = "strict"
    test_range: str = ""
    """Where to test instead of on held-out numbers of `range` (extrapolation); several are joined by commas."""
    seeds: int = 5

    @classmethod
    def make(
        cls,
        embedder: str,
        task: str,
        range: str,
        form: str = "",
        probe: str = "",
        protocol: str = "strict",
        test_range: str = "",
        seeds: int = 5,
        *,
        registered: bool = True,
    ) -> "Cell":
        """Check everything that can be checked before anything runs.

        >>> cell = Cell.make("value", "decoding", "-50:50")
        >>> cell.form, cell.probe
        ('negatives', 'mlp')
        """
        numbers = Range.parse(range)
        if form:
            one_of("form", form, FORMS)
        one_of("protocol", protocol, PROTOCOLS)
        at_least(1, seeds=seeds)
        asked = build("task", TASKS, Spec.parse(task))
        spec = Spec.parse(embedder)
        built = build("embedder", EMBEDDERS, spec) if registered else None
        tests = sorted(Range.parse(part) for part in test_range.split(",")) if test_range else []
        lowest = min([numbers, *tests])
        if not form or (form == "digits" and lowest.low < 0):
            form = natural_form(lowest)
        for part in (numbers, *tests):
            check_form("digits" if form == "negatives" and part is not lowest else form, part)
            if part is not numbers and part.overlaps(numbers):
                raise NumprobeError(f"test range {part} overlaps the training range {numbers}")
        cell = cls(
            embedder=str(resolved(built, spec.name)) if registered else embedder,
            task=str(resolved(asked, asked.name)),
            range=str(numbers),
            form=form,
            probe=probe or asked.probe,
            protocol=protocol,
            test_range=",".join(map(str, tests)),
            seeds=seeds,
        )
        cell._check_probe(asked, built)
        cell._check_sizes(asked)
        return cell

    def _check_probe(self, task: Task, embedder: Any) -> None:
        one_of("probe", self.probe, PROBES)
        if (self.probe == "bilstm") != (task.metric == "accuracy"):
            fitting = "bilstm" if task.metric == "accuracy" else "mlp or linear"
            raise NumprobeError(f"task '{task.name}' takes the probe {fitting}, not {self.probe}")
        if self.probe == "linear" and is_learned(embedder):
            raise NumprobeError(
                f"embedder '{self.embedder}' learns with its probe, and a linear probe is solved: use mlp"
            )

    def _check_sizes(self, task: Task) -> None:
        split = self.split(0)
        parts = ["train", "test"] + (["fit", "development"] if self.protocol == "strict" else [])
        for part in parts:
            problem = task.needs(self.pool(split, part))
            if problem:
                where = f"test range {self.test_range}" if part == "test" and self.test_range else f"range {self.range}"
                raise NumprobeError(f"{where} is too small to split for {task.name}: in its {part} part {problem}")

    @property
    def numbers(self) -> Range:
        return Range.parse(self.range)

    @property
    def test_numbers(self) -> list[Range]:
        return [Range.parse(part) for part in self.test_range.split(",")] if self.test_range else []

    @cached_property
    def values(self) -> np.ndarray:
        """Every number of the cell: those of its range, then those of its test ranges."""
        return np.concatenate([part.values() for part in (self.numbers, *self.test_numbers)])

    def split(self, seed: int) -> Split:
        values = self.values
        if not self.test_range:
            return interpolation(values, seed)
        return extrapolation(values[: self.numbers.size], values[self.numbers.size :], seed)

    def held_out(self, seed: int) -> np.ndarray:
        """The test numbers of a shuffle, in increasing order."""
        held_out: np.ndarray = self.values[self.split(seed).test]
        return held_out

    def pool(self, split: Split, part: str) -> Pool:
        ranges = self.test_numbers if part == "test" and self.test_range else [self.numbers]
        decimals = self.numbers.decimals
        size = sum(numbers.size for numbers in ranges) // 10**decimals
        return Pool(self.values[getattr(split, part)], size, decimals)

    def as_dict(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    def settings(self) -> dict[str, Any]:
        """Every setting that the scores depend on, with the defaults written out."""
        task, embedder = Spec.parse(self.task), Spec.parse(self.embedder)
        built = build("embedder", EMBEDDERS, embedder) if embedder.name in EMBEDDERS else None
        return {
            "version": VERSION,
            "embedder": dataclasses.asdict(built) if built is not None else {},
            "task": dataclasses.asdict(build("task", TASKS, task)),
            "recipe": dataclasses.asdict(RECIPES[self.probe]) if self.probe in RECIPES else {},
        }

    @cached_property
    def hash(self) -> str:
        """Names the cell's result: the same on every machine, and another one if any setting differs."""
        text = json.dumps({**self.as_dict(), "settings": self.settings()}, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:20]
