"""Passages with questions, one after the other, each from its own seed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import cycle, islice

import numpy as np

from numprobe.drop.data import Answer, Passage, Question
from numprobe.drop.generator.chance import pick, shuffled
from numprobe.drop.generator.facts import Fact, Query
from numprobe.drop.generator.language import Domain, domain
from numprobe.drop.generator.passages import write_passage
from numprobe.drop.generator.questions import draw_question
from numprobe.drop.generator.settings import Settings
from numprobe.drop.generator.solver import agrees
from numprobe.drop.generator.stories import draw_story
from numprobe.drop.generator.wording import word_question
from numprobe.numbers import generator

GENERATED = "generated_"
"""How the ids of generated passages begin."""
TRIES = 6
"""Draws per question that is wanted: some fit no question, and some repeat one."""


@dataclass(frozen=True)
class Generated:
    """A passage, what it was made of, and the structure of each question by its id."""

    passage: Passage
    facts: tuple[Fact, ...]
    queries: Mapping[str, Query]

    def disagreements(self) -> list[str]:
        """The ids of questions to which the solver finds another answer."""
        return [
            question.id
            for question in self.passage.questions
            if not agrees(question.answer, self.facts, self.queries[question.id])
        ]


def generate(settings: Settings) -> Iterator[Passage]:
    """The passages that the settings describe.

    >>> next(generate(Settings(domains=("economy",), seed=2))).id
    'generated_economy_0'
    """
    return (generated.passage for generated in generate_with_facts(settings))


def is_generated(passage: Passage) -> bool:
    """Whether a passage was made here; written to a file and read again, it still tells."""
    return passage.id.startswith(GENERATED)


def generate_with_facts(settings: Settings) -> Iterator[Generated]:
    """The same passages, each with its facts and the structure of its questions."""
    return (generate_one(settings, number) for number in range(settings.passages))


def generate_one(settings: Settings, number: int) -> Generated:
    """The passage of this number, whatever was generated before it."""
    name = settings.domains[number % len(settings.domains)]
    rng = generator(settings.seed, "drop", str(number))
    spoken = domain(name)
    asked: dict[Query, tuple[str, Answer]] = {}
    while not asked:  # Now and then a story has ties wherever the wanted questions need a difference.
        story = draw_story(spoken, settings, rng)
        asked = _questions(story.facts, spoken, settings, rng)
    named = f"{GENERATED}{name}_{number}"
    questions = [Question(f"{named}_{place}", text, answer) for place, (text, answer) in enumerate(asked.values())]
    queries = dict(zip((question.id for question in questions), asked, strict=True))
    passage = Passage(named, write_passage(story, spoken, settings, rng), tuple(questions))
    return Generated(passage, tuple(story.facts), queries)


def _questions(
    facts: list[Fact], spoken: Domain, settings: Settings, rng: np.random.Generator
) -> dict[Query, tuple[str, Answer]]:
    """Different questions about some facts, the types taking turns; the text and the answer of each."""
    told = {fact.measure for fact in facts}
    asks = {kind: [ask for ask in spoken.asks[kind] if ask.measure in told] for kind in settings.kinds}
    possible = shuffled([kind for kind in settings.kinds if asks[kind]], rng)
    asked: dict[Query, tuple[str, Answer]] = {}
    for kind in islice(cycle(possible), TRIES * settings.questions):
        ask = pick(asks[kind], rng)
        made = draw_question(ask, facts, list(spoken.where), rng)
        if made and made.query not in asked:
            asked[made.query] = word_question(ask, made.query, spoken), made.answer
        if len(asked) == settings.questions:
            break
    return asked
