"""The figures of docs/results.md are those of the results that come with numprobe."""

import itertools

import pytest

from numprobe.analysis import compare, count, findings
from numprobe.experiments import PAGE_SUITES, Result, load_suite


@pytest.fixture(scope="module")
def text(pytestconfig: pytest.Config) -> str:
    return (pytestconfig.rootpath / "docs/results.md").read_text(encoding="utf-8")


COUNTED = ("cells", "better", "not_distinguishable", "behind", "no_verdict")


def rows(text: str, *columns: str) -> list[list[str]]:
    """The rows of the one table of a page that starts with these columns."""
    lines = iter(text.splitlines())
    head = "| " + " | ".join(columns)
    found = []
    for line in lines:
        if line.startswith(head):
            next(lines)
            body = itertools.takewhile(lambda own: own.startswith("|"), lines)
            found.append([[field.strip() for field in own.strip("|").split("|")] for own in body])
    assert len(found) == 1, f"the page has {len(found)} tables that start with {columns}"
    assert found[0]
    return found[0]


def test_the_counts_of_each_table(text: str, published: list[Result]) -> None:
    counts = {one["table"]: [str(one[name]) for name in COUNTED] for one in count(compare(published))}
    shown = rows(text, "table", "cells", "better", "not distinguishable", "behind", "no verdict")
    assert {row[0]: row[1:6] for row in shown} == counts


def test_the_verdict_on_each_finding(text: str, published: list[Result]) -> None:
    verdicts = {finding.statement: finding.verdict for finding in findings(published)}
    assert {row[0]: row[1] for row in rows(text, "finding")} == verdicts


def test_the_time_of_each_suite(text: str, published: list[Result]) -> None:
    seconds = {result.cell: result.seconds for result in published}
    times = {name: [seconds[cell] for cell in load_suite(name).cells if cell in seconds] for name in PAGE_SUITES}
    for name, cells, minutes, *_ in rows(text, "suite", "cells", "minutes"):
        own = times[name.strip("`")]
        assert (int(cells), float(minutes)) == (len(own), round(sum(own) / 60)), name


def test_the_examples_of_contributing_are_the_plug_ins_files(pytestconfig: pytest.Config) -> None:
    contributing = (pytestconfig.rootpath / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for part in ("task", "embedder", "form", "metric"):
        path = pytestconfig.rootpath / f"tests/plugin/numprobe_example/{part}.py"
        assert f"```python\n{path.read_text(encoding='utf-8')}```" in contributing
