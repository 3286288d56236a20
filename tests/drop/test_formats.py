import copy
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from numprobe.drop.data import GoldAnswer, Passage, Question
from numprobe.drop.formats import from_json, read_passages, to_json, write_passages
from numprobe.errors import NumprobeError

EMPTY = {"number": "", "date": {"day": "", "month": "", "year": ""}, "spans": []}
OFFICIAL: dict[str, Any] = {
    "nfl_1": {
        "passage": "Akers kicked a 43-yard and a 20-yard field goal on 5 May 1999.",
        "qa_pairs": [
            {
                "question": "How many yards was the longest field goal?",
                "query_id": "a",
                "answer": {**EMPTY, "number": "43"},
                "validated_answers": [{**EMPTY, "spans": ["43-yard"]}],
            },
            {
                "question": "When was the game?",
                "query_id": "b",
                "answer": {**EMPTY, "date": {"day": "5", "month": "May", "year": "1999"}},
                "validated_answers": [],
            },
        ],
    }
}


def changed(change: Callable[[Any], object]) -> Any:
    official = copy.deepcopy(OFFICIAL)
    change(official)
    return official


def first_pair(official: Any) -> Any:
    return official["nfl_1"]["qa_pairs"][0]


def test_reading_is_the_inverse_of_writing(tmp_path: Path) -> None:
    write_passages(from_json(OFFICIAL, "here"), tmp_path / "new" / "drop.json")
    passages = read_passages(tmp_path / "new" / "drop.json")
    assert passages[0].questions[0] == Question(
        "a", "How many yards was the longest field goal?", GoldAnswer(number="43"), (GoldAnswer(spans=("43-yard",)),)
    )
    assert to_json(passages) == OFFICIAL
    assert read_passages(tmp_path / "new") == passages
    assert [file.name for file in (tmp_path / "new").iterdir()] == ["drop.json"]  # nothing temporary is left


def test_the_first_of_several_answers_counts() -> None:
    official = changed(lambda made: first_pair(made)["answer"].update(spans=["43-yard"]))
    assert from_json(official, "here")[0].questions[0].answer == GoldAnswer(number="43")


def test_training_files_have_no_further_annotations() -> None:
    official = changed(lambda made: first_pair(made).pop("validated_answers"))
    assert from_json(official, "here")[0].questions[0].validated == ()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda made: made["nfl_1"].pop("passage"), ["passage 'nfl_1'", "'passage' is missing"]),
        (lambda made: made["nfl_1"].update(passage=" "), ["'passage' is empty"]),
        (lambda made: made["nfl_1"].update(qa_pairs={}), ["'qa_pairs' is dict", "a list"]),
        (lambda made: made.update(nfl_1=[]), ["passage 'nfl_1' must be an object, not list"]),
        (lambda made: first_pair(made).pop("query_id"), ["question 0", "'query_id' is missing"]),
        (lambda made: first_pair(made).pop("answer"), ["question 0 (a)", "'answer' is missing"]),
        (lambda made: first_pair(made).update(answer=EMPTY), ["question 0 (a)", "its answer is empty"]),
        (lambda made: first_pair(made)["answer"].update(number=43), ["(a), answer", "'number' is int"]),
        (lambda made: first_pair(made)["answer"].update(spans=[43]), ["(a), answer", "list of strings"]),
        (lambda made: first_pair(made)["answer"]["date"].update(day=5), ["answer, date", "'day' is int"]),
        (lambda made: first_pair(made).update(validated_answers=["43"]), ["validated_answers 0 must be an object"]),
        (lambda made: made.clear(), ["is not DROP's JSON"]),
    ],
)
def test_errors_say_what_is_wrong_and_where(change: Callable[[Any], object], words: list[str]) -> None:
    with pytest.raises(NumprobeError) as error:
        from_json(changed(change), "dev.json")
    assert "\n" not in str(error.value)
    for word in ["dev.json", *words]:
        assert word in str(error.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(NumprobeError, match="can't read"):
        read_passages(tmp_path / "none.json")
    with pytest.raises(NumprobeError, match=r"no \.json and no \.parquet"):
        read_passages(tmp_path)
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(NumprobeError, match=r"bad\.json is not JSON"):
        read_passages(tmp_path)
    for name in ("bad.json", "same.json"):
        (tmp_path / name).write_text(json.dumps(OFFICIAL))
    with pytest.raises(NumprobeError, match="passage 'nfl_1' twice"):
        read_passages(tmp_path)
    official = changed(lambda made: made["nfl_1"]["qa_pairs"][1].update(query_id="a"))
    (tmp_path / "same.json").write_text(json.dumps(official))
    with pytest.raises(NumprobeError, match="query_id 'a' twice"):
        read_passages(tmp_path / "same.json")


def test_parquet_files_of_the_hub(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    def row(pair: Any) -> Any:
        # The hub keeps lists of objects as objects of lists, and an empty annotation where there is none.
        annotations = pair["validated_answers"] or [EMPTY]
        columns = {key: [annotation[key] for annotation in annotations] for key in EMPTY}
        return {"section_id": "nfl_1", "passage": OFFICIAL["nfl_1"]["passage"], **pair, "validated_answers": columns}

    table = pyarrow.Table.from_pylist([row(pair) for pair in OFFICIAL["nfl_1"]["qa_pairs"]])
    parquet.write_table(table, tmp_path / "dev.parquet")
    assert to_json(read_passages(tmp_path)) == OFFICIAL
    parquet.write_table(table.drop_columns(["answer"]), tmp_path / "dev.parquet")
    with pytest.raises(NumprobeError, match="no column 'answer'"):
        read_passages(tmp_path)
    (tmp_path / "dev.parquet").write_text("no parquet")
    with pytest.raises(NumprobeError, match="can't read"):
        read_passages(tmp_path)


def test_parquet_needs_a_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(NumprobeError, match="needs the package pyarrow: pip install"):
        read_passages(tmp_path / "dev.parquet")


def test_real_questions(real_drop: Path, real_passages: tuple[Passage, ...]) -> None:
    assert (len(real_passages), sum(len(passage.questions) for passage in real_passages)) == (579, 9536)
    assert to_json(real_passages) == json.loads((real_drop / "drop_dev.json").read_text(encoding="utf-8"))
