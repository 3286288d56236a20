"""Split passages with their questions into train.json and dev.json.

examples:
  numprobe drop split --data drop_dataset_dev.json --share 0.8 --out parts
"""

from pathlib import Path

from numprobe.cli._options import SEED, Options, option, out
from numprobe.cli.drop._shared import DATA, keep_input, passages_of, write_and_tell
from numprobe.drop.data import split_passages

ARGUMENTS = [
    DATA,
    option("--share SHARE", "share of the passages that goes to train.json", 0.8),
    SEED,
    out("DIR", "folder for both files"),
]


def execute(options: Options) -> None:
    files = [Path(options.out) / f"{name}.json" for name in ("train", "dev")]
    for path in files:
        keep_input(path, options.data)
    parts = split_passages(passages_of(options), options.share, options.seed)
    for path, part in zip(files, parts, strict=True):
        write_and_tell(part, path)
