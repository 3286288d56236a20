"""The files of a training, models and checkpoints: tensors with a JSON description."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from numprobe.drop.naqanet.answering import NAQANetReader
from numprobe.drop.naqanet.model import NAQANet, Sizes
from numprobe.drop.naqanet.vocabulary import Alphabet
from numprobe.drop.naqanet.words import WordInput
from numprobe.errors import NumprobeError
from numprobe.files.untrusted import parse_json
from numprobe.files.writing import write_whole

MODEL, CHECKPOINT = "model.safetensors", "checkpoint.safetensors"
SHIPPED = Path(str(files("numprobe.drop.naqanet") / "shipped"))
"""The folder of the models shipped with numprobe."""
NAMED = {"naqanet": SHIPPED, "naqanet-contextual": SHIPPED / "contextual"}
"""The models shipped with numprobe, by name."""
FORMAT = 1


def load_reader(folder: str | Path = "", device: torch.device | str = "cpu") -> NAQANetReader:
    """The model in a training folder, or one shipped with numprobe by its name, ready to answer questions."""
    path = model_path(folder)
    weights, about = read_tensors(path)
    try:
        alphabet, words = Alphabet(about["alphabet"]), WordInput(**about["vectors"])
        with torch.device("meta"):  # allocates nothing, whatever sizes the file claims
            network = NAQANet(Sizes(**about["sizes"]), len(alphabet.characters), words.width)
    except (KeyError, TypeError, AttributeError, RuntimeError) as error:
        raise NumprobeError(f"{path} does not describe its model: {error}".splitlines()[0]) from error
    try:
        network.load_state_dict(weights, assign=True)
    except RuntimeError as error:
        raise NumprobeError(f"the weights in {path} do not fit the model that it describes") from error
    return NAQANetReader(network.to(device, torch.float32).eval(), alphabet, words, about)


def model_path(folder: str | Path) -> Path:
    given = Path(folder or "naqanet").expanduser()
    is_named = str(given) in NAMED and not (folder and given.exists())
    path = (NAMED[str(given)] if is_named else given) / MODEL
    if not path.is_file():
        raise NumprobeError(f"{path.parent} holds no trained NAQANet: there is no {MODEL}")
    return path


def read_tensors(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    try:
        with safe_open(path, "pt") as file:
            about = parse_json((file.metadata() or {}).get("numprobe", "{}"), path)
            if not isinstance(about, dict) or about.get("format") != FORMAT:
                raise NumprobeError(f"{path} was not written by this version of numprobe; train again")
            return {name: file.get_tensor(name) for name in file.keys()}, about  # noqa: SIM118
    except (OSError, SafetensorError) as error:
        raise NumprobeError(f"can't read {path}: {error}") from error


def write_tensors(path: Path, tensors: Mapping[str, Tensor], about: Mapping[str, Any]) -> None:
    """Write tensors and description to one file, atomically; two files could get out of step."""
    held = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    write_whole(path, save(held, {"numprobe": json.dumps({"format": FORMAT, **about})}))


def describe_reader(reader: NAQANetReader) -> dict[str, Any]:
    """What `load_reader` needs besides the weights. Word vectors are named, not stored."""
    return {
        "sizes": asdict(reader.network.sizes),
        "alphabet": reader.alphabet.characters,
        "vectors": {"embedder": reader.words.embedder, "width": reader.words.width},
    }
