"""Warnings about vectors with which a probe can't do well, whatever the model knows."""

import logging
import math

import numpy as np

from numprobe.experiments.cell import Cell
from numprobe.numbers import generator

DISTINCT = 0.9
"""A warning says so where fewer than this share of the vectors differ."""

ENOUGH_VECTORS = 100_000
"""Of more vectors than this, some are looked at."""

LONGER = 100.0
"""A warning says so where a probe takes vectors as they are, and some are this many times longer than most."""

logger = logging.getLogger(__name__)


def warn_of_equal_vectors(cell: Cell, vectors: np.ndarray) -> None:
    """Say where an embedder gives many numbers one vector, so that no probe can tell them apart."""
    vectors = vectors[:, :: math.ceil(vectors.shape[1] / ENOUGH_VECTORS)]
    direction = generator(0, "distinct vectors").normal(size=vectors.shape[-1])
    seen = [len(np.unique(layer.astype(np.float64) @ direction)) for layer in vectors]
    count = vectors.shape[1]
    if max(seen) == 1 < count:
        logger.warning("%s: all %d numbers have the same vector, so a probe can only guess", cell, count)
    elif min(seen) < DISTINCT * count:
        logger.warning("%s: %d numbers have only %d different vectors (see numprobe inspect)", cell, count, min(seen))


def warn_of_huge_vectors(cell: Cell, vectors: np.ndarray) -> None:
    """Say where a few vectors are so long that they alone decide what a probe learns."""
    vectors = vectors[:, :: math.ceil(vectors.shape[1] / ENOUGH_VECTORS)]
    away = (np.subtract(layer, np.median(layer, axis=0), dtype=np.float64) for layer in vectors)
    lengths = [np.sqrt(np.einsum("nd,nd->n", own, own)) for own in away]
    huge = max(int((own > LONGER * np.median(own)).sum()) for own in lengths)
    if 0 < huge < (1 - DISTINCT) * vectors.shape[1]:
        logger.warning(
            "%s: %d of %d numbers have a vector more than %g times longer than most, which probe '%s' takes as it is",
            cell,
            huge,
            vectors.shape[1],
            LONGER,
            cell.probe,
        )
