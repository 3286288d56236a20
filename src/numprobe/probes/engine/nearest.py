"""Answer with the number or class whose point is nearest, for all datasets of a bank. The points are solved."""

from collections.abc import Callable, Iterator, Sequence

import torch
from torch import Tensor

from numprobe.probes.base import Answers, Dataset, Prepare, Prepared, development
from numprobe.probes.engine.inputs import fixed_table
from numprobe.probes.engine.least_squares import Frame
from numprobe.tasks import Answer

SHRINKAGES = (1.0, 0.3, 0.1, 0.03, 0.01, 0.001)
"""How far the covariance of the residuals shrinks towards a multiple of the identity. At 1, distances are Euclidean."""

TINY = 1e-12

Points = Callable[[Tensor, Tensor, Tensor], tuple[Tensor, Tensor, Tensor]]
"""(states, their labels, all numbers) -> labels in increasing order, their points, and the states minus these."""


def fit_nearest(kind: Answer, prepare: Prepare, datasets: Sequence[Dataset], points: Points) -> Answers:
    """Development numbers choose how to measure distances: by the share of wrong answers, then by their errors."""
    prepared, _ = development(prepare, datasets)
    tried = torch.stack([_answered(*own, points, SHRINKAGES)[0] for own in _each(prepared)])
    told = tried.view(len(datasets), -1, *tried.shape[1:])
    folds = told.shape[1]
    missed = (told - prepared.answer.targets.view(len(datasets), folds, 1, -1)).abs().double()
    wrong, far = (missed > 0).double().mean(dim=(1, 3)), missed.mean(dim=(1, 3))
    best = (wrong + TINY * far).argmin(dim=1).tolist()
    prepared = prepare("train", "test", datasets)
    found = [_answered(*own, points, [SHRINKAGES[at]]) for own, at in zip(_each(prepared), best, strict=True)]
    given, truths = prepared.in_unit(torch.stack([answers[0] for answers, _ in found]), kind)
    choices = [
        {"shrinkage": SHRINKAGES[at], "error": float(wrong[row, at]), "folds": folds, "states_r2": explained}
        for row, (at, (_, explained)) in enumerate(zip(best, found, strict=True))
    ]
    return Answers(given=given, truths=truths, guesses=prepared.guess, choices=choices)


def _each(prepared: Prepared) -> Iterator[tuple[Tensor, Tensor, Tensor, Tensor, Tensor]]:
    """For each dataset: vectors to learn from and their labels, vectors to tell and theirs, and all numbers."""
    parts = [
        (fixed_table(part.inputs), part.numbers[:, :, 0].long(), part.targets)
        for part in (prepared.learn, prepared.answer)
    ]
    for at in range(len(prepared.learn.targets)):
        (learn, known), (asked, truths) = ((table[at][rows[at]], labels[at]) for table, rows, labels in parts)
        yield learn, known, asked, truths, prepared.every


def _answered(
    vectors: Tensor,
    known: Tensor,
    asked: Tensor,
    truths: Tensor,
    every: Tensor,
    points: Points,
    shrinkages: Sequence[float],
) -> tuple[Tensor, float]:
    """(shrinkages, asked) answers of one dataset, and the R² of the asked states."""
    frame = Frame.of(vectors)
    states, new = frame.place(vectors), frame.place(asked)
    labels, drawn, left = points(states, known, every)
    right = drawn[torch.searchsorted(labels, truths.to(labels.dtype)).clamp(max=len(labels) - 1)]
    outside = frame.outside(asked)
    missed = (new - right).square().sum() + outside
    around = (new - states.mean(dim=0)).square().sum() + outside
    variances, axes = torch.linalg.eigh(left.mT @ left / len(left))
    variances = variances.clamp(min=0)
    new, drawn = new @ axes, drawn @ axes
    made = []
    for shrinkage in shrinkages:
        spread = (1 - shrinkage) * variances + shrinkage * variances.mean()
        scale = (spread + TINY * (1 + spread.max())).rsqrt()
        made.append(labels[torch.cdist(new * scale, drawn * scale).argmin(dim=1)])
    return torch.stack(made), float(1 - missed / around) if around > 0 else 0.0
