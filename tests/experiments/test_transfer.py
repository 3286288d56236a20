"""Train on one way of writing numbers, test on another: cases with a known answer."""

from typing import Any

import numpy as np
import pytest
import torch

import numprobe
from numprobe.errors import NumprobeError
from numprobe.experiments import Cell
from numprobe.experiments.laboratory import Laboratory, run_cell
from numprobe.experiments.transfer import Manner, transfer_cells
from numprobe.numbers import read

COSTS, CHAIRS = "It costs {number} dollars.", "The room has {number} chairs."


def run(embedder: Any, **fields: Any) -> float:
    cell = Cell.make(embedder, "decoding", "0:199", probe="linear:penalty=0", seeds=3, **fields)
    return float(np.mean(run_cell(cell).rescored("normalised-error").scores))


class Mirrored:
    """Holds the value of digits, and less the value of words."""

    def encode(self, texts: list[str]) -> np.ndarray:
        return np.array([[read(text) * (1 if text.isdecimal() else -1)] for text in texts])


def hashed(texts: list[str]) -> np.ndarray:
    """A vector for each number, which stands in a sentence or not: what can be memorised and not be known."""
    numbers = ["".join(filter(str.isdecimal, text)) for text in texts]
    return np.stack([np.random.default_rng(int(number)).normal(size=300) for number in numbers])


def test_the_value_transfers_to_every_form_and_sentence() -> None:
    manners = [Manner("digits"), Manner("words:language=fr"), Manner("roman", COSTS)]
    cells = transfer_cells(manners, embedder="value:scale=raw", task="decoding", range="1:150", probe="linear", seeds=2)
    assert len(cells) == 9
    assert all(max(run_cell(cell).scores) < 1e-6 for cell in cells.values())


def test_what_is_held_otherwise_in_another_form_does_not_transfer() -> None:
    assert run(Mirrored()) < 1e-6
    assert run(Mirrored(), form="words") < 1e-6
    assert run(Mirrored(), test_form="words") > 1.5


def test_memorised_numbers_are_known_in_new_sentences_and_held_out_ones_are_not() -> None:
    embedder = numprobe.embedders.FunctionEmbedder(hashed)
    assert run(embedder, template=COSTS, test_template=CHAIRS, test_range="trained") < 0.1
    assert run(embedder, template=COSTS, test_template=CHAIRS) > 0.8


def test_vectors_that_are_dealt_out_anew_are_dealt_out_alike_in_every_sentence() -> None:
    cell = Cell.make("shuffled:of=length", "decoding", "0:199", probe="linear", template=COSTS, test_template=CHAIRS)
    vectors = Laboratory(cell, torch.device("cpu")).vectors[0, :, 0]
    assert len(set((vectors[200:] - vectors[:200]).tolist())) == 1
    assert len(set(vectors.tolist())) == 6


def test_a_plain_cell_keeps_its_fields_and_a_transfer_has_its_own_hash() -> None:
    plain = Cell.make("value", "decoding", "0:99")
    assert not {"template", "test_form", "test_template"} & plain.as_dict().keys()
    same = Cell.make("value", "decoding", "0:99", form="digits", test_form="digits", test_template="{number}")
    assert same == plain
    others = [{"test_form": "words"}, {"template": COSTS}, {"template": COSTS, "test_template": "{number}"}]
    cells = [Cell.make("value", "decoding", "0:99", **own) for own in others]  # type: ignore[arg-type]
    assert len({plain.hash, *(cell.hash for cell in cells)}) == 4
    assert all(Cell.make(**cell.as_dict()) == cell for cell in cells)


def test_what_does_not_fit_is_refused() -> None:
    for message, fields in {
        "must have one {number}": {"template": "no number"},
        "writes its own sentences": {"task": "retrieval", "template": COSTS},
        "has none": {"probe": "cosine", "task": "comparison"},
        "learns from numbers": {"task": "retrieval", "probe": "matching", "embedder": "char-cnn"},
        "from 1 to 3999": {"test_form": "roman"},
    }.items():
        with pytest.raises(NumprobeError, match=message):
            Cell.make(**{"embedder": "value", "task": "decoding", "range": "0:199", **fields})
    with pytest.raises(NumprobeError, match="needs two ways"):
        transfer_cells([Manner("digits")], embedder="value", task="decoding", range="0:99")
