"""Train NAQANet, or continue training.

examples:
  numprobe drop train --passages 5000 --range 1:99 --words glove-6b-50d --minutes 60 --out naqanet
  numprobe drop train --from naqanet --data parts/train.json --dev parts/dev.json --dropout 0.1 --out tuned

Ctrl-C keeps the last checkpoint; the same command continues from there.
"""

import sys
from dataclasses import replace
from pathlib import Path

from numprobe.cli._options import LOADING, SEED, Options, option, out
from numprobe.cli.drop._shared import DATA, keep_input
from numprobe.drop.data import Passage, split_passages
from numprobe.drop.formats import read_passages
from numprobe.drop.generator import GeneratorSettings, generate
from numprobe.drop.naqanet.files import load_reader
from numprobe.drop.naqanet.learner import Bounds, TrainingRecipe
from numprobe.drop.naqanet.model import SIZES
from numprobe.drop.naqanet.training import Forecast, Training, TrainingReport
from numprobe.errors import at_least, one_of
from numprobe.kernels.device import pick_device
from numprobe.numbers import Range
from numprobe.progress import FileProgress

ARGUMENTS = [
    DATA,
    option("--dev FILE", "questions to evaluate on (default: a tenth of --data, or generated ones)"),
    option("--passages N", "number of passages to generate if there is no --data", 1000),
    option("--range LOW:HIGH", "range of the generated quantities"),
    option("--size NAME", "small, or full as in the paper", "small"),
    option("--words EMBEDDER", "fixed word vectors, such as glove-6b-50d"),
    option("--from DIR", "start from this model, or from naqanet: its weights, size and words", dest="start"),
    option("--mix FILE", "further questions, of which each pass over --data shows some, such as generated ones"),
    option("--share SHARE", "share of the questions in a pass that come from --mix", TrainingRecipe.mixed),
    option("--wide", "go beyond the paper's model: read decimals and twenty, and weigh all ways to an answer"),
    option("--match", "go beyond the paper's model: tell it which words of the passage stand in the question"),
    option("--augment", "also train on questions with changed numbers"),
    option("--mirror", "also train on two-way comparisons with their choices swapped, and on the opposite ones"),
    option("--rate RATE", "learning rate, by default the paper's", 5e-4),
    option("--decline N", "let the learning rate fall to zero over N steps; 0 keeps it constant", 0),
    option("--average DECAY", "decay of the moving average of the weights", TrainingRecipe.decay),
    option("--dropout RATE", "dropout rate (default: depends on --size)", None, type=float),
    option("--between N", "evaluate every N steps (default: after each pass over the data)", None, type=int),
    option("--minutes N", "stop after N minutes", None, type=float),
    option("--steps N", "stop after N steps", None, type=int),
    *LOADING,
    SEED,
    out("DIR", "folder for the model and its checkpoint"),
]


def execute(options: Options) -> None:
    keep_input(options.out, options.start, options.data, options.dev, options.mix)
    one_of("size", options.size, SIZES)
    start = load_reader(options.start) if options.start else None
    sizes = start.network.sizes if start else SIZES[options.size]
    words = start.words.embedder if start and not options.words else options.words
    if options.dropout is not None:
        sizes = replace(sizes, dropout=options.dropout)
    if options.wide:
        sizes = replace(sizes, wide=True)
    if options.match:
        sizes = replace(sizes, matching=True)
    recipe = TrainingRecipe(
        rate=options.rate,
        decline=options.decline,
        decay=options.average,
        mixed=options.share,
        augment=options.augment,
        mirror=options.mirror,
        between=options.between or 0,
        seed=options.seed,
    )
    bounds = Bounds(steps=options.steps, minutes=options.minutes)
    device = pick_device(options.device)
    with FileProgress():
        mixed = read_passages(options.mix) if options.mix else ()
        training = Training(*_data(options), Path(options.out), sizes, recipe, words, device, start, mixed)
    if training.state.step:
        print(f"continuing from step {training.state.step:,} of {options.out}", file=sys.stderr)
    print(_planned(training.forecast(bounds)), file=sys.stderr)
    try:
        training.run(bounds, _tell)
    except KeyboardInterrupt:
        print(
            f"numprobe: stopped. The same command continues from the last checkpoint in {options.out}", file=sys.stderr
        )
        raise
    best, step = training.state.scores[training.state.best], training.state.step
    print(f"{options.out}: EM {best['em']:.1f}, F1 {best['f1']:.1f} at step {best['step']:,} of {step:,}")


def _data(options: Options) -> tuple[tuple[Passage, ...], tuple[Passage, ...]]:
    """The passages to train on, and those to evaluate on."""
    at_least(0, seed=options.seed)
    dev = read_passages(options.dev) if options.dev else None
    if options.data:
        data = read_passages(options.data)
        return (data, dev) if dev is not None else split_passages(data, 0.9, options.seed)
    numbers = Range.parse(options.range) if options.range else None
    settings = GeneratorSettings(passages=options.passages, range=numbers, seed=options.seed)
    if dev is None:
        # A seed that no training data has, so that none of it repeats these passages.
        dev = tuple(generate(replace(settings, passages=100, seed=settings.seed + 1_000_000)))
    return tuple(generate(settings)), dev


def _planned(forecast: Forecast) -> str:
    most = f"{forecast.steps:,} steps" if forecast.steps else "no more steps"
    return (
        f"{forecast.questions:,} questions in {forecast.batches:,} batches a pass; at most {most}, "
        f"about {forecast.seconds / 60:.0f} min"
    )


def _tell(report: TrainingReport) -> None:
    state = report.state
    f1 = f"{state.scores[-1]['f1']:.1f}" if state.scores else "–"
    print(
        f"step {state.step:,}, epoch {state.passes + 1}: loss {report.loss:.3f}, F1 {f1}, "
        f"{report.questions_per_second:.0f} questions/s, at most {report.seconds_left / 60:.0f} min left",
        file=sys.stderr,
    )
