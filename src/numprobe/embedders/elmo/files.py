"""The two published files of an ELMo model: options (JSON) and weights (HDF5)."""

import json
import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from numprobe.errors import NumprobeError
from numprobe.files.reading import one_line_errors, tell
from numprobe.files.untrusted import read_json, refuse_bomb, shortened

if TYPE_CHECKING:
    from torch import Tensor

LSTM_LAYERS = 2
CHARACTERS = 261
"""The 256 bytes, the begin and end of a sentence and of a word, and the padding."""

LARGEST = 1 << 16
"""Limit for widths and counts. Published models have at most 4,096."""


def lstm_name(direction: int, layer: int) -> str:
    return f"RNN_{direction}/RNN/MultiRNNCell/Cell{layer}/LSTMCell"


@dataclass(frozen=True)
class Options:
    """The shape of the network, from the options file."""

    activation: str
    character_dimension: int
    filters: list[list[int]]
    """Pairs of [width in characters, number of filters]."""
    most_characters: int
    """Characters per word, including its begin and end."""
    highways: int
    cell_clip: float
    state_clip: float
    cells: int
    dimension: int
    """Dimension of one direction: the width to which the LSTM's states are projected."""
    skip: bool

    @property
    def widest(self) -> int:
        return max(width for width, _ in self.filters)

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The name and shape of every dataset in the weights file."""
        pooled = sum(filters for _, filters in self.filters)
        shapes: dict[str, tuple[int, ...]] = {"char_embed": (CHARACTERS, self.character_dimension)}
        for at, (width, filters) in enumerate(self.filters):
            shapes[f"CNN/W_cnn_{at}"] = (1, width, self.character_dimension, filters)
            shapes[f"CNN/b_cnn_{at}"] = (filters,)
        for at in range(self.highways):
            for gate in ("carry", "transform"):
                shapes |= {f"CNN_high_{at}/W_{gate}": (pooled, pooled), f"CNN_high_{at}/b_{gate}": (pooled,)}
        shapes |= {"CNN_proj/W_proj": (pooled, self.dimension), "CNN_proj/b_proj": (self.dimension,)}
        for name in (lstm_name(direction, layer) for direction in (0, 1) for layer in range(LSTM_LAYERS)):
            shapes[f"{name}/W_0"] = (2 * self.dimension, 4 * self.cells)
            shapes[f"{name}/B"] = (4 * self.cells,)
            shapes[f"{name}/W_P_0"] = (self.cells, self.dimension)
        return shapes


def _whole(value: Any) -> bool:
    return type(value) is int and 1 <= value <= LARGEST


def _positive(value: Any) -> bool:
    return type(value) in (int, float) and 0 < value < math.inf


def _pairs(value: Any) -> bool:
    pairs = value if isinstance(value, list) else []
    return bool(pairs) and all(isinstance(pair, list) and [*map(_whole, pair)] == [True, True] for pair in pairs)


def read_options(path: str) -> Options:
    """Read the options file and check each option."""
    found = read_json(Path(path))

    def at(key: str, fits: Callable[[Any], bool], kind: str) -> Any:
        value = found
        for part in key.split("."):
            if not isinstance(value, dict) or part not in value:
                raise NumprobeError(f"{path} has no {key!r}; give ELMo's options file")
            value = value[part]
        if not fits(value):
            raise NumprobeError(f"{path}: {key} must be {kind}, not {shortened(value, json.dumps)}")
        return value

    count = f"a whole number from 1 to {LARGEST:,}"
    # Options for training don't count the padding of whole words; options for inference do.
    at("char_cnn.n_characters", (CHARACTERS, CHARACTERS + 1).__contains__, f"{CHARACTERS} or {CHARACTERS + 1}")
    at("lstm.n_layers", (LSTM_LAYERS,).__contains__, str(LSTM_LAYERS))
    options = Options(
        activation=at("char_cnn.activation", ("relu", "tanh").__contains__, "relu or tanh"),
        character_dimension=at("char_cnn.embedding.dim", _whole, count),
        filters=at("char_cnn.filters", _pairs, "a list of [width, filters] pairs"),
        most_characters=at("char_cnn.max_characters_per_token", _whole, count),
        highways=at("char_cnn.n_highway", _whole, count),
        cell_clip=at("lstm.cell_clip", _positive, "a positive number"),
        state_clip=at("lstm.proj_clip", _positive, "a positive number"),
        cells=at("lstm.dim", _whole, count),
        dimension=at("lstm.projection_dim", _whole, count),
        skip=at("lstm.use_skip_connections", lambda value: isinstance(value, bool), "true or false"),
    )
    least = max(3, options.widest)  # a begin, a byte and an end, and one window of the widest filter
    at("char_cnn.max_characters_per_token", lambda value: value >= least, f"at least {least}")
    return options


def read_weights(path: str, options: Options) -> "dict[str, Tensor]":
    """Read the weights that the options ask for, by the name of their dataset."""
    import torch

    shapes = options.shapes()
    weights = {}
    done, total = 0, sum(4 * math.prod(shape) for shape in shapes.values())
    with one_line_errors(path):
        import h5py

        size = os.path.getsize(path)
        if not h5py.is_hdf5(path):
            raise NumprobeError(f"{path} is not an HDF5 file; give ELMo's weights file")
        with h5py.File(path, "r") as file:
            for name, shape in shapes.items():
                found = _dataset(file, name, path)
                if found.shape != shape:
                    raise NumprobeError(
                        f"{path}: {name} has shape {shortened(found.shape)}, but the options ask for {shape}; "
                        "give the options that belong to these weights"
                    )
                refuse_bomb(path, size, total)
                weights[name] = torch.from_numpy(np.asarray(found, dtype=np.float32))
                done += 4 * math.prod(shape)
                tell(f"reading {path}", done, total)
    return weights


def _dataset(file: Any, name: str, path: str) -> Any:
    """Find a dataset of floats; refuse links and data in other files, which HDF5 allows."""
    import h5py

    group = file
    for part in name.split("/"):
        if not isinstance(group, h5py.Group) or part not in group:
            raise NumprobeError(f"{path} has no dataset {name!r}; give ELMo's weights and their own options")
        if not isinstance(group.get(part, getlink=True), h5py.HardLink):
            raise NumprobeError(f"{path}: {name} is a link; give ELMo's weights as they were published")
        group = group[part]
    if not isinstance(group, h5py.Dataset):
        raise NumprobeError(f"{path} has no dataset {name!r}; give ELMo's weights and their own options")
    if group.external or group.is_virtual:
        raise NumprobeError(f"{path}: {name} is stored in another file; give ELMo's weights as they were published")
    if group.dtype.kind != "f":
        raise NumprobeError(f"{path}: {name} contains {group.dtype}, not floats")
    return group
