"""A cell: one embedder, one task, one range, one protocol. Its hash names its result."""

import dataclasses
import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from numprobe.embedders import EMBEDDERS, is_learned, load_embedder
from numprobe.errors import NumprobeError, at_least, at_most, one_of
from numprobe.experiments.selection import Selection
from numprobe.numbers import FORMS, LIMIT, Range, check_form, natural_form
from numprobe.probes import PENALTIES, PROBES, PROTOCOLS, RECIPES
from numprobe.registry import Spec, build, resolved
from numprobe.tasks import TASKS, Task

MISSING = ("refuse", "restrict")

SEEDS = 5
"""Shuffles (Section 3.1)."""

MOST_SEEDS = 1000

VERSION = 6
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
    """Where to test instead of on held-out numbers of `range` (extrapolation); several are joined by commas.

    One that contains `range` adds its numbers to the held-out ones (the paper's Figure 1).
    """
    seeds: int = SEEDS
    missing: str = "refuse"
    """What becomes of a range that the embedder does not have whole: `refuse`, or `restrict` to what it has."""

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
        seeds: int = SEEDS,
        missing: str = "refuse",
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
        one_of("way with missing numbers", missing, MISSING)
        at_least(1, seeds=seeds)
        at_most(MOST_SEEDS, seeds=seeds)
        asked = build("task", TASKS, Spec.parse(task))
        spec = Spec.parse(embedder)
        built = build("embedder", EMBEDDERS, spec) if registered else None
        tests = sorted(Range.parse(part) for part in test_range.split(",")) if test_range else []
        if sum(part.size for part in tests) > LIMIT:
            raise NumprobeError(f"the test ranges hold more than {LIMIT:,} numbers")
        lowest = min([numbers, *tests])
        if not form or (form == "digits" and lowest.low < 0):
            form = natural_form(lowest)
        for part in (numbers, *tests):
            check_form("digits" if form == "negatives" and part is not lowest else form, part)
            if part is not numbers and part.overlaps(numbers) and not (len(tests) == 1 and part.contains(numbers)):
                raise NumprobeError(f"test range {part} overlaps the training range {numbers} and does not contain it")
        cell = cls(
            embedder=str(resolved(built, spec.name)) if registered else embedder,
            task=str(resolved(asked, asked.name)),
            range=str(numbers),
            form=form,
            probe=probe or asked.probe,
            protocol=protocol,
            test_range=",".join(map(str, tests)),
            seeds=seeds,
            missing=missing,
        )
        cell._check_probe(asked, load_embedder(embedder) if registered else None)
        Selection(cell).check(asked)
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

    @property
    def is_quick(self) -> bool:
        """Whether it has fewer shuffles than the paper's five."""
        return self.seeds < SEEDS

    @property
    def sampler(self) -> str:
        """How the task draws its items, where it can in several ways."""
        return dict(Spec.parse(self.task).settings).get("sampler", "paper")

    @property
    def numbers(self) -> Range:
        return Range.parse(self.range)

    @property
    def test_numbers(self) -> list[Range]:
        return [Range.parse(part) for part in self.test_range.split(",")] if self.test_range else []

    def as_dict(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    def settings(self) -> dict[str, Any]:
        """Every setting that the scores depend on, with the defaults written out."""
        task, embedder = Spec.parse(self.task), Spec.parse(self.embedder)
        built = build("embedder", EMBEDDERS, embedder) if embedder.name in EMBEDDERS else None
        return {
            **self.training(),
            "embedder": dataclasses.asdict(built) if built is not None else {},
            "revision": _revision(built),
            "task": dataclasses.asdict(build("task", TASKS, task)),
        }

    def training(self) -> dict[str, Any]:
        """Those settings that come with numprobe, as a file gives them back."""
        recipe = dataclasses.asdict(RECIPES[self.probe]) if self.probe in RECIPES else {"penalties": PENALTIES}
        settings: dict[str, Any] = json.loads(json.dumps({"version": VERSION, "recipe": recipe}))
        return settings

    @cached_property
    def hash(self) -> str:
        """Names the cell's result: the same on every machine, and another one if any setting differs."""
        text = json.dumps({**self.as_dict(), "settings": self.settings()}, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:20]


def _revision(embedder: Any) -> str:
    try:
        return getattr(embedder, "revision", "")
    except NumprobeError:  # a file that isn't there is told of when the cell runs
        return ""
