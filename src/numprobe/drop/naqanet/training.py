"""Train NAQANet. An interrupted training resumes from its checkpoint, on a CPU to the same bits."""

import copy
import hashlib
import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from numprobe.drop.data import Passage, count_questions
from numprobe.drop.formats import to_json
from numprobe.drop.generator import is_generated
from numprobe.drop.metric import score_predictions
from numprobe.drop.naqanet.answering import NAQANetReader
from numprobe.drop.naqanet.batches import collate, plan
from numprobe.drop.naqanet.files import CHECKPOINT, MODEL, describe_reader, read_tensors, write_tensors
from numprobe.drop.naqanet.learner import Bounds, Learner, TrainingRecipe, seeded
from numprobe.drop.naqanet.model import NAQANet, Sizes
from numprobe.drop.naqanet.reading import TRAINING_PASSAGE, TokenizedPassage, count_words, to_learn
from numprobe.drop.naqanet.vocabulary import Alphabet
from numprobe.drop.naqanet.words import WordInput
from numprobe.errors import NumprobeError
from numprobe.files.writing import write_whole
from numprobe.numbers import generator

CHECKPOINT_SECONDS, REPORT_SECONDS = 60.0, 10.0
"""Between two checkpoints, and between two reports."""
TIMED_STEPS = 4
"""Before a training starts."""


@dataclass
class TrainingState:
    """How far a training has got."""

    step: int = 0
    passes: int = 0
    batch: int = 0
    """In the current pass."""
    seconds: float = 0.0
    scores: list[dict[str, float]] = field(default_factory=list)
    """The step, EM and F1 of each evaluation."""

    @property
    def best(self) -> int:
        """The place of the first evaluation with the highest F1."""
        return max(range(len(self.scores)), key=lambda place: self.scores[place]["f1"])

    def has_ended(self, bounds: Bounds) -> bool:
        return (
            self.passes >= bounds.passes
            or (bounds.steps is not None and self.step >= bounds.steps)
            or (bounds.minutes is not None and self.seconds >= 60 * bounds.minutes)
            or (bool(self.scores) and len(self.scores) - 1 - self.best >= bounds.patience)
        )


@dataclass(frozen=True)
class TrainingReport:
    """What a training reports while it runs."""

    state: TrainingState
    loss: float
    """Mean since the last report."""
    questions_per_second: float
    seconds_left: float
    """At most: training may stop earlier."""


@dataclass(frozen=True)
class Forecast:
    """What a training will do at most, and how long that takes on this machine."""

    questions: int
    batches: int
    """In a pass."""
    steps: int
    seconds: float


class Training:
    """A training and its folder; `run` starts it, or resumes it from the checkpoint in the folder."""

    def __init__(
        self,
        passages: Sequence[Passage],
        dev: Sequence[Passage],
        folder: Path,
        sizes: Sizes,
        recipe: TrainingRecipe,
        vectors: str,
        device: torch.device,
        start: NAQANetReader | None = None,
        mixed: Sequence[Passage] = (),
    ) -> None:
        """Prepare a training; `start` is a model whose alphabet and weights it starts from.

        Each pass adds a random choice of the `mixed` passages, as the recipe says.
        """
        self.dev, self.folder, self.recipe = dev, folder, recipe
        self.readings, self.mixed = (
            list(to_learn(some, recipe.augment, recipe.seed, sizes.wide, recipe.mirror)) for some in (passages, mixed)
        )
        for what, count in (("train with", len(self.readings)), ("evaluate", count_questions(dev))):
            if not count:
                raise NumprobeError(f"there is no question to {what}: NAQANet can't give any of the answers")
        alphabet = start.alphabet if start else Alphabet.of(count_words(self.readings), recipe.characters_seen)
        words = WordInput.of(vectors)
        words.add([*self.readings, *self.mixed])
        with seeded(recipe.seed, "weights"):
            network = NAQANet(sizes, len(alphabet.characters), words.width)
        if start:
            network.load_state_dict(_widened(network, start.network))
        self.learner = Learner(network.to(device), recipe)
        self.reader = NAQANetReader(self.learner.average, alphabet, words)
        data = _fingerprint(passages)
        self.about = {
            "data": data,
            **({"mixed": _fingerprint(mixed)} if mixed else {}),
            "dev": _fingerprint(dev),
            "recipe": {**asdict(recipe), "betas": list(recipe.betas)},
            **describe_reader(self.reader),
            "seen": _seen([*passages, *mixed], data, start),
            **({"start": {name: start.about[name] for name in ("data", "recipe", "scores")}} if start else {}),
        }
        self.state = self._resume()

    def run(
        self, bounds: Bounds, listen: Callable[[TrainingReport], None], checkpoint_seconds: float = CHECKPOINT_SECONDS
    ) -> None:
        """Train until a bound is reached. The folder always holds the model with the highest F1 so far."""
        state = self.state
        clock = told = kept = time.monotonic()
        losses: list[Tensor] = []
        asked = 0
        while not state.has_ended(bounds):
            order = self._order()
            for part in order[state.batch :]:
                losses.append(self._step(part, is_last=state.batch == len(order) - 1))
                asked += sum(len(reading.questions) for reading in part)
                now = time.monotonic()
                state.seconds += now - clock
                clock = now
                has_ended = state.has_ended(bounds)
                if has_ended or now - told >= REPORT_SECONDS:
                    listen(self._report(losses, asked / (now - told), len(order), bounds))
                    losses, asked, told = [], 0, now
                if now - kept >= checkpoint_seconds:
                    self._save()
                    kept = now
                if has_ended:
                    break
        if not state.scores or state.scores[-1]["step"] != state.step:
            self._evaluate()
        self._save()

    def forecast(self, bounds: Bounds) -> Forecast:
        """Measure a few steps, with a copy of the weights, so that the training itself stays the same."""
        order = self._order()
        learner = Learner(copy.deepcopy(self.learner.network), self.recipe)
        by_length = sorted(order, key=lambda part: max(len(reading.seen) for reading in part))
        some = [by_length[(2 * place + 1) * len(order) // (2 * TIMED_STEPS)] for place in range(TIMED_STEPS)]
        learner.step(collate(some[0], self.reader.alphabet, self.reader.words).to(self.reader.device), 0)
        began = time.monotonic()
        for part in some:
            learner.step(collate(part, self.reader.alphabet, self.reader.words).to(self.reader.device), 0)
        seconds = (time.monotonic() - began) / TIMED_STEPS
        steps = 0 if self.state.has_ended(bounds) else self._steps_left(len(order), bounds)
        left = steps * seconds
        if bounds.minutes is not None:
            left = min(left, 60 * bounds.minutes - self.state.seconds)
        questions = sum(len(reading.questions) for part in order for reading in part)
        return Forecast(questions, len(order), steps, max(left, 0.0))

    def _steps_left(self, batches: int, bounds: Bounds) -> int:
        """At most: training may stop earlier."""
        steps = (bounds.passes - self.state.passes) * batches - self.state.batch
        return steps if bounds.steps is None else min(steps, bounds.steps - self.state.step)

    def _order(self) -> list[list[TokenizedPassage]]:
        """The batches of the current pass."""
        recipe = self.recipe
        rng = generator(recipe.seed, "pass", str(self.state.passes))
        readings = [*self.readings, *self._mixed(rng)]
        return plan(readings, recipe.questions, recipe.questions * TRAINING_PASSAGE, recipe.together, rng)

    def _mixed(self, rng: np.random.Generator) -> Iterator[TokenizedPassage]:
        """Random passages of the data to mix in, until they have their share of the questions."""
        wanted = self.recipe.mixed / (1 - self.recipe.mixed) * sum(len(reading.questions) for reading in self.readings)
        for place in rng.permutation(len(self.mixed)).tolist():
            if wanted <= 0:
                break
            wanted -= len(self.mixed[place].questions)
            yield self.mixed[place]

    def _step(self, part: Sequence[TokenizedPassage], is_last: bool) -> Tensor:
        """Learn from a batch, evaluate if it is time to, and return the loss."""
        state, between = self.state, self.recipe.between
        batch = collate(part, self.reader.alphabet, self.reader.words).to(self.reader.device)
        loss = self.learner.step(batch, state.step)
        state.step += 1
        state.passes, state.batch = (state.passes + 1, 0) if is_last else (state.passes, state.batch + 1)
        if state.step % between == 0 if between else is_last:
            self._evaluate()
        return loss

    def _evaluate(self) -> None:
        scores = score_predictions(self.reader.answer_passages(self.dev), self.dev)["all"]
        self.state.scores.append({"step": self.state.step, "em": scores.em or 0.0, "f1": scores.f1 or 0.0})
        if self.state.best == len(self.state.scores) - 1:
            about = {**self.about, "scores": self.state.scores[-1]}
            write_tensors(self.folder / MODEL, self.learner.average.state_dict(), about)

    def _report(self, losses: Sequence[Tensor], speed: float, batches: int, bounds: Bounds) -> TrainingReport:
        state = self.state
        loss = float(torch.stack(list(losses)).mean())
        if not math.isfinite(loss):
            raise NumprobeError(f"the loss is {loss} at step {state.step}: train again with a lower rate")
        left = self._steps_left(batches, bounds) * state.seconds / state.step
        if bounds.minutes is not None:
            left = min(left, 60 * bounds.minutes - state.seconds)
        return TrainingReport(state, loss, speed, max(left, 0.0))

    def _save(self) -> None:
        """Write the checkpoint, and a readable `training.json`."""
        state = asdict(self.state)
        write_tensors(self.folder / CHECKPOINT, self.learner.tensors(), {**self.about, "state": state})
        write_whole(self.folder / "training.json", json.dumps({**self.about, "state": state}, indent=1) + "\n")

    def _resume(self) -> TrainingState:
        """Load the checkpoint in the folder, if there is one; it must belong to the same training."""
        path = self.folder / CHECKPOINT
        if not path.exists():
            return TrainingState()
        tensors, about = read_tensors(path)
        for name, value in self.about.items():
            if about.get(name) != value:
                raise NumprobeError(f"{self.folder} holds a training with different {name}: choose another folder")
        self.learner.load(tensors)
        return TrainingState(**about["state"])


def _widened(network: NAQANet, start: NAQANet) -> dict[str, Tensor]:
    """The weights of another model, with zeros for additional word vectors, and own weights for what it lacks."""
    weights = {**network.state_dict(), **start.state_dict()}
    filters = start.sizes.filters
    new = network.word.in_features - start.word.in_features
    if new > 0:
        words, characters = weights["word.weight"].split((start.word.in_features - filters, filters), dim=1)
        weights["word.weight"] = torch.cat((words, words.new_zeros(len(words), new), characters), dim=1)
    return weights


def _seen(passages: Sequence[Passage], data: str, start: NAQANetReader | None) -> dict[str, int]:
    """How many questions a model has seen, including those of the model it starts from if they are different."""
    before = start.about["seen"] if start else {"generated": 0, "real": 0}
    new = () if start and start.about["data"] == data else passages
    generated = count_questions([passage for passage in new if is_generated(passage)])
    return {"generated": before["generated"] + generated, "real": before["real"] + count_questions(new) - generated}


def _fingerprint(passages: Sequence[Passage]) -> str:
    return hashlib.sha256(json.dumps(to_json(passages)).encode()).hexdigest()
