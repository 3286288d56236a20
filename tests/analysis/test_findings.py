from collections.abc import Iterable
from dataclasses import replace

import pytest

from numprobe.analysis import Finding, findings
from numprobe.analysis.findings import FINDINGS
from numprobe.experiments import Cell, Result
from tests.analysis.test_paper import ROWS
from tests.reports.foreign import doubled

TOO_FEW = ("0:50", "151:160")
"""Too few numbers for lists of the released sampler."""


def cell_of(row: dict[str, str]) -> Cell:
    few = row["task"] == "list-maximum" and (row["range"] in TOO_FEW or row["test_range"] in TOO_FEW)
    task = "list-maximum:sampler=appendix" if few else row["task"]
    return Cell.make(row["embedder"], task, *(row[key] for key in ("range", "form", "probe", "test_range")))


@pytest.fixture(scope="module")
def papers() -> list[Result]:
    """The paper's own numbers as results."""
    return [
        Result(
            cell_of(row),
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


def finding(results: Iterable[Result], start: str) -> Finding:
    (found,) = [found for found in findings(results) if found.statement.startswith(start)]
    return found


def drawn(papers: list[Result], sampler: str, accuracy: float | None = None) -> list[Result]:
    """The paper's lists, drawn by another sampler and perhaps with other scores."""
    return [
        replace(
            result,
            cell=Cell.make(**result.cell.as_dict() | {"task": f"list-maximum:sampler={sampler}"}),
            scores=result.scores if accuracy is None else [accuracy] * 5,
        )
        for result in papers
        if result.metric == "accuracy"
    ]


def test_both_samplers_of_lists_are_checked_the_released_one_first(papers: list[Result]) -> None:
    both = [*papers, *drawn(papers, "appendix", accuracy=0.2)]
    lines = finding(both, "Word vectors").evidence
    assert [line.partition(":")[0] for line in lines[:4]] == [
        "✓ list-maximum [0,99], released lists",
        "✓ list-maximum [0,999], released lists",
        "✗ list-maximum [0,99], appendix lists",
        "✗ list-maximum [0,999], appendix lists",
    ]
    assert "decoding [0,99]" in lines[4]
    assert all(found.holds for found in findings([*papers, *drawn(papers, "appendix")]))


def test_other_lists_are_another_task(papers: list[Result]) -> None:
    assert {found.holds for found in findings(drawn(papers, "uniform"))} == {None}


def test_errors_over_different_numbers_are_compared_where_guessing_is_the_unit(papers: list[Result]) -> None:
    """GloVe 840B on the 848 numbers of [0,9999] that it has: a small error, most of it that of guessing."""
    like = next(r for r in papers if (r.cell.embedder, r.cell.task, r.cell.range) == ("glove", "decoding", "0:9999"))
    partial = replace(
        like,
        cell=replace(like.cell, embedder="glove-840b-300d-bert-words"),
        scores=[5.0] * 5,
        coverage={"covered": 848, "asked": 10_000},
    )

    def normalised(result: Result) -> Result:
        return (
            replace(result, more={"normalised-error": [result.mean / 2887] * 5}) if result.metric == "rmse" else result
        )

    whole = [normalised(result) for result in papers]
    known = replace(partial, more={"normalised-error": [0.094] * 5})
    own = finding([*whole, known], "On the largest range")
    assert own.holds
    (line,) = [line for line in own.evidence if "decoding" in line]
    assert line.startswith("✓ decoding [0,9999], normalised-error: char-cnn 0.004 ± 0.000, ")
    assert "glove-840b-300d-bert-words 0.094 ± 0.000 (848 of 10000 numbers)" in line
    unknown = finding([*whole, partial], "On the largest range")  # it is left out, and nothing is ranked by RMSE
    assert "glove-840b" not in " ".join(unknown.evidence)
    assert unknown.holds


BLOCKS = {"151:160": "71:80", "151:180": "61:90", "151:200": "51:100"}


def inside(papers: list[Result], gain: float) -> list[Result]:
    """Lists of the same width inside the training range, with an accuracy that differs from that outside."""
    return [
        replace(
            result,
            cell=Cell.make(**result.cell.as_dict() | {"test_range": BLOCKS[result.cell.test_range]}),
            scores=[result.mean + gain] * 5,
        )
        for result in papers
        if result.cell.test_range
    ]


def test_outside_the_training_range_is_compared_with_lists_of_the_same_width_inside(papers: list[Result]) -> None:
    statement = "All methods lose accuracy outside"
    assert "on [0,99] 0.97 ± 0.00, on [151,180]" in finding(papers, statement).evidence[0]  # the paper's comparison
    lower = finding([*papers, *inside(papers, -0.01)], statement)
    assert not any(line.startswith("✓") for line in lower.evidence)
    assert lower.evidence[0] == (
        "✗ untrained-cnn, released lists: on [61,90] 0.46 ± 0.00, on [151,180] 0.47 ± 0.00, "
        "on [51,100] 0.40 ± 0.00, on [151,200] 0.41 ± 0.00"
    )
    (narrow, *_) = [line for line in lower.evidence if "appendix lists" in line]
    assert narrow == "✗ untrained-cnn, appendix lists: on [71,80] 0.79 ± 0.00, on [151,160] 0.80 ± 0.00"
    assert finding([*papers, *inside(papers, 0.01)], statement).holds


def test_what_token_vectors_lose_is_compared_with_lists_of_the_same_width_inside(papers: list[Result]) -> None:
    tokens = finding([*papers, *inside(papers, 0.1)], "Token vectors lose")
    assert tokens.holds is False  # all lose the same
    assert tokens.evidence[0].startswith("✗ accuracy lost from [51,100] to [151,200], released lists: ")
