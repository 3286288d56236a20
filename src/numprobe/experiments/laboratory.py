"""Lays out the numbers of a cell for the engine: which the embedder has, their vectors, and the items about them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from numprobe.embedders import coverage, encode, encode_layers, is_learned, vectors_of
from numprobe.errors import NumprobeError
from numprobe.experiments.cell import Cell
from numprobe.experiments.selection import Selection
from numprobe.numbers import Split, generator, write
from numprobe.probes.engine import Data
from numprobe.probes.fitting import Dataset, Prepared
from numprobe.probes.inputs import Inputs, LearnedInputs, in_order, scaled
from numprobe.probes.models import MODELS
from numprobe.specs import Spec, build
from numprobe.tasks import TASKS, Items, Part, Task


class Laboratory:
    def __init__(self, cell: Cell, embedder: Any, device: torch.device) -> None:
        self.cell, self.embedder, self.device = cell, embedder, device
        self.task: Task = build("task", TASKS, Spec.parse(cell.task))
        self.selection = _select(cell, self.task, embedder)
        self.texts = write(self.selection.values, cell.form)
        self.learned = is_learned(embedder)
        self.length = 1.0  # linear regression does not mind
        if cell.probe in MODELS:
            numbers = len(self.selection.inside)
            self.length = MODELS[cell.probe].length(numbers, self.learned, bool(cell.test_range))
        self.in_list = getattr(embedder, "context", "isolated") == "in_list" and self.task.arity > 1
        self.layers = 1
        if self.learned:
            self.reading = embedder.read(self.texts).to(device)
        elif not self.in_list:
            self.vectors = torch.from_numpy(self._table()).to(device)
            self.layers = len(self.vectors)

    def _table(self) -> np.ndarray:
        """(layers, numbers, dimension)"""
        name = self.cell.embedder
        if getattr(self.embedder, "layer", "") == "all":
            return vectors_of(self.embedder, name, self.texts, lambda: encode_layers(self.embedder, self.texts, name))
        return vectors_of(self.embedder, name, self.texts, lambda: encode(self.embedder, self.texts, name))[None]

    def prepare(self, learn: str, answer: str, datasets: Sequence[Dataset]) -> Prepared:
        """The data of two parts of each dataset's split, standardised by what is learnt from."""
        splits = [self.selection.split(dataset.seed) for dataset in datasets]
        items = {
            part: [self._draw(split, part, d.seed) for split, d in zip(splits, datasets, strict=True)]
            for part in (learn, answer)
        }
        targets = {part: torch.from_numpy(np.stack([i.targets for i in items[part]])) for part in items}
        shift, scale = torch.zeros(len(datasets), 1), torch.ones(len(datasets), 1)
        if self.task.metric == "rmse":
            shift, scale = targets[learn].mean(1, keepdim=True), targets[learn].std(1, keepdim=True)
            targets = {part: ((values - shift) / scale).float() for part, values in targets.items()}
        rows = {part: [getattr(split, part) for split in splits] for part in items}
        numbers = {part: self._tensor(np.stack([i.numbers for i in items[part]])) for part in items}
        inputs: Sequence[Inputs]
        if self.in_list:
            inputs = scaled([self._in_lists(rows[part], items[part]) for part in items], self.length)
            numbers = {part: in_order(given) for part, given in numbers.items()}
        else:
            inputs = self._inputs([self._tensor(np.stack(rows[part])) for part in items], datasets)
        data = [
            Data(given, numbers[part], targets[part].to(self.device)) for given, part in zip(inputs, items, strict=True)
        ]
        return Prepared(data[0], data[1], shift=shift.double(), scale=scale.double())

    def _draw(self, split: Split, part: str, seed: int) -> Items:
        kind: Part = "train" if part in ("train", "fit") else "test"
        return self.task.draw(self.selection.pool(split, part), kind, generator(seed, self.task.name, part))

    def _tensor(self, array: np.ndarray) -> torch.Tensor:
        return torch.from_numpy(array).to(self.device)

    def _inputs(self, parts: Sequence[torch.Tensor], datasets: Sequence[Dataset]) -> Sequence[Inputs]:
        if self.learned:
            return [LearnedInputs(self.embedder, self.reading, rows, self.length) for rows in parts]
        layers = torch.tensor([dataset.layer for dataset in datasets], device=self.device)[:, None]
        return scaled([self.vectors[layers, rows] for rows in parts], self.length)

    def _in_lists(self, rows: Sequence[np.ndarray], items: Sequence[Items]) -> torch.Tensor:
        """(datasets, items × arity, dimension): the numbers of each item, encoded together."""
        texts = np.array(self.texts, dtype=object)
        made = []
        for own, asked in zip(rows, items, strict=True):
            vectors = self.embedder.encode_in_list(texts[own][asked.numbers].tolist())
            made.append(self._tensor(np.asarray(vectors, dtype=np.float32)).flatten(0, 1))
        return torch.stack(made)


def _select(cell: Cell, task: Task, embedder: Any) -> Selection:
    """The numbers that the embedder has, or all of them where it does not say."""
    whole = Selection(cell)
    texts = write(whole.values, cell.form)
    has = coverage(embedder, texts, cell.embedder, cell.range)
    if has.all():
        return whole
    absent = [text for text, there in zip(texts, has.tolist(), strict=True) if not there]
    if cell.missing == "refuse":
        raise NumprobeError(
            f"{cell.embedder} has {has.sum()} of the {len(has)} numbers of {cell.range} and lacks "
            f"{', '.join(absent[:3])}{', …' if len(absent) > 3 else ''}; "
            "missing=restrict (--missing restrict) probes those it has"
        )
    missing = whole.values[~has]
    if cell.numbers.decimals:  # lists take all decimals of an integer
        missing = whole.values[np.isin(np.floor(whole.values), np.floor(missing))]
    selection = Selection(cell, tuple(missing.tolist()))
    selection.check(task)
    return selection
