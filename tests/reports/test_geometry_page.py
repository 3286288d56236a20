"""Geometry on the report's page, and the picture of families of probes."""

import json
import re
from pathlib import Path

import pytest

from numprobe import probe
from numprobe.analysis.geometry import WARNING
from numprobe.cli import main
from numprobe.probes import families
from numprobe.reports.geometry import layout
from numprobe.reports.page import page
from numprobe.reports.pictures import PICTURES


def test_the_power_of_a_period_stands_beside_its_kappa() -> None:
    found = layout("digit-one-hots", "0:99")
    names = [heading.name for heading in found.table.headings]
    (row,) = found.table.rows
    shown = dict(zip(names, row, strict=True))
    assert names.index("κ 10") == names.index("power 10") + 1
    assert shown["κ 10"] == "1.00"
    assert float(shown["levenshtein distance"]) > float(shown["log distance"])
    assert WARNING in found.table.notes


def test_the_page_draws_the_number_line() -> None:
    text = page([], [], {}, layouts=[layout("value:scale=raw", "0:99")])
    assert "How the vectors of numbers lie" in text
    data = re.search(r'id="charts-data">(.*?)</script>', text, re.DOTALL)
    assert data is not None
    charts = json.loads(data[1])
    assert list(charts) == ["geometry-0"]
    assert 'data-chart="geometry-0"' in text
    assert "Geometry" not in page([], [], {})


def test_the_report_takes_models(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "report.html"
    assert main(["report", "demo", "--published", "--geometry", "digit-one-hots", "--out", str(out)]) == 0
    assert "digit-one-hots, [0,999]" in out.read_text(encoding="utf-8")
    assert main(["report", "demo", "--published", "--geometry", "char-cnn", "--out", str(out)]) == 2
    assert "learns together with its probe" in capsys.readouterr().err


def test_families_are_drawn_with_the_best_string_once_there_are_three() -> None:
    names = families(solved=True)
    own = [probe("value:scale=raw", numbers="1:99", probe=name, seeds=2)[0] for name in names]
    strings = [probe("length", numbers="1:99", probe=name, seeds=2)[0] for name in names]
    assert PICTURES["families"].draw([*own[:2], *strings]) is None
    drawn = PICTURES["families"].draw([*own, *strings]).to_dict()
    rows = [row for data in drawn["datasets"].values() for row in data]
    exact = {row["family"]: row["score"] for row in rows if row.get("metric") == "exactly right" and "row" in row}
    assert exact["linear"] == 1
    assert set(exact) == set(names)
