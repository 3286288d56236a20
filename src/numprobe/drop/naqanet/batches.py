"""Batches of questions, in which a passage is stored once for all its questions, and a word once for all its places."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from numprobe.drop.naqanet.reading import TokenizedPassage
from numprobe.drop.naqanet.vocabulary import Alphabet, FixedVectors


class Batch(NamedTuple):
    """Texts, and the labels of each question, which are padded with -1."""

    vectors: Tensor
    """(words, width), one row per distinct word; row 0 is padding."""
    characters: Tensor
    """(words, longest)"""
    passages: Tensor
    """(passages, tokens): rows of `vectors`."""
    numbers: Tensor
    """(passages, most): the tokens that are numbers, padded with -1."""
    questions: Tensor
    """(questions, tokens): rows of `vectors`."""
    passage_of: Tensor
    """(questions,)"""
    passage_spans: Tensor
    """(questions, most, 2): first and last token."""
    question_spans: Tensor
    sums: Tensor
    """(questions, most, 2): 3 × the place among the numbers, + 1 for plus or 2 for minus; 0 without a second number."""
    counts: Tensor
    """(questions,)"""

    def to(self, device: torch.device) -> "Batch":
        """Move all tensors to a device."""
        return Batch(*(tensor.to(device, non_blocking=True) for tensor in self))


def plan(
    readings: Iterable[TokenizedPassage],
    questions: int,
    tokens: int,
    together: int,
    rng: np.random.Generator | None = None,
) -> list[list[TokenizedPassage]]:
    """Batches of passages of similar length, with at most this many questions and passage tokens, padding included.

    A passage brings at most `together` of its questions at once. Questions and batches are in random order if `rng` is
    given, else in the order of their lengths.
    """
    parts = [
        part
        for reading in readings
        for part in _parts(reading, max(1, min(together, questions, tokens // len(reading.seen))), rng)
    ]
    noise = rng.random(len(parts)) if rng else np.zeros(len(parts))
    # Noise lets passages of similar length share a batch with others in each pass.
    length = [len(part.seen) * (1 + 0.1 * shift) for part, shift in zip(parts, noise, strict=True)]
    batches: list[list[TokenizedPassage]] = []
    asked = longest = 0
    for place in sorted(range(len(parts)), key=length.__getitem__):
        part = parts[place]
        asked, longest = asked + len(part.questions), max(longest, len(part.seen))
        if not batches or asked > questions or asked * longest > tokens:
            batches.append([])
            asked, longest = len(part.questions), len(part.seen)
        batches[-1].append(part)
    return [batches[place] for place in rng.permutation(len(batches))] if rng else batches


def collate(readings: Sequence[TokenizedPassage], alphabet: Alphabet, vectors: FixedVectors) -> Batch:
    """One batch with all the questions of some passages."""
    asked = [question for reading in readings for question in reading.questions]
    words: dict[str, int] = {"": 0}
    passages, questions = (
        _padded([[words.setdefault(word, len(words)) for word in text] for text in texts], 0)
        for texts in ([reading.seen for reading in readings], [question.tokens.words for question in asked])
    )
    labels = [question.labels for question in asked]
    sums = [[[3 * place + (1 if sign > 0 else 2) for place, sign in one] for one in each.sums] for each in labels]
    return Batch(
        vectors=torch.from_numpy(vectors.rows(list(words))),
        characters=torch.from_numpy(alphabet.rows(list(words))),
        passages=passages,
        numbers=_padded([[place for place, _ in reading.numbers] for reading in readings]),
        questions=questions,
        passage_of=torch.tensor([place for place, reading in enumerate(readings) for _ in reading.questions]),
        passage_spans=_padded([each.passage_spans for each in labels], entry=(2,)),
        question_spans=_padded([each.question_spans for each in labels], entry=(2,)),
        sums=_padded([[(*one, 0)[:2] for one in each] for each in sums], entry=(2,)),
        counts=torch.tensor([-1 if each.count is None else each.count for each in labels]),
    )


def _parts(reading: TokenizedPassage, together: int, rng: np.random.Generator | None) -> Iterable[TokenizedPassage]:
    count = len(reading.questions)
    order: Sequence[int] = rng.permutation(count).tolist() if rng else range(count)
    for start in range(0, count, together):
        yield replace(reading, questions=tuple(reading.questions[place] for place in order[start : start + together]))


def _padded(rows: Sequence[Sequence[Any]], padding: int = -1, entry: tuple[int, ...] = ()) -> Tensor:
    """(rows, longest, *entry)"""
    made = np.full((len(rows), max(1, *map(len, rows)), *entry), padding)
    for place, row in enumerate(rows):
        if row:
            made[place, : len(row)] = row
    return torch.from_numpy(made)
