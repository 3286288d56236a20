import math

import numpy as np
import pytest
import torch

from numprobe.errors import NumprobeError
from numprobe.experiments import Cell, Result
from numprobe.experiments.laboratory import run_cell


def test_random_vectors_are_at_chance() -> None:
    """Anything better would be a leak from the test numbers."""
    decoding = run_cell(Cell.make("random", "decoding", "0:99", probe="mlp:most_steps=300", seeds=3))
    deviation = np.arange(100).std()
    assert abs(decoding.mean - deviation) < 0.15 * deviation
    lists = run_cell(
        Cell.make("random", "list-maximum:train_lists=2000", "0:99", probe="bilstm:most_steps=30", seeds=3)
    )
    assert abs(lists.mean - 0.2) < 0.1


def test_the_value_is_decoded() -> None:
    result = run_cell(Cell.make("value", "decoding", "0:99", probe="mlp:most_steps=1500", seeds=2))
    assert result.mean < 1.2
    assert result.coverage == {"covered": 100, "asked": 100}
    assert result.std == pytest.approx(np.std(result.scores, ddof=1))
    assert {"torch", "numpy", "numprobe", "seconds", "device", "hardware"} <= set(result.made)
    for seed, predictions in enumerate(result.predictions or []):
        errors = np.array(predictions) - np.array(result.held_out(seed))
        assert math.sqrt((errors**2).mean()) == pytest.approx(result.scores[seed], rel=1e-3)


class Cutter:
    """Digits, one vector entry for each place, and one piece for each digit."""

    def encode(self, texts: list[str]) -> np.ndarray:
        return np.array([[int(text) // 10, int(text) % 10] for text in texts], dtype=np.float32)

    def pieces(self, texts: list[str]) -> list[list[str]]:
        return [list(text) for text in texts]


def test_a_result_tells_how_numbers_were_cut() -> None:
    result = run_cell(Cell.make(Cutter(), "decoding", "0:20", probe="linear", seeds=1, name="cutter"))
    assert result.pieces_of() == {number: len(str(number)) for number in range(21)}
    assert Result.from_dict(result.as_dict()) == result
    assert run_cell(Cell.make("value", "decoding", "0:20", probe="linear", seeds=1)).pieces_of() == {}


def test_pieces_of_too_few_texts_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Cutter, "pieces", lambda self, texts: [["1"]])
    cell = Cell.make(Cutter(), "decoding", "0:20", probe="linear", seeds=1, name="cutter")
    with pytest.raises(NumprobeError, match="'cutter' returned the pieces of 1 texts, not of 21"):
        run_cell(cell)


def test_a_line_is_solved_exactly_by_the_linear_probe() -> None:
    assert run_cell(Cell.make("value:scale=raw", "decoding", "-50:50", probe="linear")).mean < 1e-4
    assert run_cell(Cell.make("value:scale=raw", "addition", "0:60", probe="linear", seeds=2)).mean < 1e-4
    assert run_cell(Cell.make("value:scale=raw", "decoding", "0:20", "words", "linear")).mean < 1e-4
    assert run_cell(Cell.make("value:scale=raw", "decoding", "0.0:20.9", probe="linear")).mean < 1e-4


def test_extrapolation_below_and_above() -> None:
    cell = Cell.make("value:scale=raw", "decoding", "0:50", probe="linear", test_range="-20:-1,51:80")
    result = run_cell(cell)
    assert result.mean < 1e-4
    assert len(result.predictions[0]) == 50


def test_a_hole_is_filled_by_a_line_and_not_by_random_vectors() -> None:
    line, guess = (
        run_cell(Cell.make(embedder, "decoding", "0:150", probe="linear", test_range="71:80", seeds=2))
        for embedder in ("value:scale=raw", "random")
    )
    assert line.held_out(0) == line.held_out(1) == list(range(71, 81))
    assert line.mean < 1e-4
    assert min(guess.rescored("normalised-error").scores) > 0.95  # no better than the mean of the training numbers


def test_threads_are_as_before() -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        run_cell(Cell.make("value", "decoding", "0:20", probe="linear", seeds=1))
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


def test_an_embedder_object_is_checked() -> None:
    class Broken:
        def encode(self, texts: list[str]) -> np.ndarray:
            return np.zeros((1, 3))

    cell = Cell.make(Broken(), "decoding", "0:20", name="broken")
    with pytest.raises(NumprobeError, match=r"embedder 'broken' returned shape \(1, 3\)"):
        run_cell(cell)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("embedder", "task", "numbers", "paper"),
    [
        ("value", "decoding", "0:999", 11.23),
        ("value", "addition", "0:99", 0.30),
        ("char-cnn", "decoding", "0:999", 4.92),
        ("char-lstm", "decoding", "0:99", 2.55),
        ("untrained-cnn", "decoding", "0:99", 2.64),
        ("untrained-cnn", "decoding", "0:999", 9.67),
    ],
)
def test_scores_are_at_least_as_good_as_the_papers(embedder: str, task: str, numbers: str, paper: float) -> None:
    assert run_cell(Cell.make(embedder, task, numbers)).mean <= paper


@pytest.mark.slow
def test_left_padding_beats_right_padding() -> None:
    left, right = (
        run_cell(Cell.make(f"char-cnn:padding={padding}", "decoding", "0:999")) for padding in ("left", "right")
    )
    assert left.mean < right.mean


def test_a_test_range_around_the_range_is_predicted_whole() -> None:
    result = run_cell(Cell.make("value:scale=raw", "decoding", "-20:20", probe="linear", test_range="-60:60", seeds=2))
    for seed, predictions in enumerate(result.predictions or []):
        assert predictions == pytest.approx(result.held_out(seed), abs=1e-3)
        assert len(predictions) == 80 + 9
