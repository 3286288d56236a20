import numpy as np
import torch

from numprobe.probes import linear
from numprobe.probes.engine import Data
from numprobe.probes.inputs import FixedInputs


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
        weights = linear.solve(data)
        for dataset in range(2):
            expected, *_ = np.linalg.lstsq(design(data, dataset), data.targets[dataset].double().numpy(), rcond=None)
            np.testing.assert_allclose(weights[dataset].numpy(), expected, atol=1e-8)
            np.testing.assert_allclose(
                linear.predict(weights, data)[dataset].numpy(), design(data, dataset) @ expected, atol=1e-8
            )


def test_with_more_dimensions_than_items_it_is_the_shortest_exact_one() -> None:
    data = random_data(10, 40, 1)
    data = Data(data.inputs, torch.arange(10).view(1, 10, 1).expand(2, -1, -1), data.targets)
    weights = linear.solve(data)
    expected, *_ = np.linalg.lstsq(design(data, 0), data.targets[0].double().numpy(), rcond=None)
    np.testing.assert_allclose(weights[0].numpy(), expected, atol=1e-6)
