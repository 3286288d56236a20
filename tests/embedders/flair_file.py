"""Tiny files of Flair's language models, written by torch.save as Flair wrote them."""

import sys
import warnings
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from types import ModuleType
from typing import Any
from unittest import mock

import torch

CHARACTERS = ["<unk>", *" 0123456789abcdefghijklmnopqrstuvwxyz-.,$\n½"]
INPUTS, HIDDEN = 3, 4
FORMAT = {"pickle_protocol": 4, "_use_new_zipfile_serialization": False}


@contextmanager
def flair_modules() -> Iterator[tuple[type[Any], type[Any]]]:
    """Flair's language model and dictionary under their names, which exist only while a file is written."""
    model = type("LanguageModel", (torch.nn.Module,), {"__module__": "flair.models.language_model"})
    dictionary = type("Dictionary", (), {"__module__": "flair.data"})
    made = {name: ModuleType(name) for name in ("flair", "flair.models", "flair.models.language_model", "flair.data")}
    made["flair.models.language_model"].LanguageModel = model  # type: ignore[attr-defined]
    made["flair.data"].Dictionary = dictionary  # type: ignore[attr-defined]
    with mock.patch.dict(sys.modules, made):
        yield model, dictionary


def saved(value: Any, sources: bool = False) -> bytes:
    """What torch.save writes, with or without the source of each module."""
    held = BytesIO()
    hidden = mock.patch("torch.serialization.get_source_lines_and_file", side_effect=OSError)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if sources:
            torch.save(value, held, **FORMAT)
        else:
            with hidden:
                torch.save(value, held, **FORMAT)
    return held.getvalue()


def flair_file(
    directions: Sequence[bool] = (True, False), sources: bool = False, **changes: Any
) -> tuple[bytes, list[dict[str, torch.Tensor]]]:
    """A file with a language model for each direction (forward is True), and their weights.

    `changes` are other attributes of every model; None takes one away.
    """
    drawn = torch.Generator().manual_seed(7)
    with flair_modules() as (language_model, dictionary):
        models = []
        for is_forward in directions:
            model, own = language_model(), dictionary()
            own.item2idx = {character.encode(): row for row, character in enumerate(CHARACTERS)}
            own.idx2item = list(own.item2idx)
            own.item2idx_not_encoded = defaultdict(int, dict.fromkeys(CHARACTERS, 0))
            model.dictionary = own
            model.document_delimiter = "\n"
            model.is_forward_lm = is_forward
            model.nlayers, model.nout = 1, None
            model.drop = torch.nn.Dropout(0.25)
            model.encoder = torch.nn.Embedding(len(CHARACTERS), INPUTS)
            model.rnn = torch.nn.LSTM(INPUTS, HIDDEN)
            model.decoder = torch.nn.Linear(HIDDEN, len(CHARACTERS))
            for parameter in model.parameters():
                parameter.data = torch.randn(parameter.shape, generator=drawn)
            for name, value in changes.items():
                if value is None:
                    delattr(model, name)
                else:
                    setattr(model, name, value)
            models.append(model)
        # As a tagger holds them: twice, beside tensors of its own.
        tagger = {"state_dict": {"linear.bias": torch.ones(3)}, "embeddings": [models, tuple(models)], "beta": 1.0}
        weights = [{name: own.detach().clone() for name, own in model.named_parameters()} for model in models]
        return saved(tagger, sources), weights
