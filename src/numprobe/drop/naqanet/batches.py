"""Batches of questions, in which a passage is stored once for all its questions."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from numprobe.drop.naqanet.reading import TokenizedPassage
from numprobe.drop.naqanet.vocabulary import Alphabet, stem
from numprobe.drop.naqanet.words import WordInput


class Batch(NamedTuple):
    """Texts, and the labels of each question, which are padded with -1."""

    passage_vectors: Tensor
    """(passages, tokens, width)"""
    question_vectors: Tensor
    """(questions, tokens, width)"""
    characters: Tensor
    """(words, longest), one row per distinct word; row 0 is padding."""
    stems: Tensor
    """(words,): the same number for words with the same stem, 0 for those without one."""
    passages: Tensor
    """(passages, tokens): rows of `characters`."""
    numbers: Tensor
    """(passages, most): the tokens that are numbers, padded with -1."""
    questions: Tensor
    """(questions, tokens): rows of `characters`."""
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
    parts: list[TokenizedPassage] = []
    for reading in readings:
        asked = reading.questions
        if rng:
            asked = tuple(asked[place] for place in rng.permutation(len(asked)))
        size = max(1, min(together, questions, tokens // len(reading.seen)))
        parts += (replace(reading, questions=asked[at : at + size]) for at in range(0, len(asked), size))
    noise = rng.random(len(parts)) if rng else np.zeros(len(parts))
    # Noise lets passages of similar length share a batch with others in each pass.
    length = [len(part.seen) * (1 + 0.1 * shift) for part, shift in zip(parts, noise, strict=True)]
    batches: list[list[TokenizedPassage]] = []
    count = longest = 0
    for place in sorted(range(len(parts)), key=length.__getitem__):
        part = parts[place]
        count, longest = count + len(part.questions), max(longest, len(part.seen))
        if not batches or count > questions or count * longest > tokens:
            batches.append([])
            count, longest = len(part.questions), len(part.seen)
        batches[-1].append(part)
    return [batches[place] for place in rng.permutation(len(batches))] if rng else batches


def collate(readings: Sequence[TokenizedPassage], alphabet: Alphabet, words: WordInput) -> Batch:
    """One batch with all the questions of some passages."""
    asked = [question for reading in readings for question in reading.questions]
    rows: dict[str, int] = {"": 0}
    passages, questions = (
        _padded([[rows.setdefault(word, len(rows)) for word in text] for text in texts], 0)
        for texts in ([reading.seen for reading in readings], [question.tokens.words for question in asked])
    )
    stems: dict[str, int] = {"": 0}
    labels = [question.labels for question in asked]
    sums = [[[3 * place + (1 if sign > 0 else 2) for place, sign in one] for one in each.sums] for each in labels]
    return Batch(
        passage_vectors=torch.from_numpy(words.of_passages(readings)),
        question_vectors=torch.from_numpy(words.of_questions(asked)),
        characters=torch.from_numpy(alphabet.rows(list(rows))),
        stems=torch.tensor([stems.setdefault(stem(word), len(stems)) for word in rows]),
        passages=passages,
        numbers=_padded([[place for place, _ in reading.numbers] for reading in readings]),
        questions=questions,
        passage_of=torch.tensor([place for place, reading in enumerate(readings) for _ in reading.questions]),
        passage_spans=_padded([each.passage_spans for each in labels], entry=(2,)),
        question_spans=_padded([each.question_spans for each in labels], entry=(2,)),
        sums=_padded([[(*one, 0)[:2] for one in each] for each in sums], entry=(2,)),
        counts=torch.tensor([-1 if each.count is None else each.count for each in labels]),
    )


def _padded(rows: Sequence[Sequence[Any]], padding: int = -1, entry: tuple[int, ...] = ()) -> Tensor:
    """(rows, longest, *entry)"""
    made = np.full((len(rows), max(1, *map(len, rows)), *entry), padding)
    for place, row in enumerate(rows):
        if row:
            made[place, : len(row)] = row
    return torch.from_numpy(made)
