"""Compare numprobe's speed with the released recipe's at equal accuracy, per task (300-d, [0,999], 5 shuffles).

The reference takes minutes to hours, so it runs to its end only once per task (`--reference TASK`, shuffle 0);
`reference.json` keeps its best score and the number of passes it took. Other runs time a stretch of it and estimate the
whole: seconds per batch × batches per pass × passes × 5 shuffles. Against this they time a whole cell in numprobe, with
the shortest multiple of its schedule that reaches the same score. For addition, the vectors are shorter and the batches
larger than in numprobe's recipe, which is made for few steps. Both were chosen on
development numbers of other shuffles.
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
COMPARED = ("list-maximum", "decoding", "addition")
STRETCH = 400
"""Batches of the reference to time."""
SCHEDULES = (1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8)
"""Multiples of numprobe's own schedule to try."""
BATCH, LENGTH = {"addition": 256}, {"addition": 0.2}
"""Batch sizes and vector lengths that differ from numprobe's own."""


@dataclass(frozen=True)
class Vectors:
    """An untrained CNN's vectors in 300 dimensions, centred and about as long as GloVe's."""

    def encode(self, texts: list[str]) -> np.ndarray:
        vectors = encode(load_embedder("untrained-cnn:filters=75"), texts, "untrained-cnn")
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
        kept[cell.task] = {"passes": passes, "best": training.best, "finished": training.finished}
        KEPT.write_text(json.dumps(kept, indent=1) + "\n")


def ours(cell: Cell, schedule: float) -> tuple[float, float]:
    """Run a cell with a multiple of its schedule; return its seconds and mean score."""
    start = time.perf_counter()
    parts, own = cell.parts, cell.parts.probe.recipe
    other = replace(
        own,
        batch=BATCH.get(cell.task, own.batch),
        steps=round(own.steps * schedule),
        most_steps=round(own.most_steps * schedule),
    )
    probe = type("Timed", (type(parts.probe),), {"recipe": other})()
    laboratory = Laboratory(cell, torch.device("cpu"))
    laboratory.length = LENGTH.get(cell.task, laboratory.length)
    scores = []
    for datasets in laboratory.banks():
        answers = probe.fit(parts.task.answer, laboratory.prepare, datasets)
        scores += [parts.metric.score(*row) for row in zip(answers.given, answers.truths, strict=True)]
    return time.perf_counter() - start, float(np.mean(scores))


def compare(cell: Cell) -> None:
    known = json.loads(KEPT.read_text()).get(cell.task)
    if known is None:
        print(f"{cell.task}: run the reference first, with --reference {cell.task}")
        return
    trainer = reference(cell)
    trainer.run(most_batches=20)
    trainer.training.seconds, timed = 0.0, 0
    while timed < STRETCH:
        timed += trainer.run(most_batches=STRETCH)
    per_batch = trainer.training.seconds / timed
    theirs = per_batch * trainer.batches_per_pass * known["passes"] * cell.seeds
    for schedule in SCHEDULES:
        seconds, score = ours(cell, schedule)
        reached = score >= known["best"] if trainer.accuracy else score <= known["best"]
        print(f"{cell.task}: {schedule} of the schedule, {seconds:.1f} s, {score:.4f}", flush=True)
        if reached:
            break
    record(
        f"{cell.task}, reference ÷ numprobe",
        reached=reached,
        ratio=theirs / seconds,
        reference_seconds=theirs,
        reference_milliseconds_per_batch=1e3 * per_batch,
        reference_passes=known["passes"],
        reference_score=known["best"],
        schedule=schedule,
        seconds=seconds,
        score=score,
        matmul_rate_in_GFLOP_per_second=matmul_rate() / 1e9,
    )


def main(arguments: list[str]) -> None:
    cells = {task: Cell.make(Vectors(), task, "0:999", name="vectors") for task in COMPARED}
    with one_thread():
        if arguments[:1] == ["--reference"]:
            run_to_the_end(cells[arguments[1]])
        else:
            for task in arguments or COMPARED:
                compare(cells[task])


if __name__ == "__main__":
    main(sys.argv[1:])
