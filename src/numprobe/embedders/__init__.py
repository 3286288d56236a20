"""What is probed: text in, vectors out."""

from numprobe.embedders.base import (
    Embedder,
    FunctionEmbedder,
    LearnedEmbedder,
    Reading,
    coverage,
    encode,
    encode_layers,
    is_learned,
)
from numprobe.embedders.registry import EMBEDDERS, load_embedder
from numprobe.embedders.sources import fetch
from numprobe.embedders.tables import pinned, vectors_of
from numprobe.embedders.word_vectors import GensimVectors

__all__ = [
    "EMBEDDERS",
    "Embedder",
    "FunctionEmbedder",
    "GensimVectors",
    "LearnedEmbedder",
    "Reading",
    "coverage",
    "encode",
    "encode_layers",
    "fetch",
    "is_learned",
    "load_embedder",
    "pinned",
    "vectors_of",
]
