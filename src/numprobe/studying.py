"""`numprobe drop study`: the paper's studies of NAQANet, its scores beside ours."""

import sys
from argparse import Namespace
from pathlib import Path

from numprobe.drop.data import Passage
from numprobe.drop.formats import read_passages as read
from numprobe.drop.generator import GeneratorSettings as Settings
from numprobe.drop.generator import generate
from numprobe.drop.studies import TITLES, Figures, Study, notes, published_studies
from numprobe.errors import NumprobeError, one_of
from numprobe.files.writing import write_whole
from numprobe.reports.studies import render, terminal


def study(options: Namespace) -> None:
    """Do a study, or look up those that come with numprobe, and show it."""
    one_of("study", options.study, TITLES)
    if options.published:
        studies = [found for found in published_studies() if found.name == options.study]
    else:
        studies = [_studied(options)]
    if options.format == "terminal":
        if options.out:
            raise NumprobeError(f"say in which --format to write {options.out}: markdown, csv, json or latex")
        from rich.console import Console

        Console(width=None if sys.stdout.isatty() else 140, highlight=False).print(terminal(studies))
    elif options.out:
        write_whole(Path(options.out), render(studies, options.format) + "\n")
    else:
        print(render(studies, options.format))


def _studied(options: Namespace) -> Study:
    if (options.study == "augmentation") != bool(options.augmented):
        raise NumprobeError("--augmented names the second model of the study 'augmentation', which needs it")
    passages = read(options.data) if options.data else tuple(generate(Settings()))
    figures, about = _figures(options, passages)
    named = options.named or Path(options.model).name or "the model that comes with numprobe"
    return Study(options.study, named, about, figures)


def _figures(options: Namespace, passages: tuple[Passage, ...]) -> tuple[tuple[Figures, ...], tuple[str, ...]]:
    """What the model reaches, and what has to be said about it. This needs torch and spaCy."""
    from numprobe.drop.naqanet.files import load_reader, read_model
    from numprobe.drop.studies import augmentation, breakdown, stress
    from numprobe.drop.studies import count_by_origin as seen
    from numprobe.experiments.execute import pick_device
    from numprobe.progress import reading

    device = pick_device(options.device)
    with reading():
        reader = load_reader(options.model, device)
        if options.study == "breakdown":
            figures = breakdown(reader, passages)
        elif options.study == "stress":
            figures = stress(reader, passages, options.seed)
        else:
            readers = {"plain": reader, "augmented": load_reader(options.augmented, device)}
            figures = augmentation(readers, passages, options.seed)
    return figures, notes(read_model(options.model).about["seen"], seen(passages))
