"""The forward and the backward language model in a file of Flair's."""

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from numprobe.embedders.flair.network import CharacterModel
from numprobe.errors import NumprobeError
from numprobe.files.checkpoints import read_checkpoint
from numprobe.files.pickles import Record, records
from numprobe.files.untrusted import shortened

LANGUAGE_MODEL = "flair.models.language_model.LanguageModel"
UNKNOWN = b"<unk>"


def read_character_models(path: str) -> tuple[CharacterModel, CharacterModel]:
    """Read the forward and the backward language model that a file holds, in a tagger or on their own."""
    found = [_model(record, path) for record in records(read_checkpoint(path), LANGUAGE_MODEL)]
    forward = [model for model in found if model.is_forward]
    backward = [model for model in found if not model.is_forward]
    if len(forward) != 1 or len(backward) != 1:
        raise NumprobeError(
            f"{path} holds {len(forward)} forward and {len(backward)} backward language models of Flair's; "
            "exactly one of each is needed"
        )
    return forward[0], backward[0]


def _model(record: Record, path: str) -> CharacterModel:
    """A language model from the state of Flair's object, with every shape checked."""
    about = record.fields
    delimiter = about.get("document_delimiter", "\n")
    if about.get("nlayers") != 1 or about.get("nout") is not None:
        raise NumprobeError(f"{path}: numprobe reads language models of one LSTM layer without a projection")
    if not isinstance(about.get("is_forward_lm"), bool) or not isinstance(delimiter, str):
        raise NumprobeError(f"{path}: a language model does not say in which direction it reads")
    characters = _weight(about, "encoder", "weight", path)
    recurrent = _weight(about, "rnn", "weight_hh_l0", path)
    count, inputs, hidden = *_sizes(characters, path), _sizes(recurrent, path)[1]
    shapes = {
        "weight_ih_l0": (4 * hidden, inputs),
        "weight_hh_l0": (4 * hidden, hidden),
        "bias_ih_l0": (4 * hidden,),
        "bias_hh_l0": (4 * hidden,),
    }
    weights = {name: _weight(about, "rnn", name, path) for name in shapes}
    for name, shape in shapes.items():
        if tuple(weights[name].shape) != shape:
            raise NumprobeError(f"{path}: {name} has shape {tuple(weights[name].shape)}, not {shape}")
    with torch.device("meta"):  # it would draw weights at random, which take time and disturb others' draws
        lstm = torch.nn.LSTM(inputs, hidden, batch_first=True)
    lstm.load_state_dict(weights, assign=True)
    ids, unknown = _dictionary(about.get("dictionary"), count, path)
    return CharacterModel(about["is_forward_lm"], delimiter, ids, unknown, characters, lstm.eval())


def _sizes(matrix: Tensor, path: str) -> tuple[int, int]:
    if matrix.ndim != 2 or not matrix.numel():
        raise NumprobeError(f"{path}: a matrix has shape {tuple(matrix.shape)}")
    return matrix.shape[0], matrix.shape[1]


def _weight(about: Mapping[str, Any], module: str, name: str, path: str) -> Tensor:
    """A parameter of one of the modules of Flair's object."""
    found: Any = about
    for part in ("_modules", module, "_parameters", name):
        found = found.fields if isinstance(found, Record) else found
        found = found.get(part) if isinstance(found, dict) else None
    if not isinstance(found, Tensor) or not found.is_floating_point():
        raise NumprobeError(f"{path}: a language model has no weights {module}.{name}")
    return found.float()


def _dictionary(record: Any, count: int, path: str) -> tuple[dict[str, int], int]:
    """The row of each character in the table, and the row of all others."""
    items = record.fields.get("item2idx") if isinstance(record, Record) else None
    if not isinstance(items, dict) or not items:
        raise NumprobeError(f"{path}: a language model has no dictionary of characters")
    ids = {}
    for item, row in items.items():
        if not isinstance(item, bytes) or type(row) is not int or not 0 <= row < count:
            raise NumprobeError(f"{path}: the character {shortened(item)} has no row in the table of {count}")
        ids[item.decode(errors="replace")] = row
    return ids, items.get(UNKNOWN, 0)
