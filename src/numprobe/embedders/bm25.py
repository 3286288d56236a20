"""BM25: which words a text shares with another, and how rare they are."""

import re
from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

K1, B = 1.5, 0.75
"""How soon a repeated word counts no more, and how much longer texts are held back (Robertson and Zaragoza, 2009)."""


@dataclass(frozen=True)
class BM25:
    """One dimension per word, weighted so that the product of two texts is about the BM25 score of one for the other.

    Every word with a digit counts as if one text had it: how often a number is drawn says nothing about it.

    >>> phone, other, query = BM25().encode(["a phone for 300", "a phone for 200", "phones for 300"])
    >>> bool(phone @ query > other @ query)
    True
    """

    name: ClassVar[str] = "bm25"
    version: ClassVar[int] = 2
    is_floor: ClassVar[bool] = True
    at_once: ClassVar[bool] = True
    """Rare is what few of all texts have."""

    def encode(self, texts: list[str]) -> np.ndarray:
        counts = [Counter(re.findall(r"\w+", text.lower())) for text in texts]
        shared = Counter(word for count in counts for word in count)
        there = {word: 1 if any(map(str.isdigit, word)) else by for word, by in shared.items()}
        columns = {word: at for at, word in enumerate(sorted(there))}
        rarity = {word: np.log(1 + (len(texts) - has + 0.5) / (has + 0.5)) for word, has in there.items()}
        lengths = np.array([sum(count.values()) for count in counts])
        held_back = K1 * (1 - B + B * lengths / max(lengths.mean(), 1))
        vectors = np.zeros((len(texts), len(columns)), np.float32)
        for row, (count, back) in enumerate(zip(counts, held_back, strict=True)):
            for word, often in count.items():
                vectors[row, columns[word]] = np.sqrt(rarity[word]) * often * (K1 + 1) / (often + back)
        return vectors
