from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import torch

from numprobe.probes import Dataset, Prepared
from numprobe.probes.engine.bank import Data
from numprobe.probes.engine.inputs import FixedInputs
from numprobe.probes.linear import Linear
from numprobe.probes.network import Recipe, Way
from numprobe.tasks import Answer
from tests.probes.engine.planted import Planted, QuickBiLSTM, QuickMLP, datasets, line, lists, ways


def noise(count: int) -> Data:
    """Targets that the vectors know nothing of."""
    data = line(count)
    return Data(data.inputs, data.numbers, torch.randn(data.targets.shape, generator=torch.Generator().manual_seed(5)))


def no_signal(count: int) -> Data:
    """Vectors that are all the same."""
    data = line(count)
    return Data(FixedInputs(torch.zeros(count, 40, 3)), data.numbers, data.targets)


def fit(prepare: Planted, count: int = 2, probe: Any = None) -> tuple[list[dict[str, Any]], Any]:
    answers = (probe or QuickMLP()).fit(Answer.VALUE, prepare, datasets(count))
    return list(answers.choices), answers


def test_the_test_numbers_are_touched_once_and_last() -> None:
    prepare = Planted(line)
    choices, answers = fit(prepare, 3)
    assert prepare.asked == [("fit", "development"), ("train", "test")]
    assert len(choices) == 3
    assert answers.truths[0] == pytest.approx(line(3).targets[0].numpy() * 10, rel=1e-5)


def test_test_numbers_change_no_choice() -> None:
    (choices, answers), (others, other) = fit(Planted(line)), fit(Planted(line, noise))
    assert choices == others
    assert (answers.given == other.given).all()  # the same vectors, of which only the right answers differ
    assert (answers.truths != other.truths).all()


def test_a_choice_says_how_a_probe_learns() -> None:
    choices, _ = fit(Planted(line))
    for choice in choices:
        assert choice.keys() == {"rate", "length", "batch", "steps", "folds", "passes", "stopped", "error"}
        assert (choice["rate"], choice["length"], choice["batch"]) in QuickMLP.recipe.ways
        assert choice["passes"] == pytest.approx(choice["steps"] * 16 / 40)
        assert 0 < choice["error"] < 0.5


@pytest.mark.parametrize("anneals", [True, False])
def test_steps_double_up_to_the_limit_while_that_helps(anneals: bool) -> None:
    class Short(QuickMLP):
        recipe = Recipe((Way(0.01, 0.5, 16),), steps=5, anneals=anneals)

    choices, _ = fit(Planted(line), probe=Short(most_steps=45))
    assert [(choice["steps"], choice["stopped"]) for choice in choices] == [(40, "at the limit")] * 2


def test_training_stops_by_itself_when_nothing_is_left_to_learn() -> None:
    class Long(QuickMLP):
        recipe = Recipe((Way(0.02, 1.0, 40),), steps=200, anneals=True)

    choices, _ = fit(Planted(line), probe=Long(most_steps=100_000))
    assert {choice["stopped"] for choice in choices} == {"by itself"}
    assert all(200 <= choice["steps"] <= 6400 and choice["error"] < 0.02 for choice in choices)


def test_a_probe_that_does_not_improve_stops_by_itself() -> None:
    choices, answers = fit(Planted(no_signal))
    assert {choice["stopped"] for choice in choices} == {"by itself"}
    assert all(choice["steps"] <= 2 * QuickMLP.recipe.steps for choice in choices)
    assert all(choice["error"] == pytest.approx(1, abs=0.1) for choice in choices)
    assert answers.given.std(axis=1) == pytest.approx(0)


def test_each_dataset_stops_for_itself() -> None:
    def one_knows(count: int) -> Data:
        table = line(count).inputs.table * torch.tensor([1.0, 0.0]).view(2, 1, 1)
        return Data(FixedInputs(table), line(count).numbers, line(count).targets)

    choices, answers = fit(Planted(one_knows))
    assert [choice["stopped"] for choice in choices] == ["at the limit", "by itself"]
    assert choices[0]["steps"] > choices[1]["steps"]
    errors = (answers.given - answers.truths).std(axis=1) / answers.truths.std(axis=1)
    assert errors[0] < 0.3 < 0.9 < errors[1]
    alone, _ = fit(Planted(lambda count: one_knows(2).among([0])), 1)
    assert alone[0]["error"] == pytest.approx(choices[0]["error"], rel=0.05)


@pytest.mark.parametrize("rates", [(0.02, 1e-7), (1e-7, 0.02)])
def test_the_rate_that_learns_is_chosen(rates: tuple[float, ...]) -> None:
    class Two(QuickBiLSTM):
        recipe = Recipe(ways(rates, lengths=(1.2,)), steps=60, anneals=False)

    answers = Two(most_steps=120).fit(Answer.CHOICE, Planted(lists), datasets(2))
    assert [choice["rate"] for choice in answers.choices] == [0.02] * 2
    assert ((answers.given == answers.truths).mean(axis=1) > 0.7).all()


@pytest.mark.parametrize("batches", [(40, 1), (1, 40)])
def test_the_batch_that_learns_is_chosen(batches: tuple[int, int]) -> None:
    class Two(QuickMLP):
        recipe = Recipe(tuple(Way(0.02, 1.0, batch) for batch in batches), steps=100, anneals=True)

    choices, answers = fit(Planted(line), probe=Two(most_steps=400))
    assert [choice["batch"] for choice in choices] == [40] * 2
    assert [choice["passes"] for choice in choices] == [choice["steps"] for choice in choices]
    assert (np.abs(answers.given - answers.truths).mean(axis=1) < 1).all()


def test_a_limit_below_the_first_comparison_holds() -> None:
    choices, _ = fit(Planted(line), probe=QuickMLP(most_steps=7))
    assert [(choice["steps"], choice["stopped"]) for choice in choices] == [(7, "at the limit")] * 2


def test_few_development_numbers_come_in_several_folds() -> None:
    class Few(Planted):
        folds: list[list[int]]

        def __call__(self, learn: str, answer: str, datasets: Sequence[Dataset]) -> Prepared:
            self.folds = [*getattr(self, "folds", []), [dataset.fold for dataset in datasets]]
            return super().__call__(learn, answer, datasets)

    prepare = Few(lambda count: line(count, n=16))
    choices, answers = fit(prepare)
    assert prepare.folds == [[0, 0], [0, 1] * 2, [0, 0]]  # twice 16 are 32 development numbers
    assert {choice["folds"] for choice in choices} == {2}
    assert answers.given.shape == (2, 16)
    both = Linear().fit(Answer.VALUE, Few(lambda count: line(count, n=16)), datasets(2))
    assert {choice["folds"] for choice in both.choices} == {2}


def test_the_error_is_the_mean_of_the_folds() -> None:
    """One of two folds can't be learned, so the error lies half way between learning and guessing."""

    def one_fails(count: int) -> Data:
        data = line(count, n=16)
        knows = torch.ones(count, 1, 1)
        knows[1::2] = 0.0
        return Data(FixedInputs(data.inputs.table * (knows if count == 4 else 1)), data.numbers, data.targets)

    choices, _ = fit(Planted(one_fails), probe=QuickMLP(most_steps=1000))
    assert all(choice["error"] == pytest.approx(1 / 2, abs=0.1) for choice in choices)
