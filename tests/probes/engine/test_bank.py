from collections.abc import Sequence

import numpy as np
import pytest
import torch

from numprobe.embedders import load_embedder
from numprobe.kernels.parameters import Weights, initial
from numprobe.numbers import generator
from numprobe.probes import Dataset, Prepared
from numprobe.probes.bilstm import BiLSTM
from numprobe.probes.engine.bank import Bank, Data, Schedule
from numprobe.probes.engine.inputs import FixedInputs, LearnedInputs, scaled
from numprobe.probes.engine.objectives import OBJECTIVES
from numprobe.probes.mlp import MLP
from numprobe.probes.network import NetworkProbe, Recipe
from numprobe.tasks import Answer


def line(datasets: int = 2, n: int = 40) -> Data:
    """Numbers whose value is a sum of their vector's entries."""
    table = torch.randn(datasets, n, 3, generator=torch.Generator().manual_seed(1))
    numbers = torch.arange(n, dtype=torch.int32).view(1, n, 1).expand(datasets, -1, -1)
    return Data(FixedInputs(table), numbers, table.sum(dim=2))


def lists(datasets: int = 2) -> Data:
    table = torch.linspace(-1, 1, 20).view(1, 20, 1).expand(datasets, -1, -1)
    numbers = torch.from_numpy(
        np.stack([np.stack([generator(s, str(i)).permutation(20)[:5] for i in range(400)]) for s in range(datasets)])
    )
    return Data(FixedInputs(table), numbers, numbers.argmax(dim=2))


def test_thinned_items_are_spread_over_all() -> None:
    data = line(n=40)
    assert data.thinned(40).items == 40
    assert data.thinned(7).numbers[0, :, 0].tolist() == list(range(0, 40, 6))
    assert torch.equal(data.thinned(7).targets, data.targets[:, ::6])


def rngs(seeds: Sequence[int]) -> list[np.random.Generator]:
    return [generator(seed, "probe") for seed in seeds]


def trained(bank: Bank, data: Data, rates: list[list[float]], seeds: Sequence[int], steps: int = 40) -> Weights:
    *_, (_, weights) = bank.train(data, Schedule(steps, 16), torch.tensor(rates), rngs(seeds))
    return weights


@pytest.mark.parametrize(("probe", "data"), [(MLP(), line()), (BiLSTM(), lists())])
def test_a_bank_trains_as_its_probes_one_by_one(probe: NetworkProbe, data: Data) -> None:
    bank = Bank(probe, OBJECTIVES[next(iter(probe.answers))], data, 8)
    rates = [0.01, 0.003]
    together = trained(bank, data, [rates, rates], [0, 1])
    for dataset in (0, 1):
        own = Data(
            FixedInputs(data.inputs.table[dataset : dataset + 1]),
            data.numbers[dataset : dataset + 1],
            data.targets[dataset : dataset + 1],
        )
        for setting, rate in enumerate(rates):
            alone = trained(bank, own, [[rate]], [dataset])
            for name, part in together.items():
                torch.testing.assert_close(part[2 * dataset + setting], alone[name][0], atol=1e-4, rtol=1e-3)


@pytest.mark.parametrize(("probe", "data", "most"), [(MLP(), line(), 0.01), (BiLSTM(), lists(), 0.1)])
def test_training_learns(probe: NetworkProbe, data: Data, most: float) -> None:
    bank = Bank(probe, OBJECTIVES[next(iter(probe.answers))], data, 16)
    weights = trained(bank, data, [[0.02], [0.02]], [0, 1], steps=300)
    assert bank.errors(weights, data).max() < most


@pytest.mark.parametrize("name", ["char-cnn:filters=6", "char-lstm:hidden=6"])
def test_a_number_is_encoded_alike_whatever_else_is_mentioned(name: str) -> None:
    embedder = load_embedder(name)
    inputs = LearnedInputs(embedder, embedder.read([str(n) for n in range(50)]), torch.arange(50).view(1, 50), 0.5)
    weights = initial(inputs.layout(), rngs([0]))
    weights |= inputs.constants(weights)
    rows, everywhere = inputs.vectors(weights, torch.arange(50).view(1, 10, 5))
    few, places = inputs.vectors(weights, torch.tensor([[[3, 14, 15, 9, 26], [14, 14, 3, 3, 3]]]))
    assert few.shape[1] == 5
    torch.testing.assert_close(few[0, places[0, 1, :3]], rows[0, everywhere.flatten()[[14, 14, 3]]])


def test_schedule_rises_and_falls_and_has_its_checkpoints() -> None:
    schedule = Schedule(steps=130, batch=8)
    rates = [schedule.rate(step) for step in range(130)]
    peak = int(np.argmax(rates))
    assert rates[0] < 0.1
    assert 10 <= peak <= 15
    assert rates[-1] < 0.01
    assert [c for step in range(130) if (c := schedule.checkpoint(step))] == list(range(1, 21))


def test_every_item_comes_once_before_any_comes_again() -> None:
    from numprobe.probes.engine.bank import _batches

    data = line(datasets=1, n=40)
    batches = _batches(data, 10, rngs([0]))
    seen = torch.cat([next(batches).numbers.flatten() for _ in range(4)])
    assert sorted(seen.tolist()) == list(range(40))


def test_scaling_uses_the_first_table_alone() -> None:
    learn, answer = torch.randn(1, 50, 4) * 7 + 3, torch.randn(1, 10, 4)
    first, second = scaled([learn, answer], 0.5)
    assert first.table.mean(dim=1).abs().max() < 1e-5
    assert abs(first.table.square().sum(dim=2).mean().sqrt().item() - 0.5) < 1e-5
    ratio = (second.table[0, 0] - second.table[0, 1]) / (answer[0, 0] - answer[0, 1])
    assert torch.allclose(ratio, ratio[0].expand(4))
    constant = scaled([torch.ones(1, 5, 2), torch.ones(1, 2, 2)], 0.5)
    assert torch.isfinite(constant[0].table).all()


def test_the_test_numbers_are_touched_once_and_last() -> None:
    asked: list[tuple[str, str]] = []

    def prepare(learn: str, answer: str, datasets: Sequence[Dataset]) -> Prepared:
        asked.append((learn, answer))
        count = len(datasets)
        data = line(count)
        return Prepared(data, data, torch.zeros(count, 1).double(), torch.full((count, 1), 10.0).double())

    class Quick(MLP):
        recipe = Recipe((4, 8), (0.01, 0.003), batch=16, steps=40, growth=0.0, most_steps=99, trial=0.5)

    answers = Quick().fit(Answer.VALUE, prepare, [Dataset(seed) for seed in range(3)])
    assert asked[0] == ("fit", "development")
    assert set(asked[1:]) == {("train", "test")}
    assert len(answers.choices) == 3
    assert {choice["width"] for choice in answers.choices} <= {4, 8}
    assert answers.truths[0] == pytest.approx(line(3).targets[0].numpy() * 10, rel=1e-5)


@pytest.mark.parametrize(("learnable", "rate"), [(True, 0.02), (False, 1e-9)])
def test_no_choice_is_made_among_settings_that_all_guess(learnable: bool, rate: float) -> None:
    def prepare(learn: str, answer: str, datasets: Sequence[Dataset]) -> Prepared:
        data, count = lists(len(datasets)), len(datasets)
        if not learnable:
            data.targets.random_(5, generator=torch.Generator().manual_seed(len(answer)))
        return Prepared(data, data, torch.zeros(count, 1).double(), torch.ones(count, 1).double())

    class Quick(BiLSTM):
        recipe = Recipe((8,), (1e-9, 0.02), batch=16, steps=100, growth=0.0, most_steps=99, trial=0.5)

    answers = Quick().fit(Answer.CHOICE, prepare, [Dataset(0), Dataset(1)])
    assert [choice["rate"] for choice in answers.choices] == [rate] * 2
    assert learnable or {choice["stop"] for choice in answers.choices} == {1.0}
