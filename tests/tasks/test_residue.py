import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from numprobe import probe
from numprobe.errors import NumprobeError
from numprobe.experiments import Cell
from numprobe.tasks import TASKS, Pool
from tests.probes.planted import circle, gaussian, planted


@pytest.mark.parametrize("modulus", [2, 3, 10])
def test_a_planted_circle_tells_its_residue(modulus: int) -> None:
    embedder = planted(lambda values: circle(values, modulus))
    (result,) = probe(embedder, f"residue:modulus={modulus}", "0:399", seeds=3)
    assert result.metric == "kappa"
    assert result.scores == [1.0] * 3
    other = probe(embedder, "residue:modulus=7", "0:399", seeds=3)[0]
    assert abs(other.mean) < 0.15


def test_gaussian_vectors_tell_none() -> None:
    (result,) = probe(gaussian, "residue", "0:399", seeds=10)
    assert abs(result.mean) < 0.05
    assert result.guessing == 0


def test_a_classifier_of_scikit_learn_can_tell_it() -> None:
    embedder = planted(lambda values: circle(values, 5))
    (result,) = probe(embedder, "residue:modulus=5", "0:399", probe=LogisticRegression(C=100), seeds=2)
    assert result.scores == [1.0, 1.0]


def test_negative_numbers_leave_remainders_too() -> None:
    pool = Pool(np.array([-2.0, -1.0, 0.0, 1.0]), 4)
    drawn = TASKS.build("residue:modulus=3").draw(pool, "train", np.random.default_rng(0))
    assert drawn.targets.tolist() == [1, 2, 0, 1]


@pytest.mark.parametrize(
    ("numbers", "problem"), [("0.0:9.9", "these have decimals"), ("0:20", "10 classes need as many numbers")]
)
def test_numbers_without_residues_are_refused(numbers: str, problem: str) -> None:
    with pytest.raises(NumprobeError, match=problem):
        Cell.make("random", "residue", numbers)
