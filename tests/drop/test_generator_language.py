"""The English of the generator: every template has exactly the slots that it needs."""

import re

import pytest

from numprobe.drop.generator.language import DOMAINS, OPPOSITES, english, load_domain, slots
from numprobe.drop.generator.stories import Names
from numprobe.drop.quantities import MONTHS, NUMBER_WORDS
from numprobe.numbers import generator


@pytest.mark.parametrize("name", DOMAINS)
def test_every_clause_states_the_whole_fact(name: str) -> None:
    spoken = load_domain(name)
    plays = {"touchdown pass": {"team", "receiver"}, "field goal": {"team"}, "touchdown run": {"team"}}
    for key, measure in spoken.measures.items():
        assert len(measure.clauses) >= 4
        needed = {"entity", *measure.about} | plays.get(key, set()) | {"when" if measure.sort == "event" else "value"}
        for clause in measure.clauses:
            assert slots(clause) - {"a"} == needed, clause


@pytest.mark.parametrize("name", DOMAINS)
def test_every_wording_can_be_filled(name: str) -> None:
    spoken = load_domain(name)
    for kind, wordings in spoken.wordings.items():
        for wording in wordings:
            measure = spoken.measures[wording.measure]
            known = {*measure.words, *OPPOSITES, "one", "other", "bound", "where"}
            assert wording.slots <= known, wording.template
            assert wording.template.endswith("?")
            assert len(wording.slots & set(OPPOSITES)) <= 1, wording.template
            if kind.startswith(("superlative", "comparative")):
                assert wording.slots & set(OPPOSITES), wording.template


@pytest.mark.parametrize("name", DOMAINS)
def test_families_and_tables_are_defined(name: str) -> None:
    spoken = load_domain(name)
    assert {measure.family for measure in spoken.measures.values()} <= set(english("questions"))
    for table in spoken.tables.values():
        assert set(table.measures) <= set(spoken.measures)
        assert all(set(spoken.measures[key].about) <= set(table.about) for key in table.measures)


def test_distractors_have_only_slots_that_can_be_filled() -> None:
    known = {*english("names")["patterns"], "few", "number", "thousands", "year"}
    for name in DOMAINS:
        cast = {"team", "rival"} if name == "game" else set()
        for sentence in [*load_domain(name).openings, *load_domain(name).distractors]:
            assert slots(sentence) <= known | cast, sentence


def test_templates_contain_no_numbers() -> None:
    """Every number in a passage is drawn, so changing numbers never changes a phrase."""
    for name in DOMAINS:
        spoken = load_domain(name)
        clauses = [clause for measure in spoken.measures.values() for clause in measure.clauses]
        wordings = [wording.template for each in spoken.wordings.values() for wording in each]
        frames = [*spoken.singles, *spoken.pairs, *spoken.leads]
        for template in [*spoken.openings, *spoken.distractors, *frames, *clauses, *wordings]:
            phrase = re.sub(r"{\w+}", "", template).lower()
            assert not re.search(rf"\d|\b({'|'.join(NUMBER_WORDS)})\b", phrase), template


def test_last_words_of_names_are_unique_within_a_passage() -> None:
    names = Names(generator(0, "test"))
    drawn = [names.draw(sort) for sort in english("names")["patterns"] for _ in range(25)]
    assert len({name.split()[-1] for name in drawn}) == len(drawn)


def test_names_contain_no_number_or_comparison_words() -> None:
    parts = {word.lower() for part in english("names")["parts"].values() for word in part.split()}
    whole = parts - set(english("names")["parts"]["end"].split())  # an ending is never a word of its own
    assert whole.isdisjoint({*NUMBER_WORDS, *OPPOSITES, *OPPOSITES.values(), *map(str.lower, MONTHS), "or", "second"})
