from collections.abc import Sequence
from dataclasses import replace

import pytest

from numprobe.drop.data import Passage
from numprobe.drop.generator import Settings, generate
from numprobe.drop.naqanet.answering import Reader
from numprobe.drop.naqanet.learner import seeded
from numprobe.drop.naqanet.model import SMALL, NAQANet, Sizes
from numprobe.drop.naqanet.reading import to_learn
from numprobe.drop.naqanet.vocabulary import Alphabet, WordVectors

TINY = replace(SMALL, width=32, heads=2, blocks=1, passes=2, characters=16, filters=32)


@pytest.fixture(scope="session")
def generated() -> tuple[Passage, ...]:
    """Short passages of every domain."""
    return tuple(generate(Settings(passages=8, facts=6, distractors=0, questions=8)))


def untrained(passages: Sequence[Passage], sizes: Sizes = TINY) -> Reader:
    alphabet = Alphabet.of(to_learn(passages), 1)
    with seeded(0, "weights"):
        return Reader(NAQANet(sizes, len(alphabet.characters), 0), alphabet, WordVectors("", 0))
