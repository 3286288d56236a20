"""What `numprobe drop` does. But for NAQANet it needs no network and no torch."""

import json
import sys
from argparse import Namespace
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from numprobe.drop.carrying import change_text
from numprobe.drop.changes import load_change
from numprobe.drop.data import Passage, Question, read, read_json, split, write
from numprobe.drop.generator import DOMAINS, KINDS, Settings, generate
from numprobe.drop.metric import gold_texts
from numprobe.drop.question_types import QUESTION_TYPES, question_types
from numprobe.drop.scoring import score
from numprobe.errors import NumprobeError, at_least
from numprobe.numbers import Range, generator


def _data(options: Namespace) -> tuple[Passage, ...]:
    return read(options.data) if options.data else tuple(generate(Settings()))


def _generate(options: Namespace) -> None:
    settings = Settings(
        passages=options.passages,
        questions=options.questions,
        domains=tuple(options.domain or DOMAINS),
        kinds=tuple(options.kind or KINDS),
        range=Range.parse(options.range) if options.range else None,
        words=options.words,
        facts=options.facts,
        distractors=options.distractors,
        seed=options.seed,
    )
    made = tuple(generate(settings))
    write(made, options.out)
    print(f"{options.out}: {len(made):,} passages, {sum(len(passage.questions) for passage in made):,} questions")


def _score(options: Namespace) -> None:
    predictions = read_json(Path(options.predictions))
    if not isinstance(predictions, dict):
        raise NumprobeError(f'{options.predictions} must be an object {{"query_id": "answer", …}}')
    scores = score(predictions, _data(options))
    if options.json:
        print(json.dumps({name: asdict(part) for name, part in scores.parts.items()}, indent=2))
    else:
        print(f"{'':24}{'count':>7}{'EM':>7}{'F1':>7}")
        for name, part in scores.parts.items():
            em, f1 = ("–" if percent is None else f"{percent:.1f}" for percent in (part.em, part.f1))
            print(f"{name:24}{part.count:7,}{em:>7}{f1:>7}")
    if scores.missing:
        asked = f"{len(scores.missing):,} of {scores.parts['all'].count:,} questions"
        print(f"numprobe: {asked} have no prediction and score 0, such as {scores.missing[0]!r}", file=sys.stderr)


def _types(options: Namespace) -> None:
    at_least(0, examples=options.examples)
    found: dict[str, list[Question]] = {name: [] for name in QUESTION_TYPES}
    for passage in _data(options):
        for question in passage.questions:
            for name in question_types(question):
                found[name].append(question)
    if options.json:
        print(json.dumps({name: len(questions) for name, questions in found.items()}, indent=2))
        return
    for name, questions in found.items():
        print(f"{name:24}{len(questions):7,}")
        for place in generator(0, "examples", name).permutation(len(questions))[: options.examples].tolist():
            print(f"    {questions[place].text} → {', '.join(gold_texts(questions[place].answer))}")


def _split(options: Namespace) -> None:
    for name, part in zip(("train", "dev"), split(_data(options), options.share, options.seed), strict=True):
        path = Path(options.out) / f"{name}.json"
        write(part, path)
        print(f"{path}: {len(part):,} passages, {sum(len(passage.questions) for passage in part):,} questions")


def _change(options: Namespace) -> None:
    changed = change_text(load_change(options.change), _data(options), options.seed)
    if changed.passages:
        write(changed.passages, options.out)
        print(f"{options.out}: {len(changed.passages):,} passages, {changed.kept:,} questions kept")
    print(f"{changed.left_out.total():,} questions left out:")
    for reason, count in changed.left_out.most_common():
        print(f"{count:7,}  {reason}")
    if not changed.passages:
        raise NumprobeError(f"no answer is known after {options.change!r}, so {options.out} was not written")


def _train(options: Namespace) -> None:
    from numprobe.naqanet_commands import run_training

    run_training(options)


def _ask(options: Namespace) -> None:
    from numprobe.naqanet_commands import answer_questions

    answer_questions(options)


ACTIONS: dict[str, Callable[[Namespace], None]] = {
    "generate": _generate,
    "score": _score,
    "types": _types,
    "split": _split,
    "change": _change,
    "train": _train,
    "ask": _ask,
}
