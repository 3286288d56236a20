"""What `numprobe drop` does. Only a model that answers or learns needs torch, and perhaps the network."""

import json
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from numprobe.drop.carrying import change_text
from numprobe.drop.changes import STRESS_TESTS, load_change
from numprobe.drop.data import Passage, Question
from numprobe.drop.data import count_questions as count
from numprobe.drop.data import sample_questions as sampled
from numprobe.drop.data import split_passages as split
from numprobe.drop.formats import read_passages as read
from numprobe.drop.formats import write_passages as write
from numprobe.drop.generator import DOMAINS, KINDS, generate
from numprobe.drop.generator import GeneratorSettings as Settings
from numprobe.drop.metric import Prediction, gold_texts, read_predictions
from numprobe.drop.metric import score_predictions as score
from numprobe.drop.models import ReadingModel, load_model
from numprobe.drop.question_types import QUESTION_TYPES, of_types, question_types
from numprobe.drop.stress import ORIGINAL, stress_texts
from numprobe.drop.stress import compare_texts as compare
from numprobe.errors import NumprobeError, at_least, one_line
from numprobe.files.writing import write_whole
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
    print(f"{options.out}: {len(made):,} passages, {count(made):,} questions")


def _score(options: Namespace) -> None:
    scores = score(read_predictions(options.predictions), _data(options))
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
            question = questions[place]
            print(one_line(f"    {question.text} → {', '.join(gold_texts(question.answer))}"))


def _split(options: Namespace) -> None:
    for name, part in zip(("train", "dev"), split(_data(options), options.share, options.seed), strict=True):
        path = Path(options.out) / f"{name}.json"
        write(part, path)
        print(f"{path}: {len(part):,} passages, {count(part):,} questions")


def _change(options: Namespace) -> None:
    changed = change_text(load_change(options.change), _data(options), options.seed)
    if changed.passages:
        write(changed.passages, options.out)
        print(f"{options.out}: {len(changed.passages):,} passages, {changed.kept:,} questions kept")
    print(f"{changed.left_out.total():,} questions left out{':' if changed.left_out else ''}")
    for reason, questions in changed.left_out.most_common():
        print(f"{questions:7,}  {reason}")
    if not changed.passages:
        raise NumprobeError(f"no answer is known after {options.change!r}, so {options.out} was not written")


def _predict(options: Namespace) -> None:
    passages = _chosen(options)
    if options.most is not None:
        passages = sampled(passages, options.most, options.seed)
    predictions = _answers(load_model(options.model), passages, "questions")
    write_whole(Path(options.out), json.dumps(predictions, indent=1, ensure_ascii=False) + "\n")
    print(f"{options.out}: {len(predictions):,} answers")


def _stress(options: Namespace) -> None:
    model, passages = load_model(options.model), _chosen(options)
    texts = stress_texts(options.change or STRESS_TESTS, passages, options.seed)
    left_out = count(passages) - count(texts[ORIGINAL])
    if options.most is not None:
        texts = {name: sampled(text, options.most, options.seed) for name, text in texts.items()}
    parts = compare(texts, {name: _answers(model, text, name) for name, text in texts.items()})
    if options.json:
        scores = {part: {name: asdict(row) for name, row in rows.items()} for part, rows in parts.items()}
        print(json.dumps({"model": options.model, "seed": options.seed, "left_out": left_out, **scores}, indent=2))
        return
    for part, rows in parts.items():
        print(f"{part:32}{'count':>7}{'EM':>7}{'F1':>7}{'ΔEM':>8}{'ΔF1':>8}")
        for name, row in rows.items():
            change = (
                "" if name == ORIGINAL else f"{row.em_difference:+8.1f}{row.f1_difference:+8.1f} ± {row.f1_error:.1f}"
            )
            print(f"  {name:30}{row.count:7,}{row.em:7.1f}{row.f1:7.1f}{change}")
    print(f"{left_out:,} of {count(passages):,} questions are left out: some change has no known answer to them")


def _chosen(options: Namespace) -> tuple[Passage, ...]:
    """The questions of the types that are asked for."""
    return of_types(_data(options), options.types.split(",")) if options.types else _data(options)


def _answers(model: ReadingModel, passages: Sequence[Passage], what: str) -> dict[str, Prediction]:
    from numprobe.progress import counted

    return dict(counted(model.answer(passages), what, count(passages)))


def _train(options: Namespace) -> None:
    from numprobe.naqanet_commands import run_training

    run_training(options)


def _ask(options: Namespace) -> None:
    from numprobe.naqanet_commands import answer_questions

    answer_questions(options)


def _study(options: Namespace) -> None:
    from numprobe.studying import study

    study(options)


ACTIONS: dict[str, Callable[[Namespace], None]] = {
    "generate": _generate,
    "score": _score,
    "types": _types,
    "split": _split,
    "change": _change,
    "predict": _predict,
    "stress": _stress,
    "train": _train,
    "ask": _ask,
    "study": _study,
}
