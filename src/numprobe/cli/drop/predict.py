"""Answer questions with a model, for drop score.

examples:
  numprobe drop predict --model smollm2-135m --types superlative --most 100 --out predictions.json
"""

import json
from pathlib import Path

from numprobe.cli._options import OFFLINE, SEED, Options, out
from numprobe.cli.drop._shared import ASKED, answers, keep_input, passages_of
from numprobe.drop.data import sample_questions
from numprobe.drop.models import load_model
from numprobe.files.writing import write_whole

ARGUMENTS = [*ASKED, OFFLINE, SEED, out("FILE", "file for the predictions")]


def execute(options: Options) -> None:
    keep_input(options.out, options.data)
    passages = passages_of(options)
    if options.most is not None:
        passages = sample_questions(passages, options.most, options.seed)
    predictions = answers(load_model(options.model), passages, "questions")
    write_whole(Path(options.out), json.dumps(predictions, indent=1, ensure_ascii=False) + "\n")
    print(f"{options.out}: {len(predictions):,} answers")
