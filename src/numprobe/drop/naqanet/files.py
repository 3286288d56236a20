"""The files of a training, models and checkpoints: tensors with a JSON description. Importing this is cheap."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from safetensors import SafetensorError, safe_open

from numprobe.drop.naqanet.vocabulary import Alphabet, FixedVectors
from numprobe.errors import NumprobeError
from numprobe.files.untrusted import parse_json
from numprobe.files.writing import write_whole

if TYPE_CHECKING:
    import torch
    from torch import Tensor

    from numprobe.drop.naqanet.answering import NAQANetReader
    from numprobe.drop.naqanet.model import NAQANet, Sizes

MODEL, CHECKPOINT = "model.safetensors", "checkpoint.safetensors"
SHIPPED = Path(str(files("numprobe.drop.naqanet") / "shipped"))
"""The folder of the model shipped with numprobe."""
FORMAT = 1


@dataclass(frozen=True)
class SavedModel:
    """The content of a model file."""

    weights: "dict[str, Tensor]"
    about: dict[str, Any]

    @property
    def sizes(self) -> "Sizes":
        from numprobe.drop.naqanet.model import Sizes

        return Sizes(**self.about["sizes"])

    @property
    def alphabet(self) -> Alphabet:
        return Alphabet(self.about["alphabet"])

    @property
    def vectors(self) -> FixedVectors:
        """The word vectors; none is loaded yet."""
        return FixedVectors(**self.about["vectors"])

    def network(self) -> "NAQANet":
        """A network of these sizes, without the weights."""
        from numprobe.drop.naqanet.model import NAQANet

        return NAQANet(self.sizes, len(self.alphabet.characters), self.vectors.width)

    def reader(self, device: "torch.device | str" = "cpu") -> "NAQANetReader":
        """The model, ready to answer questions."""
        from numprobe.drop.naqanet.answering import NAQANetReader

        network = self.network()
        network.load_state_dict(self.weights)
        return NAQANetReader(network.to(device).eval(), self.alphabet, self.vectors)


def load_reader(folder: str | Path = "", device: "torch.device | str" = "cpu") -> "NAQANetReader":
    """The model in a training folder, ready to answer questions; by default the one shipped with numprobe."""
    return read_model(folder).reader(device)


def read_model(folder: str | Path) -> SavedModel:
    """The model in a training folder, checked; the empty string names the one shipped with numprobe."""
    import torch

    path = model_path(folder)
    saved = SavedModel(*read_tensors(path))
    try:
        with torch.device("meta"):  # allocates nothing, whatever sizes the file claims
            planned = saved.network().state_dict()
    except (KeyError, TypeError, AttributeError, RuntimeError) as error:
        raise NumprobeError(f"{path} does not describe its model: {error}".splitlines()[0]) from error
    if {n: tensor.shape for n, tensor in planned.items()} != {n: tensor.shape for n, tensor in saved.weights.items()}:
        raise NumprobeError(f"the weights in {path} do not fit the model that it describes")
    return saved


def model_path(folder: str | Path) -> Path:
    path = (Path(folder).expanduser() if folder else SHIPPED) / MODEL
    if not path.is_file():
        raise NumprobeError(f"{path.parent} holds no trained NAQANet: there is no {MODEL}")
    return path


def read_tensors(path: Path) -> "tuple[dict[str, Tensor], dict[str, Any]]":
    try:
        with safe_open(path, "pt") as file:
            about = parse_json((file.metadata() or {}).get("numprobe", "{}"), path)
            if not isinstance(about, dict) or about.get("format") != FORMAT:
                raise NumprobeError(f"{path} was not written by this version of numprobe; train again")
            return {name: file.get_tensor(name) for name in file.keys()}, about  # noqa: SIM118
    except (OSError, SafetensorError) as error:
        raise NumprobeError(f"can't read {path}: {error}") from error


def write_tensors(path: Path, tensors: "Mapping[str, Tensor]", about: Mapping[str, Any]) -> None:
    """Write tensors and description to one file, atomically; two files could get out of step."""
    from safetensors.torch import save

    held = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    write_whole(path, save(held, {"numprobe": json.dumps({"format": FORMAT, **about})}))


def describe_reader(sizes: "Sizes", reader: "NAQANetReader") -> dict[str, Any]:
    """What `SavedModel.reader` needs besides the weights. Word vectors are named, not stored."""
    return {
        "sizes": asdict(sizes),
        "alphabet": reader.alphabet.characters,
        "vectors": {"embedder": reader.vectors.embedder, "width": reader.vectors.width},
    }
