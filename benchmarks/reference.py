"""The recipe of the paper's released code, as the baseline for speed comparisons.

It trains one probe at a time with PyTorch modules, batches of 20, SGD with learning rate 0.01 and momentum 0.5, and
looks up the vectors of each item one by one. It makes up to 1,000 passes with a patience of 20 on the test split.
Regression targets are standardised: the released code only centres them, and with that this training diverges.
"""

import time
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor, nn

from numprobe.tasks import Items

BATCH, RATE, MOMENTUM, WIDTH, PATIENCE, MOST_PASSES = 20, 0.01, 0.5, 100, 20, 1000


class ListMaximumProbe(nn.Module):
    def __init__(self, dimension: int) -> None:
        super().__init__()
        self.lstm = nn.LSTM(dimension, WIDTH, bidirectional=True, batch_first=True)
        self.score = nn.Linear(2 * WIDTH, 1)

    def forward(self, vectors: Tensor) -> Tensor:
        states, _ = self.lstm(vectors)
        return self.score(states).squeeze(2)


class ValueProbe(nn.Module):
    def __init__(self, dimension: int, arity: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(arity * dimension, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, 1)
        )

    def forward(self, vectors: Tensor) -> Tensor:
        return self.layers(vectors.flatten(1)).squeeze(1)


@dataclass
class Training:
    """The progress of one probe."""

    largest_is_best: bool
    scores: list[float] = field(default_factory=list)
    """On the test items, after each pass."""
    seconds: float = 0.0
    """Time spent on training batches."""

    @property
    def best(self) -> float:
        return max(self.scores) if self.largest_is_best else min(self.scores)

    @property
    def finished(self) -> bool:
        waited = len(self.scores) - 1 - self.scores.index(self.best)
        return waited >= PATIENCE or len(self.scores) >= MOST_PASSES


class Reference:
    """Trains one probe on the rows of a table of vectors."""

    def __init__(self, table: Tensor, learn: Items, answer: Items, accuracy: bool, seed: int) -> None:
        torch.manual_seed(seed)
        self.rng = np.random.default_rng(seed)
        self.table, self.learn, self.answer, self.accuracy = table, learn, answer, accuracy
        dimension, arity = table.shape[1], learn.numbers.shape[1]
        self.probe = ListMaximumProbe(dimension) if accuracy else ValueProbe(dimension, arity)
        self.loss = nn.CrossEntropyLoss() if accuracy else nn.MSELoss()
        self.optimizer = torch.optim.SGD(self.probe.parameters(), lr=RATE, momentum=MOMENTUM)
        self.centre, self.scale = (0.0, 1.0) if accuracy else (float(learn.targets.mean()), float(learn.targets.std()))
        self.training = Training(largest_is_best=accuracy)
        self.batches_per_pass = -(-len(learn.numbers) // BATCH)

    def run(self, most_batches: int | None = None) -> int:
        """Train for one pass over the items, or for the start of one; return the number of batches."""
        order = self.rng.permutation(len(self.learn.numbers))
        targets = torch.from_numpy(
            self.learn.targets if self.accuracy else (self.learn.targets - self.centre) / self.scale
        )
        start = time.perf_counter()
        starts = range(0, len(order), BATCH)[:most_batches]
        for first in starts:
            batch = order[first : first + BATCH]
            vectors = torch.stack([torch.stack([self.table[n] for n in item]) for item in self.learn.numbers[batch]])
            loss = self.loss(self.probe(vectors), targets[batch].to(torch.long if self.accuracy else torch.float))
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        self.training.seconds += time.perf_counter() - start
        return len(starts)

    @torch.no_grad()
    def test(self) -> None:
        parts = np.array_split(self.answer.numbers, 1 + len(self.answer.numbers) // 1000)
        answers = torch.cat([self.probe(self.table[torch.from_numpy(part).long()]) for part in parts]).numpy()
        if self.accuracy:
            score = np.mean(answers.argmax(axis=1) == self.answer.targets)
        else:
            score = np.sqrt(np.mean((answers * self.scale + self.centre - self.answer.targets) ** 2))
        self.training.scores.append(float(score))
