from pathlib import Path
from typing import Any

import numpy as np
import pytest

import numprobe
from numprobe import NumprobeError


def by_value(texts: list[str]) -> list[list[float]]:
    return [[float(text), 1.0] for text in texts]


class Model:
    name = "my model"

    def encode(self, texts: list[str]) -> np.ndarray:
        return np.array(by_value(texts))


def test_a_function_is_an_embedder() -> None:
    result = numprobe.probe(by_value, task="decoding", numbers="0:50", probe="linear")
    assert result.mean < 1e-4
    assert result[0].cell.embedder == "by_value"
    assert "by_value" in str(result)


def test_objects_names_and_several_tasks_at_once() -> None:
    results = numprobe.probe(
        [Model(), "random"], task=["decoding", "addition"], numbers=["0:30", "0:40"], probe="linear", seeds=2
    )
    frame = results.to_frame()
    assert len(frame) == 8
    assert set(frame["embedder"]) == {"my model", "random"}
    assert frame[frame["embedder"] == "my model"]["mean"].max() < frame[frame["embedder"] == "random"]["mean"].min()


def test_two_functions_of_one_name_are_two_rows() -> None:
    results = numprobe.probe(
        [lambda texts: by_value(texts), lambda texts: np.ones((len(texts), 1))], numbers="0:30", probe="linear", seeds=2
    )
    assert [result.cell.embedder for result in results] == ["<lambda>", "<lambda> 2"]
    assert results[0].mean < 1e-3 < results[1].mean


def test_an_object_does_not_stand_in_for_an_embedder_of_its_name() -> None:
    results = numprobe.probe([Model(), "random"], numbers="0:30", probe="linear", seeds=2, name="random")
    assert [result.cell.embedder for result in results] == ["random 2", "random"]
    assert results[0].mean < 1e-3 < results[1].mean


def test_instances_of_every_part() -> None:
    from sklearn.linear_model import Ridge

    from numprobe.numbers.forms import Words
    from numprobe.tasks.addition import Addition

    result = numprobe.probe(
        "value:scale=raw", Addition(pair_share=0.5), "0:30", form=Words(), probe=Ridge(alpha=0.1), seeds=2
    )
    cell = result[0].cell
    assert (cell.task, cell.form, cell.probe) == ("addition:pair_share=0.5", "words", "Ridge:alpha=0.1")
    assert result.mean < 0.1


def test_an_embedder_is_built_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from numprobe.cli import main
    from numprobe.embedders.characters import UntrainedCNN

    built = []
    checked = UntrainedCNN.__post_init__
    monkeypatch.setattr(UntrainedCNN, "__post_init__", lambda self: (built.append(self), checked(self)))
    arguments = ["--embedder", "untrained-cnn:filters=3", "--range", "0:30", "--probe", "linear", "--seeds", "2"]
    assert main(["probe", "--alone", *arguments, "--store", str(tmp_path), "--json"]) == 0
    assert [embedder.seed for embedder in built] == [None, 0, 1]  # once, and once for each shuffle


def test_a_store_keeps_named_embedders(tmp_path: Path) -> None:
    for _ in range(2):
        numprobe.probe("value", numbers="0:30", probe="linear", store=tmp_path)
    assert len(list(tmp_path.glob("*.json"))) == 1


def test_errors_are_of_one_class() -> None:
    with pytest.raises(numprobe.NumprobeError, match="is not an embedder"):
        numprobe.probe(7)
    with pytest.raises(numprobe.NumprobeError, match="NaN"):
        numprobe.probe(lambda texts: np.full((len(texts), 2), np.nan), probe="linear", name="holes")
    with pytest.raises(AttributeError, match="no attribute 'prob'"):
        _ = numprobe.prob
    assert numprobe.__version__


def test_gensims_vectors_as_they_are() -> None:
    from gensim.models import KeyedVectors

    vectors = KeyedVectors(2)
    vectors.add_vectors([str(n) for n in range(50)], [[n, 1.0] for n in range(50)])
    result = numprobe.probe(vectors, numbers="0:59", probe="linear", seeds=2, missing="restrict")
    assert result[0].coverage == {"covered": 50, "asked": 60}
    assert result.mean < 1e-3


class Counting:
    """Counts the texts that it encodes."""

    def __init__(self, shift: float = 0.0) -> None:
        self.shift, self.texts = shift, list[str]()

    def encode(self, texts: list[str]) -> np.ndarray:
        self.texts += texts
        return np.array(
            [[len(text), sum(map(ord, text)) + self.shift, float(text) if text.isdecimal() else -1] for text in texts]
        )


def test_each_text_is_encoded_once_in_a_call() -> None:
    model = Counting()
    numprobe.probe(model, task=["decoding", "addition"], numbers=["0:40", "0:60"], probe="linear", seeds=2)
    assert sorted(model.texts) == sorted(map(str, range(61)))


def test_an_object_of_ones_own_is_kept_until_its_vectors_change(tmp_path: Path) -> None:
    def probed(model: Counting) -> numprobe.Result:
        return numprobe.probe(model, numbers="0:60", probe="linear", seeds=2, name="mine", store=tmp_path)[0]

    first, again, changed = probed(Counting()), probed(model := Counting()), probed(Counting(shift=40.0))
    assert first.cell.embedder.startswith("mine (")
    assert again == first
    found = numprobe.probe(Counting(), numbers=["0:60", "0:70"], probe="linear", seeds=2, name="mine", store=tmp_path)
    assert found.kept == {first.cell}
    assert "1 of 2 results come from the store" in str(found)
    assert "store" not in str(numprobe.Results([first]))
    assert len(model.texts) == len(set(model.texts)) < 130  # the sample, and nothing else
    assert changed.cell.embedder != first.cell.embedder
    assert len(list(numprobe.Store(tmp_path).results())) == 3
    named = numprobe.probe(
        Counting(), numbers="0:60", probe="linear", seeds=2, name="mine", fingerprint="v2", store=tmp_path
    )
    assert named[0].cell.embedder == "mine (v2)"


def test_a_function_of_whole_numbers_alone_is_kept_too(tmp_path: Path) -> None:
    def digits(texts: list[str]) -> list[list[float]]:
        return [[int(text) % 10, int(text) // 10] for text in texts]

    def probed(model: Any, numbers: str = "0:60") -> str:
        return numprobe.probe(model, numbers=numbers, probe="linear", seeds=2, store=tmp_path)[0].cell.embedder

    assert probed(digits) == probed(digits, "0:70")  # one row of a table
    table = {str(number): [float(number)] for number in range(61)}
    assert probed(lambda texts: [table[text] for text in texts]).startswith("<lambda> (")
    with pytest.raises(NumprobeError, match="give it a fingerprint"):
        probed({"a thousand": [1.0]})
    with pytest.raises(ZeroDivisionError):
        probed(lambda texts: [[1 / 0] for _ in texts])


def test_what_is_kept_shows_in_tables_and_on_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from numprobe.cli import main

    for shift in (0.0, 40.0):
        numprobe.probe(Counting(shift), numbers="0:60", probe="linear", seeds=2, name="mine", store=tmp_path)
    assert main(["show", "--store", str(tmp_path)]) == 0
    assert capsys.readouterr().out.count("mine (") == 2
    assert main(["report", "--store", str(tmp_path), "--out", str(tmp_path / "page.html")]) == 0
    assert (tmp_path / "page.html").read_text().count("mine (") >= 2
