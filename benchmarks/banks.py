"""Train 155 MLP probes (31 layers × 5 shuffles, 576-d, decoding [0,999]) in banks, then one by one in the same engine.

One by one, only every tenth probe is trained and the time is scaled up; `--all` trains them all.
"""

import sys
from dataclasses import dataclass

import numpy as np
import torch
from measuring import record, seconds

from numprobe.experiments.cell import Cell
from numprobe.experiments.laboratory import Laboratory
from numprobe.kernels.device import one_thread
from numprobe.numbers import generator
from numprobe.probes import Dataset

LAYERS, SHUFFLES, DIMENSION, RANGE = 31, 5, 576, "0:999"


@dataclass(frozen=True)
class Layered:
    """Vectors in which each layer encodes the value a little better than the one before."""

    layer: str = "all"

    def encode_layers(self, texts: list[str]) -> np.ndarray:
        noise = generator(0, "layers").normal(size=(LAYERS, len(texts), DIMENSION)).astype(np.float32)
        values = np.array([float(text) for text in texts], dtype=np.float32)
        noise[:, :, :8] += np.arange(LAYERS)[:, None, None] * (values / values.max())[:, None]
        return noise


def main(whole: bool) -> None:
    cell = Cell.make(Layered(), "decoding", RANGE, seeds=SHUFFLES, name="layered")
    parts, laboratory = cell.parts, Laboratory(cell, torch.device("cpu"))
    scores: dict[Dataset, float] = {}

    def train(datasets: list[Dataset]) -> None:
        answers = parts.probe.fit(parts.task.answer, laboratory.prepare, datasets)
        for dataset, given, truths in zip(datasets, answers.given, answers.truths, strict=True):
            scores[dataset] = parts.metric.score(given, truths)

    with one_thread():
        together = seconds(lambda: [train(datasets) for datasets in laboratory.banks()])
        in_banks = dict(scores)
        single = list(scores)[:: 1 if whole else 10]
        alone = seconds(lambda: [train([dataset]) for dataset in single]) * len(in_banks) / len(single)
    record(
        f"{len(in_banks)} MLP probes one by one ÷ in banks" + ("" if whole else f" (from {len(single)} one by one)"),
        ratio=alone / together,
        milliseconds_per_probe_in_banks=1e3 * together / len(in_banks),
        largest_relative_difference_of_scores=max(abs(scores[d] / in_banks[d] - 1) for d in single),
    )


if __name__ == "__main__":
    main("--all" in sys.argv[1:])
