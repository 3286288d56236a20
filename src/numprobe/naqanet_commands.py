"""`numprobe drop train` and `numprobe drop ask`: they need torch and spaCy."""

import json
import sys
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

from numprobe.drop.data import Passage
from numprobe.drop.data import split_passages as split
from numprobe.drop.formats import read_passages as read
from numprobe.drop.generator import GeneratorSettings as Settings
from numprobe.drop.generator import generate
from numprobe.drop.naqanet.answering import ExplainedAnswer as Explained
from numprobe.drop.naqanet.answering import answer_question as ask
from numprobe.drop.naqanet.files import load_reader, read_model
from numprobe.drop.naqanet.learner import Bounds
from numprobe.drop.naqanet.learner import TrainingRecipe as Recipe
from numprobe.drop.naqanet.model import SIZES
from numprobe.drop.naqanet.training import Training
from numprobe.drop.naqanet.training import TrainingReport as Progress
from numprobe.errors import NumprobeError, at_least, one_of
from numprobe.experiments.execute import pick_device
from numprobe.numbers import Range
from numprobe.progress import reading

DEV_PASSAGES, DEV_SHARE = 100, 0.1
"""Passages that are generated for the evaluation, and the share that is held out where data is given without."""
SHOWN = 5
"""Words that mattered most."""


def run_training(options: Namespace) -> None:
    """Train until a bound is reached, with a line now and then; in a folder that has a checkpoint, go on."""
    one_of("size", options.size, SIZES)
    start = read_model(options.start) if options.start else None
    sizes = start.sizes if start else SIZES[options.size]
    vectors = start.vectors.embedder if start else options.words
    if options.dropout is not None:
        sizes = replace(sizes, dropout=options.dropout)
    recipe = Recipe(rate=options.rate, augment=options.augment, between=options.between, seed=options.seed)
    bounds = Bounds(steps=options.steps, minutes=options.minutes)
    device = pick_device(options.device)
    with reading():
        training = Training(*_data(options), Path(options.out), sizes, recipe, vectors, device, start)
    if training.state.step:
        print(f"going on from step {training.state.step:,} of {options.out}", file=sys.stderr)
    try:
        training.run(bounds, _tell)
    except KeyboardInterrupt:
        print(f"numprobe: stopped. The same command goes on from the last checkpoint in {options.out}", file=sys.stderr)
        raise
    best = training.state.scores[training.state.best]
    print(
        f"{options.out}: EM {best['em']:.1f}, F1 {best['f1']:.1f} at step {best['step']:,} of {training.state.step:,}"
    )


def answer_questions(options: Namespace) -> None:
    """Answer one question, or those that are typed until there is none."""
    reader = load_reader(options.model, pick_device(options.device))
    passage = _passage(options.passage)
    for question in [options.question] if options.question else _typed("question: "):
        found = ask(reader, passage, question)
        print(json.dumps(asdict(found), indent=2, ensure_ascii=False) if options.json else _shown(found))


def _data(options: Namespace) -> tuple[tuple[Passage, ...], tuple[Passage, ...]]:
    """The passages to train with, and those to evaluate."""
    at_least(0, seed=options.seed)
    if not options.data:
        settings = Settings(
            passages=options.passages,
            range=Range.parse(options.range) if options.range else None,
            seed=options.seed,
        )
        dev = (
            read(options.dev)
            if options.dev
            else generate(replace(settings, passages=DEV_PASSAGES, seed=_other(settings)))
        )
        return tuple(generate(settings)), tuple(dev)
    data = read(options.data)
    return (data, read(options.dev)) if options.dev else split(data, 1 - DEV_SHARE, options.seed)


def _other(settings: Settings) -> int:
    """A seed that nobody takes for training."""
    return settings.seed + 1_000_000


def _tell(progress: Progress) -> None:
    f1 = "–" if progress.f1 is None else f"{progress.f1:.1f}"
    print(
        f"step {progress.step:,}, pass {progress.passes + 1}: loss {progress.loss:.3f}, F1 {f1}, "
        f"{progress.questions_per_second:.0f} questions/s, at most {progress.seconds_left / 60:.0f} min left",
        file=sys.stderr,
    )


def _passage(given: str) -> str:
    if not given:
        return next(_typed("passage: "), "")
    try:
        return sys.stdin.read() if given == "-" else Path(given).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise NumprobeError(f"can't read the passage from {given}: {error}") from None


def _typed(prompt: str) -> Iterator[str]:
    """What is typed, line by line, until nothing is."""
    try:
        while line := input(prompt).strip():
            yield line
    except EOFError:
        return


def _shown(found: Explained) -> str:
    def most(words: tuple[tuple[str, float], ...]) -> str:
        best = sorted(words, key=lambda word: -word[1])[:SHOWN]
        return ", ".join(f"{word} {100 * weight:.0f} %" for word, weight in best)

    prediction = found.prediction
    terms = f" = {' '.join(f'{term:+}' for term in prediction.terms)}" if prediction.terms else ""
    return (
        f"{prediction.text}{terms}\n"
        f"  a {prediction.type} ({100 * prediction.probability:.0f} %)\n"
        f"  in the passage:  {most(found.passage)}\n"
        f"  in the question: {most(found.question)}"
    )
