from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class DigitCounts:
    """How often each digit stands in the text, and how long it is."""

    weight: float = 1.0

    def encode(self, texts: list[str]) -> np.ndarray:
        counts = [[text.count(digit) for digit in "0123456789"] + [len(text)] for text in texts]
        return self.weight * np.array(counts, dtype=np.float32)
