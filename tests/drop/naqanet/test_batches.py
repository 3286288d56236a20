from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numprobe.drop.changes import load_change
from numprobe.drop.data import GoldAnswer, Passage, Question
from numprobe.drop.naqanet.batches import collate, plan
from numprobe.drop.naqanet.reading import count_words, to_answer, to_learn
from numprobe.drop.naqanet.vocabulary import LONGEST_WORD, Alphabet
from numprobe.drop.naqanet.words import WordInput
from numprobe.errors import NumprobeError
from tests.drop.tiny import save_tiny_model


@settings(max_examples=20, deadline=None)
@given(questions=st.integers(1, 20), together=st.integers(1, 9), seed=st.none() | st.integers(0, 99))
def test_a_plan_holds_every_question_once(
    generated: tuple[Passage, ...], questions: int, together: int, seed: int | None
) -> None:
    readings = list(to_answer(generated))
    rng = None if seed is None else np.random.default_rng(seed)
    batches = plan(readings, questions, 100_000, together, rng)
    planned = Counter(question.id for batch in batches for part in batch for question in part.questions)
    assert planned == Counter(question.id for reading in readings for question in reading.questions)
    assert max(sum(len(part.questions) for part in batch) for batch in batches) <= questions
    assert max(len(part.questions) for batch in batches for part in batch) <= together


def test_a_plan_keeps_to_its_tokens_and_seed(generated: tuple[Passage, ...]) -> None:
    readings = list(to_answer(generated))
    longest = max(len(reading.seen) for reading in readings)
    for batch in plan(readings, 100, 3 * longest, together=9):
        assert sum(len(part.questions) for part in batch) * max(len(part.seen) for part in batch) <= 3 * longest
    one, same, other = (plan(readings, 4, 9999, 2, np.random.default_rng(seed)) for seed in (0, 0, 1))
    assert one == same != other


def test_a_batch_holds_each_passage_and_each_word_once(generated: tuple[Passage, ...]) -> None:
    readings = list(to_learn(generated))[:3]
    alphabet = Alphabet.of(count_words(readings), 1)
    batch = collate(readings, alphabet, WordInput("", 7))
    words = {word for reading in readings for word in reading.seen}
    words |= {word for reading in readings for question in reading.questions for word in question.tokens.words}
    assert len(batch.characters) == len(words) + 1
    assert len(batch.passages) == 3
    assert batch.passage_vectors.shape == (*batch.passages.shape, 7)
    assert batch.passage_of.tolist() == [n for n, reading in enumerate(readings) for _ in reading.questions]
    assert [(row != 0).sum().item() for row in batch.passages] == [len(reading.seen) for reading in readings]
    asked = [question for reading in readings for question in reading.questions]
    for row, question in enumerate(asked):
        spans = batch.passage_spans[row]
        assert [tuple(span) for span in spans[spans[:, 0] >= 0].tolist()] == list(question.labels.passage_spans)
        assert (batch.sums[row, :, 0] >= 0).sum() == len(question.labels.sums)
    assert batch.counts.tolist() == [-1 if q.labels.count is None else q.labels.count for q in asked]


def test_rare_characters_share_a_row(generated: tuple[Passage, ...]) -> None:
    readings = list(to_learn(generated))
    all_characters, common = (Alphabet.of(count_words(readings), least).characters for least in (1, 500))
    assert set(common) < set(all_characters)
    assert "e" in common
    assert Alphabet("e").rows(["eä", "x" * 999]).shape == (2, LONGEST_WORD)


def test_word_vectors_come_from_an_embedder(tmp_path: Path) -> None:
    (tmp_path / "glove.txt").write_text("the 1 2\ngould 3 4\n43 5 6\n")
    questions = (Question("q", "The longest?", GoldAnswer(spans=("Gould",))),)
    passages = [Passage("p", "Gould: 43 yards, 44 feet", questions)]
    words = WordInput.of(f"word-vectors:path={tmp_path / 'glove.txt'}")
    assert words.width == 2
    assert words.of_words(["Gould", "43", "44", "THE", ""]).tolist() == [[3, 4], [5, 6], [0, 0], [1, 2], [0, 0]]
    # Numbers that a change shows are looked up as well.
    changed = list(to_answer([replace(passages[0], text="7")], load_change("add:low=36,high=36")))
    assert words.of_passages(changed).tolist() == [[[5, 6]]]
    double = WordInput.of(f"{words.embedder}+{words.embedder}")
    assert double.of_words(["Gould", "7"]).tolist() == [[3, 4, 3, 4], [0, 0, 0, 0]]


def test_swapped_numbers_leave_the_states_of_their_neighbours(tmp_path: Path) -> None:
    words = WordInput.of(f"transformer:model={save_tiny_model(tmp_path / 'tiny')}")
    passages = [Passage("p", "Gould: 43 yards, 44 feet", (Question("q", "Who?", GoldAnswer(spans=("Gould",))),))]
    change = load_change("add:low=5,high=5")
    (plain,), (changed,) = to_answer(passages), to_answer(passages, change)
    assert changed.shown.text == "Gould: 48 yards, 49 feet"
    before, anew, swapped = words.of_passages([plain, changed, replace(changed, swapped=True)])
    differs = [np.abs(one - before).max(axis=1) > 1e-3 for one in (anew, swapped)]
    # Gould : 43 yards , 44 feet. The model reads from left to right, so only what follows a change can differ.
    assert differs[0].tolist() == [False, False, True, True, True, True, True]
    assert differs[1].tolist() == [False, False, True, False, False, True, False]
    assert np.array_equal(swapped[2], anew[2])
    assert words.of_words(["43", "the"]).shape == (2, 16)


@pytest.mark.parametrize("embedder", ["random", "char-cnn", "value"])
def test_other_embedders_are_refused(embedder: str) -> None:
    with pytest.raises(NumprobeError, match="has no word vectors"):
        WordInput.of(embedder)


def test_words_without_a_vector_are_zeros() -> None:
    assert WordInput.of("").of_words(["the", "7"]).shape == (2, 0)
    assert not WordInput("", 3).of_words(["the", "7"]).any()
