"""Score predictions: exact match and F1, by answer type and question type.

examples:
  numprobe drop score predictions.json --data drop_dataset_dev.json
"""

import sys
from dataclasses import asdict

from numprobe.cli._options import JSON, Options, option
from numprobe.cli._results import print_json
from numprobe.cli.drop._shared import DATA, passages_of
from numprobe.drop.data import all_questions
from numprobe.drop.metric import read_predictions, score_predictions

ARGUMENTS = [option("PREDICTIONS", 'JSON file {"query_id": "answer" or ["answer", …], …}'), DATA, JSON]


def execute(options: Options) -> None:
    predictions, passages = read_predictions(options.predictions), passages_of(options)
    scores = score_predictions(predictions, passages)
    if options.json:
        print_json({name: asdict(part) for name, part in scores.items()})
    else:
        print(f"{'':24}{'count':>7}{'EM':>7}{'F1':>7}")
        for name, part in scores.items():
            em, f1 = ("–" if percent is None else f"{percent:.1f}" for percent in (part.em, part.f1))
            print(f"{name:24}{part.count:7,}{em:>7}{f1:>7}")
    missing = [question.id for question in all_questions(passages) if question.id not in predictions]
    if missing:
        asked = f"{len(missing):,} of {scores['all'].count:,} questions"
        print(f"numprobe: {asked} have no prediction and score 0, such as {missing[0]!r}", file=sys.stderr)
