"""Bilinear forms of vectors and waves, for a whole bank at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from numprobe.kernels.products import products
from numprobe.numbers import generator
from numprobe.probes.base import Answers, Dataset, Prepare, Prepared, development
from numprobe.probes.bases import circles
from numprobe.probes.engine.adam import Adam
from numprobe.probes.engine.inputs import fixed_table
from numprobe.probes.engine.least_squares import RESOLUTION, Frame
from numprobe.tasks import Answer

if TYPE_CHECKING:
    from numprobe.probes.sinusoidal import Basis, Sinusoidal

FINER = 2
"""Frequencies are tried at this fraction of the distance at which a range can tell them apart."""

NEARBY = 65
"""Frequencies that are tried around each peak of the spectrum, an odd number."""

LOWEST = 0.5
"""The lowest frequency around a peak, as a share of the least frequency that is tried."""

WIDEST = 100_000
"""Numbers farther apart than this are looked at with the frequencies of this span: there would be billions."""

FREQUENCIES_AT_ONCE = 512
"""This bounds memory."""


@dataclass(frozen=True)
class Heard:
    """The numbers of some datasets as whitened vectors, and the candidates as waves."""

    learn: Tensor
    """(datasets, n, coordinates)"""
    among_learned: Tensor
    """(datasets, n, 2 × waves): the candidates in training, which are the training numbers."""
    asked: Tensor
    """(datasets, items, coordinates)"""
    among_all: Tensor
    """(datasets, candidates, 2 × waves): all candidates."""


def fit_waves(
    probe: "Sinusoidal", bases: "Sequence[Basis]", kind: Answer, prepare: Prepare, datasets: Sequence[Dataset]
) -> Answers:
    """Choose waves, whitening and steps on development numbers, then learn from all training numbers and answer.

    All bases are compared after a few steps. The best one then trains for more steps as long as they help.
    """
    prepared, folded = development(prepare, datasets)
    folds = len(folded) // len(datasets)
    seeds = [dataset.seed for dataset in folded]
    places = torch.searchsorted(prepared.every, prepared.answer.targets.double())
    first = []
    for basis in bases:
        heard = _heard(prepared, basis)
        weights = _trained(probe, heard, seeds, probe.steps[0])
        first.append(_errors(heard, weights, places).view(-1, folds).mean(dim=1))
    least, best = torch.stack(first, dim=1).min(dim=1)
    errors = least.tolist()
    chosen = [(number, probe.steps[0]) for number in best.tolist()]
    going = list(range(len(datasets)))
    for steps in probe.steps[1:]:
        tried: dict[int, float] = {}
        for number in sorted({chosen[at][0] for at in going}):
            some = [at for at in going if chosen[at][0] == number]
            rows = [at * folds + fold for at in some for fold in range(folds)]
            heard = _heard(prepared, bases[number], rows)
            weights = _trained(probe, heard, [seeds[row] for row in rows], steps)
            found = _errors(heard, weights, places[rows]).view(-1, folds).mean(dim=1).tolist()
            tried |= dict(zip(some, found, strict=True))
        going = [at for at in going if tried[at] < errors[at]]
        for at in going:
            chosen[at], errors[at] = (chosen[at][0], steps), tried[at]
    prepared = prepare("train", "test", datasets)
    answers = torch.empty(prepared.answer.targets.shape, dtype=torch.float64)
    for number, steps in sorted(set(chosen)):
        some = [at for at, own in enumerate(chosen) if own == (number, steps)]
        heard = _heard(prepared, bases[number], some)
        weights = _trained(probe, heard, [datasets[at].seed for at in some], steps)
        answers[some] = prepared.every[_scores(heard.asked, weights, heard.among_all).argmax(dim=2)]
    given, truths = prepared.in_unit(answers, kind)
    choices = [
        {**bases[number]._asdict(), "steps": steps, "error": error, "folds": folds}
        for (number, steps), error in zip(chosen, errors, strict=True)
    ]
    return Answers(given, truths, prepared.guess, choices)


def _errors(heard: Heard, weights: Sequence[Tensor], places: Tensor) -> Tensor:
    """(datasets,): the share of wrong numbers. Of equal shares, the one with the smaller cross-entropy is less."""
    scores = _scores(heard.asked, weights, heard.among_all)
    unlikely = cross_entropy(scores.mT, places, reduction="none").mean(dim=1)
    return (scores.argmax(dim=2) != places).double().mean(dim=1) + 1e-6 * unlikely.clamp(max=1e3)


def _scores(vectors: Tensor, weights: Sequence[Tensor], waves: Tensor) -> Tensor:
    """(datasets, items, candidates)"""
    return torch.baddbmm(weights[1], vectors, weights[0]) @ waves.mT


def _trained(probe: "Sinusoidal", heard: Heard, seeds: Sequence[int], steps: int) -> list[Tensor]:
    """The weights after so many steps. They start at zero, and any start would do: the loss is convex."""
    size, n, coordinates = heard.learn.shape
    waves = heard.among_learned
    weights = [torch.zeros(size, rows, waves.shape[2]) for rows in (coordinates, 1)]
    rngs = [generator(seed, "probe") for seed in seeds]
    adam = Adam(weights, [probe.rate] * size, [1.0, 1.0])
    for _ in range(steps):
        batch = torch.from_numpy(np.stack([rng.permutation(n)[: probe.batch] for rng in rngs]))[:, :, None]
        vectors = heard.learn.take_along_dim(batch, dim=1)
        chances = _scores(vectors, weights, waves).softmax(dim=2)
        # The gradient of the cross-entropy: the expected waves minus the right ones. Autograd takes twice as long.
        missed = (chances @ waves - waves.take_along_dim(batch, dim=1)) / batch.shape[1]
        adam.step([vectors.mT @ missed, missed.sum(dim=1, keepdim=True)], 1.0)
    return weights


def _heard(prepared: Prepared, basis: "Basis", some: Sequence[int] | None = None) -> Heard:
    """Whiten the vectors of some datasets by those to learn from, and pick the waves with the most power in them."""
    every = prepared.every
    made = []
    for at in range(len(prepared.learn.targets)) if some is None else some:
        parts = [
            (fixed_table(part.inputs)[at][part.numbers[at, :, 0].long()], part.targets[at].double())
            for part in (prepared.learn, prepared.answer)
        ]
        learn, asked = _whitened(parts[0][0], parts[1][0], basis.floor)
        periods = loudest(learn, parts[0][1], every, basis.waves)
        made.append((learn, circles(parts[0][1], periods).float(), asked, circles(every, periods).float()))
    learned, among_learned, asked_all, among_all = zip(*made, strict=True)
    # A dataset whose vectors have fewer directions than others' has zeros there.
    width = max(own.shape[1] for own in learned)
    padded = [
        torch.stack([torch.nn.functional.pad(own, (0, width - own.shape[1])) for own in part])
        for part in (learned, asked_all)
    ]
    return Heard(padded[0], torch.stack(among_learned), padded[1], torch.stack(among_all))


def _whitened(learn: Tensor, asked: Tensor, floor: float) -> tuple[Tensor, Tensor]:
    """Both in coordinates in which the vectors to learn from have a variance of about 1 in each direction."""
    frame = Frame.of(learn)
    placed = frame.place(learn)
    centre = placed.mean(dim=0)
    variances, axes = torch.linalg.eigh((placed - centre).mT @ (placed - centre) / len(placed))
    varying = variances > RESOLUTION * variances[-1]
    if not varying.any():
        return torch.zeros(len(learn), 1), torch.zeros(len(asked), 1)
    axes = axes[:, varying] * (variances[varying] + floor * variances[-1]).rsqrt()
    return ((placed - centre) @ axes).float(), ((frame.place(asked) - centre) @ axes).float()


def loudest(vectors: Tensor, numbers: Tensor, every: Tensor, waves: int) -> Tensor:
    """(waves,) periods of the highest peaks of the spectrum over the numbers; `every` number sets the resolution."""
    span = min(int(every[-1] - every[0]) + 1, WIDEST)
    step, count = 1 / (FINER * span), FINER * span // 2  # frequencies go from one step to count steps
    coarse = step * torch.arange(0, count + 1, NEARBY, dtype=torch.float64)
    fine = step * torch.arange(NEARBY, dtype=torch.float64)
    power = _power(vectors, numbers, coarse, fine).flatten()[1 : count + 1]
    around = torch.nn.functional.pad(power, (1, 1))
    is_peak = (power >= around[:-2]) & (power > around[2:])
    peaks = torch.where(is_peak, power, -1 / (1 + power)).topk(min(waves, count)).indices
    coarse, fine = step * (1 + peaks).double(), torch.linspace(-step, step, NEARBY, dtype=torch.float64)
    near = coarse[:, None] + fine
    power = _power(vectors, numbers, coarse, fine).masked_fill(near < LOWEST * step, -1)
    return 1 / near.gather(1, power.argmax(dim=1, keepdim=True))[:, 0]


def _power(vectors: Tensor, numbers: Tensor, coarse: Tensor, fine: Tensor) -> Tensor:
    """(coarse, fine): the power of (n, coordinates) vectors at each sum of two frequencies, over all coordinates.

    The wave of a sum is made from those of its parts, of which there are few.
    """

    def waves(frequencies: Tensor) -> Sequence[Tensor]:
        """Two (n, frequencies): cosines and sines."""
        return circles(numbers, 1 / frequencies).float().tensor_split(2, dim=1)

    near_cosines, near_sines = (own[:, None] for own in waves(fine))
    powers = []
    for some in torch.split(coarse, max(1, FREQUENCIES_AT_ONCE // len(fine))):
        cosines, sines = (own[:, :, None] for own in waves(some))
        sums = cosines * near_cosines - sines * near_sines, sines * near_cosines + cosines * near_sines
        along = products(torch.stack([wave.flatten(1).mT for wave in sums]), vectors[None].expand(2, -1, -1))
        powers.append(along.square().sum(dim=(0, 2)).view(len(some), -1))
    return torch.cat(powers)
