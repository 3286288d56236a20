"""F1 on DROP's development questions by the number of real training questions, extrapolated to the whole set.

python benchmarks/learning_curve.py --data drop_dataset_dev.json MODEL MODEL …

The models differ in their training questions alone. The line is F1 = a + b · log2(questions), by least squares; its
error at the end is that of the questions, drawn anew by passage, and knows nothing of other shapes of the curve.
"""

import argparse

import numpy as np
import torch

from numprobe.drop.data import Passage, all_questions
from numprobe.drop.formats import read_passages
from numprobe.drop.metric import parts_of, score_prediction
from numprobe.drop.naqanet.files import load_reader

WHOLE = 77_409
PARTS = ("all", "number", "superlative", "comparative_binary")
DRAWS = 1000


def scores_of(model: str, passages: tuple[Passage, ...]) -> tuple[int, np.ndarray]:
    """The number of real questions that a model has seen, and its F1 on each question, in percent."""
    reader = load_reader(model)
    found = reader.answer_passages(passages)
    return reader.about["seen"]["real"], np.array(
        [100 * score_prediction(found[question.id], question)[1] for question in all_questions(passages)]
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", required=True)
    options.add_argument("models", nargs="+", metavar="MODEL")
    given = options.parse_args()
    if len(given.models) < 2:
        options.error("a curve needs two models or more")
    torch.set_num_threads(1)
    passages = read_passages(given.data)
    scored = sorted((scores_of(model, passages) for model in given.models), key=lambda pair: pair[0])
    sizes = np.log2([size for size, _ in scored])
    scores = np.stack([f1 for _, f1 in scored])
    passage = np.repeat(np.arange(len(passages)), [len(each.questions) for each in passages])
    rng = np.random.default_rng(0)
    print(f"{'':24}" + "".join(f"{size:>10,}" for size, _ in scored) + f"{WHOLE:>16,}")
    for part in PARTS:
        is_in = np.array([part in parts_of(question) for question in all_questions(passages)])
        ends = []
        for _ in range(DRAWS):
            weight = np.bincount(rng.integers(len(passages), size=len(passages)), minlength=len(passages))[passage]
            means = (scores * (weight * is_in)).sum(1) / (weight * is_in).sum()
            ends.append(np.polyval(np.polyfit(sizes, means, 1), np.log2(WHOLE)))
        means = scores[:, is_in].mean(1)
        end = np.polyval(np.polyfit(sizes, means, 1), np.log2(WHOLE))
        print(f"{part:24}" + "".join(f"{mean:10.1f}" for mean in means) + f"{end:10.1f} ± {np.std(ends):.1f}")


if __name__ == "__main__":
    main()
