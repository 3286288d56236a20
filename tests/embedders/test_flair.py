"""Tiny models in the format of Flair's files, compared with an LSTM's equations computed text by text."""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from numprobe.embedders import load_embedder
from numprobe.embedders.flair import Flair, network
from numprobe.errors import NumprobeError
from tests.embedders.flair_file import CHARACTERS, HIDDEN, INPUTS, flair_file

TEXTS = ["7", "75", "minus seventy-five", "1234567890123", "½", "one hundred and one", "75", "57"]
Made = tuple[Flair, list[dict[str, torch.Tensor]]]


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def state_after(weights: dict[str, torch.Tensor], text: str) -> np.ndarray:
    """The state of an LSTM after a text, in double precision."""
    w = {name: own.double().numpy() for name, own in weights.items()}
    state, cell = np.zeros(HIDDEN), np.zeros(HIDDEN)
    for character in text:
        row = CHARACTERS.index(character) if character in CHARACTERS else 0
        entering = w["rnn.weight_ih_l0"] @ w["encoder.weight"][row] + w["rnn.bias_ih_l0"]
        gates = entering + w["rnn.weight_hh_l0"] @ state + w["rnn.bias_hh_l0"]
        enter, keep, candidate, leave = np.split(gates, 4)
        cell = sigmoid(keep) * cell + sigmoid(enter) * np.tanh(candidate)
        state = sigmoid(leave) * np.tanh(cell)
    return state


def expected(weights: list[dict[str, torch.Tensor]], before: str, text: str, after: str, last: str = "") -> np.ndarray:
    forward, backward = weights
    left_to_right = state_after(forward, "\n" + before + text + last)
    right_to_left = state_after(backward, "\n" + (text + after)[::-1] + last)
    return np.concatenate([left_to_right, right_to_left])


def written(folder: Path, **changes: Any) -> Made:
    content, weights = flair_file(**changes)
    (folder / "model.bin").write_bytes(content)
    return Flair(str(folder / "model.bin")), weights


@pytest.fixture
def made(tmp_path: Path) -> Made:
    return written(tmp_path, sources=True)


@pytest.mark.parametrize(("reading", "last"), [("character", ""), ("space", " ")])
def test_vectors_are_the_states_of_both_directions(made: Made, reading: str, last: str) -> None:
    flair, weights = made
    found = replace(flair, reading=reading).encode(TEXTS)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, [expected(weights, "", text, "", last) for text in TEXTS], atol=1e-6)


def test_the_state_of_a_space_is_that_at_which_flair_reads_a_word(made: Made) -> None:
    """Its text is the start, the words, and a space; it reads where a word has ended (or is about to end)."""
    flair, (forward, backward) = made
    words = ["for", "75", "dollars"]
    for reading, back in (("space", 0), ("character", 1)):
        one_by_one = replace(flair, reading=reading).encode_in_list([words])[0]
        text = " ".join(words)
        at, at_backward = 1, len(text) + 1
        for word, vector in zip(words, one_by_one, strict=True):
            at += len(word)
            padded, turned = "\n" + text + " ", "\n" + text[::-1] + " "
            own = state_after(forward, padded[: at - back + 1]), state_after(backward, turned[: at_backward - back + 1])
            np.testing.assert_allclose(vector, np.concatenate(own), atol=1e-6)
            at += 1
            at_backward -= 1 + len(word)


def test_vectors_do_not_depend_on_the_batch(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    flair, _ = made
    alone = np.concatenate([flair.encode([text]) for text in TEXTS])
    np.testing.assert_allclose(flair.encode(TEXTS), alone, atol=1e-6)
    np.testing.assert_array_equal(flair.encode(TEXTS), flair.encode(TEXTS))
    monkeypatch.setattr(network, "BATCH_CHARACTERS", 5)  # long texts are read part by part
    np.testing.assert_allclose(flair.encode(TEXTS), alone, atol=1e-6)


@pytest.mark.parametrize(
    ("text", "number", "parts"),
    [
        ("in 1999 we won", "1999", ("in ", "1999", " we won")),
        ("for $75, please", "75", ("for $ ", "75", " , please")),
        ("75", "75", ("", "75", "")),
        ("it was 75.", "75", ("it was ", "75", " .")),
    ],
)
def test_numbers_in_sentences_stand_between_spaces(made: Made, text: str, number: str, parts: Any) -> None:
    flair, weights = made
    span = (text.index(number), text.index(number) + len(number))
    found = flair.encode_at([text, "7"], [span, (0, 1)])
    np.testing.assert_allclose(found, [expected(weights, *parts), expected(weights, "", "7", "")], atol=1e-6)


def test_lists_are_sentences(made: Made) -> None:
    flair, weights = made
    found = flair.encode_in_list([["7", "minus two"], ["1", "7"]])
    assert found.shape == (2, 2, 2 * HIDDEN)
    np.testing.assert_allclose(found[0, 1], expected(weights, "7 ", "minus two", ""), atol=1e-6)
    np.testing.assert_allclose(found[0, 0], expected(weights, "", "7", " minus two"), atol=1e-6)


def test_characters_that_the_dictionary_lacks_are_unknown(made: Made) -> None:
    flair, weights = made
    one, other = flair.encode(["7☃", "7\ud800"])
    np.testing.assert_array_equal(one, other)
    np.testing.assert_allclose(one, expected(weights, "", "7☃", ""), atol=1e-6)


def test_reading_a_file_imports_nothing_and_draws_nothing(made: Made) -> None:
    before = torch.random.get_rng_state()
    made[0].encode(["75"])
    assert "flair" not in sys.modules
    assert torch.equal(torch.random.get_rng_state(), before)


def test_the_revision_names_the_bytes_of_the_file(made: Made) -> None:
    flair, _ = made
    before = flair.revision
    with open(flair.model, "ab") as file:
        file.write(b" ")
    assert replace(flair).revision != before


def test_the_published_models_have_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    flair = load_embedder("flair", reading="space")
    assert (flair.model, flair.reading) == ("package:flair/pos_model.bin", "space")
    assert flair.revision == "0.13.1-847e3739"


WRONG = torch.nn.Embedding(4, INPUTS + 1)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"directions": (True,)}, "holds 1 forward and 0 backward language models"),
        ({"directions": (True, False, False)}, "holds 1 forward and 2 backward language models"),
        ({"nlayers": 2}, "one LSTM layer without a projection"),
        ({"nout": 5}, "one LSTM layer without a projection"),
        ({"is_forward_lm": "yes"}, "does not say in which direction it reads"),
        ({"document_delimiter": 5}, "does not say in which direction it reads"),
        ({"rnn": None}, "has no weights rnn.weight_hh_l0"),
        ({"rnn": torch.nn.GRU(INPUTS, HIDDEN)}, r"weight_ih_l0 has shape \(12, 3\), not \(16, 3\)"),
        ({"rnn": torch.nn.Linear(INPUTS, HIDDEN)}, "has no weights rnn.weight_hh_l0"),
        ({"encoder": WRONG}, r"weight_ih_l0 has shape \(16, 3\), not \(16, 4\)"),
        ({"encoder": torch.nn.LayerNorm(3)}, r"a matrix has shape \(3,\)"),
        ({"encoder": torch.nn.Embedding(4, INPUTS)}, r"the character b'2' has no row in the table of 4"),
        ({"dictionary": None}, "has no dictionary"),
        ({"dictionary": {"a": 1}}, "has no dictionary"),
    ],
)
def test_files_with_other_models(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    refused(written(tmp_path, **changes)[0], message)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda path: path.unlink(), "model.bin does not exist"),
        (lambda path: path.write_bytes(b""), "model.bin is not a file of torch.save"),
        (lambda path: path.write_text("<html>"), "model.bin is not a file of torch.save"),
        (lambda path: path.write_bytes(path.read_bytes()[:-1]), "it ends within the numbers of its tensors"),
        (lambda path: path.write_bytes(path.read_bytes()[:1000]), "damaged or cut off"),
    ],
)
def test_damaged_files(made: Made, spoil: Callable[[Path], Any], message: str) -> None:
    spoil(Path(made[0].model))
    refused(made[0], message)


def refused(flair: Flair, message: str) -> None:
    with pytest.raises(NumprobeError, match=message) as refusal:
        flair.encode(["75"])
    assert "\n" not in str(refusal.value)


def test_wrong_settings_and_texts_are_refused(made: Made) -> None:
    flair, _ = made
    with pytest.raises(NumprobeError, match="did you mean 'space'"):
        replace(flair, reading="spice")
    with pytest.raises(NumprobeError, match="context"):
        replace(flair, context="in_lists")
    with pytest.raises(NumprobeError, match="can't encode ' ': it contains no word"):
        flair.encode(["75", " "])
