"""Embedders by name: numprobe's own, those of the catalogue, those whose weights are given, and other packages'."""

import dataclasses
import logging
from importlib.metadata import entry_points
from typing import Any

from numprobe.embedders.baselines import RandomVectors, Value
from numprobe.embedders.characters import CharCNN, CharLSTM, UntrainedCNN, UntrainedLSTM
from numprobe.embedders.elmo import ELMo
from numprobe.embedders.given import Given, given_weights
from numprobe.embedders.npy_vectors import NpyVectors
from numprobe.embedders.sentence_transformer import SentenceTransformer
from numprobe.embedders.static_tokens import StaticTokens
from numprobe.embedders.transformer import Transformer
from numprobe.embedders.weights import Entry, catalogue
from numprobe.embedders.word_vectors import WordVectors
from numprobe.registry import Spec, build

PLUG_INS = "numprobe.embedders"
"""The entry point under which a package names its embedders: frozen dataclasses with `encode`."""

logger = logging.getLogger(__name__)


def _naqanet() -> tuple[type[Any], type[Any]]:
    from numprobe.drop.naqanet.embedder import NAQANetCharacters, NAQANetWords

    return NAQANetCharacters, NAQANetWords


_KINDS: dict[str, type[Any]] = {
    "word-vectors": WordVectors,
    "npy-vectors": NpyVectors,
    "static-tokens": StaticTokens,
    "transformer": Transformer,
    "sentence-transformer": SentenceTransformer,
    "elmo": ELMo,
    **{kind.name: kind for kind in _naqanet()},
}
"""Pretrained embedders that take files."""


def _named(entry: Entry | Given) -> type[Any]:
    """An embedder of some kind, with the settings of an entry as its defaults."""
    defaults = [(setting, str, dataclasses.field(default=value)) for setting, value in entry.settings.items()]
    return dataclasses.make_dataclass(
        entry.name, defaults, bases=(_KINDS[entry.kind],), namespace={"__doc__": entry.about}, frozen=True
    )


def _plug_ins() -> dict[str, type[Any]]:
    found = {}
    for point in entry_points(group=PLUG_INS):
        try:
            found[point.name] = point.load()
        except Exception as error:  # whatever another package does wrong is its own
            logger.warning("embedder %r of %s can't be loaded: %s", point.name, point.value, error)
    return found


EMBEDDERS: dict[str, type[Any]] = {
    "random": RandomVectors,
    "untrained-cnn": UntrainedCNN,
    "untrained-lstm": UntrainedLSTM,
    "value": Value,
    **{name: _named(given) for name, given in given_weights().items()},
    **{name: _named(entry) for name, entry in catalogue().items()},
    **{name: kind for name, kind in _KINDS.items() if name not in given_weights()},
    "char-cnn": CharCNN,
    "char-lstm": CharLSTM,
    **_plug_ins(),
}
"""Name -> dataclass whose fields are the embedder's settings."""


def load_embedder(name: str, **settings: Any) -> Any:
    """An embedder by name, with `encode` unless it learns with the probe.

    >>> load_embedder("value", scale="raw").encode(["75"]).tolist()
    [[75.0]]
    """
    spec = Spec.parse(name)
    given = dict(spec.settings) | {key: str(value) for key, value in settings.items()}
    built = build("embedder", EMBEDDERS, Spec(spec.name, tuple(sorted(given.items()))))
    if getattr(built, "layer", "") != "mix":
        return built
    from numprobe.embedders.layer_mix import LayerMix

    return LayerMix(built)
