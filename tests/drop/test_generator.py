"""Laws of the generator, over settings and seeds."""

import re
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numprobe.drop.data import GoldAnswer, all_questions
from numprobe.drop.generator import (
    Generated,
    GeneratorSettings,
    generate,
    generate_one,
)
from numprobe.drop.generator.facts import KINDS, Fact, Query
from numprobe.drop.generator.language import DOMAINS, OPPOSITES, SUPERLATIVE_SLOTS, digits
from numprobe.drop.quantities import NUMBER_WORDS
from numprobe.errors import NumprobeError
from numprobe.numbers import Range
from tests.drop.solver import agrees, disagreements, generate_with_facts, solve

ranges = st.none() | st.builds(
    lambda low, size: Range(low, low + size), st.integers(1, 10**6), st.integers(9, 10**6 - 1)
)
any_settings = st.builds(
    GeneratorSettings,
    questions=st.integers(1, 30),
    range=ranges,
    words=st.floats(0, 1),
    facts=st.integers(6, 40),
    distractors=st.integers(0, 12),
    seed=st.integers(0, 2**32),
)
generated = st.builds(generate_one, any_settings, st.integers(0, 10_000))
laws = settings(deadline=None, max_examples=60)


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]+", text.lower()))


def told(passage: str, fact: Fact) -> bool:
    """Whether a passage has the number of a fact, in digits or in words."""
    year_or_number = {digits(fact.value), str(fact.value)} | set(NUMBER_WORDS[int(fact.value) : int(fact.value) + 1])
    return any(re.search(rf"(?<![\w,.]){re.escape(form)}(?![\w]|[,.]\d)", passage, re.I) for form in year_or_number)


@laws
@given(generated)
def test_the_solver_agrees_with_every_answer(made: Generated) -> None:
    assert made.passage.questions
    assert disagreements(made) == []


@laws
@given(generated)
def test_the_passage_states_every_fact(made: Generated) -> None:
    passage = made.passage.text
    for fact in made.facts:
        assert told(passage, fact)
        for part, name in {"entity": fact.entity, **fact.about}.items():
            # A half is never named: it follows from the quarter.
            assert part == "half" or name.lower() in passage.lower()
        assert fact.month in passage


@laws
@given(generated)
def test_answer_spans_occur_in_the_passage_or_the_question(made: Generated) -> None:
    for question in made.passage.questions:
        text = f"{made.passage.text} {question.text}".lower()
        assert all(span.lower() in text for span in question.answer.spans)
        given_answers = [question.answer.number, *question.answer.spans, any(question.answer.date)]
        assert any(given_answers)


@laws
@given(generated)
def test_a_question_mentions_everything_in_its_query(made: Generated) -> None:
    for question in made.passage.questions:
        query = made.queries[question.id]
        assert all(name in question.text for name in query.entities)
        assert all(name in question.text for _, name in query.where)
        assert (
            query.bound is None
            or re.search(rf"\b{re.escape(digits(query.bound))}\b", question.text)
            or (str(query.bound) in question.text)
        )
        assert ("second " in question.text) >= (query.rank == 2)
        said = words(question.text.split(" combined")[0])
        high, low = said & set(OPPOSITES), said & set(OPPOSITES.values())
        if query.largest is not None:
            assert high if query.largest else low


@laws
@given(generated)
def test_ids_and_texts_are_unique(made: Generated) -> None:
    assert len(made.queries) == len(made.passage.questions) == len(set(made.queries.values()))
    assert len({question.text for question in made.passage.questions}) == len(made.queries)


@laws
@given(generated, st.integers(1, 1000), st.integers(0, 1000))
def test_multiplying_and_adding_keep_the_spans_of_superlatives_and_comparatives(
    made: Generated, factor: int, term: int
) -> None:
    changed = [replace(fact, value=factor * fact.value + term) for fact in made.facts]
    for query in made.queries.values():
        if query.kind in ("superlative_span", "comparative_binary", "comparative_non_binary"):
            bound = None if query.bound is None else factor * query.bound + term
            assert solve(changed, replace(query, bound=bound)) == solve(made.facts, query)


@laws
@given(any_settings, st.integers(0, 50))
def test_a_passage_depends_only_on_its_number(chosen: GeneratorSettings, number: int) -> None:
    assert generate_one(chosen, number) == generate_one(replace(chosen, passages=number + 1), number)


def test_domains_take_turns_and_ids_are_unique() -> None:
    passages = list(generate(GeneratorSettings(passages=8)))
    assert [passage.id for passage in passages] == [
        f"generated_{DOMAINS[n % 4]}_{GeneratorSettings().fingerprint}_{n}" for n in range(8)
    ]
    ids = [question.id for passage in passages for question in passage.questions]
    assert len(set(ids)) == len(ids) == 8 * 16
    assert passages != list(generate(GeneratorSettings(passages=8, seed=1)))


def test_all_kinds_occur_and_can_be_told_by_their_words() -> None:
    seen = set()
    for made in generate_with_facts(GeneratorSettings(passages=80)):
        for question in made.passage.questions:
            kind, said = made.queries[question.id].kind, words(question.text)
            seen.add(kind)
            superlative = said & {*SUPERLATIVE_SLOTS, *SUPERLATIVE_SLOTS.values()}
            assert bool(superlative) == kind.startswith("superlative")
            of_size = said & {"longer", "shorter", "larger", "smaller"}
            assert bool(of_size) == kind.startswith("comparative")
            assert ("or" in said) == (kind in ("comparative_binary", "order"))
            assert bool(question.answer.date[2]) == (kind == "date")
    assert seen == set(KINDS)


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("kind", KINDS)
def test_one_kind_of_question_at_a_time(domain: str, kind: str) -> None:
    if domain == "game" and kind in ("date", "duration", "order"):
        with pytest.raises(NumprobeError, match=f"'game' has no questions of type {kind}"):
            GeneratorSettings(domains=(domain,), kinds=(kind,))
        return
    for made in generate_with_facts(
        GeneratorSettings(passages=4, domains=(domain,), kinds=(kind,), range=Range(1, 10))
    ):
        assert {query.kind for query in made.queries.values()} == {kind}
        assert disagreements(made) == []


def test_quantities_stay_in_their_range() -> None:
    made = list(generate_with_facts(GeneratorSettings(passages=40, range=Range(5000, 5999))))
    quantities = [
        fact.value
        for one in made
        for fact in one.facts
        if not fact.month and fact.value > 100 and fact.measure not in ("fought", "founded", "incorporated", "points")
    ]
    assert len(quantities) > 200
    assert all(5000 <= value <= 5999 for value in quantities)
    assert all(re.search(r"\b5,\d{3}\b", one.passage.text) for one in made if "history" in one.passage.id)


@pytest.mark.parametrize(("share", "some"), [(0.0, False), (1.0, True)])
def test_small_numbers_in_words(share: float, some: bool) -> None:
    passages = generate(GeneratorSettings(passages=20, range=Range(2, 19), words=share, domains=("history",)))
    for passage in passages:
        assert bool(words(passage.text) & set(NUMBER_WORDS) - {"one"}) == some
        assert bool(re.search(r"\b\d{1,2} (troops|casualties|warships|cannons)", passage.text)) != some


def test_more_facts_and_distractors_make_longer_passages() -> None:
    def mean_length(**difficulty: int) -> float:
        return sum(len(passage.text.split()) for passage in generate(GeneratorSettings(passages=60, **difficulty))) / 60

    assert 160 < mean_length() < 230
    assert mean_length(facts=6, distractors=0) < 110
    assert mean_length(facts=24) > 1.5 * mean_length()
    assert mean_length(distractors=20) > mean_length() + 150


FIELD_GOALS = [
    Fact("field goal", "Abbott", Decimal(44), {"team": "Owls"}),
    Fact("field goal", "Baldwin", Decimal(30), {"team": "Foxes"}),
    Fact("field goal", "Cobb", Decimal(30), {"team": "Owls"}),
    Fact("points", "Owls", Decimal(50)),
]


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        (Query("superlative_span", "field goal", "entity", largest=True), GoldAnswer(spans=("Abbott",))),
        (Query("superlative_number", "field goal", where=(("team", "Owls"),), largest=False), GoldAnswer(number="30")),
        (Query("difference", "field goal", entities=("Baldwin", "Abbott"), largest=False), GoldAnswer(number="14")),
        (Query("addition", "field goal"), GoldAnswer(number="104")),
        (Query("count", "field goal", bound=Decimal(30), largest=True), GoldAnswer(number="1")),
        (
            Query("comparative_non_binary", "field goal", "team", bound=Decimal(44), largest=False),
            GoldAnswer(spans=("Foxes", "Owls")),
        ),
        (Query("extraction", "field goal", "team", entities=("Cobb",)), GoldAnswer(spans=("Owls",))),
    ],
)
def test_the_solver_by_hand(query: Query, answer: GoldAnswer) -> None:
    assert solve(FIELD_GOALS, query) == answer


@pytest.mark.parametrize(
    "query",
    [
        Query("superlative_span", "field goal", "entity", largest=False),  # two are the shortest
        Query("superlative_span", "field goal", "entity", largest=True, rank=2),
        Query("comparative_binary", "field goal", "entity", entities=("Baldwin", "Cobb"), largest=True),
        Query("comparative_binary", "field goal", "entity", entities=("Baldwin", "Drake"), largest=True),
        Query("difference", "field goal", entities=("Baldwin", "Abbott"), largest=True),  # the wrong way round
        Query("extraction", "field goal", "team"),
    ],
)
def test_the_solver_refuses_what_has_no_answer(query: Query) -> None:
    with pytest.raises(ValueError, match=r"unpack|several|wrong way"):
        solve(FIELD_GOALS, query)


def test_equal_numbers_may_be_written_differently() -> None:
    query = Query("superlative_number", "field goal", largest=True)
    assert agrees(GoldAnswer(number="44.0"), FIELD_GOALS, query)
    assert not agrees(GoldAnswer(number="44.5"), FIELD_GOALS, query)
    assert not agrees(GoldAnswer(spans=("44",)), FIELD_GOALS, query)


def test_wrong_answers_are_noticed() -> None:
    made = generate_one(GeneratorSettings(seed=5), 0)
    wrong = tuple(replace(question, answer=GoldAnswer(number="123456789")) for question in made.passage.questions)
    broken = replace(made, passage=replace(made.passage, questions=wrong))
    assert disagreements(broken) == [question.id for question in wrong]


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"passages": 0}, "passages must be at least 1"),
        ({"questions": 0}, "questions must be at least 1"),
        ({"domains": ()}, "domains must be at least 1"),
        ({"domains": ("games",)}, "unknown domain 'games'; did you mean 'game'"),
        ({"kinds": ("superlative",)}, "unknown question type 'superlative'"),
        ({"range": Range(0, 99)}, "all above zero"),
        ({"range": Range(1, 5)}, "10 or more whole numbers"),
        ({"range": Range.parse("1.0:99.9")}, "whole numbers"),
        ({"words": 1.5}, "words must lie between 0 and 1"),
        ({"facts": 5}, "facts must lie between 6 and 40"),
        ({"distractors": -1}, "distractors must lie between 0 and 40"),
        ({"seed": -1}, "seed must be at least 0"),
    ],
)
def test_bad_settings(bad: dict[str, object], message: str) -> None:
    with pytest.raises(NumprobeError, match=message):
        GeneratorSettings(**bad)


def test_ids_tell_settings_apart_but_not_the_number_of_passages() -> None:
    def ids(**given: Any) -> set[str]:
        return {question.id for question in all_questions(list(generate(GeneratorSettings(passages=2, **given))))}

    plain = ids()
    for other in (ids(seed=1), ids(words=0.5), ids(range=Range.parse("1:99"))):
        assert plain.isdisjoint(other)
    assert plain <= {question.id for question in all_questions(list(generate(GeneratorSettings(passages=3))))}
