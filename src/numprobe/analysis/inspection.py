"""A look at an embedder: which numbers of a range it has, how it cuts them up, and where it places them."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from numprobe.embedders import coverage, cut, is_learned, load_embedder, vectors_of
from numprobe.errors import NumprobeError
from numprobe.numbers import Range, form_for, write
from numprobe.registry import text_of

EXAMPLES = 5
NEIGHBOURS = 5

OUTLYING = 10.0
"""A dimension is an outlier if it deviates this many times as much as the median one."""


@dataclass(frozen=True)
class Norms:
    """The lengths of the vectors. One that is far longer than the others usually says little about its number."""

    median: float
    largest: float
    number: str
    """The number with the largest norm."""

    def __str__(self) -> str:
        return f"median {self.median:.4g}, largest {self.largest:.4g} (of {self.number})"


@dataclass(frozen=True)
class Inspection:
    embedder: str
    range: str
    form: str
    asked: int
    covered: int
    missing: list[str]
    """The first few numbers that the embedder does not have."""
    dimension: int
    start: str
    """The token that is put before every number, if any."""
    norms: Norms
    outliers: dict[int, float]
    """The first few dimensions that vary far more than others -> their deviation, as a multiple of the median one."""
    identical: int
    """How many numbers share their vector with another one."""
    pieces: dict[int, int] | None
    """Number of pieces -> how many numbers are cut into that many; None if the embedder does not cut."""
    examples: dict[str, list[str]]
    """Some numbers and their pieces."""
    neighbours: dict[str, list[str]]
    """Some numbers, each with the numbers whose vectors form the smallest angle with its own."""
    projection: list[tuple[str, float, float, float]]
    """Text, value, and coordinates along the two directions of largest variance."""

    def __str__(self) -> str:
        lacks = f"; lacks {', '.join(self.missing)}, …" if self.missing else ""
        counts = ", ".join(f"{count} in {pieces}" for pieces, count in (self.pieces or {}).items())
        described = {
            "covers": [f"{self.covered} of {self.asked}{lacks}"],
            "dimension": [str(self.dimension)],
            "starts with": [self.start],
            "norms": [str(self.norms)],
            "outliers": [", ".join(f"dimension {at} varies {by:.3g} ×" for at, by in self.outliers.items())],
            "identical": [f"{self.identical} numbers share their vector with another one" if self.identical else ""],
            "pieces": [counts, *(f"{text} = {' '.join(pieces)}" for text, pieces in self.examples.items())],
            "nearest": [f"{text}: {', '.join(near)}" for text, near in self.neighbours.items()],
        }
        between = "\n" + 12 * " "
        lines = [f"{name:12}{between.join(texts)}" for name, texts in described.items() if texts[0]]
        return "\n".join((f"{self.embedder}, {self.range} ({self.form})", *lines))


def inspect(embedder: str, numbers: str, form: str = "") -> Inspection:
    """Inspect an embedder by name.

    >>> inspect("value", "0:99").neighbours["0"][:2]
    ['1', '2']
    """
    given = load_embedder(embedder)
    if is_learned(given):
        raise NumprobeError(f"{embedder!r} learns together with its probe: it has no vectors to inspect before that")
    asked = Range.parse(numbers)
    written = form_for(form, [asked])
    texts = write(asked.values(), written)
    has = coverage(given, texts, embedder, str(asked))
    there: list[str] = np.array(texts)[has].tolist()
    vectors = vectors_of(given, embedder, there)[-1]  # of all layers, the last one
    some = [there[at] for at in np.unique(np.linspace(0, len(there) - 1, EXAMPLES).astype(int)).tolist()]
    pieces = cut(given, there, embedder)
    return Inspection(
        embedder=embedder,
        range=str(asked),
        form=text_of(written),
        asked=len(texts),
        covered=len(there),
        missing=np.array(texts)[~has][:EXAMPLES].tolist(),
        dimension=vectors.shape[1],
        start=getattr(given, "start_token", ""),
        norms=_norms(there, vectors),
        outliers=_outliers(vectors),
        identical=sum(count for count in Counter(row.tobytes() for row in vectors + 0.0).values() if count > 1),
        pieces=None if pieces is None else dict(sorted(Counter(map(len, pieces)).items())),
        examples={} if pieces is None else {text: pieces[there.index(text)] for text in some},
        neighbours={text: [there[at] for at in _nearest(vectors, there.index(text))] for text in some},
        projection=_projection(there, asked.values()[has], vectors),
    )


def _norms(texts: list[str], vectors: np.ndarray) -> Norms:
    norms = np.linalg.norm(vectors.astype(np.float64), axis=1)
    return Norms(float(np.median(norms)), float(norms.max()), texts[int(norms.argmax())])


def _outliers(vectors: np.ndarray) -> dict[int, float]:
    deviations = vectors.std(axis=0, dtype=np.float64)
    varying = deviations[deviations > 0]
    if not len(varying):
        return {}
    times = deviations / np.median(varying)
    order = np.argsort(-times, kind="stable")[: np.count_nonzero(times > OUTLYING)]
    return {int(at): float(f"{times[at]:.5g}") for at in order[:EXAMPLES]}


def _nearest(vectors: np.ndarray, at: int) -> list[int]:
    """The positions of the nearest numbers by angle, or by distance in a single dimension, where angles say nothing."""
    if vectors.shape[1] == 1:
        order = np.argsort(np.abs(vectors - vectors[at])[:, 0], kind="stable")
    else:
        length = np.linalg.norm(vectors, axis=1)
        cosine = vectors @ vectors[at] / np.maximum(length * length[at], 1e-12)
        order = np.argsort(-cosine, kind="stable")
    return [int(other) for other in order if other != at][:NEIGHBOURS]


def _projection(texts: list[str], values: np.ndarray, vectors: np.ndarray) -> list[tuple[str, float, float, float]]:
    centred = vectors - vectors.mean(axis=0)
    _, _, directions = np.linalg.svd(centred, full_matrices=False)
    flat = np.zeros((len(texts), 2))
    flat[:, : len(directions[:2])] = centred @ directions[:2].T
    return [
        (text, float(value), float(f"{x:.5g}"), float(f"{y:.5g}"))
        for text, value, (x, y) in zip(texts, values.tolist(), flat.tolist(), strict=True)
    ]
