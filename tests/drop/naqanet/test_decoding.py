from collections import defaultdict
from itertools import combinations, product

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from numprobe.drop.data import GoldAnswer, Passage, Question
from numprobe.drop.naqanet.decoding import _sums, by_all_ways, by_type
from numprobe.drop.naqanet.model import Outputs
from numprobe.drop.naqanet.reading import TokenizedPassage, TokenizedQuestion, to_answer
from numprobe.drop.naqanet.vocabulary import tokenize

TEXT = "Gould kicked 43 yards, Akers 20."


def read(text: str = "How far did Gould kick?") -> tuple[TokenizedPassage, TokenizedQuestion]:
    asked = Question("q", text, GoldAnswer(number="43"))
    (reading,) = to_answer([Passage("p", TEXT, (asked,))], wide=True)
    return reading, reading.questions[0]


def outputs(types: list[float], signs: list[list[float]], start: int = 2, end: int = 2, count: int = 7) -> Outputs:
    """Probabilities: of the types, of the signs of each number, and nearly 1 for one span and one count."""

    def at(place: int, size: int) -> torch.Tensor:
        found = torch.full((size,), 0.001)
        found[place] = 1 - 0.001 * (size - 1)
        return found.log()

    reading, question = read()
    passage, asked = len(reading.seen), len(question.tokens.words)
    chances = torch.tensor(signs).log(), at(count, 10)
    spans = at(start, passage), at(end, passage), at(3, asked), at(3, asked)
    return Outputs(torch.tensor(types).log(), *spans, *chances, torch.ones(passage), torch.ones(asked))


UNSURE = [[0.9, 0.05, 0.05], [0.6, 0.4, 1e-6], [0.9, 0.05, 0.05]]  # 100, 43, 20


def test_a_sum_of_nothing_is_no_answer() -> None:
    given = outputs([0.1, 0.1, 0.7, 0.1], UNSURE, start=0, end=0)
    empty, weighed = by_type(*read(), given), by_all_ways(*read(), given)
    assert (empty.text, empty.terms) == ("0", ())
    assert (weighed.text, weighed.type, weighed.terms) == ("43", "sum", (43,))


def test_ways_to_the_same_answer_add_up() -> None:
    # The count is the likeliest single way, but the passage span and the sum both say 43.
    given = outputs([0.3, 0.05, 0.25, 0.4], [[0.98, 0.01, 0.01], [0.02, 0.97, 0.01], [0.98, 0.01, 0.01]])
    assert by_type(*read(), given).text == "7"
    weighed = by_all_ways(*read(), given)
    assert weighed.text == "43"
    assert weighed.type == "passage span"
    assert weighed.probability == pytest.approx(0.3 + 0.25 * 0.97 * 0.98**2, abs=0.02)


def test_100_is_there_to_subtract_from_in_questions_about_a_percentage() -> None:
    signs = [[0.01, 0.98, 0.01], [0.6, 0.1, 0.3], [0.7, 0.1, 0.2]]  # which number to subtract is unsure
    given = outputs([0.05, 0.05, 0.85, 0.05], signs, start=0, end=0)
    answered = by_all_ways(*read("What percent did Gould miss?"), given)
    assert (answered.text, answered.terms) == ("57", (100, -43))
    assert 100 not in by_all_ways(*read(), given).terms


def test_a_span_ends_soon_after_its_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numprobe.drop.naqanet.decoding.LONGEST_SPAN", 3)
    reading, question = read()
    start = torch.full((len(reading.seen),), -20.0)
    given = outputs([0.97, 0.01, 0.01, 0.01], UNSURE)._replace(passage_start=start, passage_end=start.clone())
    given.passage_start[[0, 6]], given.passage_end[[0, 6]] = -0.7, -0.7
    assert by_type(reading, question, given).text.startswith("Gould")
    assert by_all_ways(reading, question, given).text in ("Gould", "20")


@given(st.lists(st.integers(0, 9), max_size=5), st.integers(0, 2**32 - 1))
def test_sums_weigh_every_choice_of_one_or_two_numbers(values: list[int], seed: int) -> None:
    logits = np.random.default_rng(seed).normal(size=(len(values), 3))
    chances = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    wanted: dict[int, float] = defaultdict(float)
    for size in (1, 2):
        for places in combinations(range(len(values)), size):
            for signs in product((1, -1), repeat=size):
                chosen = dict(zip(places, signs, strict=True))
                weight = np.prod([chances[place, (0, 1, 2)[chosen.get(place, 0)]] for place in range(len(values))])
                wanted[sum(sign * values[place] for place, sign in chosen.items())] += float(weight)
    text = tokenize(" ".join(map(str, values)), 10)
    reading = TokenizedPassage(text, text, tuple(enumerate(values)))
    found = {sum(terms): weight for terms, weight in _sums(reading, read()[1], torch.tensor(chances).log())}
    assert found == pytest.approx(dict(wanted))
