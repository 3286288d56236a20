"""Ask a trained NAQANet questions about a passage.

examples:
  numprobe drop ask --passage game.txt "Who kicked the longest field goal?"
  numprobe drop ask --model naqanet
"""

import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from numprobe.cli._options import JSON, LOADING, Options, option
from numprobe.cli._results import print_json
from numprobe.cli.drop._shared import MODEL
from numprobe.drop.naqanet.answering import ExplainedAnswer
from numprobe.drop.naqanet.files import load_reader
from numprobe.errors import NumprobeError
from numprobe.kernels.device import pick_device

ARGUMENTS = [
    option("QUESTION", "a question (default: read questions from standard input)", nargs="?"),
    MODEL,
    option("--passage FILE", "text file, or - for standard input (default: ask for the passage)"),
    *LOADING,
    JSON,
]


def execute(options: Options) -> None:
    reader = load_reader(options.model, pick_device(options.device))
    passage = _passage(options.passage)
    for question in [options.question] if options.question else _typed("question: "):
        found = reader.answer_question(passage, question)
        print_json(asdict(found)) if options.json else print(_explained(found))


def _passage(file: str) -> str:
    if not file:
        return next(_typed("passage: "), "")
    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise NumprobeError(f"can't read the passage from {file}: {error}") from None


def _typed(prompt: str) -> Iterator[str]:
    """Lines that the user types, up to an empty one."""
    try:
        while line := input(prompt).strip():
            yield line
    except EOFError:
        return


def _explained(found: ExplainedAnswer) -> str:
    def most(words: tuple[tuple[str, float], ...]) -> str:
        """The five words that the model attended to most."""
        best = sorted(words, key=lambda word: -word[1])[:5]
        return ", ".join(f"{word} {100 * weight:.0f} %" for word, weight in best)

    prediction = found.prediction
    terms = f" = {' '.join(f'{term:+}' for term in prediction.terms)}" if prediction.terms else ""
    return (
        f"{prediction.text}{terms}\n"
        f"  a {prediction.type} ({100 * prediction.probability:.0f} %)\n"
        f"  in the passage:  {most(found.passage)}\n"
        f"  in the question: {most(found.question)}"
    )
