"""The language model itself, asked in words."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from numprobe.embedders.speech import INSTRUCTION, STYLES, Dialogue, Interview, Speaker
from numprobe.errors import NumprobeError, at_least, at_most, one_of
from numprobe.numbers import Range, generator
from numprobe.probes.base import Answers, Dataset, Probe, Questions, Word
from numprobe.probes.replies import PATTERN, as_answer, check_slots, filled, is_right, plain_text, read_number
from numprobe.tasks import Answer, Task

MOST_SHOTS = 100
LIKELIHOODS = ("auto", "yes", "no")
UNREAD = -1
"""The choice of whoever names none of an item's numbers."""
BESIDE = (-10, -1, 0, 1, 10)
"""Where a value is asked for, the candidates are the right one and those so far from it."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Prompt(Probe):
    """The embedder's own language model, asked in words; its greedy answer is read strictly."""

    name: ClassVar[str] = "prompt"
    answers: ClassVar[frozenset[Answer]] = frozenset({Answer.CHOICE, Answer.VALUE})
    asks_in_words: ClassVar[bool] = True
    standardises: ClassVar[bool] = False

    shots: int = 0
    """Answered examples before each question, about training numbers."""
    phrasing: str = "best"
    """A phrasing of the task by its number from 1, a text with slots, or the best of the task's on training numbers."""
    style: str = "text"
    """`text` lets the model continue a text, `chat` uses its chat template."""
    most_items: int = 20
    """The most test items per shuffle, and the most to choose the phrasing on; 0 for all of them."""
    pieces: int = 12
    """The most word pieces in an answer."""
    likelihoods: str = "auto"
    """Whether to weigh candidates for each answer: yes, no, or (auto) only if the model is on this machine."""

    def __post_init__(self) -> None:
        at_least(0, shots=self.shots, most_items=self.most_items)
        at_most(MOST_SHOTS, shots=self.shots)
        at_least(1, pieces=self.pieces)
        at_most(1000, pieces=self.pieces)
        one_of("style", self.style, STYLES)
        one_of("likelihoods", self.likelihoods, LIKELIHOODS)

    def problem(self, task: Task, numbers: Sequence[Range]) -> str:
        if not task.phrasings:
            return f"there are no words to ask task '{task.name}' in with these settings"
        try:
            self.phrasings(task)
        except NumprobeError as error:
            return str(error)
        return ""

    def phrasings(self, task: Task) -> tuple[str, ...]:
        """The phrasings to try."""
        if self.phrasing == "best":
            return task.phrasings
        if self.phrasing.isdecimal():
            number = int(self.phrasing)
            if not 1 <= number <= len(task.phrasings):
                raise NumprobeError(f"task '{task.name}' has phrasings 1 to {len(task.phrasings)}, and no {number}")
            return (task.phrasings[number - 1],)
        template = self.phrasing.replace("\\n", "\n")
        check_slots(template, task.arity)
        return (template,)

    def cost(self, numbers: int, items: int, learned: bool) -> float:
        return 0.1 * (self.most_items or items) * (10 if self.phrasing == "best" else 1) * (1 + self.shots)

    def training(self) -> dict[str, Any]:
        return {"instruction": INSTRUCTION if self.style == "chat" else "", "answer": PATTERN}

    def speaker(self, embedder: Any) -> Speaker:
        speaker: Speaker = embedder.speaker(self.style, self.pieces)
        return speaker

    def ask(self, task: Task, speaker: Speaker, word: Word, datasets: Sequence[Dataset]) -> Answers:
        interview = Interview(speaker)
        given, truths, guesses, choices = [], [], [], []
        for dataset in datasets:
            test = word("test", dataset)
            templates, choice = self.choose(task, interview, word, dataset)
            examples = self.examples(word, dataset)
            asked = {one: self.replies(task, interview, one, test, examples) for one in templates}
            best = asked[choice["phrasing"]]
            guess = float(np.mean(word("train", dataset).targets)) if task.answer is Answer.VALUE else 0.0
            numbers = self.read(task, test, best, guess)
            given.append(numbers)
            truths.append(test.targets)
            guesses.append(guess)
            choices.append(
                {
                    **choice,
                    "right": {one: float(self.right(task, test, replies).mean()) for one, replies in asked.items()},
                    "unreadable": self.unreadable(task, test, best),
                    **self._likeliest(task, interview, test, choice["phrasing"], examples),
                }
            )
        _warn(task, test, [choice["unreadable"] for choice in choices])
        fewest = min(map(len, given))  # equally many for every shuffle
        answers, right = (np.stack([own[:fewest] for own in each]) for each in (given, truths))
        return Answers(answers, right, np.array(guesses), choices, {"asking": interview.counted})

    def choose(
        self, task: Task, interview: Interview, word: Word, dataset: Dataset
    ) -> tuple[tuple[str, ...], dict[str, Any]]:
        """All phrasings, and the one that has the most right answers about development numbers."""
        templates = self.phrasings(task)
        if len(templates) == 1:
            return templates, {"phrasing": templates[0]}
        development = word("development", dataset)
        some = development.some(self.most_items or len(development), generator(dataset.seed, "asked", "development"))
        examples = self.examples(word, dataset)
        shares = [
            float(self.right(task, some, self.replies(task, interview, one, some, examples)).mean())
            for one in templates
        ]
        best = int(np.argmax(shares))
        return templates, {"phrasing": templates[best], "error": 1 - shares[best]}

    def examples(self, word: Word, dataset: Dataset) -> Questions:
        """The items to show with their answers, about numbers that are neither tested nor chosen on."""
        if not self.shots:
            return Questions([], np.empty((0, 0), dtype=int), np.empty(0))
        fit = word("fit", dataset)
        if len(fit) < self.shots:
            raise NumprobeError(f"there are {len(fit)} training items, and {self.shots} shots were asked for")
        return fit.some(self.shots, generator(dataset.seed, "shots"))

    def replies(
        self, task: Task, interview: Interview, template: str, questions: Questions, examples: Questions
    ) -> list[str]:
        """What the model says to each question."""
        dialogues = self.dialogues(task, template, questions, examples)
        return [reply.text for reply in interview.ask(dialogues)]

    def dialogues(self, task: Task, template: str, questions: Questions, examples: Questions) -> list[Dialogue]:
        """The questions in words, each after the same answered ones."""
        shown = tuple(
            (filled(template, examples.words(at)), right_answer(task, examples, at)) for at in range(len(examples))
        )
        return [Dialogue(filled(template, questions.words(at)), shown) for at in range(len(questions))]

    def read(self, task: Task, questions: Questions, replies: Sequence[str], guess: float) -> np.ndarray:
        """The replies as answers: positions, or values.

        A reply that can't be read is no choice. In place of a value it is the guess, or one more where that is right.
        """
        found = _values(task, questions, replies)
        if task.answer is Answer.CHOICE:
            return np.array([UNREAD if value is None else value for value in found])
        lost = [guess + float(round(guess) == truth) for truth in questions.targets.tolist()]
        return np.array([own if value is None else value for value, own in zip(found, lost, strict=True)])

    def right(self, task: Task, questions: Questions, replies: Sequence[str]) -> np.ndarray:
        """Which replies are exactly right."""
        return is_right(np.array(_values(task, questions, replies), dtype=float), questions.targets)

    def unreadable(self, task: Task, questions: Questions, replies: Sequence[str]) -> float:
        """The share of replies that are neither a number nor one of the item's."""
        return float(np.mean([value is None for value in _values(task, questions, replies)]))

    def _likeliest(
        self, task: Task, interview: Interview, questions: Questions, template: str, examples: Questions
    ) -> dict[str, float]:
        """The share of items whose right answer is the likeliest of the candidates, if they are weighed."""
        if self.likelihoods == "no" or (self.likelihoods == "auto" and interview.speaker.is_paid):
            return {}
        choices, right = [], []
        for at, dialogue in enumerate(self.dialogues(task, template, questions, examples)):
            if task.answer is Answer.CHOICE:
                texts, place = questions.words(at), int(questions.targets[at])
            else:
                truth = float(questions.targets[at])
                values = [truth + step for step in BESIDE if truth < 0 or truth + step >= 0]
                texts, place = [as_answer(value) for value in values], values.index(truth)
            choices.append((dialogue, tuple(texts)))
            right.append(place)
        chosen = [int(np.argmax(own.logarithms)) for own in interview.weigh(choices)]
        return {"likeliest": float(np.mean(np.array(chosen) == right))}


def right_answer(task: Task, questions: Questions, at: int) -> str:
    """What to reply to an item."""
    target = questions.targets[at]
    return questions.words(at)[int(target)] if task.answer is Answer.CHOICE else as_answer(float(target))


def _values(task: Task, questions: Questions, replies: Sequence[str]) -> list[float | None]:
    """The value of each reply, or which of the item's numbers it is; None if it is neither."""
    if task.answer is Answer.VALUE:
        return [read_number(reply) for reply in replies]
    return [_place(questions.words(at), reply) for at, reply in enumerate(replies)]


def _place(words: Sequence[str], reply: str) -> float | None:
    value = read_number(reply)
    for place, word in enumerate(words):
        own = read_number(word)
        if plain_text(word) == plain_text(reply) if own is None else own == value:
            return place
    return None


def _warn(task: Task, questions: Questions, unreadable: Sequence[float]) -> None:
    """Say where a score tells little: answers that can't be read, or that stand in the question."""
    share = float(np.mean(unreadable))
    if share > 0.5:
        logger.warning(
            "%s: %.0f %% of the answers are no number alone, and count as wrong; prompt:shots=4 shows what is wanted",
            task.name,
            100 * share,
        )
    if task.arity == 1 and right_answer(task, questions, 0) == questions.words(0)[0]:
        logger.warning("%s: the numbers are asked in digits, so the answer is a copy: use --form words", task.name)
