"""How much faster than the released recipe, at its accuracy: one cell of each task, 300-d vectors, [0,999], 5 shuffles.

The reference takes minutes to hours, so it is run to its end once per task (`--reference TASK`, shuffle 0), and
`reference.json` keeps how many passes it took and what it reached. Otherwise a stretch of it is timed here, beside the
whole cell in numprobe, and its time is estimated: stretch per batch × batches per pass × passes × 5 shuffles.
"""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from measuring import matmul_rate, record
from reference import Reference

from numprobe.embedders import encode, load_embedder
from numprobe.experiments import Cell
from numprobe.experiments.execute import execute, one_thread
from numprobe.experiments.selection import Selection
from numprobe.numbers import generator, write
from numprobe.specs import Spec, build
from numprobe.tasks import TASKS, Items

KEPT = Path(__file__).with_name("reference.json")
COMPARED = ("list-maximum", "decoding", "addition")
STRETCH = 400
"""Batches of the reference that are timed."""


@dataclass(frozen=True)
class Vectors:
    """An untrained CNN's vectors in 300 dimensions, centred and about as long as GloVe's."""

    def encode(self, texts: list[str]) -> np.ndarray:
        vectors = encode(load_embedder("untrained-cnn:filters=75"), texts, "untrained-cnn")
        vectors = vectors - vectors.mean(axis=0)
        return vectors * (6 / np.linalg.norm(vectors, axis=1).mean())


def reference(cell: Cell, seed: int = 0) -> Reference:
    selection = Selection(cell)
    split, task = selection.split(seed), build("task", TASKS, Spec.parse(cell.task))

    def items(part: str) -> Items:
        drawn = task.draw(selection.pool(split, part), part, generator(seed, task.name, part))
        return Items(getattr(split, part)[drawn.numbers], drawn.targets)

    table = torch.from_numpy(Vectors().encode(write(selection.values, cell.form)))
    return Reference(table, items("train"), items("test"), task.metric == "accuracy", seed)


def run_to_the_end(cell: Cell) -> None:
    trainer = reference(cell)
    while not trainer.training.scores or not trainer.training.finished:
        trainer.run()
        trainer.test()
        training = trainer.training
        print(f"pass {len(training.scores)}: {training.scores[-1]:.4f}, {training.seconds:.0f} s", flush=True)
        kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
        kept[cell.task] = {"passes": len(training.scores), "best": training.best, "finished": training.finished}
        KEPT.write_text(json.dumps(kept, indent=1) + "\n")


def compare(cell: Cell) -> None:
    known = json.loads(KEPT.read_text()).get(cell.task)
    if known is None:
        print(f"{cell.task}: the reference was not run yet (--reference {cell.task})")
        return
    trainer = reference(cell)
    trainer.run(most_batches=20)
    trainer.training.seconds, timed = 0.0, 0
    while timed < STRETCH:
        timed += trainer.run(most_batches=STRETCH)
    per_batch = trainer.training.seconds / timed
    theirs = per_batch * trainer.batches_per_pass * known["passes"] * cell.seeds
    result = execute(cell, embedder=Vectors(), device="cpu")
    ours = result.made["seconds"]
    reached = result.mean >= known["best"] if result.metric == "accuracy" else result.mean <= known["best"]
    record(
        f"{cell.task}, reference ÷ numprobe" + ("" if reached else " (NOT AT THE REFERENCE'S ACCURACY)"),
        ratio=theirs / ours,
        reference_seconds=theirs,
        reference_milliseconds_per_batch=1e3 * per_batch,
        reference_passes=known["passes"],
        reference_score=known["best"],
        seconds=ours,
        score=result.mean,
        matmul_rate_in_GFLOP_per_second=matmul_rate() / 1e9,
    )


def main(arguments: list[str]) -> None:
    cells = {task: Cell.make("vectors", task, "0:999", protocol="paper", registered=False) for task in COMPARED}
    with one_thread():
        if arguments[:1] == ["--reference"]:
            run_to_the_end(cells[arguments[1]])
        else:
            for cell in cells.values():
                compare(cell)


if __name__ == "__main__":
    main(sys.argv[1:])
