"""A user's own embedder: it encodes each text once, and its vectors tell it from another one."""

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from numprobe.embedders.base import encode
from numprobe.errors import NumprobeError

SAMPLE = [str(number) for number in (*range(100), 128, 500, 999, 1000, 1234, 5000, 9999, 10**6)]
SAMPLE += ["-5", "7.5", "seven", "seventy-five", "one hundred"]
"""Texts whose vectors identify an embedder."""

DIGITS = 3
"""Digits that count, in parts of a dimension's largest value: others may change with the batch or the machine."""


class OwnEmbedder:
    """Passes texts on to an embedder that has `encode`, each of them once."""

    def __init__(self, embedder: Any, name: str) -> None:
        self.own, self.called = embedder, name
        self._known: dict[str, np.ndarray] = {}

    def __getattr__(self, name: str) -> Any:
        """Whatever else the embedder has, such as `covers` or `pieces`."""
        if name == "own":
            raise AttributeError(name)
        return getattr(self.own, name)

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        missing = [text for text in dict.fromkeys(texts) if text not in self._known]
        if missing:
            self._known |= zip(missing, encode(self.own, missing, self.called), strict=True)
        return np.stack([self._known[text] for text in texts])


class KeptEmbedder(OwnEmbedder):
    """The same, with a revision: whoever gave it, or that its vectors tell."""

    def __init__(self, embedder: Any, name: str, revision: str = "") -> None:
        super().__init__(embedder, name)
        self.revision = revision or self._fingerprint()

    def _fingerprint(self) -> str:
        """The same for the same vectors of some texts, to three digits of each dimension."""
        vectors = self._sampled().astype(np.float64)
        largest = np.abs(vectors).max(axis=0)
        rounded = np.round(vectors / np.where(largest > 0, largest, 1), DIGITS) + 0.0  # no negative zeros
        rounded = np.vstack((rounded, [float(f"{scale:.{DIGITS}g}") for scale in largest]))
        return hashlib.sha256(np.ascontiguousarray(rounded).tobytes()).hexdigest()[:12]

    def _sampled(self) -> np.ndarray:
        """The vectors of the texts that identify it; it may take only some of them, such as whole numbers."""
        known = self.own.covers(SAMPLE) if hasattr(self.own, "covers") else [True] * len(SAMPLE)
        texts = [text for text, has in zip(SAMPLE, known, strict=True) if has]
        if not texts:
            raise NumprobeError(f"{self.called} has no number that tells it from others: give it a fingerprint='…'")
        try:
            return self.encode(texts)
        except Exception:
            taken = [text for text in texts if self._takes(text)]
            if not taken:
                raise
            return self.encode(taken)

    def _takes(self, text: str) -> bool:
        try:
            self.encode([text])
        except Exception:  # whatever it raises: the user did not ask for this text
            return False
        return True
