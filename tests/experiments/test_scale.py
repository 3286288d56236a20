"""Whatever the scale of vectors and numbers, a probe learns what there is, or a warning says why it can't."""

import logging
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from numprobe.experiments import Cell, Result
from numprobe.experiments.laboratory import run_cell
from numprobe.numbers import generator
from numprobe.probes import Probe
from numprobe.probes.linear import Linear
from numprobe.probes.mlp import MLP
from numprobe.probes.network import Recipe, Way


@dataclass(frozen=True)
class Quick(MLP):
    recipe: ClassVar[Recipe] = Recipe((Way(0.03, 0.3, 32), Way(0.03, 1.5, 32)), steps=200, anneals=True)
    most_steps: int = 800


class Digits:
    """Three dimensions that together are the number, and some noise, after which something is done to them."""

    def __init__(self, change: Callable[[np.ndarray], np.ndarray] = lambda vectors: vectors) -> None:
        self.change = change

    def encode(self, texts: list[str]) -> np.ndarray:
        noise = np.stack([generator(0, text).normal(size=3) for text in texts])
        return self.change(np.hstack([[[float(digit) for digit in f"{int(text):03}"] for text in texts], noise]))


def run(change: Callable[[np.ndarray], np.ndarray], probe: Probe, numbers: str = "0:299") -> Result:
    return run_cell(Cell.make(Digits(change), "decoding", numbers, probe=probe, seeds=1, name="digits"))


def errors(result: Result) -> list[float]:
    """Relative to guessing."""
    return result.rescored("normalised-error").scores


def huge_rows(vectors: np.ndarray) -> np.ndarray:
    vectors[::60] *= 1e6
    return vectors


def huge_dimension(vectors: np.ndarray) -> np.ndarray:
    vectors[:, -1] *= 1e4
    return vectors


CHANGES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "a huge dimension of noise": huge_dimension,
    "large": lambda vectors: vectors * 1e18,
    "small": lambda vectors: vectors * 1e-20,
    "far from zero": lambda vectors: vectors + 1e6,
    "single precision": lambda vectors: (vectors * 1e18).astype(np.float32),
}


@pytest.mark.parametrize("probe", [Quick(), Linear()], ids=["mlp", "linear"])
@pytest.mark.parametrize("change", CHANGES)
def test_the_scale_hides_no_signal(change: str, probe: Probe) -> None:
    assert max(errors(run(CHANGES[change], probe))) < 0.1


def test_a_few_huge_vectors_leave_the_others_as_they_are(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        result = run(huge_rows, Quick())
    assert not caplog.records
    assert result.predictions
    numbers = np.array(result.held_out(0))
    usual = numbers % 60 != 0
    assert np.sqrt(np.mean((result.predictions[0] - numbers)[usual] ** 2)) < 0.1 * numbers.std()


def test_huge_vectors_that_a_probe_takes_as_they_are_give_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    """A few of them decide over all weights of a linear map."""
    with caplog.at_level(logging.WARNING):
        assert min(errors(run(huge_rows, Linear()))) > 0.5
    assert "5 of 300 numbers have a vector more than 100 times longer than most" in caplog.text
    assert "probe 'linear' takes as it is" in caplog.text


@pytest.mark.parametrize("probe", [Quick(), Linear()], ids=["mlp", "linear"])
def test_a_power_of_two_changes_no_score(probe: Probe) -> None:
    plain, times_1024, times_1000 = (run(lambda vectors, by=by: vectors * by, probe) for by in (1.0, 1024.0, 1000.0))
    assert plain.predictions == times_1024.predictions
    assert plain.scores == times_1024.scores
    assert plain.choices == times_1024.choices
    assert np.mean(times_1000.scores) == pytest.approx(np.mean(plain.scores), rel=0.3)


@pytest.mark.parametrize("scale", ["log10", "raw"])
def test_numbers_far_from_zero_are_decoded(scale: str) -> None:
    cell = Cell.make(f"value:scale={scale}", "decoding", "1000000000:1000000999", probe=Quick(), seeds=1)
    assert max(errors(run_cell(cell))) < 0.05


@pytest.mark.parametrize("probe", [Quick(), Linear()], ids=["mlp", "linear"])
def test_equal_vectors_are_guessing_and_say_so(probe: Probe, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        result = run(np.ones_like, probe)
    assert "all 300 numbers have the same vector, so a probe can only guess" in caplog.text
    assert errors(result) == pytest.approx([1.0], abs=0.05)


def test_many_equal_vectors_are_counted(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        run(lambda vectors: vectors[:, 1:3], Linear())
    assert "300 numbers have only 100 different vectors (see numprobe inspect)" in caplog.text


def test_vectors_that_all_differ_give_no_warning(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        run(lambda vectors: vectors, Linear())
    assert not caplog.records


@pytest.mark.slow
def test_a_million_numbers_take_less_than_four_gigabytes(tmp_path: Path) -> None:
    """A process of its own, whose largest memory is its own; standard error tells how far it is."""
    code = (
        "import resource, sys; from numprobe.cli import main;"
        "main(['probe', '--embedder', 'digit-one-hots', '--range', '1:999999999/digits/1000000', '--probe', 'linear',"
        f"'--seeds', '1', '--alone', '--store', {str(tmp_path)!r}]);"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stderr.split()[-1]) < 4000
    assert "1000000 by digits" in done.stdout
