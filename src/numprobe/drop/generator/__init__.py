"""Generated passages and questions in the style of DROP, built from facts, so that every answer is exact."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import cycle, islice

import numpy as np

from numprobe.drop.data import GoldAnswer, Passage, Question
from numprobe.drop.generator.facts import Fact, Query
from numprobe.drop.generator.floors import draw_floors
from numprobe.drop.generator.language import Domain, load_domain
from numprobe.drop.generator.passages import write_passage
from numprobe.drop.generator.questions import draw_question, word_question
from numprobe.drop.generator.settings import GeneratorSettings as GeneratorSettings
from numprobe.drop.generator.settings import pick, shuffled
from numprobe.drop.generator.stories import draw_story
from numprobe.numbers import generator

PREFIX = "generated_"
"""The ids of generated passages start with this."""
TRIES = 6
"""Draws per requested question: some draws fit no question, and some repeat an earlier one."""


@dataclass(frozen=True)
class Generated:
    """A passage, the facts behind it, and the query behind each question, by question id."""

    passage: Passage
    facts: tuple[Fact, ...]
    queries: Mapping[str, Query]


def generate(settings: GeneratorSettings) -> Iterator[Passage]:
    """The passages that the settings describe.

    >>> next(generate(GeneratorSettings(domains=("economy",), seed=2))).id
    'generated_economy_fd91f1_0'
    """
    return (generate_one(settings, number).passage for number in range(settings.passages))


def generate_one(settings: GeneratorSettings, number: int) -> Generated:
    """The passage with this number. It does not depend on any other passage."""
    name = settings.domains[number % len(settings.domains)]
    rng = generator(settings.seed, "drop", str(number))
    domain = load_domain(name)
    drawn: dict[Query, tuple[str, GoldAnswer]] = {}
    while not drawn:  # In rare stories, all facts that the questions would compare are equal.
        story = draw_story(domain, settings, rng)
        drawn = _draw_questions(story.facts, domain, settings, rng)
    passage_id = f"{PREFIX}{name}_{settings.fingerprint}_{number}"
    questions = [
        Question(f"{passage_id}_{place}", text, answer, floors=draw_floors(query, story.facts))
        for place, (query, (text, answer)) in enumerate(drawn.items())
    ]
    queries = dict(zip((question.id for question in questions), drawn, strict=True))
    passage = Passage(passage_id, write_passage(story, domain, settings, rng), tuple(questions))
    return Generated(passage, tuple(story.facts), queries)


def is_generated(passage: Passage) -> bool:
    """Whether a passage was generated; this survives writing it to a file and reading it back."""
    return passage.id.startswith(PREFIX)


def _draw_questions(
    facts: list[Fact], domain: Domain, settings: GeneratorSettings, rng: np.random.Generator
) -> dict[Query, tuple[str, GoldAnswer]]:
    """The text and answer of distinct questions about some facts; the kinds of question take turns."""
    measures = {fact.measure for fact in facts}
    wordings = {kind: [each for each in domain.wordings[kind] if each.measure in measures] for kind in settings.kinds}
    possible = shuffled([kind for kind in settings.kinds if wordings[kind]], rng)
    drawn: dict[Query, tuple[str, GoldAnswer]] = {}
    for kind in islice(cycle(possible), TRIES * settings.questions):
        wording = pick(wordings[kind], rng)
        made = draw_question(wording, facts, list(domain.where), rng)
        if made and made[0] not in drawn:
            query, answer = made
            drawn[query] = word_question(wording, query, domain), answer
        if len(drawn) == settings.questions:
            break
    return drawn
