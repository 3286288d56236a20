"""Count comparative and superlative questions.

examples:
  numprobe drop types --data drop_dataset_dev.json --examples 10
"""

from numprobe.cli._options import JSON, Options, option
from numprobe.cli._results import print_json
from numprobe.cli.drop._shared import DATA, passages_of
from numprobe.drop.data import Question, all_questions
from numprobe.drop.metric import gold_texts
from numprobe.drop.question_types import QUESTION_TYPES, question_types
from numprobe.errors import at_least, one_line
from numprobe.numbers import generator

ARGUMENTS = [DATA, option("--examples N", "also print N random questions per type", 0), JSON]


def execute(options: Options) -> None:
    at_least(0, examples=options.examples)
    found: dict[str, list[Question]] = {name: [] for name in QUESTION_TYPES}
    for question in all_questions(passages_of(options)):
        for name in question_types(question):
            found[name].append(question)
    if options.json:
        print_json({name: len(questions) for name, questions in found.items()})
        return
    for name, questions in found.items():
        print(f"{name:24}{len(questions):7,}")
        for place in generator(0, "examples", name).permutation(len(questions))[: options.examples].tolist():
            question = questions[place]
            print(one_line(f"    {question.text} → {', '.join(gold_texts(question.answer))}"))
