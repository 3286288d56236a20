from collections.abc import Sequence
from dataclasses import replace

from numprobe.drop.data import Passage
from numprobe.drop.naqanet.answering import NAQANetReader
from numprobe.drop.naqanet.learner import seeded
from numprobe.drop.naqanet.model import SIZES, NAQANet, Sizes
from numprobe.drop.naqanet.reading import count_words, to_learn
from numprobe.drop.naqanet.vocabulary import Alphabet
from numprobe.drop.naqanet.words import WordInput

TINY = replace(SIZES["small"], width=32, heads=2, blocks=1, passes=2, characters=16, filters=32)


def untrained(passages: Sequence[Passage], sizes: Sizes = TINY) -> NAQANetReader:
    alphabet = Alphabet.of(count_words(to_learn(passages)), 1)
    with seeded(0, "weights"):
        return NAQANetReader(NAQANet(sizes, len(alphabet.characters), 0), alphabet, WordInput("", 0))
