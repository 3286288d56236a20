"""A user's own facts."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import numprobe
from numprobe.errors import NumprobeError
from numprobe.experiments import Cell
from numprobe.experiments.laboratory import run_cell
from numprobe.experiments.selection import Selection


@pytest.fixture
def cities(tmp_path: Path) -> Path:
    """Texts in which the value can be read, a tenth of them in each of ten groups that are told by a letter."""
    path = tmp_path / "cities.csv"
    rows = [f'"{"abcdefghij"[n % 10]}: about {n * 7}","{n * 7:,}",{"abcdefghij"[n % 10]}\n' for n in range(200)]
    path.write_text("text,value,country\n" + "".join(rows))
    return path


def known(texts: list[str]) -> np.ndarray:
    return np.array([[float(text.split()[-1])] for text in texts])


def initials(texts: list[str]) -> np.ndarray:
    """What only tells the group."""
    return np.array([[float(text[0] == letter) for letter in "abcdefghij"] for text in texts])


def run(path: Path, function: Any, **more: str) -> Any:
    settings = "".join(f",{key}={value}" for key, value in more.items())
    embedder = numprobe.embedders.FunctionEmbedder(function)
    return run_cell(Cell.make(embedder, "decoding", f"facts:path={path}{settings}", probe="linear", seeds=3))


def test_a_planted_fact_is_read_exactly(cities: Path) -> None:
    result = run(cities, known, group="country")
    assert max(result.scores) < 1e-6
    assert result.coverage == {"covered": 200, "asked": 200}


def test_no_group_is_on_both_sides(cities: Path) -> None:
    cell = Cell.make("random", "decoding", f"facts:path={cities},group=country")
    groups = cell.parts.numbers.groups()  # type: ignore[attr-defined]
    split = Selection(cell).split(3)
    assert len(set(groups[split.test])) == 2
    assert not set(groups[split.test]) & set(groups[split.train])
    assert not set(groups[split.fit]) & set(groups[split.development])
    assert sorted([*split.train, *split.test]) == list(range(200))


def test_the_facts_of_the_documentation() -> None:
    path = Path(__file__).parents[2] / "docs" / "cities.csv"
    facts = Cell.make("random", "decoding", f"facts:path={path},value=latitude,group=country").parts.numbers
    assert facts.size == 500
    assert len(set(facts.groups())) == 100  # type: ignore[attr-defined]


def test_groups_that_share_a_text_are_one(cities: Path) -> None:
    cities.write_text(cities.read_text() + '"a: about 0",3,b\n"c: about 14",3,a\n')
    facts = Cell.make("random", "decoding", f"facts:path={cities},group=country").parts.numbers
    numbers = dict(zip((text[0] for text in facts.texts()), facts.groups(), strict=True))  # type: ignore[attr-defined]
    assert numbers["a"] == numbers["b"] == numbers["c"]
    assert len(set(numbers.values())) == 8


def test_what_tells_the_group_helps_only_where_groups_are_on_both_sides(tmp_path: Path) -> None:
    path = tmp_path / "prices.csv"
    rows = [
        f"{letter}{n},{1000 * place + n},{letter}\n" for place, letter in enumerate("abcdefghij") for n in range(20)
    ]
    path.write_text("text,value,group\n" + "".join(rows))
    by_row, by_group = run(path, initials), run(path, initials, group="group")
    assert by_row.rescored("normalised-error").mean < 0.1
    assert by_group.rescored("normalised-error").mean > 0.9


def test_groups_of_different_sizes(tmp_path: Path) -> None:
    path = tmp_path / "uneven.csv"
    rows = [f"{'abcdefghijkl'[place]}: {n},{n},{place}\n" for place in range(12) for n in range(3, 6 + 3 * place)]
    path.write_text("text,value,group\n" + "".join(rows))
    result = run(path, known, group="group")
    assert max(result.scores) < 1e-6
    assert len({len(result.held_out(seed)) for seed in range(3)}) > 1
    assert [len(row) for row in result.predictions] == [len(result.held_out(seed)) for seed in range(3)]


def test_parquet_and_other_column_names(cities: Path, tmp_path: Path) -> None:
    frame = pd.read_csv(cities, thousands=",").rename(columns={"text": "city", "value": "people"})
    frame.to_parquet(tmp_path / "cities.parquet")
    result = run(tmp_path / "cities.parquet", known, text="city", value="people")
    assert max(result.scores) < 1e-6


def test_the_hash_covers_the_content(cities: Path) -> None:
    cell = Cell.make("random", "decoding", f"facts:path={cities}")
    assert Cell.make(**cell.as_dict()) == cell
    cities.write_text(cities.read_text() + "new 5,5,a\n")
    assert Cell.make("random", "decoding", f"facts:path={cities}").hash != cell.hash
    with pytest.raises(NumprobeError, match="has changed"):
        Cell.make(**cell.as_dict())


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("x,abc,a\n", "1 bad row: line 202: value 'abc' is not a number"),
        (",5,a\nx,nan,a\n", "line 202: there is no text; line 203: value 'nan' is not a number"),
        ('x,"3,5",a\nx,inf,a\n', "line 202: value '3,5' is not a number; line 203: value inf is too large"),
        ("x,5,\n", "line 202: there is no country"),
    ],
)
def test_bad_rows_are_named_by_line(cities: Path, more: str, message: str) -> None:
    cities.write_text(cities.read_text() + more)
    with pytest.raises(NumprobeError, match=message):
        Cell.make("random", "decoding", f"facts:path={cities},group=country")


@pytest.mark.parametrize(
    ("settings", "fields", "message"),
    [
        ("", {"form": "words"}, "leave out form"),
        ("", {"task": "list-maximum"}, "can't ask about facts"),
        (",group=region", {}, "column"),
        (",kind=x", {}, "setting of facts"),
    ],
)
def test_what_facts_refuse(cities: Path, settings: str, fields: dict[str, str], message: str) -> None:
    with pytest.raises(NumprobeError, match=message):
        Cell.make(**{"embedder": "random", "task": "decoding", "range": f"facts:path={cities}{settings}", **fields})


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(NumprobeError, match=r"can.t read nowhere\.csv: No such file"):
        Cell.make("random", "decoding", "facts:path=nowhere.csv")
