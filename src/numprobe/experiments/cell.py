"""A cell: one embedder, one task, some numbers, one probe. Its hash names its result."""

import dataclasses
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.metadata import packages_distributions, version
from typing import Any, NamedTuple

from numprobe.embedders import EMBEDDERS
from numprobe.errors import NumprobeError, at_least, at_most
from numprobe.experiments.checks import check_cell
from numprobe.metrics import METRICS, Metric
from numprobe.numbers import Facts, Form, Range, checked_template, form_for
from numprobe.numbers.facts import PREFIX
from numprobe.numbers.mentions import NUMBER
from numprobe.probes import PROBES, Probe
from numprobe.registry import identity, name_of, text_of
from numprobe.tasks import TASKS, Task

MISSING = ("refuse", "restrict")

TRAINED = "trained"
"""The test range that stands for the training numbers."""

SEEDS = Probe.shuffles
"""Shuffles (Section 3.1)."""

MOST_SEEDS = 1000

MENTIONED = ("template", "test_form", "test_template")
"""The fields that say how numbers are mentioned."""

VERSION = 7
"""The version of splits, scaling and whatever else all cells share; raised when every cell would give other scores."""


FIRST_VERSION = "1"
"""The version of a part that does not say."""


class Parts(NamedTuple):
    """The objects that a cell names, each built once."""

    embedder: Any
    task: Task
    numbers: Range
    tests: tuple[Range, ...]
    form: Form
    probe: Probe
    metric: Metric
    """The task's own."""
    is_named: bool
    """Whether the embedder, task and probe can be built again from their names alone."""
    test_form: Form
    """How test numbers are written."""


@dataclass(frozen=True)
class Cell:
    """A validated experiment. `Cell.make` makes one; its texts, in one canonical spelling, are its identity.

    >>> cell = Cell.make("char-cnn:padding=right", "addition", "0:999")
    >>> str(cell), cell.seeds
    ('char-cnn:padding=right, addition, [0,999]', 5)
    """

    embedder: str
    task: str
    range: str
    form: str
    probe: str
    test_range: str = ""
    """Where to test instead of on a random fifth of `range`; commas separate several ranges.

    Ranges outside `range` are extrapolation. Ranges inside it are holes: their numbers are held out of training. One
    that contains `range` adds its numbers to the random fifth (the paper's Figure 1). `trained` asks about the training
    numbers, in items that were not trained on.
    """
    seeds: int = SEEDS
    missing: str = "refuse"
    """What to do if the embedder lacks numbers of the range: `refuse`, or `restrict` the cell to those it has."""
    template: str = ""
    """The sentence that numbers stand in, with `{number}` in their place; empty for numbers alone."""
    test_form: str = ""
    """How test numbers are written, if otherwise than those to learn from: transfer from one form to another."""
    test_template: str = ""
    """The sentence of test numbers, if it is another; `{number}` for numbers alone."""
    parts: Parts = field(kw_only=True, compare=False, repr=False)

    @classmethod
    def make(
        cls,
        embedder: Any,
        task: str | Task,
        range: str,
        form: str | Form = "",
        probe: Any = "",
        test_range: str = "",
        seeds: int | None = None,
        missing: str = "refuse",
        template: str = "",
        test_form: str | Form = "",
        test_template: str = "",
        *,
        name: str = "",
    ) -> "Cell":
        """Check everything that can be checked before anything runs.

        The embedder, task, form and probe are names with settings, or objects. There are as many shuffles as the probe
        says, unless `seeds` says otherwise. `name` is what to call an embedder that is an object.

        >>> cell = Cell.make("value", "decoding", "-50:50")
        >>> cell.form, cell.probe
        ('negatives', 'mlp')
        """
        numbers = Facts.parse(range) if range.startswith(PREFIX) else Range.parse(range)
        elsewhere = test_range if test_range != TRAINED else ""
        tests = tuple(sorted(Range.parse(part) for part in elsewhere.split(","))) if elsewhere else ()
        if missing not in MISSING:
            raise NumprobeError(f"missing={missing!r} is not an option: use refuse or restrict")
        asked = TASKS.part(task)
        written = [Range(0, 0)] if isinstance(numbers, Facts) else [numbers, *tests]  # facts are written already
        probe = asked.probe if isinstance(probe, str) and not probe else probe
        parts = Parts(
            embedder=EMBEDDERS.build(embedder) if isinstance(embedder, str) else embedder,
            task=asked,
            numbers=numbers,
            tests=tests,
            form=form_for(form, written),
            probe=PROBES.part(probe),
            metric=METRICS.build(asked.metric),
            is_named=all(isinstance(given, str) for given in (embedder, task, form, probe, test_form)),
            test_form=form_for(test_form or form, written),
        )
        for own in asked.forms:
            form_for(own, written)
        template, other = checked_template(template), checked_template(test_template)
        test_template = "" if not test_template or other == template else other or NUMBER
        seeds = getattr(parts.probe, "shuffles", SEEDS) if seeds is None else seeds
        at_least(1, seeds=seeds)
        at_most(MOST_SEEDS, seeds=seeds)
        cell = cls(
            embedder=text_of(parts.embedder, embedder) if isinstance(embedder, str) else name or name_of(embedder),
            task=text_of(asked, task),
            range=str(numbers),
            form=text_of(parts.form),
            probe=text_of(parts.probe, probe),
            test_range=",".join(map(str, tests)) if elsewhere else test_range,
            seeds=seeds,
            missing=missing,
            template=template,
            test_form=text_of(parts.test_form) if parts.test_form != parts.form else "",
            test_template=test_template,
            parts=parts,
        )
        check_cell(cell)
        return cell

    def __reduce__(self) -> Any:
        """Travel to another process by name, where every part has one."""
        if not self.parts.is_named:
            return _restored, (self.as_dict(), self.parts)
        embedder = text_of(self.parts.embedder, self.embedder, runtime=True)
        return _restored, ({**self.as_dict(), "embedder": embedder}, None)

    def __str__(self) -> str:
        return ", ".join(filter(None, (self.embedder, self.task, self.where, self.other_probe)))

    @property
    def where(self) -> str:
        """The numbers as the paper writes them.

        >>> Cell.make("value", "decoding", "0:50", "words").where
        '[0,50] in words'
        """
        tests = " ".join(part.label for part in self.parts.tests) or ("trained numbers" if self.asks_trained else "")
        if self.transfers:
            sentence = f" in {self.test_template!r}" if self.test_template else ""
            tests = f"{tests}{self.parts.test_form.label or ' in digits'}{sentence}".strip()
        sentence = f" in {self.template!r}" if self.template else ""
        return self.parts.numbers.label + self.parts.form.label + sentence + (f" → {tests}" if tests else "")

    @property
    def asks_trained(self) -> bool:
        """Whether the test items are about training numbers."""
        return self.test_range == TRAINED

    @property
    def transfers(self) -> bool:
        """Whether test numbers are written otherwise than those to learn from."""
        return bool(self.test_form or self.test_template)

    @property
    def template_of_test(self) -> str:
        """The sentence of test numbers; empty for numbers alone."""
        return checked_template(self.test_template) if self.test_template else self.template

    @property
    def mentions_otherwise(self) -> bool:
        """Whether numbers stand in sentences, or are written otherwise in the test."""
        return self.transfers or bool(self.template)

    @property
    def uses_default_probe(self) -> bool:
        return self.probe == self.parts.task.probe

    @property
    def other_probe(self) -> str:
        """The probe, unless it is the one that the task has by default."""
        return "" if self.uses_default_probe else self.probe

    @property
    def is_quick(self) -> bool:
        """Whether it has fewer shuffles than the paper's five."""
        return self.seeds < SEEDS

    def quick(self, seeds: int) -> "Cell":
        """The same with fewer shuffles and less to do."""
        task = self.parts.task.quick()
        return dataclasses.replace(self, seeds=seeds, task=text_of(task), parts=self.parts._replace(task=task))

    def as_dict(self) -> dict[str, Any]:
        """The texts and counts that make the cell again. How numbers are mentioned is left out where it is plain."""
        every = {own.name: getattr(self, own.name) for own in dataclasses.fields(self) if own.name != "parts"}
        return {name: value for name, value in every.items() if value or name not in MENTIONED}

    def settings(self) -> dict[str, Any]:
        """Every setting that the scores depend on, with the defaults written out, for the record."""
        return {
            **self.training(),
            "embedder": identity(self.parts.embedder) if self.parts.is_named else {},
            "revision": _revision(self.parts.embedder),
            "task": identity(self.parts.task),
        }

    def training(self) -> dict[str, Any]:
        """The versions of the parts, and how the probe trains, as a JSON file gives them back."""
        settings: dict[str, Any] = json.loads(
            json.dumps({"versions": self.versions(), "recipe": self.parts.probe.training()})
        )
        return settings

    def versions(self) -> dict[str, str]:
        """The version of numprobe's protocol and of each part; that of a plug-in names its package's version too."""
        parts = self.parts
        named = {"embedder": parts.embedder, "task": parts.task, "form": parts.form, "probe": parts.probe}
        return {"protocol": str(VERSION), **{kind: _version(part) for kind, part in named.items()}}

    @cached_property
    def hash(self) -> str:
        """The name of the cell's result: the same on every machine, and another if any setting differs.

        It covers the settings that differ from their defaults and a version per part. So a new setting or a new part
        changes no hash, and whoever changes what a part does raises its `version`.
        """
        defaults = {own.name: own.default for own in dataclasses.fields(self)}
        differing = {name: value for name, value in self.as_dict().items() if value != defaults[name]}
        versions = {kind: text for kind, text in self.versions().items() if text != FIRST_VERSION}
        named = {**differing, "revision": _revision(self.parts.embedder), "versions": versions}
        if asked := _revision(self.parts.task):  # a user's own corpus
            named["corpus"] = asked
        return hashlib.sha256(json.dumps(named, sort_keys=True).encode()).hexdigest()[:20]


def _restored(texts: dict[str, Any], parts: Parts | None) -> Cell:
    return Cell.make(**texts) if parts is None else Cell(**texts, parts=parts)


def _version(part: Any) -> str:
    """A part's own version, and that of its package if it is not numprobe's.

    A part that is defined in a script has no package.
    """
    made = getattr(part, "wrapped", part)
    own = str(getattr(made, "version", FIRST_VERSION))
    package = type(made).__module__.partition(".")[0]
    if package == __name__.partition(".")[0]:
        return own
    found = [f"{name} {version(name)}" for name in sorted(set(distributions().get(package, ())))]
    return " ".join([own, *found])


@cache
def distributions() -> Mapping[str, Sequence[str]]:
    """The distributions that each installed package comes from; looked up once, as that reads all their records."""
    return packages_distributions()


def _revision(part: Any) -> str:
    try:
        return getattr(part, "revision", "") or ""
    except NumprobeError:  # running the cell says that the file does not exist
        return ""
