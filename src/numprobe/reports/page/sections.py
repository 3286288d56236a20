"""The parts of the page: a suite each, and what is in no suite."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from numprobe.experiments import PAPER_SUITES, Cell, Result, Suite, absent


@dataclass(frozen=True)
class Section:
    """One suite on the page, and the command that reproduces it."""

    name: str
    title: str
    description: str
    command: str
    results: Sequence[Result]
    not_here: Mapping[str, str] = field(default_factory=dict)
    """Rows of the paper without a result -> how to get them."""


def sections(
    suites: Mapping[str, Suite], find: Callable[[Cell], Result | None], others: Iterable[Result] = ()
) -> list[Section]:
    """Suites of which there are results, quick ones among them, by the names they go by; then the other results."""
    made = []
    for name, suite in suites.items():
        cells = dict.fromkeys((*suite.cells, *suite.quick().cells))
        results = [result for result in map(find, cells) if result is not None]
        if results:
            there = {result.cell.embedder for result in results}
            lacking = {embedder: how for embedder, how in absent(suite.cells).items() if embedder not in there}
            command = f"numprobe {'reproduce' if name in PAPER_SUITES else 'run'} {name}"
            made.append(Section(suite.name, suite.title, suite.description, command, results, lacking))
    shown = {result.cell for section in made for result in section.results}
    rest = [result for result in others if result.cell not in shown]
    if rest:
        made.append(Section("others", "Other results", "Of no suite above.", "numprobe show", rest))
    return made
