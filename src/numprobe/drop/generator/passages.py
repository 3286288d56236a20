"""The text of a passage, written from its facts."""

from collections.abc import Iterator
from decimal import Decimal
from itertools import groupby

import numpy as np

from numprobe.drop.generator.facts import Fact
from numprobe.drop.generator.language import Domain, article, digits
from numprobe.drop.generator.settings import GeneratorSettings, around, pick, shuffled
from numprobe.drop.generator.stories import Story, draw_value
from numprobe.drop.quantities import NUMBER_WORDS

IRRELEVANT = {"few": (2, 12), "number": (5, 99), "thousands": (1_000, 90_000)}
"""Ranges of the numbers in distractors, unless the settings give a range."""


def write_passage(story: Story, domain: Domain, settings: GeneratorSettings, rng: np.random.Generator) -> str:
    """An opening, sentences about all facts in their order, and distractors among them."""
    sentences = list(_sentences(story, domain, settings, rng))
    extra = _Extra(story, domain, settings, rng)
    wordings = shuffled(domain.distractors, rng)
    for number in range(around(settings.distractors, rng)):
        wording = wordings[number % len(wordings)]
        sentences.insert(rng.integers(len(sentences), endpoint=True), wording.format_map(extra))
    sentences.insert(0, pick(domain.openings, rng).format_map(extra))
    return " ".join(sentence[0].upper() + sentence[1:] for sentence in sentences)


class _Extra(dict[str, str]):
    """The slots of openings and distractors; what is not in the story's cast is drawn anew each time."""

    def __init__(self, story: Story, domain: Domain, settings: GeneratorSettings, rng: np.random.Generator) -> None:
        super().__init__(story.cast)
        self._names, self._domain, self._settings, self._rng = story.names, domain, settings, rng

    def __missing__(self, slot: str) -> str:
        if slot in IRRELEVANT:
            value = draw_value(self._settings.range, IRRELEVANT[slot], 1, self._rng)
            return _numeral(value, self._settings, self._rng)
        if slot == "year":
            return str(self._rng.integers(*self._domain.years))
        return self._names.draw(slot)


def _sentences(story: Story, domain: Domain, settings: GeneratorSettings, rng: np.random.Generator) -> Iterator[str]:
    introduced: set[str] = set()
    for heading, group in groupby(story.facts, lambda fact: fact.about.get(domain.heading)):
        clauses = [_clause(fact, domain, introduced, settings, rng) for fact in group]
        first = bool(heading)
        while clauses:
            if len(clauses) > 1 and rng.random() < 0.5:
                sentence = pick(domain.pairs, rng).format(one=clauses.pop(0), two=clauses.pop(0))
            else:
                sentence = "{one}" if first else pick(domain.singles, rng)
                sentence = sentence.format(one=clauses.pop(0))
            if first:
                sentence = pick(domain.leads, rng).format_map({domain.heading: heading, "sentence": sentence})
            first = False
            yield f"{sentence}."


def _clause(
    fact: Fact, domain: Domain, introduced: set[str], settings: GeneratorSettings, rng: np.random.Generator
) -> str:
    measure = domain.measures[fact.measure]
    value = digits(fact.value) if measure.sort == "share" else _numeral(fact.value, settings, rng)
    told = {"entity": fact.entity, **fact.about}
    for slot, person in [(slot, told[slot]) for slot in domain.people if slot in told]:
        if person in introduced and rng.random() < 0.5:
            told[slot] = person.split()[-1]
        introduced.add(person)
    when = _when(fact, rng) if measure.sort == "event" else ""
    return pick(measure.clauses, rng).format_map({**told, "value": value, "a": article(value), "when": when})


def _numeral(value: Decimal, settings: GeneratorSettings, rng: np.random.Generator) -> str:
    in_words = value < len(NUMBER_WORDS) and rng.random() < settings.words
    return NUMBER_WORDS[int(value)] if in_words else digits(value)


def _when(event: Fact, rng: np.random.Generator) -> str:
    if not event.month:
        return f"in {event.value}"
    if not event.day:
        return f"in {event.month} {event.value}"
    if rng.random() < 0.5:
        return f"on {event.day} {event.month} {event.value}"
    return f"on {event.month} {event.day}, {event.value}"
