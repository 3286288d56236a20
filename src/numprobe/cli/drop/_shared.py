"""What the DROP commands share: their data, their models, and how they count answers."""

from collections.abc import Sequence
from pathlib import Path

from numprobe.cli._options import Options, option
from numprobe.drop.data import Passage, count_questions
from numprobe.drop.formats import read_passages, write_passages
from numprobe.drop.generator import GeneratorSettings, generate
from numprobe.drop.metric import Prediction
from numprobe.drop.models import ReadingModel
from numprobe.drop.question_types import of_types
from numprobe.errors import NumprobeError
from numprobe.progress import counted

DATA = option("--data FILE", "DROP's JSON, its Parquet form, or a folder of such files (default: generated passages)")
MODEL = option("--model DIR", "folder of a trained NAQANet, or naqanet-contextual (default: naqanet, which is bundled)")
ASKED = [
    DATA,
    option(
        "--model NAME",
        "smollm2-135m, naqanet[:folder=DIR], naqanet-contextual, endpoint:url=…,model=…, a folder or a hub id",
        required=True,
    ),
    option("--types TYPE,…", "ask only questions of these types, such as superlative,comparative"),
    option("--most N", "ask N questions, chosen at random (default: all)", None, type=int),
]


def passages_of(options: Options) -> tuple[Passage, ...]:
    """The passages of --data, or generated ones, with the questions that --types selects."""
    passages = read_passages(options.data) if options.data else tuple(generate(GeneratorSettings()))
    types = getattr(options, "types", "")
    return of_types(passages, types.split(",")) if types else passages


def answers(model: ReadingModel, passages: Sequence[Passage], what: str) -> dict[str, Prediction]:
    """A model's answers by query id, with a progress display."""
    return dict(counted(model.answer(passages), what, count_questions(passages)))


def keep_input(out: str | Path, *inputs: str) -> None:
    """Refuse to write where a command reads from: over a file, or into a folder."""
    target = Path(out).expanduser().resolve()
    for given in filter(None, inputs):
        source = Path(given).expanduser().resolve()
        if source == target or (source == target.parent and source.is_dir() and target.suffix):
            raise NumprobeError(f"{out} would overwrite or join the input {given}: choose another place for the output")


def write_and_tell(passages: Sequence[Passage], path: str | Path) -> None:
    """Write passages to a file, and say how many."""
    write_passages(passages, path)
    print(f"{path}: {len(passages):,} passages, {count_questions(passages):,} questions")
