"""What numprobe writes for other harnesses."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from numprobe.cli import main
from numprobe.experiments import Cell
from numprobe.experiments.selection import Selection
from numprobe.probes.replies import read_number
from tests.conftest import make_result


def test_a_task_per_phrasing_with_its_data(tmp_path: Path) -> None:
    prompt = "prompt:shots=2,most_items=7"
    assert (
        main(["export", "lm-eval", "--range", "0:60", "--prompt", prompt, "--seeds", "2", "--out", str(tmp_path)]) == 0
    )
    tasks = [json.loads(path.read_text()) for path in sorted(tmp_path.glob("*.yaml"))]
    assert len(tasks) == 5
    held_out = set(Selection(Cell.make("value", "addition", "0:60")).held_out(1).astype(int).tolist())
    for task in tasks:
        data = Path(task["dataset_kwargs"]["data_files"]["test"])
        rows = [json.loads(line) for line in data.read_text().splitlines()]
        assert len(rows) == 14
        for row in rows:
            assert int(row["answer"]) == sum(map(int, row["numbers"]))
            assert row["text"].count(" ") > 5
        assert {int(number) for row in rows if row["shuffle"] == 1 for number in row["numbers"]} <= held_out
        (pattern,) = (one["regex_pattern"] for one in task["filter_list"][0]["filter"] if "regex_pattern" in one)
        for reply in ("95.", " 1,234", "95, so", "37 + 58"):
            (found,) = re.findall(pattern, reply) or [""]
            assert read_number(reply) == (float(found.replace(",", "")) if found else None)


def test_choices_in_words_are_read_as_words(tmp_path: Path) -> None:
    command = ["export", "lm-eval", "--task", "comparison", "--form", "words", "--prompt", "prompt:most_items=3"]
    assert main([*command, "--out", str(tmp_path)]) == 0
    task = json.loads(next(iter(tmp_path.glob("*.yaml"))).read_text())
    assert re.findall(task["filter_list"][0]["filter"][0]["regex_pattern"], " Seventy-five.") == ["Seventy-five"]


def test_cells_that_differ_have_files_of_their_own(tmp_path: Path) -> None:
    from numprobe.reports.exports import AnyModel, harness_tasks, mteb_results

    probe = "prompt:most_items=3,phrasing=1"
    first, last = (Cell.make(AnyModel(), f"ordering:rank={rank}", "0:60", probe=probe, seeds=1) for rank in (1, 3))
    assert not set(harness_tasks(first, tmp_path)) & set(harness_tasks(last, tmp_path))
    results = [
        replace(make_result("value", "list-maximum"), cell=Cell.make("value", "list-maximum", "0:99", seeds=n))
        for n in (2, 3)
    ]
    assert len(set(mteb_results(results, tmp_path))) == 2


def test_results_as_mteb_keeps_them(tmp_path: Path) -> None:
    from numprobe.reports.exports import mteb_results

    with pytest.raises(ValueError, match="no score of which more is better"):
        mteb_results([make_result()], tmp_path)
    (path,) = mteb_results([make_result("value", "list-maximum")], tmp_path)
    document = json.loads(path.read_text())
    (scores,) = document["scores"]["test"]
    assert scores["main_score"] == scores["accuracy"] == pytest.approx(0.75)
    assert path.parent.parent.name == "value"


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["helm"], "unknown harness 'helm'"),
        (["lm-eval", "--prompt", "linear"], "probe 'linear' asks none"),
        (["lm-eval", "--prompt", "prompt:phrasing=what"], "lacks {first} and {second}"),
        (["mteb", "--store", "nowhere"], "holds no results"),
    ],
)
def test_mistakes(command: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", *command, "--out", str(tmp_path)]) == 2
    assert message in capsys.readouterr().err
