"""What is probed: text in, vectors out."""

from numprobe.embedders.base import (
    Embedder,
    FunctionEmbedder,
    LearnedEmbedder,
    Reading,
    coverage,
    cut,
    encode,
    encode_layers,
    is_learned,
)
from numprobe.embedders.registry import EMBEDDERS, encoder, load_embedder
from numprobe.embedders.sources import fetch, is_trusted, refuse_reach
from numprobe.embedders.sources.given import give, not_here, read_settings
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
    "cut",
    "encode",
    "encode_layers",
    "encoder",
    "fetch",
    "give",
    "is_learned",
    "is_trusted",
    "load_embedder",
    "not_here",
    "pinned",
    "read_settings",
    "refuse_reach",
    "vectors_of",
]
