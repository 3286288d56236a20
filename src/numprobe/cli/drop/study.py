"""Repeat one of the paper's studies of NAQANet, and compare the scores with the paper's.

examples:
  numprobe drop study breakdown --published --json
  numprobe drop study stress --model naqanet --data drop_dataset_dev.json
  numprobe drop study augmentation --model naqanet --augmented naqanet-augmented --data drop_dataset_dev.json

The studies are breakdown (by question type), stress (numbers changed inside the model) and augmentation.
"""

from pathlib import Path

from numprobe.cli._options import JSON, LOADING, SEED, TABLE, Options, option
from numprobe.cli._results import print_json, print_tables
from numprobe.cli.drop._shared import DATA, MODEL, passages_of
from numprobe.drop.studies import TITLES, Study, published_studies, run_study
from numprobe.errors import NumprobeError, one_of
from numprobe.progress import FileProgress
from numprobe.reports import study_tables

ARGUMENTS = [
    option("STUDY", "breakdown, stress or augmentation"),
    DATA,
    MODEL,
    option("--augmented DIR", "folder of a second model, trained with --augment"),
    option("--named TEXT", "name of the model in the table (default: its folder)"),
    option("--published", "show the scores bundled with numprobe instead"),
    JSON,
    *TABLE,
    SEED,
    *LOADING,
]


def execute(options: Options) -> None:
    one_of("study", options.study, TITLES)
    if options.published:
        studies = [study for study in published_studies() if study.name == options.study]
    else:
        studies = [_studied(options)]
    if options.json:
        print_json([row for study in studies for row in study.rows()])
    else:
        print_tables(study_tables(studies), options.format, options.out)


def _studied(options: Options) -> Study:
    from numprobe.kernels.device import pick_device  # torch takes long to import, and --published does not need it

    if (options.study == "augmentation") != bool(options.augmented):
        raise NumprobeError("--augmented names the second model of the study 'augmentation', and of no other")
    passages, device = passages_of(options), pick_device(options.device)
    with FileProgress():
        figures, about = run_study(options.study, options.model, options.augmented, passages, device, options.seed)
    named = options.named or Path(options.model).name or "the model bundled with numprobe"
    return Study(options.study, named, about, figures)
