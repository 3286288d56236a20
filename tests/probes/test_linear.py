from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import torch

from numprobe import probe
from numprobe.errors import NumprobeError
from numprobe.probes import PROBES, Dataset, Prepared
from numprobe.probes.engine import least_squares
from numprobe.probes.engine.bank import Data
from numprobe.probes.engine.inputs import FixedInputs
from numprobe.tasks import Answer


def random_data(items: int, dimension: int, arity: int, numbers: int = 30) -> Data:
    generator = torch.Generator().manual_seed(0)
    table = 3 + torch.randn(2, numbers, dimension, generator=generator)
    chosen = torch.randint(numbers, (2, items, arity), generator=generator)
    return Data(FixedInputs(table), chosen, 5 + torch.randn(2, items, generator=generator))


def solved(data: Data, penalty: float = 0.0) -> np.ndarray:
    """Ridge regression of the first dataset's items with NumPy, and its answers to them."""
    vectors = data.inputs.table[0][data.numbers[0]].flatten(1).double().numpy()
    targets = data.targets[0].double().numpy()
    centred = vectors - vectors.mean(axis=0)
    penalty *= np.linalg.norm(centred, 2) ** 2
    design = np.concatenate((centred, np.sqrt(penalty) * np.eye(vectors.shape[1])))
    padded = np.concatenate((targets - targets.mean(), np.zeros(vectors.shape[1])))
    weights, *_ = np.linalg.lstsq(design, padded, rcond=None)
    answers: np.ndarray = targets.mean() + centred @ weights
    return answers


@pytest.mark.parametrize("penalty", [0.0, 0.1])
@pytest.mark.parametrize("arity", [1, 2, 3])
@pytest.mark.parametrize("dimension", [4, 20, 40])  # 40 are more than there are vectors
def test_it_is_ridge_regression_with_a_free_constant(dimension: int, arity: int, penalty: float) -> None:
    data = random_data(200, dimension, arity)
    solution = least_squares.solve(data, torch.tensor([[1.0, penalty]] * 2).double())
    np.testing.assert_allclose(solution.predict(data)[0, 1, 0].numpy(), solved(data, penalty), atol=1e-7)


def test_with_more_dimensions_than_items_it_answers_those_it_learned_exactly() -> None:
    data = random_data(10, 40, 1)
    data = Data(data.inputs, torch.arange(10).view(1, 10, 1).expand(2, -1, -1), data.targets)
    solution = least_squares.solve(data, torch.zeros(2, 1).double())
    np.testing.assert_allclose(solution.predict(data)[:, 0, 0].numpy(), data.targets.numpy(), atol=1e-9)
    unseen = Data(data.inputs, torch.arange(10, 30).view(1, 20, 1).expand(2, -1, -1), torch.zeros(2, 20))
    vectors = data.inputs.table[0].double().numpy()
    kernel = vectors @ vectors.T
    middle = np.eye(10) - 0.1
    shortest = np.linalg.lstsq(middle @ kernel[:10, :10] @ middle, middle @ data.targets[0].numpy(), rcond=None)[0]
    expected = data.targets[0].numpy().mean() + (kernel[10:, :10] - kernel[:10, :10].mean(axis=0)) @ middle @ shortest
    np.testing.assert_allclose(solution.predict(unseen)[0, 0, 0].numpy(), expected, atol=1e-5)


def test_development_numbers_choose_the_penalty() -> None:
    asked: list[tuple[str, str]] = []

    def prepare(learn: str, answer: str, datasets: Sequence[Dataset]) -> Prepared:
        asked.append((learn, answer))
        noise = random_data(40, 20, 1, numbers=32)  # the vectors say nothing about the targets
        unseen = Data(noise.inputs, noise.numbers.flip(1), noise.targets)
        shift, scale = torch.zeros(2, 1).double(), torch.ones(2, 1).double()
        return Prepared(noise, unseen, noise.targets.double(), shift, scale, every=torch.empty(0))

    datasets = [Dataset(0), Dataset(1)]
    chosen = PROBES.build("linear").fit(Answer.VALUE, prepare, datasets)
    assert asked == [("fit", "development"), ("train", "test")]
    plain = PROBES.build("linear:penalty=0").fit(Answer.VALUE, prepare, datasets)
    np.testing.assert_allclose(chosen.guesses, random_data(40, 20, 1, numbers=32).targets.double().mean(dim=1))
    for dataset in (0, 1):
        guessing = np.sqrt(np.mean((plain.truths[dataset] - plain.guesses[dataset]) ** 2))
        errors = []
        for answers in (chosen, plain):
            errors.append(np.sqrt(np.mean((answers.given[dataset] - answers.truths[dataset]) ** 2)))
            # Here, the same items serve as development and test items.
            assert answers.choices[dataset]["error"] == pytest.approx(errors[-1] / guessing)
        assert errors[0] < errors[1]
        assert chosen.choices[dataset]["penalty"] > plain.choices[dataset]["penalty"] == 0


def test_a_negative_penalty_is_refused() -> None:
    with pytest.raises(NumprobeError, match="penalty must not be negative: -1"):
        PROBES.build("linear:penalty=-1")


@pytest.mark.parametrize("scale", [1.0, 1e18, 1e-20])
@pytest.mark.parametrize("dimension", [8, 20_000])
@pytest.mark.parametrize("task", ["decoding", "addition"])
def test_a_planted_line_is_found_exactly(task: str, dimension: int, scale: float) -> None:
    direction = scale * np.random.default_rng(0).normal(size=dimension)

    def line(texts: list[str]) -> Any:
        return (scale + np.array([[float(text)] for text in texts]) * direction).astype(np.float32)

    (result,) = probe(line, task, "0:59", probe="linear", seeds=2)
    assert max(result.scores) < 1e-4
    assert max(choice["error"] for choice in result.choices) < 1e-5


def test_large_numbers_that_differ_in_the_tenth_digit_are_found() -> None:
    (result,) = probe("value", "decoding", f"{10**9}:{10**9 + 999}", probe="linear", seeds=2)
    assert max(result.scores) < 0.01


@pytest.mark.parametrize("task", ["decoding", "addition"])
def test_identical_vectors_leave_nothing_but_the_mean(task: str) -> None:
    (result,) = probe(lambda texts: np.full((len(texts), 7), 0.1), task, "0:59", probe="linear", seeds=2)
    for answers in result.predictions:
        assert len(set(answers)) == 1
        mean = 29.5 if task == "decoding" else 59
        assert answers[0] == pytest.approx(mean, abs=10)
    assert all(choice["error"] == pytest.approx(1) for choice in result.choices)


def test_many_vectors_are_summed_in_parts_to_the_same_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    data = random_data(items=90, dimension=6, arity=1)
    penalties = torch.tensor([[0.0, 0.1]] * 2, dtype=torch.float64)
    whole = least_squares.solve(data, penalties).predict(data)
    monkeypatch.setattr(least_squares, "AT_ONCE", 7)
    parts = least_squares.solve(data, penalties).predict(data)
    assert torch.allclose(whole, parts, rtol=0, atol=1e-9)
    assert np.allclose(parts[0, 0, 0].numpy(), solved(data), atol=1e-6)
