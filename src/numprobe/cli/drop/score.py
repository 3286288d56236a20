"""Score predictions: exact match and F1, by answer type and question type.

examples:
  numprobe drop score predictions.json --data drop_dataset_dev.json
  numprobe drop score predictions.json --data drop_dataset_dev.json --answered
  numprobe drop score predictions.json --data drop_dataset_dev.json --common changed.json
"""

import sys
from dataclasses import asdict
from typing import Any

from numprobe.cli._options import JSON, Options, option
from numprobe.cli._results import print_json
from numprobe.cli.drop._shared import DATA, passages_of
from numprobe.drop.data import Passage, all_questions, count_questions, keep_questions
from numprobe.drop.floors import LABELS, floors_of
from numprobe.drop.formats import read_passages
from numprobe.drop.metric import check_answered, read_predictions, score_predictions
from numprobe.errors import NumprobeError

CHOSEN = [
    option("--answered", "score only the questions that have a prediction"),
    option("--common FILE", "score only the questions that this data has too, such as changed questions"),
]
ARGUMENTS = [option("PREDICTIONS", 'JSON file {"query_id": "answer" or ["answer", …], …}'), DATA, *CHOSEN, JSON]


def execute(options: Options) -> None:
    predictions, passages = read_predictions(options.predictions), passages_of(options)
    asked = count_questions(passages)
    check_answered(predictions, all_questions(passages))
    passages, predictions = _chosen(passages, predictions, options)
    scores, floors = score_predictions(predictions, passages), floors_of(passages)
    if options.json:
        print_json({name: asdict(part) | floors.get(name, {}) for name, part in scores.items()})
    else:
        shown = [name for name in LABELS if any(name in found for found in floors.values())]
        print(f"{'':24}{'count':>7}{'EM':>7}{'F1':>7}{''.join(f'{name:>8}' for name in shown)}")
        for name, part in scores.items():
            cells = [part.em, part.f1]
            own = "".join(f"{_percent(floors.get(name, {}).get(floor)):>8}" for floor in shown)
            print(f"{name:24}{part.count:7,}{''.join(f'{_percent(cell):>7}' for cell in cells)}{own}")
        for name in shown:
            print(f"{name}: EM of {LABELS[name]}")
    if scores["all"].count < asked:
        print(f"numprobe: {scores['all'].count:,} of {asked:,} questions are scored", file=sys.stderr)
    missing = [question.id for question in all_questions(passages) if question.id not in predictions]
    if missing:
        left = f"{len(missing):,} of {scores['all'].count:,} questions"
        print(f"numprobe: {left} have no prediction and score 0, such as {missing[0]!r}", file=sys.stderr)


def _chosen(
    passages: tuple[Passage, ...], predictions: dict[str, Any], options: Options
) -> tuple[tuple[Passage, ...], dict[str, Any]]:
    """The questions that --answered and --common leave, and their predictions."""
    wanted = {question.id for question in all_questions(passages)}
    if options.answered:
        wanted &= predictions.keys()
    if options.common:
        wanted &= {question.id for question in all_questions(read_passages(options.common))}
    if not wanted:
        raise NumprobeError("there is no question to score: no question of the data is answered and in both files")
    kept = keep_questions(passages, lambda question: question.id in wanted)
    return kept, {name: found for name, found in predictions.items() if name in wanted}


def _percent(score: float | None) -> str:
    return "–" if score is None else f"{score:.1f}"
