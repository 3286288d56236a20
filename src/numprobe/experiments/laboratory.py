"""Lays out the numbers of a cell for the engine: which the embedder has, their vectors, and the items about them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch

from numprobe.embedders import coverage, encode, encode_layers, is_learned, vectors_of
from numprobe.errors import NumprobeError
from numprobe.experiments.cell import Cell
from numprobe.experiments.selection import Selection
from numprobe.numbers import generator, write
from numprobe.probes.engine.bank import Data
from numprobe.probes.engine.fitting import Dataset, Prepared
from numprobe.probes.engine.inputs import Inputs, LearnedInputs, in_order, scaled
from numprobe.probes.models import MODELS
from numprobe.registry import Spec, build
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
        asked = _ask(self.task, self.selection, (learn, answer), tuple(dataset.seed for dataset in datasets))
        numbers = [given.to(self.device) for given in asked.numbers]
        rows = [given.to(self.device) for given in asked.rows]
        inputs: Sequence[Inputs]
        if self.in_list:
            inputs = scaled([self._in_lists(*part) for part in zip(rows, numbers, strict=True)], self.length)
            numbers = [in_order(given) for given in numbers]
        else:
            inputs = self._inputs(rows, datasets)
        data = [
            Data(given, own, targets.to(self.device))
            for given, own, targets in zip(inputs, numbers, asked.targets, strict=True)
        ]
        return Prepared(data[0], data[1], shift=asked.shift, scale=asked.scale)

    def _inputs(self, parts: Sequence[torch.Tensor], datasets: Sequence[Dataset]) -> Sequence[Inputs]:
        if self.learned:
            return [LearnedInputs(self.embedder, self.reading, rows, self.length) for rows in parts]
        layers = torch.tensor([dataset.layer for dataset in datasets], device=self.device)[:, None]
        return scaled([self.vectors[layers, rows] for rows in parts], self.length)

    def _in_lists(self, rows: torch.Tensor, numbers: torch.Tensor) -> torch.Tensor:
        """(datasets, items × arity, dimension): the numbers of each item, encoded together."""
        texts = np.array(self.texts, dtype=object)
        made = []
        for own, asked in zip(rows.cpu().numpy(), numbers.cpu().numpy(), strict=True):
            vectors = np.asarray(self.embedder.encode_in_list(texts[own][asked].tolist()), dtype=np.float32)
            made.append(torch.from_numpy(vectors).flatten(0, 1))
        return torch.stack(made).to(self.device)


class _Asked(NamedTuple):
    """What is asked of every embedder alike: for two parts of some shuffles' splits, what to learn from comes first."""

    rows: list[torch.Tensor]
    """(shuffles, numbers): which numbers of the selection are in the part."""
    numbers: list[torch.Tensor]
    """(shuffles, items, arity) positions in the rows."""
    targets: list[torch.Tensor]
    """(shuffles, items), standardised by what is learnt from."""
    shift: torch.Tensor
    scale: torch.Tensor


def _ask(task: Task, selection: Selection, parts: tuple[str, str], seeds: tuple[int, ...]) -> _Asked:
    splits = {seed: selection.split(seed) for seed in seeds}
    items: dict[str, list[Items]] = {}
    for part in parts:
        kind: Part = "train" if part in ("train", "fit") else "test"
        drawn = {
            seed: task.draw(selection.pool(split, part), kind, generator(seed, task.name, part))
            for seed, split in splits.items()
        }
        items[part] = [drawn[seed] for seed in seeds]
    targets = [torch.from_numpy(np.stack([own.targets for own in items[part]])) for part in parts]
    shift, scale = torch.zeros(len(seeds), 1), torch.ones(len(seeds), 1)
    if task.metric == "rmse":
        shift, scale = targets[0].mean(1, keepdim=True), targets[0].std(1, keepdim=True)
        targets = [values.sub_(shift).div_(scale).float() for values in targets]
    return _Asked(
        rows=[torch.from_numpy(np.stack([getattr(splits[seed], part) for seed in seeds])) for part in parts],
        numbers=[torch.from_numpy(np.stack([own.numbers for own in items[part]])) for part in parts],
        targets=targets,
        shift=shift.double(),
        scale=scale.double(),
    )


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
