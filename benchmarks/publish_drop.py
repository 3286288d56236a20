"""Run the paper's studies of trained models on DROP's development questions, and publish the figures with numprobe.

python benchmarks/publish_drop.py --data drop_dataset_dev.json --kept studies --glove DIR [--augmented DIR]
    [--contextual DIR] [--contextual-augmented DIR] [--ship]

Each study is kept in a file of its own in the folder --kept, so that an interrupted run goes on where it stopped.
Remove a file to run its study again. --ship also makes the models in --glove and --contextual those that come with
numprobe.
"""

import argparse
import json
import shutil
from pathlib import Path

import torch

from numprobe.drop.formats import read_passages
from numprobe.drop.naqanet.files import MODEL, NAMED, SHIPPED, model_path
from numprobe.drop.studies import Study, run_study
from numprobe.files.writing import write_whole

PUBLISHED = SHIPPED.parents[1] / "studies.json"
NAMES = {"glove": "small NAQANet, GloVe words", "contextual": "small NAQANet, contextual words"}
MOST_BYTES = 10_000_000


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("data", "kept", "glove"):
        options.add_argument(f"--{name}", required=True)
    for name in ("augmented", "contextual", "contextual-augmented"):
        options.add_argument(f"--{name}", default="")
    options.add_argument("--ship", action="store_true")
    given = options.parse_args()
    torch.set_num_threads(1)
    passages = read_passages(given.data)
    studies = []
    for kind, model, augmented in (
        ("glove", given.glove, given.augmented),
        ("contextual", given.contextual, given.contextual_augmented),
    ):
        for study in ("breakdown", "stress", "augmentation"):
            if not model or (study == "augmentation" and not augmented):
                continue
            path = Path(given.kept) / f"{kind}-{study}.json"
            if not path.exists():
                figures, notes = run_study(study, model, augmented, passages)
                made = Study(study, NAMES[kind], notes, figures)
                write_whole(path, json.dumps(made.as_dict(), indent=1) + "\n")
            studies.append(json.loads(path.read_text(encoding="utf-8")))
            print(f"{path}: {len(studies[-1]['figures'])} rows", flush=True)
    write_whole(PUBLISHED, json.dumps(studies, indent=1) + "\n")
    print(f"{PUBLISHED}: {len(studies)} studies")
    for name, folder in (("naqanet", given.glove), ("naqanet-contextual", given.contextual)) if given.ship else ():
        if folder:
            source, target = model_path(folder), NAMED[name] / MODEL
            if source.stat().st_size > MOST_BYTES:
                raise SystemExit(f"{source} is larger than {MOST_BYTES:,} bytes")
            target.parent.mkdir(exist_ok=True)
            shutil.copyfile(source, target)
            print(f"{target}: {source.stat().st_size:,} bytes; now rewrite MODEL_CARD.md")


if __name__ == "__main__":
    main()
