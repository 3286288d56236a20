"""The options of `numprobe drop`."""

from __future__ import annotations

from numprobe.arguments import shared

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

DROP_EXAMPLES = """examples:
  numprobe drop generate --passages 200 --seed 1 --range 1:999 --out questions.json
  numprobe drop score predictions.json --data drop_dataset_dev.json
  numprobe drop types --data drop_dataset_dev.json --examples 10
  numprobe drop split --data drop_dataset_dev.json --share 0.8 --seed 0 --out parts
  numprobe drop change multiply:low=11,high=100 --data drop_dataset_dev.json --seed 0 --out changed.json
  numprobe drop predict --model smollm2-135m --types superlative --most 100 --out predictions.json
  numprobe drop stress --model smollm2-135m --change add:low=1,high=20 --change multiply:low=11,high=100
  numprobe drop train --passages 5000 --range 1:99 --words glove-6b-50d --minutes 60 --out naqanet
  numprobe drop ask --passage game.txt "Who kicked the longest field goal?"
  numprobe drop study stress --model naqanet --data drop_dataset_dev.json
  numprobe drop study augmentation --model naqanet --augmented naqanet-augmented --data drop_dataset_dev.json

Data is DROP's official JSON, or the hub's parquet form (EleutherAI/drop): a file, or a folder of such files.
Without --data it is generated: 100 passages that are the same each time."""


def add_actions(drop: argparse.ArgumentParser) -> None:
    """Everything that follows `numprobe drop`."""
    actions = drop.add_subparsers(dest="action", metavar="ACTION", title="actions", required=True)

    def action(name: str, help: str) -> argparse.ArgumentParser:
        return actions.add_parser(name, help=help, description=f"{help[0].upper()}{help[1:]}.", allow_abbrev=False)

    def data(made: argparse.ArgumentParser) -> None:
        made.add_argument("--data", default="", metavar="FILE", help="the questions: .json or .parquet, or a folder")

    def asked(made: argparse.ArgumentParser) -> None:
        data(made)
        made.add_argument(
            "--model", required=True, metavar="NAME", help="smollm2-135m, naqanet[:folder=DIR], a folder, or a hub id"
        )
        made.add_argument("--types", default="", metavar="TYPE,…", help="only these, such as superlative,comparative")
        made.add_argument("--most", type=int, metavar="N", help="a random choice of N questions (default: all)")
        shared.offline(made)

    generate = action("generate", "write passages and questions in the manner of DROP, with exact answers")
    generate.add_argument("--passages", type=int, default=100, metavar="N", help="how many (default: 100)")
    generate.add_argument("--questions", type=int, default=16, metavar="N", help="at most so many each (default: 16)")
    generate.add_argument("--domain", action="append", metavar="NAME", help="game, census, history or economy")
    generate.add_argument("--kind", action="append", metavar="NAME", help="only this type of question, such as count")
    generate.add_argument("--range", default="", metavar="LOW:HIGH", help="of the quantities (default: the usual ones)")
    generate.add_argument("--words", type=float, default=0.2, metavar="SHARE", help="of small numbers (default: 0.2)")
    generate.add_argument("--facts", type=int, default=11, metavar="N", help="about so many a passage (default: 11)")
    generate.add_argument("--distractors", type=int, default=4, metavar="N", help="other sentences (default: 4)")
    shared.seed_and_out(generate, "FILE", "the file to write")

    score = action("score", "score predictions: exact match and F1 by answer type and question type")
    data(score)
    score.add_argument("predictions", metavar="PREDICTIONS", help='a JSON file {"query_id": "answer" or ["answer", …]}')
    shared.json(score)

    types = action("types", "count comparative and superlative questions")
    data(types)
    types.add_argument("--examples", type=int, default=0, metavar="N", help="also show N random ones of each type")
    shared.json(types)

    split = action("split", "split passages with their questions into two files, train.json and dev.json")
    data(split)
    split.add_argument("--share", type=float, default=0.8, metavar="SHARE", help="share that trains (default: 0.8)")
    shared.seed_and_out(split, "DIR", "the folder for both files")

    change = action("change", "change every number of passages and questions, and answers with them")
    data(change)
    change.add_argument(
        "change", metavar="CHANGE", help="add, multiply or digits-to-words (:low=…,high=…), bigger or augmentation"
    )
    shared.seed_and_out(change, "FILE", "the file to write")

    predict = action("predict", "answer questions with a model")
    asked(predict)
    shared.seed_and_out(predict, "FILE", "the predictions, as drop score takes them")

    stress = action("stress", "answer the same questions in the original text and with changed numbers")
    asked(stress)
    stress.add_argument("--change", action="append", metavar="CHANGE", help="one or more (default: the paper's six)")
    shared.seed(stress)
    shared.json(stress)

    train = action("train", "train NAQANet, or go on with a training")
    data(train)
    train.add_argument("--dev", default="", metavar="FILE", help="to evaluate (default: held out, or generated)")
    train.add_argument("--passages", type=int, default=1000, metavar="N", help="generated if no data is given (1000)")
    train.add_argument("--range", default="", metavar="LOW:HIGH", help="of generated quantities")
    train.add_argument("--size", default="small", metavar="NAME", help="small (default), or full: the paper's")
    train.add_argument("--words", default="", metavar="EMBEDDER", help="fixed word vectors, such as glove-6b-50d")
    train.add_argument(
        "--from", default="", dest="start", metavar="DIR", help="start with the weights, size and words of this model"
    )
    train.add_argument("--augment", action="store_true", help="also show questions with other numbers in the passage")
    train.add_argument(
        "--rate", type=float, default=5e-4, metavar="RATE", help="of learning (default: 5e-4, the paper's)"
    )
    train.add_argument("--dropout", type=float, metavar="RATE", help="(default: the size's)")
    train.add_argument(
        "--between", type=int, default=0, metavar="N", help="steps between evaluations (default: a pass)"
    )
    train.add_argument("--minutes", type=float, metavar="N", help="stop then")
    train.add_argument("--steps", type=int, metavar="N", help="stop then")
    shared.loading(train)
    shared.seed_and_out(train, "DIR", "the folder for the model and its checkpoint; if it has one, training goes on")

    ask = action("ask", "have a trained NAQANet answer questions about a passage")
    ask.add_argument("question", nargs="?", default="", metavar="QUESTION", help="(default: type one after the other)")
    ask.add_argument("--model", default="", metavar="DIR", help="the folder of a training (default: numprobe's own)")
    ask.add_argument("--passage", default="", metavar="FILE", help="a text file, or - (default: type it)")
    shared.loading(ask)
    shared.json(ask)

    study = action("study", "repeat a study of the paper with a trained NAQANet, and set the paper's scores beside it")
    study.add_argument("study", metavar="STUDY", help="breakdown, stress (inside the model) or augmentation")
    data(study)
    study.add_argument("--model", default="", metavar="DIR", help="the folder of a training (default: numprobe's own)")
    study.add_argument("--augmented", default="", metavar="DIR", help="the folder of one with --augment")
    study.add_argument("--named", default="", metavar="TEXT", help="what to call the model (default: its folder)")
    study.add_argument("--published", action="store_true", help="show the scores that come with numprobe instead")
    study.add_argument("--format", default="terminal", metavar="NAME", help="terminal, markdown, csv, json or latex")
    study.add_argument("--out", default="", metavar="FILE", help="write to a file")
    shared.seed(study)
    shared.loading(study)
