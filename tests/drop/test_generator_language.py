"""The files of English: every template has the slots that it needs, and none that nobody fills."""

import re

import pytest

from numprobe.drop.generator.language import DOMAINS, OPPOSITES, english, load_domain, slots
from numprobe.drop.generator.stories import Names
from numprobe.drop.quantities import MONTHS, NUMBER_WORDS
from numprobe.numbers import generator


@pytest.mark.parametrize("name", DOMAINS)
def test_every_clause_tells_the_whole_fact(name: str) -> None:
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
def test_families_and_tables_are_used_and_known(name: str) -> None:
    spoken = load_domain(name)
    assert {measure.family for measure in spoken.measures.values()} <= set(english("questions"))
    for table in spoken.tables.values():
        assert set(table.measures) <= set(spoken.measures)
        assert all(set(spoken.measures[key].about) <= set(table.about) for key in table.measures)


def test_other_sentences_name_only_what_can_be_drawn() -> None:
    known = {*english("names")["patterns"], "few", "number", "thousands", "year"}
    for name in DOMAINS:
        cast = {"team", "rival"} if name == "game" else set()
        for sentence in [*load_domain(name).openings, *load_domain(name).distractors]:
            assert slots(sentence) <= known | cast, sentence


def test_no_template_has_a_number_of_its_own() -> None:
    """Every number of a passage is draw_rewriting, so a change of its numbers changes no phrase."""
    for name in DOMAINS:
        spoken = load_domain(name)
        clauses = [clause for measure in spoken.measures.values() for clause in measure.clauses]
        wordings = [wording.template for each in spoken.wordings.values() for wording in each]
        frames = [*spoken.singles, *spoken.pairs, *spoken.leads]
        for template in [*spoken.openings, *spoken.distractors, *frames, *clauses, *wordings]:
            phrase = re.sub(r"{\w+}", "", template).lower()
            assert not re.search(rf"\d|\b({'|'.join(NUMBER_WORDS)})\b", phrase), template


def test_names_of_one_passage_differ_in_their_last_word() -> None:
    names = Names(generator(0, "test"))
    drawn = [names.draw(sort) for sort in english("names")["patterns"] for _ in range(25)]
    assert len({name.split()[-1] for name in drawn}) == len(drawn)


def test_no_part_of_a_name_is_a_word_that_matters() -> None:
    parts = {word.lower() for part in english("names")["parts"].values() for word in part.split()}
    whole = parts - set(english("names")["parts"]["end"].split())  # an ending is never a word of its own
    assert whole.isdisjoint({*NUMBER_WORDS, *OPPOSITES, *OPPOSITES.values(), *map(str.lower, MONTHS), "or", "second"})
