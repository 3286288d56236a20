"""What is probed: text in, vectors out."""

from numprobe.embedders.base import (
    Embedder,
    FunctionEmbedder,
    LearnedEmbedder,
    Reading,
    coverage,
    cut,
    encode,
    is_learned,
)
from numprobe.embedders.registry import EMBEDDERS, encoder, every_layer, load_embedder
from numprobe.embedders.saved_vectors import GivenVectors
from numprobe.embedders.tables import pinned, vectors_of
from numprobe.embedders.word_vectors import GensimVectors

__all__ = [
    "EMBEDDERS",
    "Embedder",
    "FunctionEmbedder",
    "GensimVectors",
    "GivenVectors",
    "LearnedEmbedder",
    "Reading",
    "coverage",
    "cut",
    "encode",
    "encoder",
    "every_layer",
    "is_learned",
    "load_embedder",
    "pinned",
    "vectors_of",
]
