import csv
import io
import json

import pytest

from numprobe.drop.studies import Figures, Study
from numprobe.errors import NumprobeError
from numprobe.reports.page.studies import studied
from numprobe.reports.studies import HEADINGS, render

STUDY = Study(
    "stress",
    "a <model>",
    ("Trained with 7,600 real questions.",),
    (
        Figures("original", "superlative", 1900, 50.0, 60.0),
        Figures("multiply:low=11,high=100", "superlative", 1900, 20.0, 25.04, -34.96, 2.0),
    ),
)


def test_the_papers_scores_stand_beside_ours() -> None:
    lines = render([STUDY], "markdown").splitlines()
    assert lines[2] == STUDY.notes[0]
    assert (
        lines[-1] == "| multiply:low=11,high=100 | superlative | 1,900 | 20.0 | 25.0 | -35.0 ± 2.0 |  | 32.0 | -35.7 |"
    )


def test_every_format_has_the_note() -> None:
    assert json.loads(render([STUDY], "json"))[0]["notes"] == list(STUDY.notes)
    (_, row, _) = csv.reader(io.StringIO(render([STUDY], "csv")))
    assert row[-1] == STUDY.notes[0]
    assert len(row) == len(HEADINGS) + 3
    latex = render([STUDY], "latex")
    assert f"% {STUDY.notes[0]}" in latex
    assert r"$\Delta$F1" in latex
    assert latex.count("&") == (len(HEADINGS) - 1) * 3
    with pytest.raises(NumprobeError, match="unknown format"):
        render([STUDY], "word")


def test_the_page_has_a_table_with_its_note_and_no_markup_of_a_name() -> None:
    page = studied([STUDY])
    assert page.index(STUDY.notes[0]) < page.index("<table")
    assert "a &lt;model&gt;" in page
    assert page.count("<tr>") == 3
    assert "<td>-35.7</td>" in page
