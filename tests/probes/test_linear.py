from collections.abc import Sequence

import numpy as np
import pytest
import torch

from numprobe.errors import NumprobeError
from numprobe.metrics import METRICS
from numprobe.probes import PROBES, Dataset, Prepared
from numprobe.probes.engine import least_squares
from numprobe.probes.engine.bank import Data
from numprobe.probes.engine.inputs import FixedInputs
from numprobe.tasks import Answer


def random_data(items: int, dimension: int, arity: int) -> Data:
    generator = torch.Generator().manual_seed(0)
    table = torch.randn(2, 30, dimension, generator=generator)
    numbers = torch.randint(30, (2, items, arity), generator=generator)
    return Data(FixedInputs(table), numbers, torch.randn(2, items, generator=generator))


def design(data: Data, dataset: int) -> np.ndarray:
    vectors = data.inputs.table[dataset][data.numbers[dataset]].flatten(1).double().numpy()
    return np.column_stack((vectors, np.ones(len(vectors))))


def test_the_solution_is_the_least_squares_one() -> None:
    for arity in (1, 2):
        data = random_data(200, 4, arity)
        weights = least_squares.equations(data).solve([0.0, 0.0])
        for dataset in range(2):
            expected, *_ = np.linalg.lstsq(design(data, dataset), data.targets[dataset].double().numpy(), rcond=None)
            np.testing.assert_allclose(weights[dataset].numpy(), expected, atol=1e-8)
            np.testing.assert_allclose(
                least_squares.predict(weights, data)[dataset].numpy(), design(data, dataset) @ expected, atol=1e-8
            )


def test_with_more_dimensions_than_items_it_is_the_shortest_exact_one() -> None:
    data = random_data(10, 40, 1)
    data = Data(data.inputs, torch.arange(10).view(1, 10, 1).expand(2, -1, -1), data.targets)
    weights = least_squares.equations(data).solve([0.0, 0.0])
    expected, *_ = np.linalg.lstsq(design(data, 0), data.targets[0].double().numpy(), rcond=None)
    np.testing.assert_allclose(weights[0].numpy(), expected, atol=1e-6)


def test_a_penalty_shortens_the_weights_of_its_dataset_alone() -> None:
    data = random_data(40, 20, 1)
    equations = least_squares.equations(data)
    weights = equations.solve([0.0, 0.1])
    assert torch.equal(weights[0], equations.solve([0.0, 0.0])[0])
    own = design(data, 1)
    gram = own.T @ own
    penalised = gram + 0.1 * np.linalg.eigvalsh(gram)[-1] * np.eye(len(gram))
    expected = np.linalg.solve(penalised, own.T @ data.targets[1].double().numpy())
    np.testing.assert_allclose(weights[1].numpy(), expected, atol=1e-8)


def test_development_numbers_choose_the_penalty() -> None:
    asked: list[tuple[str, str]] = []

    def prepare(learn: str, answer: str, datasets: Sequence[Dataset]) -> Prepared:
        asked.append((learn, answer))
        noise = random_data(40, 20, 1)  # the vectors say nothing about the targets
        unseen = Data(noise.inputs, noise.numbers.flip(1), noise.targets)
        return Prepared(noise, unseen, torch.zeros(2, 1).double(), torch.ones(2, 1).double())

    datasets = [Dataset(0), Dataset(1)]
    chosen = PROBES.build("linear").fit(Answer.VALUE, prepare, datasets)
    assert asked == [("fit", "development"), ("train", "test")]
    assert all(choice["penalty"] > 0 for choice in chosen.choices)
    asked.clear()
    plain = PROBES.build("linear:penalty=0").fit(Answer.VALUE, prepare, datasets)
    assert asked == [("train", "test")]
    assert plain.choices == [{"penalty": 0.0}] * 2
    rmse = METRICS.build("rmse")
    for dataset in (0, 1):
        errors = [rmse.score(answers.given[dataset], answers.truths[dataset]) for answers in (chosen, plain)]
        assert errors[0] < errors[1]


def test_a_negative_penalty_is_refused() -> None:
    with pytest.raises(NumprobeError, match="penalty must not be negative: -1"):
        PROBES.build("linear:penalty=-1")
