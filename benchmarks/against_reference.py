"""Compare numprobe's speed with the released recipe's at equal accuracy, per task (300-d, [0,999], 5 shuffles).

The reference takes minutes to hours, so it runs to its end only once per task (`--reference TASK`, shuffle 0);
`reference.json` keeps its best score and the number of passes it took. Other runs time a stretch of it and estimate the
whole: seconds per batch × batches per pass × passes × 5 shuffles. Against this they time a whole cell in numprobe,
choices included, with the smallest number of steps that reaches the same score. Lists are the appendix's.
"""

import json
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from measuring import matmul_rate, record
from reference import Reference

from numprobe.embedders import encode, load_embedder
from numprobe.experiments import Cell
from numprobe.experiments.laboratory import Laboratory
from numprobe.experiments.selection import Selection
from numprobe.kernels.device import one_thread
from numprobe.numbers import write
from numprobe.tasks import Answer, Items

KEPT = Path(__file__).with_name("reference.json")
COMPARED = ("list-maximum:sampler=appendix", "decoding", "addition")
STRETCH = 400
"""Batches of the reference to time."""
MULTIPLES = (1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16)
"""Multiples of the steps after which numprobe compares settings."""


@dataclass(frozen=True)
class Vectors:
    """An untrained CNN's vectors in 300 dimensions, centred and about as long as GloVe's."""

    def encode(self, texts: list[str]) -> np.ndarray:
        vectors = encode(load_embedder("untrained-cnn:filters=75,activation=none"), texts, "untrained-cnn")
        vectors = vectors - vectors.mean(axis=0)
        return vectors * (6 / np.linalg.norm(vectors, axis=1).mean())


def reference(cell: Cell, seed: int = 0) -> Reference:
    selection = Selection(cell)
    split = selection.split(seed)

    def items(part: str) -> Items:
        drawn = selection.items(seed, part, split)
        return Items(getattr(split, part)[drawn.numbers], drawn.targets)

    table = torch.from_numpy(Vectors().encode(write(selection.values, cell.parts.form)))
    return Reference(table, items("train"), items("test"), cell.parts.task.answer is Answer.CHOICE, seed)


def run_to_the_end(cell: Cell) -> None:
    trainer = reference(cell)
    while not trainer.training.scores or not trainer.training.finished:
        trainer.run()
        trainer.test()
        training = trainer.training
        print(f"pass {len(training.scores)}: {training.scores[-1]:.4f}, {training.seconds:.0f} s", flush=True)
        kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
        passes = 1 + training.scores.index(training.best)
        kept[cell.parts.task.name] = {"passes": passes, "best": training.best, "finished": training.finished}
        KEPT.write_text(json.dumps(kept, indent=1) + "\n")


def ours(cell: Cell, multiple: float) -> tuple[float, float]:
    """Run a cell with a fixed number of steps, a multiple of its own; return its seconds and mean score."""
    start = time.perf_counter()
    parts, own = cell.parts, cell.parts.probe.recipe
    steps = round(own.steps * multiple)
    probe = type("Timed", (type(parts.probe),), {"recipe": replace(own, steps=steps)})(most_steps=steps)
    laboratory = Laboratory(cell, torch.device("cpu"))
    scores = []
    for datasets in laboratory.banks():
        answers = probe.fit(parts.task.answer, laboratory.prepare, datasets)
        rows = zip(answers.given, answers.truths, answers.guesses, strict=True)
        scores += [parts.metric.score(*row) for row in rows]
    return time.perf_counter() - start, float(np.mean(scores))


def compare(cell: Cell) -> None:
    known = json.loads(KEPT.read_text()).get(cell.parts.task.name)
    if known is None:
        print(f"{cell.task}: run the reference first, with --reference {cell.parts.task.name}")
        return
    trainer = reference(cell)
    trainer.run(most_batches=20)
    trainer.training.seconds, timed = 0.0, 0
    while timed < STRETCH:
        timed += trainer.run(most_batches=STRETCH)
    per_batch = trainer.training.seconds / timed
    theirs = per_batch * trainer.batches_per_pass * known["passes"] * cell.seeds
    for multiple in MULTIPLES:
        seconds, score = ours(cell, multiple)
        reached = score >= known["best"] if trainer.accuracy else score <= known["best"]
        print(f"{cell.task}: {multiple} of the steps, {seconds:.1f} s, {score:.4f}", flush=True)
        if reached:
            break
    record(
        f"{cell.parts.task.name}, reference ÷ numprobe",
        reached=reached,
        ratio=theirs / seconds,
        reference_seconds=theirs,
        reference_milliseconds_per_batch=1e3 * per_batch,
        reference_passes=known["passes"],
        reference_score=known["best"],
        multiple_of_the_steps=multiple,
        seconds=seconds,
        score=score,
        matmul_rate_in_GFLOP_per_second=matmul_rate() / 1e9,
    )


def main(arguments: list[str]) -> None:
    made = [Cell.make(Vectors(), task, "0:999", name="vectors") for task in COMPARED]
    cells = {cell.parts.task.name: cell for cell in made}
    with one_thread():
        if arguments[:1] == ["--reference"]:
            run_to_the_end(cells[arguments[1]])
        else:
            for task in arguments or cells:
                compare(cells[task])


if __name__ == "__main__":
    main(sys.argv[1:])
