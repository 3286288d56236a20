"""Running one cell: numbers to vectors, vectors to items, items to trained probes, probes to scores."""

import platform
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from importlib.metadata import version
from typing import Any

import numpy as np
import torch

from numprobe.embedders import encode, is_learned, load_embedder
from numprobe.errors import NumprobeError
from numprobe.experiments.cell import Cell
from numprobe.experiments.result import Result
from numprobe.numbers import Split, generator, write
from numprobe.probes import Data, Inputs, LearnedInputs, Prepared, fit, scaled
from numprobe.specs import Spec, build
from numprobe.tasks import TASKS, Items, Part

PACKAGES = ("numprobe", "torch", "numpy", "scipy", "num2words")


def pick_device(name: str = "auto") -> torch.device:
    """A device by name; `auto` is the fastest there is."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
    try:
        return torch.empty(0, device=name).device
    except (RuntimeError, AssertionError) as error:
        raise NumprobeError(f"device {name!r} can't be used: {str(error).splitlines()[0]}") from None


@contextmanager
def one_thread() -> Iterator[None]:
    """One torch thread: sums are added up in one order, whatever the machine and its load."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def execute(cell: Cell, embedder: Any = None, device: str = "auto") -> Result:
    """Run a cell; `embedder` is the object to probe where it is not one that has a name."""
    start = time.perf_counter()
    with one_thread():
        given = load_embedder(cell.embedder) if embedder is None else embedder
        place = pick_device(device)
        if cell.probe == "linear":  # solved in double precision, which not every accelerator has
            place = torch.device("cpu")
        laboratory = _Laboratory(cell, given, place)
        answers = fit(cell.probe, laboratory.task.metric, cell.protocol, laboratory.prepare, range(cell.seeds))
    predictions = None
    if laboratory.task.name == "decoding":
        predictions = [[float(f"{value:.6g}") for value in row] for row in answers.predictions.tolist()]
    return Result(
        cell,
        metric=laboratory.task.metric,
        scores=answers.scores(laboratory.task.metric),
        coverage={"covered": len(cell.values), "asked": len(cell.values)},
        choices=[asdict(choice) for choice in answers.choices],
        made={
            "seconds": round(time.perf_counter() - start, 2),
            "device": str(laboratory.device),
            "python": platform.python_version(),
            **{package: version(package) for package in PACKAGES},
        },
        predictions=predictions,
    )


class _Laboratory:
    """Lays out the numbers of a cell for the engine."""

    def __init__(self, cell: Cell, embedder: Any, device: torch.device) -> None:
        self.cell, self.device = cell, device
        self.task = build("task", TASKS, Spec.parse(cell.task))
        self.embedder = embedder
        texts = write(cell.values, cell.form)
        self.learned = is_learned(embedder)
        if self.learned:
            self.reading = embedder.read(texts).to(device)
        else:
            self.vectors = torch.from_numpy(encode(embedder, texts, cell.embedder)).to(device)

    def prepare(self, learn: str, answer: str, seeds: Sequence[int]) -> Prepared:
        """The data of two parts of each seed's split, standardised by what is learnt from."""
        splits = [self.cell.split(seed) for seed in seeds]
        rows = {part: self._tensor(np.stack([getattr(s, part) for s in splits])) for part in (learn, answer)}
        items = {
            part: [self._draw(split, part, seed) for split, seed in zip(splits, seeds, strict=True)]
            for part in (learn, answer)
        }
        targets = {part: torch.from_numpy(np.stack([i.targets for i in items[part]])) for part in items}
        shift, scale = torch.zeros(len(seeds), 1), torch.ones(len(seeds), 1)
        if self.task.metric == "rmse":
            shift, scale = targets[learn].mean(1, keepdim=True), targets[learn].std(1, keepdim=True)
            targets = {part: ((values - shift) / scale).float() for part, values in targets.items()}
        inputs = self._inputs(rows[learn], rows[answer])
        data = [
            Data(given, self._tensor(np.stack([i.numbers for i in items[part]])), targets[part].to(self.device))
            for given, part in zip(inputs, (learn, answer), strict=True)
        ]
        return Prepared(data[0], data[1], shift=shift.double(), scale=scale.double())

    def _draw(self, split: Split, part: str, seed: int) -> Items:
        kind: Part = "train" if part in ("train", "fit") else "test"
        items: Items = self.task.draw(self.cell.pool(split, part), kind, generator(seed, self.task.name, part))
        return items

    def _tensor(self, array: np.ndarray) -> torch.Tensor:
        return torch.from_numpy(array).to(self.device)

    def _inputs(self, learn: torch.Tensor, answer: torch.Tensor) -> Sequence[Inputs]:
        if self.learned:
            return [LearnedInputs(self.embedder, self.reading, rows) for rows in (learn, answer)]
        return scaled([self.vectors[rows] for rows in (learn, answer)])
