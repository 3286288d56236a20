"""A bank of probes against the same probes one by one, in the same engine: time ratio, and that they agree."""

import time

import torch

from numprobe.numbers import generator
from numprobe.probes import Bank, Data, FixedInputs, Schedule
from numprobe.probes.models import MODELS

PROBES, NUMBERS, DIMENSION, STEPS = 40, 800, 300, 100


def train(data: Data, seeds: range) -> torch.Tensor:
    bank = Bank(MODELS["mlp"], "rmse", data.inputs, 1, 100)
    rngs = [generator(seed, "probe") for seed in seeds]
    *_, (_, matrix) = bank.train(data, Schedule(STEPS, 256), torch.full((len(seeds), 1), 0.01), rngs)
    return bank.errors(matrix, data)


def main() -> None:
    torch.set_num_threads(1)
    values = torch.linspace(-1.7, 1.7, NUMBERS)
    table = torch.randn(PROBES, NUMBERS, DIMENSION, generator=torch.Generator().manual_seed(0)) / DIMENSION
    table[:, :, 0] = values / DIMENSION**0.5
    numbers = torch.arange(NUMBERS, dtype=torch.int32).view(1, -1, 1).expand(PROBES, -1, -1)
    whole = Data(FixedInputs(table), numbers, values.expand(PROBES, -1))
    start = time.perf_counter()
    together = train(whole, range(PROBES))
    bank_seconds = time.perf_counter() - start
    start = time.perf_counter()
    alone = torch.cat(
        [
            train(Data(FixedInputs(table[p : p + 1]), numbers[:1], values.expand(1, -1)), range(p, p + 1))
            for p in range(PROBES)
        ]
    )
    single_seconds = time.perf_counter() - start
    print(
        f"{PROBES} MLP probes, {NUMBERS} × {DIMENSION}: one by one ÷ bank = {single_seconds / bank_seconds:.2f}; "
        f"largest relative difference of the errors {((together - alone).abs() / alone).max():.1e}"
    )


if __name__ == "__main__":
    main()
