"""The figures of docs/results.md are those of the results that come with numprobe."""

import pytest

from numprobe.analysis import compare, count, findings
from numprobe.experiments import PAGE_SUITES, Result, load_suite


@pytest.fixture(scope="module")
def text(pytestconfig: pytest.Config) -> str:
    return (pytestconfig.rootpath / "docs/results.md").read_text(encoding="utf-8")


def test_the_counts_of_each_table(text: str, published: list[Result]) -> None:
    for one in count(compare(published)):
        figures = (value for name, value in one.items() if name not in ("table", "quick"))
        assert f"| {one['table']} | {' | '.join(f'{figure:g}' for figure in figures)} |" in text


def test_the_verdict_on_each_finding(text: str, published: list[Result]) -> None:
    for finding in findings(published):
        assert f"| {finding.statement} | {finding.verdict} |" in text


def test_the_time_of_each_suite(text: str, published: list[Result]) -> None:
    seconds = {result.cell: result.made["seconds"] for result in published}
    for name in PAGE_SUITES:
        times = [seconds[cell] for cell in load_suite(name).cells if cell in seconds]
        assert f"| `{name}` | {len(times)} | {sum(times) / 60:.0f} |" in text


def test_the_examples_of_contributing_are_the_plug_ins_files(pytestconfig: pytest.Config) -> None:
    contributing = (pytestconfig.rootpath / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for part in ("task", "embedder", "form", "metric"):
        path = pytestconfig.rootpath / f"tests/plugin/numprobe_example/{part}.py"
        assert f"```python\n{path.read_text(encoding='utf-8')}```" in contributing
