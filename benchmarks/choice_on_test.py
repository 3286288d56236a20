"""Measure what the released code gains by stopping where the *test* score is best.

The released recipe trains on the training numbers of each shuffle and looks at the test numbers after every pass. Its
best pass is what the paper's code reports; the last pass is what it would report without looking. Beside both stands
what numprobe reports, which never chooses on test numbers. Passes and lists are fewer than in the paper, so that
this takes an hour and not a day.
"""

import argparse

import numpy as np
import torch
from measuring import record
from reference import Reference

from numprobe.embedders import vectors_of
from numprobe.experiments import Cell
from numprobe.experiments.laboratory import run_cell
from numprobe.experiments.selection import Selection
from numprobe.kernels.device import one_thread
from numprobe.numbers import write
from numprobe.tasks import Answer, Items

EMBEDDERS = ("untrained-cnn", "untrained-lstm")
TASKS = ("list-maximum:train_lists=20000", "decoding", "addition")


def passes(cell: Cell, seed: int, most: int) -> list[float]:
    """The released recipe's test scores after each pass over one shuffle."""
    selection = Selection(cell)
    split = selection.split(seed)

    def items(part: str) -> Items:
        drawn = selection.items(seed, part, split)
        return Items(getattr(split, part)[drawn.numbers], drawn.targets)

    texts = write(selection.values, cell.parts.form)
    table = vectors_of(cell.parts.embedder.of_shuffle(seed), cell.embedder, texts)[0]
    table = table - table.mean(axis=0)
    table *= 6 / np.linalg.norm(table, axis=1).mean()  # about as long as GloVe's
    is_choice = cell.parts.task.answer is Answer.CHOICE
    trainer = Reference(torch.from_numpy(table).float(), items("train"), items("test"), is_choice, seed)
    while len(trainer.training.scores) < most and not (trainer.training.scores and trainer.training.finished):
        trainer.run()
        trainer.test()
    return trainer.training.scores


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--passes", type=int, default=100)
    options = parser.parse_args()
    with one_thread():
        for task in TASKS:
            for embedder in EMBEDDERS:
                cell = Cell.make(embedder, task, "0:99")
                found = [passes(cell, seed, options.passes) for seed in range(cell.seeds)]
                choose = max if cell.parts.metric.higher_is_better else min
                record(
                    f"{cell}: the released recipe, chosen on test numbers",
                    best_on_test=float(np.mean([choose(scores) for scores in found])),
                    last_pass=float(np.mean([scores[-1] for scores in found])),
                    numprobe=run_cell(cell, "cpu").mean,
                )


if __name__ == "__main__":
    main()
