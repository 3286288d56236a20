"""ELMo: two bidirectional LSTM layers over a character network, from its published files."""

from numprobe.embedders.elmo.embedder import LAYERS, ELMo

__all__ = ["LAYERS", "ELMo"]
