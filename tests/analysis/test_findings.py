from dataclasses import replace

import pytest

from numprobe.analysis import findings
from numprobe.analysis.findings import FINDINGS
from numprobe.experiments import Cell, Result
from tests.analysis.test_paper import ROWS
from tests.reports.foreign import doubled


@pytest.fixture(scope="module")
def papers() -> list[Result]:
    """The paper's own numbers as results."""
    return [
        Result(
            Cell.make(*(row[key] for key in ("embedder", "task", "range", "form", "probe", "test_range"))),
            metric="accuracy" if row["task"] == "list-maximum" else "rmse",
            scores=[float(row["mean"])] * 5,
            coverage={"covered": 100, "asked": 100},
            choices=[],
            made={},
        )
        for row in ROWS
    ]


def test_the_papers_own_numbers_bear_its_findings_out(papers: list[Result]) -> None:
    found = findings(papers)
    assert len(found) == len(FINDINGS) == 10
    assert [finding.statement for finding in found if finding.holds is not True] == []
    assert all(line.startswith("✓ ") for finding in found for line in finding.evidence)


def test_without_results_nothing_is_known(papers: list[Result]) -> None:
    assert {finding.holds for finding in findings([])} == {None}
    tables_4 = [result for result in papers if result.cell.range == "0:99"]
    assert findings(tables_4)[0].holds
    assert findings(tables_4)[1].holds is None


def test_a_finding_falls_with_one_check(papers: list[Result]) -> None:
    def changed(result: Result) -> Result:
        is_value = (result.cell.embedder, result.cell.task) == ("value", "decoding")
        return replace(result, scores=[3.3] * 5) if is_value else result

    (value,) = [f for f in findings(map(changed, papers)) if f.statement.startswith("The value")]
    assert value.holds is False
    assert [line[0] for line in value.evidence] == ["✓", "✗", "✓"]
    assert value.evidence[1] == "✗ decoding [0,9999]: value 3.30 ± 0.00, char-cnn 11.57 ± 0.00"


def test_parts_from_outside_do_not_enter(papers: list[Result]) -> None:
    others = [
        replace(result, cell=replace(result.cell, **changed), scores=[0.0] * 5)
        for result in papers
        if result.cell.embedder == "char-cnn"
        for changed in ({"embedder": "mine"}, {"probe": "mine"}, {"form": "roman"})
    ]
    other_metric = [replace(result, metric="r2", scores=[0.0] * 5) for result in papers]
    other_task = [replace(doubled(result.cell.embedder), scores=[0.0] * 5) for result in papers]
    other_settings = [
        replace(result, cell=Cell.make(result.cell.embedder, "list-maximum:train_lists=7", "0:99"), scores=[0.0] * 5)
        for result in papers
    ]
    given = [*papers, *others, *other_metric, *other_task, *other_settings]
    assert findings(given) == findings(papers)


def test_evidence_says_what_is_quick_or_partial(papers: list[Result]) -> None:
    quick = [
        replace(r, cell=replace(r.cell, seeds=2), coverage={"covered": 90, "asked": 100})
        for r in papers
        if r.cell.range == "0:99"
    ]
    assert "quick: random 0.16 ± 0.00 (90 of 100 numbers)" in findings(quick)[0].evidence[0]
    assert "quick" not in findings([*papers, *quick])[0].evidence[0]  # five shuffles count more


def test_another_sampler_is_another_task(papers: list[Result]) -> None:
    appendix = [replace(r, cell=replace(r.cell, task="list-maximum:sampler=appendix")) for r in papers]
    assert {finding.holds for finding in findings(appendix[:3])} == {None}
