"""A language model on this machine with the prompts of a cell: its questions, and the states inside them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from numprobe.embedders.speech import Dialogue, Interview
from numprobe.embedders.speech.local import LocalSpeaker
from numprobe.embedders.states import States
from numprobe.errors import NumprobeError, at_least
from numprobe.experiments.cell import Cell
from numprobe.experiments.laboratory import Laboratory
from numprobe.kernels.device import one_thread, pick_device
from numprobe.numbers import generator
from numprobe.probes import Dataset, Questions
from numprobe.probes.prompt import Prompt
from numprobe.probes.replies import with_places
from numprobe.tasks import Task

Prompts = list[tuple[list[int], list[list[int]]]]
"""What the model reads for each item, and the places of the pieces of each of its numbers."""


@dataclass(frozen=True)
class Conversation:
    """A cell with probe `prompt`, whose model shows its states."""

    laboratory: Laboratory
    prompt: Prompt
    speaker: LocalSpeaker
    interview: Interview

    @property
    def cell(self) -> Cell:
        return self.laboratory.cell

    @property
    def task(self) -> Task:
        return self.cell.parts.task


@contextmanager
def conversing(cell: Cell, train: int, device: str = "auto") -> Iterator[Conversation]:
    """The conversation of a cell, on one thread; refuse what does not show its states, and too few training items."""
    prompt = cell.parts.probe
    if not isinstance(prompt, Prompt):
        raise NumprobeError(f"what a model says is asked with probe 'prompt', not '{cell.probe}'")
    at_least(2, train=train)
    with one_thread():
        laboratory = Laboratory(cell, pick_device(device))
        speaker = prompt.speaker(laboratory.embedder)
        if not isinstance(speaker, LocalSpeaker):
            raise NumprobeError(f"{cell.embedder} does not show its states: name a model on this machine")
        yield Conversation(laboratory, prompt, speaker, Interview(speaker))


@dataclass(frozen=True)
class Shuffle:
    """One shuffle of a conversation: the phrasing that its development numbers choose, and its items."""

    talk: Conversation
    seed: int

    def items(self, part: str, most: int = 0, purpose: str = "") -> Questions:
        """The items of one part of the split, or a random sample of them."""
        found = self.talk.laboratory.selection.word(part, Dataset(self.seed))
        return found.some(most, generator(self.seed, purpose, part)) if most else found

    @cached_property
    def template(self) -> str:
        word, dataset = self.talk.laboratory.selection.word, Dataset(self.seed)
        _, choice = self.talk.prompt.choose(self.talk.task, self.talk.interview, word, dataset)
        return str(choice["phrasing"])

    @cached_property
    def examples(self) -> Questions:
        return self.talk.prompt.examples(self.talk.laboratory.selection.word, Dataset(self.seed))

    def values(self, items: Questions) -> np.ndarray:
        """(items, arity): their numbers."""
        read = self.talk.cell.parts.form.read
        return np.array([[read(text) for text in items.words(at)] for at in range(len(items))])

    def dialogues(self, items: Questions, template: str) -> list[Dialogue]:
        """The items in words."""
        return self.talk.prompt.dialogues(self.talk.task, template, items, self.examples)

    def replies(self, items: Questions, template: str) -> list[str]:
        """What the model says."""
        return self.talk.prompt.replies(self.talk.task, self.talk.interview, template, items, self.examples)

    def prompts(self, items: Questions) -> Prompts:
        spans = [with_places(self.template, items.words(at))[1] for at in range(len(items))]
        asked = zip(self.dialogues(items, self.template), spans, strict=True)
        return [self.talk.speaker.located(dialogue, own) for dialogue, own in asked]

    def states(self, prompts: Prompts) -> Iterator[tuple[int, np.ndarray]]:
        """Yield each prompt's index and (layers, pieces, dimension) states, in any order."""
        for at, found in States(self.talk.speaker.model.base_model).of([ids for ids, _ in prompts]):
            yield at, found.numpy()
