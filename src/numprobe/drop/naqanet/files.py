"""A trained model, or a training that goes on, in one file: tensors, and what there is to know about them as JSON."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from numprobe.drop.naqanet.answering import Reader
from numprobe.drop.naqanet.model import NAQANet, Sizes
from numprobe.drop.naqanet.vocabulary import Alphabet, WordVectors
from numprobe.embedders.naqanet import MODEL, SHIPPED
from numprobe.errors import NumprobeError
from numprobe.files.untrusted import parse_json
from numprobe.files.writing import write_whole

CHECKPOINT = "checkpoint.safetensors"
FORMAT = 1


def write_tensors(path: Path, tensors: Mapping[str, Tensor], about: Mapping[str, Any]) -> None:
    """Write both whole or not at all: two files could be of two moments."""
    held = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    write_whole(path, save(held, {"numprobe": json.dumps({"format": FORMAT, **about})}))


def read_tensors(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    try:
        with safe_open(path, "pt") as file:
            about = parse_json((file.metadata() or {}).get("numprobe", "{}"), path)
            if not isinstance(about, dict) or about.get("format") != FORMAT:
                raise NumprobeError(f"{path} was not written by this version of numprobe; train again")
            return {name: file.get_tensor(name) for name in file.keys()}, about  # noqa: SIM118
    except (OSError, SafetensorError) as error:
        raise NumprobeError(f"can't read {path}: {error}") from error


def about_reader(sizes: Sizes, reader: Reader) -> dict[str, Any]:
    """What `load_reader` needs beside the weights. Word vectors are named, not kept."""
    return {
        "sizes": asdict(sizes),
        "alphabet": reader.alphabet.characters,
        "vectors": {"embedder": reader.vectors.embedder, "width": reader.vectors.width},
    }


@dataclass(frozen=True)
class Trained:
    """A model as a training left it: its weights, and what there is to know about them."""

    weights: dict[str, Tensor]
    about: dict[str, Any]

    @property
    def sizes(self) -> Sizes:
        return Sizes(**self.about["sizes"])

    @property
    def alphabet(self) -> Alphabet:
        return Alphabet(self.about["alphabet"])

    @property
    def vectors(self) -> WordVectors:
        """Without a single one yet."""
        return WordVectors(**self.about["vectors"])

    def network(self) -> NAQANet:
        """Of its sizes, with weights to come."""
        return NAQANet(self.sizes, len(self.alphabet.characters), self.vectors.width)


def read_model(folder: str | Path) -> Trained:
    """The model of the folder that `train` wrote; with an empty name the one that comes with numprobe."""
    path = (Path(folder).expanduser() if folder else SHIPPED) / MODEL
    if not path.exists():
        raise NumprobeError(f"{path.parent} holds no trained NAQANet: there is no {MODEL}")
    trained = Trained(*read_tensors(path))
    try:
        with torch.device("meta"):  # which allocates nothing: the file may ask for any size
            planned = trained.network().state_dict()
    except (KeyError, TypeError, AttributeError, RuntimeError) as error:
        raise NumprobeError(f"{path} does not say what model it holds: {error}".splitlines()[0]) from error
    if {n: tensor.shape for n, tensor in planned.items()} != {n: tensor.shape for n, tensor in trained.weights.items()}:
        raise NumprobeError(f"{path} holds other weights than those of the model that it names")
    return trained


def load_reader(folder: str | Path = "", device: torch.device | str = "cpu") -> Reader:
    """A trained model from the folder that `train` wrote, or the one that comes with numprobe."""
    trained = read_model(folder)
    network = trained.network()
    network.load_state_dict(trained.weights)
    return Reader(network.to(device).eval(), trained.alphabet, trained.vectors)
