"""The results that findings rest on: which of them count, how they are set side by side, and how they are shown."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from numprobe.analysis.paper import LISTS, PAPER_TASKS, lists_of
from numprobe.experiments import Result
from numprobe.numbers import Range
from numprobe.tasks import TASKS

Scored = Mapping[str, Result]
"""Embedder -> its result on one task and range."""
Check = tuple[bool, str]
"""Whether something holds, and the numbers that show it."""


class Asked(NamedTuple):
    """A task of the paper."""

    task: str
    lists: str = ""
    """The sampler of its lists, if it has any."""

    def on(self, numbers: str, probe: str = "") -> str:
        """
        >>> Asked("list-maximum", "released").on("0:99")
        'list-maximum [0,99], released lists'
        """
        return f"{probe} {self.task} {Range.parse(numbers).label}".lstrip() + (
            f", {self.lists} lists" * bool(self.lists)
        )


class Scores:
    """Results of the paper's tasks; of equal cells, the one with the most shuffles."""

    def __init__(self, results: Iterable[Result]) -> None:
        self._found: dict[tuple[object, ...], dict[str, Result]] = {}
        for result in sorted(filter(_is_the_papers, results), key=lambda result: result.cell.seeds):
            cell = result.cell
            asked = Asked(cell.parts.task.name, lists_of(cell))
            key = (asked, cell.range, cell.form, cell.test_range, cell.other_probe)
            self._found.setdefault(key, {})[cell.embedder] = result

    def of(self, asked: Asked, numbers: str, form: str = "digits", test_range: str = "", probe: str = "") -> Scored:
        """The results by embedder; without a probe, those of the task's own."""
        return self._found.get((asked, numbers, form, test_range, probe), {})


def _is_the_papers(result: Result) -> bool:
    """Whether a result is of one of the paper's tasks, as it is or quick, in its own metric."""
    task, lists = result.cell.parts.task, lists_of(result.cell)
    if task.name not in PAPER_TASKS or result.metric != task.metric or lists not in ("", *LISTS):
        return False
    default = TASKS.build(task.name)
    usual = replace(task, sampler=default.sampler) if lists else task  # type: ignore[attr-defined, type-var]
    return usual in (default, default.quick())


def comparable(scored: Scored, names: Iterable[str] | None = None) -> dict[str, Result]:
    """The results of some embedders, in a metric in which they can be compared.

    That is their own if all of them are about the same numbers. A result that is not known in the other is left out.
    """
    those = {name: scored[name] for name in (scored if names is None else names) if name in scored}
    if len({result.lacks for result in those.values()}) <= 1:
        return those
    return {name: across for name, result in those.items() if (across := result.across) is not None}


def check(holds: bool, what: str, shown: Scored) -> Check:
    """A check with the results that it rests on."""
    results = list(shown.values())
    metric = f", {results[0].metric}" if results[0].metric != results[0].cell.parts.task.metric else ""
    quick = ", quick" if any(result.cell.is_quick for result in results) else ""
    return holds, f"{what}{metric}{quick}: {', '.join(f'{name} {_score(result)}' for name, result in shown.items())}"


def better(one: Result, other: Result) -> bool:
    return one.measure.better(one.mean, other.mean)


def far_better(result: Result, than: Result) -> bool:
    """Half the error or less, or twice the share or more."""
    return result.mean >= 2 * than.mean if result.measure.higher_is_better else result.mean <= than.mean / 2


def ranked(scored: Scored) -> dict[str, Result]:
    """The best first."""
    from_above = next(iter(scored.values())).measure.higher_is_better
    return dict(sorted(scored.items(), key=lambda item: item[1].mean, reverse=from_above))


def _score(result: Result) -> str:
    covered, asked = result.coverage["covered"], result.coverage["asked"]
    return result.text + (f" ({covered} of {asked} numbers)" if covered < asked else "")
