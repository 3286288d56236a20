"""Word vectors from files: GloVe, word2vec, fastText, gensim."""

from numprobe.embedders.word_vectors.embedder import GensimVectors, WordVectors
from numprobe.embedders.word_vectors.formats import FORMATS, read_rows

__all__ = ["FORMATS", "GensimVectors", "WordVectors", "read_rows"]
