from collections.abc import Sequence

import numpy as np
import pytest
import torch

from numprobe.embedders import load_embedder
from numprobe.kernels.parameters import Weights, initial
from numprobe.probes.engine.bank import Bank, Data, Run, Settings, _batches, one_cycle
from numprobe.probes.engine.inputs import FixedInputs, LearnedInputs
from numprobe.probes.engine.objectives import OBJECTIVES
from numprobe.probes.network import NetworkProbe
from numprobe.tasks import Answer
from tests.probes.engine.planted import QuickBiLSTM, QuickMLP, line, lists, rngs

PROBES = [(QuickMLP(), line()), (QuickBiLSTM(), lists())]


def started(probe: NetworkProbe, data: Data, settings: Sequence[tuple[float, float]], seeds: Sequence[int]) -> Run:
    """Start to train all the settings, (rate, length), on each dataset."""
    bank = Bank(probe, OBJECTIVES[next(iter(probe.answers))], data)
    rates, lengths = torch.tensor(settings).T[:, None].expand(-1, len(seeds), -1)
    return Run(bank, data, Settings(rates, lengths, batch=16), rngs(seeds))


def assert_same(weights: Weights, probe: int, others: Weights, other: int) -> None:
    for name, part in weights.items():
        torch.testing.assert_close(part[probe], others[name][other], atol=1e-4, rtol=1e-3)


def test_thinned_items_are_spread_over_all() -> None:
    data = line(n=40)
    assert data.thinned(40).items == 40
    assert data.thinned(7).numbers[0, :, 0].tolist() == list(range(0, 40, 6))
    assert torch.equal(data.thinned(7).targets, data.targets[:, ::6])


@pytest.mark.parametrize("anneals", [True, False])
@pytest.mark.parametrize(("probe", "data"), PROBES)
def test_a_bank_trains_as_its_probes_one_by_one(probe: NetworkProbe, data: Data, anneals: bool) -> None:
    settings = [(0.01, 0.5), (0.003, 1.5)]
    together = started(probe, data, settings, [0, 1]).train(40, anneals)
    for dataset in (0, 1):
        for setting, own in enumerate(settings):
            alone = started(probe, data.among([dataset]), [own], [dataset]).train(40, anneals)
            assert_same(together, 2 * dataset + setting, alone, 0)


@pytest.mark.parametrize(("probe", "data"), PROBES)
def test_a_probe_goes_on_as_it_does_beside_the_others(probe: NetworkProbe, data: Data) -> None:
    runs = [started(probe, data, [(0.01, 0.5), (0.003, 1.5)], [0, 1]) for _ in range(3)]
    for run in runs:
        run.train(20, False)
    runs[1].keep([1, 2], [0, 1])  # the second setting of the first dataset, the first of the second
    runs[2].keep([3], [1])
    everyone, one_each, last = (run.train(40, False) for run in runs)
    assert len(one_each["lengths"]) == 2
    assert_same(everyone, 1, one_each, 0)
    assert_same(everyone, 2, one_each, 1)
    assert_same(everyone, 3, last, 0)
    assert not any(torch.equal(everyone[name][1], everyone[name][3]) for name in runs[0].weights)


@pytest.mark.parametrize(("probe", "data", "most"), [(QuickMLP(), line(), 0.1), (QuickBiLSTM(), lists(), 0.1)])
def test_training_learns(probe: NetworkProbe, data: Data, most: float) -> None:
    run = started(probe, data, [(0.02, 1.0)], [0, 1])
    answers = run.bank.answers(run.train(300, True), data)
    assert run.bank.objective.errors(answers, data.targets, data.numbers.shape[2]).max() < most


@pytest.mark.parametrize("arity", [1, 2])
@pytest.mark.parametrize("n", [6, 60])  # fewer vectors than items, and more
def test_explicit_gradients_are_those_of_autograd(n: int, arity: int) -> None:
    torch.manual_seed(0)
    probe, objective = QuickMLP(), OBJECTIVES[Answer.VALUE]
    data = Data(FixedInputs(torch.randn(2, n, 3)), torch.randint(n, (2, 16, arity)), torch.randn(2, 16))
    bank = Bank(probe, objective, data)
    weights = {
        name: part.repeat(2, *[1] * (part.dim() - 1)) for name, part in initial(bank.layout, rngs([0, 1])).items()
    }
    weights = {name: part.requires_grad_() for name, part in weights.items()}
    lengths = {"lengths": torch.tensor([0.3, 1.5, 0.7, 1.0])}
    loss = bank.losses({**weights, **lengths}, data).sum()
    expected = torch.autograd.grad(loss, list(weights.values()))
    for found, own in zip(bank.gradients(weights, lengths, data), expected, strict=True):
        assert not found.requires_grad
        torch.testing.assert_close(found, own, atol=1e-5, rtol=1e-4)


def test_weights_are_averaged_over_the_last_steps() -> None:
    run = started(QuickMLP(), line(), [(0.01, 1.0)], [0, 1])
    seen = []
    for step in range(30):
        average = run.train(step + 1, False)["third.bias"]
        seen.append(run.weights["third.bias"].detach().clone())
    shares = np.arange(1, 31.0) ** 6
    by_hand = sum(share * part for share, part in zip(shares / shares.sum(), seen, strict=True))
    torch.testing.assert_close(average, by_hand, atol=2e-3, rtol=0.05)
    assert not torch.allclose(average, seen[-1], atol=1e-4)


def test_the_length_of_the_vectors_is_a_factor_on_them() -> None:
    short = started(QuickMLP(), line(), [(0.01, 0.25)], [0, 1])
    weights = short.train(5, True)
    table = line().inputs.table
    shrunk = Data(FixedInputs(0.25 * table), line().numbers, line().targets)
    own = {**weights, "lengths": torch.ones(2)}
    torch.testing.assert_close(short.bank.answers(weights, line()), short.bank.answers(own, shrunk))


@pytest.mark.parametrize("name", ["char-cnn:filters=6", "char-lstm:hidden=6"])
def test_a_number_is_encoded_alike_whatever_else_is_mentioned(name: str) -> None:
    embedder = load_embedder(name)
    inputs = LearnedInputs(embedder, embedder.read([str(n) for n in range(50)]), torch.arange(50).view(1, 50))
    weights = initial(inputs.layout(), rngs([0]))
    weights |= inputs.constants(weights)
    rows, everywhere = inputs.vectors(weights, torch.arange(50).view(1, 10, 5))
    few, places = inputs.vectors(weights, torch.tensor([[[3, 14, 15, 9, 26], [14, 14, 3, 3, 3]]]))
    assert few.shape[1] == 5
    torch.testing.assert_close(few[0, places[0, 1, :3]], rows[0, everywhere.flatten()[[14, 14, 3]]])


def test_a_learning_rate_that_anneals_rises_and_falls() -> None:
    rates = [one_cycle(step, 130) for step in range(130)]
    peak = int(np.argmax(rates))
    assert rates[0] < 0.1
    assert 10 <= peak <= 15
    assert rates[peak] > 0.99
    assert rates[-1] < 0.01
    assert rates[peak:] == sorted(rates[peak:], reverse=True)


def test_every_item_comes_once_before_any_comes_again() -> None:
    data = line(datasets=1, n=40)
    batches = _batches(data, 10, rngs([0]))
    seen = torch.cat([next(batches).numbers.flatten() for _ in range(4)])
    assert sorted(seen.tolist()) == list(range(40))
