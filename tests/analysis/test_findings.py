from dataclasses import replace

import pytest

from numprobe.analysis import findings
from numprobe.analysis.findings import FINDINGS
from numprobe.experiments import Cell, Result
from tests.analysis.test_paper import ROWS


@pytest.fixture(scope="module")
def papers() -> list[Result]:
    """The paper's own numbers as results."""
    return [
        Result(
            Cell.make(
                *(row[key] for key in ("embedder", "task", "range", "form", "probe")), "paper", row["test_range"]
            ),
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
    assert all(line.startswith("✓ paper, ") for finding in found for line in finding.evidence)


def test_without_results_nothing_is_known(papers: list[Result]) -> None:
    assert {finding.holds for finding in findings([])} == {None}
    tables_4 = [result for result in papers if result.cell.range == "0:99"]
    assert findings(tables_4)[0].holds
    assert findings(tables_4)[1].holds is None


def test_a_finding_falls_with_one_protocol(papers: list[Result]) -> None:
    def changed(result: Result) -> Result:
        score = 3.3 if result.cell.embedder == "value" else result.mean
        return replace(result, cell=replace(result.cell, protocol="strict"), scores=[score] * 5)

    decoding = [r for r in papers if (r.cell.task, r.cell.range) == ("decoding", "0:9999")]
    (value,) = [f for f in findings([*decoding, *map(changed, decoding)]) if f.statement.startswith("The value")]
    assert value.holds is False
    assert [line[0] for line in value.evidence] == ["✓", "✗"]
    assert "strict, decoding [0,9999]: value 3.30 ± 0.00, char-cnn 11.57 ± 0.00" in value.evidence[1]


def test_evidence_says_what_is_quick_or_partial(papers: list[Result]) -> None:
    quick = [
        replace(r, cell=replace(r.cell, seeds=2), coverage={"covered": 90, "asked": 100})
        for r in papers
        if r.cell.range == "0:99"
    ]
    assert "quick: random 0.16 ± 0.00 (90 of 100 numbers)" in findings(quick)[0].evidence[0]
    assert "quick" not in findings([*papers, *quick])[0].evidence[0]  # five shuffles count more


def test_the_released_sampler_is_another_task(papers: list[Result]) -> None:
    released = [replace(r, cell=replace(r.cell, task="list-maximum:sampler=released")) for r in papers]
    assert {finding.holds for finding in findings(released[:3])} == {None}
