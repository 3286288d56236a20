"""The geometry of numbers: waves over the number line, distances, and the directions in which vectors vary."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from numprobe.embedders import coverage, encoder, is_learned, vectors_of
from numprobe.errors import NumprobeError
from numprobe.experiments import Cell
from numprobe.numbers import Form, Range, form_for, generator, write

PERIODS = (*range(2, 21), 25, 50, 100)
"""The periods at which the spectrum is told, where the numbers hold two turns or more."""

MODULI = (2, 3, 5, 7, 10)

SHUFFLES = 5
"""How often κ is measured, each time on other held-out numbers."""

MOST_COMPARED = 1000
"""Numbers of which every pair is compared; of more, a random draw."""

NOTHING = 1e-10
"""A share of the variance that is rounding noise of float32 vectors."""

SPIKE, UNKNOWN = 5.0, 0.1
"""From this power on a period has a spike, and below this κ nobody can tell the residue."""

WARNING = "A spike in the spectrum is not knowledge: κ tells whether the remainder can be read from a vector."


@dataclass(frozen=True)
class Similarity:
    """Rank correlations between the distances of vectors and distances of the numbers."""

    log: float
    linear: float
    levenshtein: float
    """The edit distance of the texts."""


@dataclass(frozen=True)
class Geometry:
    """How the vectors of numbers lie."""

    spectrum: dict[str, float]
    """Period -> the power of that wave, as a multiple of the median over all frequencies."""
    kappa: dict[str, float]
    """Modulus -> Cohen's κ of a linear classifier of the remainder, on held-out numbers."""
    rsa: Similarity
    first_component: float
    """The share of the variance along the direction in which the vectors vary most."""

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def warnings(self) -> list[str]:
        """The periods whose spike would mislead."""
        return [
            f"period {period}: {self.spectrum[period]:.3g} times the median power, but κ is {kappa:.2f}"
            for period, kappa in self.kappa.items()
            if self.spectrum.get(period, 0) >= SPIKE and kappa < UNKNOWN
        ]

    def __str__(self) -> str:
        compared = ", ".join(f"{name} {value:.3f}" for name, value in asdict(self.rsa).items())
        return "\n".join(
            (
                "period         " + " ".join(f"{period:>6}" for period in self.spectrum),
                "power ÷ median " + " ".join(f"{power:>6.3g}" for power in self.spectrum.values()),
                "κ of remainder " + " ".join(_in_column(self.kappa.get(period)) for period in self.spectrum),
                f"distances       {compared} (rank correlation)",
                f"first component {self.first_component:.3f} of the variance",
                WARNING,
                *self.warnings,
            )
        )


def _in_column(value: float | None) -> str:
    return 6 * " " if value is None else f"{value:>6.2f}"


@dataclass(frozen=True)
class Placed:
    """The numbers of a range that an embedder has, and their vectors."""

    values: np.ndarray
    texts: list[str]
    vectors: np.ndarray
    """(layers, n, dimension)"""


def placed(embedder: Any, name: str, numbers: str, form: str | Form = "") -> Placed:
    """Encode the numbers of a range; those that the embedder lacks are left out."""
    given, asked = encoder(embedder), Range.parse(numbers)
    if is_learned(given):
        raise NumprobeError(f"{name!r} learns together with its probe: it has no vectors before that")
    values = asked.values()
    texts = write(values, form_for(form, [asked]))
    has = coverage(given, texts, name, str(asked))
    there: list[str] = np.array(texts)[has].tolist()
    return Placed(values[has], there, vectors_of(given, name, there))


def geometries(embedder: Any, name: str, numbers: str, form: str | Form = "") -> list[Geometry]:
    """The geometry of each layer of an embedder; of an embedder without layers, there is one."""
    found = placed(embedder, name, numbers, form)
    kappas = {str(modulus): _kappas(embedder, name, modulus, numbers, form) for modulus in MODULI}
    return [
        Geometry(
            spectrum(found.values, vectors),
            {modulus: own[layer] for modulus, own in kappas.items()},
            similarity(found.values, found.texts, vectors),
            first_component(vectors),
        )
        for layer, vectors in enumerate(found.vectors)
    ]


def _kappas(embedder: Any, name: str, modulus: int, numbers: str, form: str | Form) -> list[float]:
    from numprobe.experiments.laboratory import run_cell

    task = f"residue:modulus={modulus}"
    cell = Cell.make(embedder, task, numbers, form, seeds=SHUFFLES, missing="restrict", name=name)
    result = run_cell(cell)
    return [float(np.mean(scores)) for scores in result.layers or [result.scores]]


def spectrum(values: np.ndarray, vectors: np.ndarray) -> dict[str, float]:
    """The power of waves over the numbers, as multiples of the median power, after a straight line is taken away.

    >>> values = np.arange(200.0)
    >>> noise = np.random.default_rng(0).normal(size=(200, 3))
    >>> found = spectrum(values, noise + np.cos(2 * np.pi * values / 10)[:, None])
    >>> max(found, key=found.get)
    '10'
    """
    trend = np.stack((np.ones_like(values), (values - values.mean()) / (np.ptp(values) or 1)), axis=1)
    states = vectors.astype(np.float64) - vectors.mean(axis=0, dtype=np.float64)
    left = states - trend @ np.linalg.lstsq(trend, states, rcond=None)[0]
    span = int(np.ptp(values)) + 1
    periods = [period for period in PERIODS if 2 * period <= span]
    if np.square(left).sum() <= NOTHING * np.square(states).sum():
        return {str(period): 0.0 for period in periods}
    left *= np.square(np.sin(np.pi * (values - values.min() + 0.5) / span))[:, None]  # so that waves don't leak
    background = np.median(_power(values, left, np.arange(1, span // 2 + 1) / span))
    own = _power(values, left, 1 / np.array(periods))
    return {str(period): float(power / background) for period, power in zip(periods, own, strict=True)}


def _power(values: np.ndarray, vectors: np.ndarray, frequencies: np.ndarray) -> np.ndarray:
    """The squared amplitude of each frequency, over all dimensions. The numbers may have gaps."""
    found = []
    for some in np.array_split(frequencies, max(1, len(frequencies) // 500)):
        angles = 2 * np.pi * np.mod(np.outer(some, values), 1)
        found.append(np.square(np.cos(angles) @ vectors).sum(axis=1) + np.square(np.sin(angles) @ vectors).sum(axis=1))
    return np.concatenate(found)


def similarity(values: np.ndarray, texts: Sequence[str], vectors: np.ndarray) -> Similarity:
    """Correlate the Euclidean distances of vectors with three distances of the numbers, by rank, over all pairs."""
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist
    from scipy.spatial.distance import pdist

    if len(values) > MOST_COMPARED:
        some = np.sort(generator(0, "similarity").choice(len(values), MOST_COMPARED, replace=False))
        values, texts, vectors = values[some], [texts[at] for at in some], vectors[some]
    apart = pdist(vectors.astype(np.float64))
    logs = np.log(values) if values.min() > 0 else np.sign(values) * np.log1p(np.abs(values))
    edits = cdist(texts, texts, scorer=Levenshtein.distance)[np.triu_indices(len(texts), 1)]
    return Similarity(*(_correlation(apart, other) for other in (pdist(logs[:, None]), pdist(values[:, None]), edits)))


def _correlation(one: np.ndarray, other: np.ndarray) -> float:
    from scipy.stats import spearmanr

    return float(spearmanr(one, other).statistic) if np.ptp(one) > 0 and np.ptp(other) > 0 else 0.0


def first_component(vectors: np.ndarray) -> float:
    """The share of the variance along the first principal component.

    >>> first_component(np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]))
    1.0
    """
    centred = vectors.astype(np.float64) - vectors.mean(axis=0, dtype=np.float64)
    squares = np.square(np.linalg.svd(centred, compute_uv=False))
    return float(squares[0] / squares.sum()) if squares.sum() > 0 else 0.0


def number_lines(found: Placed) -> Iterator[tuple[int, float, float, float]]:
    """Layer, number, and its coordinates along the first two principal components of the layer, of unit spread.

    The first component points the way in which the numbers grow.
    """
    for layer, vectors in enumerate(found.vectors):
        centred = vectors.astype(np.float64) - vectors.mean(axis=0, dtype=np.float64)
        _, _, directions = np.linalg.svd(centred, full_matrices=False)
        flat = np.zeros((len(vectors), 2))
        flat[:, : len(directions[:2])] = centred @ directions[:2].T
        flat /= np.sqrt(np.square(flat[:, 0]).mean()) or 1.0
        flat[:, 0] *= np.sign(flat[:, 0] @ (found.values - found.values.mean())) or 1.0
        for value, (x, y) in zip(found.values.tolist(), flat.tolist(), strict=True):
            yield layer, value, float(f"{x:.4g}"), float(f"{y:.4g}")
