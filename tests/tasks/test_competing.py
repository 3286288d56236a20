"""Two numbers in one sentence."""

import re

import numpy as np
import pytest

import numprobe
from numprobe.errors import NumprobeError
from numprobe.experiments import Cell
from numprobe.experiments.laboratory import run_cell


class AtSpan:
    """Holds the number that is read, and nothing of the other."""

    def encode(self, texts: list[str]) -> np.ndarray:
        raise AssertionError("it can read at a place")

    def encode_at(self, texts: list[str], spans: list[tuple[int, int]], layers: bool) -> np.ndarray:
        return np.array([[float(text[start:end])] for text, (start, end) in zip(texts, spans, strict=True)])


def error(embedder: object, **settings: str) -> float:
    task = "competing:train_items=500,test_items=200" + "".join(f",{key}={value}" for key, value in settings.items())
    return run_cell(Cell.make(embedder, task, "0:199", seeds=2)).rescored("normalised-error").mean


@pytest.mark.parametrize("at", ["first", "second"])
def test_a_vector_that_holds_its_own_number(at: str) -> None:
    assert error(AtSpan(), at=at) < 1e-6
    assert error(AtSpan(), at=at, value="other") > 0.9


def test_a_sentence_vector_may_hold_both() -> None:
    both = numprobe.embedders.FunctionEmbedder(lambda texts: [[float(n) for n in re.findall(r"\d+", t)] for t in texts])
    assert error(both) < 1e-6
    assert error(both, value="other") < 1e-6


def test_a_sentence_needs_two_places() -> None:
    with pytest.raises(NumprobeError, match=r"two \{number\}, not 1"):
        Cell.make("random", "competing:sentence=It is {number}", "0:99")
