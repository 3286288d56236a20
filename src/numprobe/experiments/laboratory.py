"""Lays out the numbers of a cell for its probe: which the embedder has, their vectors, and the items about them."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from numprobe.embedders import coverage, encoder, is_learned, vectors_of
from numprobe.errors import NumprobeError
from numprobe.experiments.cell import Cell
from numprobe.experiments.selection import Selection
from numprobe.numbers import write
from numprobe.probes import Dataset, Prepared
from numprobe.probes.engine.bank import Data
from numprobe.probes.engine.inputs import FixedInputs, Inputs, LearnedInputs, in_order, scaled
from numprobe.tasks import Answer


class Laboratory:
    def __init__(self, cell: Cell, device: torch.device) -> None:
        self.cell, self.device = cell, device
        self.embedder = encoder(cell.parts.embedder)
        self.selection = _select(cell, self.embedder)
        self.texts = write(self.selection.values, cell.parts.form)
        self.learned = is_learned(self.embedder)
        self.probe = cell.parts.probe
        self.length = self.probe.length(len(self.selection.inside), self.learned, bool(cell.test_range))
        context = getattr(self.embedder, "context", "isolated")
        self.in_list = context == "in_list" and cell.parts.task.arity > 1
        self.layers = 1
        if self.learned:
            self.reading = self.embedder.read(self.texts).to(device)
        elif not self.in_list:
            self.vectors = torch.from_numpy(vectors_of(self.embedder, cell.embedder, self.texts)).to(device)
            self.layers = len(self.vectors)

    def prepare(self, learn: str, answer: str, datasets: Sequence[Dataset]) -> Prepared:
        """Lay out two parts of each dataset's split, standardised by the part to learn from."""
        seeds = tuple(dataset.seed for dataset in datasets)
        asked = _ask(self.selection, (learn, answer), seeds, self.probe.standardises)
        numbers = [given.to(self.device) for given in asked.numbers]
        rows = [given.to(self.device) for given in asked.rows]
        if self.in_list:
            inputs = self._fixed([self._in_lists(*part) for part in zip(rows, numbers, strict=True)])
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
        return self._fixed([self.vectors[layers, rows] for rows in parts])

    def _fixed(self, tables: Sequence[torch.Tensor]) -> Sequence[Inputs]:
        return scaled(tables, self.length) if self.probe.standardises else [FixedInputs(table) for table in tables]

    def _in_lists(self, rows: torch.Tensor, numbers: torch.Tensor) -> torch.Tensor:
        """(datasets, items × arity, dimension): the numbers of each item, encoded together."""
        texts = np.array(self.texts, dtype=object)
        made = []
        for own, asked in zip(rows.cpu().numpy(), numbers.cpu().numpy(), strict=True):
            vectors = np.asarray(self.embedder.encode_in_list(texts[own][asked].tolist()), dtype=np.float32)
            made.append(torch.from_numpy(vectors).flatten(0, 1))
        return torch.stack(made).to(self.device)


class _Asked(NamedTuple):
    """What every embedder is asked: two parts of some shuffles' splits, the part to learn from first."""

    rows: list[torch.Tensor]
    """(shuffles, numbers): which numbers of the selection are in the part."""
    numbers: list[torch.Tensor]
    """(shuffles, items, arity) positions in the rows."""
    targets: list[torch.Tensor]
    """(shuffles, items), standardised by the part to learn from."""
    shift: torch.Tensor
    scale: torch.Tensor


def _ask(selection: Selection, parts: tuple[str, str], seeds: tuple[int, ...], standardise: bool) -> _Asked:
    splits = {seed: selection.split(seed) for seed in seeds}
    items = {}
    for part in parts:
        drawn = {seed: selection.items(seed, part, split) for seed, split in splits.items()}
        items[part] = [drawn[seed] for seed in seeds]
    targets = [torch.from_numpy(np.stack([own.targets for own in items[part]])) for part in parts]
    shift, scale = torch.zeros(len(seeds), 1), torch.ones(len(seeds), 1)
    if standardise and selection.cell.parts.task.answer is Answer.VALUE:
        shift, scale = targets[0].mean(1, keepdim=True), targets[0].std(1, keepdim=True)
        targets = [values.sub_(shift).div_(scale).float() for values in targets]
    return _Asked(
        rows=[torch.from_numpy(np.stack([getattr(splits[seed], part) for seed in seeds])) for part in parts],
        numbers=[torch.from_numpy(np.stack([own.numbers for own in items[part]])) for part in parts],
        targets=targets,
        shift=shift.double(),
        scale=scale.double(),
    )


def _select(cell: Cell, embedder: object) -> Selection:
    """The numbers that the embedder has, or all of them if it does not say."""
    whole = Selection(cell)
    texts = write(whole.values, cell.parts.form)
    has = coverage(embedder, texts, cell.embedder, cell.range)
    if has.all():
        return whole
    absent = [text for text, there in zip(texts, has.tolist(), strict=True) if not there]
    if cell.missing == "refuse":
        raise NumprobeError(
            f"{cell.embedder} has {has.sum()} of the {len(has)} numbers of {cell.range} and lacks "
            f"{', '.join(absent[:3])}{', …' if len(absent) > 3 else ''}; "
            "probe those it has with --missing restrict (missing='restrict')"
        )
    missing = whole.values[~has]
    if cell.parts.numbers.decimals:  # a list may need all decimals of an integer
        missing = whole.values[np.isin(np.floor(whole.values), np.floor(missing))]
    selection = Selection(cell, tuple(missing.tolist()))
    selection.check()
    return selection
