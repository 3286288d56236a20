"""Change the numbers in passages and questions, and the answers with them.

examples:
  numprobe drop change multiply:low=11,high=100 --data drop_dataset_dev.json --out changed.json
  numprobe drop change digits-to-words --out changed.json

The changes are add, multiply, digits-to-words (each with :low=…,high=…), bigger and augmentation.
Questions whose new answer is unknown are left out.
"""

from numprobe.cli._options import SEED, Options, option, out
from numprobe.cli.drop._shared import DATA, keep_input, passages_of
from numprobe.drop.carrying import change_text
from numprobe.drop.changes import load_change
from numprobe.drop.data import count_questions
from numprobe.drop.formats import write_passages
from numprobe.errors import NumprobeError

ARGUMENTS = [option("CHANGE", "what to do with the numbers"), DATA, SEED, out("FILE", "file to write")]


def execute(options: Options) -> None:
    keep_input(options.out, options.data)
    passages, left_out = change_text(load_change(options.change), passages_of(options), options.seed)
    if passages:
        write_passages(passages, options.out)
        print(f"{options.out}: {len(passages):,} passages, {count_questions(passages):,} questions kept")
    print(f"{left_out.total():,} questions left out{':' if left_out else ''}")
    for reason, questions in left_out.most_common():
        print(f"{questions:7,}  {reason}")
    if not passages:
        raise NumprobeError(f"no answer is known after {options.change!r}, so {options.out} was not written")
