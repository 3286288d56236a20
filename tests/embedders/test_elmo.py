"""A tiny model in ELMo's published layout, compared with ELMo's equations computed number by number."""

import copy
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from numprobe.embedders import elmo as elmo_module
from numprobe.embedders.elmo import ELMo
from numprobe.errors import NumprobeError
from numprobe.files.reading import watching
from numprobe.numbers import generator

FILTERS = [[1, 2], [2, 3], [3, 4]]
POOLED, CHARACTER, MOST, CELLS, DIMENSION = 9, 3, 9, 5, 4
OPTIONS: dict[str, Any] = {
    "lstm": {
        "cell_clip": 0.6,  # low enough for both clips to have an effect
        "proj_clip": 0.3,
        "dim": CELLS,
        "projection_dim": DIMENSION,
        "n_layers": 2,
        "use_skip_connections": True,
    },
    "char_cnn": {
        "activation": "relu",
        "embedding": {"dim": CHARACTER},
        "filters": FILTERS,
        "n_highway": 2,
        "n_characters": 262,
        "max_characters_per_token": MOST,
    },
}
SHAPES = {
    "char_embed": (261, CHARACTER),
    "CNN/W_cnn_0": (1, 1, CHARACTER, 2),
    "CNN/W_cnn_1": (1, 2, CHARACTER, 3),
    "CNN/W_cnn_2": (1, 3, CHARACTER, 4),
    "CNN/b_cnn_0": (2,),
    "CNN/b_cnn_1": (3,),
    "CNN/b_cnn_2": (4,),
    **{f"CNN_high_{i}/W_{gate}": (POOLED, POOLED) for i in (0, 1) for gate in ("carry", "transform")},
    **{f"CNN_high_{i}/b_{gate}": (POOLED,) for i in (0, 1) for gate in ("carry", "transform")},
    "CNN_proj/W_proj": (POOLED, DIMENSION),
    "CNN_proj/b_proj": (DIMENSION,),
    **{
        f"RNN_{side}/RNN/MultiRNNCell/Cell{layer}/LSTMCell/{name}": shape
        for side in (0, 1)
        for layer in (0, 1)
        for name, shape in (
            ("W_0", (2 * DIMENSION, 4 * CELLS)),
            ("B", (4 * CELLS,)),
            ("W_P_0", (CELLS, DIMENSION)),
        )
    },
}
TEXTS = ["7", "75", "minus seventy-five", "1234567890123", "½", "one hundred and one", "75"]


def write(folder: Path, options: Any = OPTIONS, without: str = "") -> ELMo:
    (folder / "options.json").write_text(json.dumps(options))
    with h5py.File(folder / "weights.hdf5", "w") as file:
        for name, shape in SHAPES.items():
            if name != without:
                file[name] = generator(0, name).normal(0, 0.7, shape).astype(np.float32)
    return ELMo(str(folder / "weights.hdf5"), str(folder / "options.json"))


def changed(key: str, value: Any) -> Any:
    options = copy.deepcopy(OPTIONS)
    part, name = key.split(".", 1)
    options[part][name] = value
    return options


@pytest.fixture
def elmo(tmp_path: Path) -> ELMo:
    return write(tmp_path)


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


class Reference:
    """ELMo word by word and character by character, in double precision."""

    def __init__(self, elmo: ELMo) -> None:
        self.options = json.loads(Path(elmo.options).read_text())
        with h5py.File(elmo.weights) as file:
            self.weights = {name: file[name][()].astype(float) for name in SHAPES}

    def word(self, inner: list[int]) -> np.ndarray:
        weights = self.weights
        ids = [258, *inner[: MOST - 2], 259]
        ids += [260] * (MOST - len(ids))
        pooled = []
        for i, (width, filters) in enumerate(FILTERS):
            for f in range(filters):
                answers = [
                    sum(
                        weights["char_embed"][ids[at + k]] @ weights[f"CNN/W_cnn_{i}"][0, k, :, f] for k in range(width)
                    )
                    for at in range(MOST - width + 1)
                ]
                pooled.append(max(answers) + weights[f"CNN/b_cnn_{i}"][f])
        x = np.maximum(pooled, 0) if self.options["char_cnn"]["activation"] == "relu" else np.tanh(pooled)
        for i in (0, 1):
            high = {
                name: weights[f"CNN_high_{i}/{name}"] for name in ("W_carry", "b_carry", "W_transform", "b_transform")
            }
            carry = sigmoid(x @ high["W_carry"] + high["b_carry"])
            x = carry * np.maximum(x @ high["W_transform"] + high["b_transform"], 0) + (1 - carry) * x
        return x @ weights["CNN_proj/W_proj"] + weights["CNN_proj/b_proj"]

    def lstm(self, name: str, inputs: list[np.ndarray]) -> list[np.ndarray]:
        weight, bias, projection = (self.weights[f"{name}/{part}"] for part in ("W_0", "B", "W_P_0"))
        clip, clip_output = (self.options["lstm"][key] for key in ("cell_clip", "proj_clip"))
        output, cell = np.zeros(DIMENSION), np.zeros(CELLS)
        outputs = []
        for x in inputs:
            i, j, f, o = np.split(np.concatenate([x, output]) @ weight + bias, 4)
            cell = np.clip(sigmoid(f + 1) * cell + sigmoid(i) * np.tanh(j), -clip, clip)
            output = np.clip((sigmoid(o) * np.tanh(cell)) @ projection, -clip_output, clip_output)
            outputs.append(output)
        return outputs

    def layers(self, sentence: str) -> np.ndarray:
        """(3, words, 2 × dimension)"""
        words = [self.word(inner) for inner in ([256], *(list(word.encode()) for word in sentence.split()), [257])]
        sides = []
        for side, step in ((0, 1), (1, -1)):
            zero = words[::step]
            one = self.lstm(f"RNN_{side}/RNN/MultiRNNCell/Cell0/LSTMCell", zero)
            two = self.lstm(f"RNN_{side}/RNN/MultiRNNCell/Cell1/LSTMCell", one)
            if self.options["lstm"]["use_skip_connections"]:
                two = [above + below for above, below in zip(two, one, strict=True)]
            sides.append(np.array([layer[::step] for layer in (zero, one, two)]))
        return np.concatenate(sides, axis=2)[:, 1:-1]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("lstm.use_skip_connections", True),
        ("lstm.use_skip_connections", False),
        ("lstm.proj_clip", 3),
        ("char_cnn.activation", "tanh"),
        ("char_cnn.n_characters", 261),
    ],
)
def test_layers_follow_the_equations(tmp_path: Path, key: str, value: Any) -> None:
    elmo = write(tmp_path, changed(key, value))
    expected = np.stack([Reference(elmo).layers(text)[:, -1] for text in TEXTS], axis=1)
    found = elmo.encode_layers(TEXTS)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_vectors_do_not_depend_on_the_batch(elmo: ELMo, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = np.concatenate([elmo.encode_layers([text]) for text in TEXTS], axis=1)
    np.testing.assert_allclose(elmo.encode_layers(TEXTS), alone, atol=1e-6)
    monkeypatch.setattr(elmo_module, "SENTENCES", 2)
    np.testing.assert_allclose(elmo.encode_layers(TEXTS), alone, atol=1e-6)


def test_lists_are_sentences(elmo: ELMo) -> None:
    lists = [["7", "minus seventy-five", "75"], ["one hundred", "3", "1234"]]
    words = [[0, 2, 3], [1, 2, 3]]
    found = elmo.encode_in_list(lists)
    for texts, last, vectors in zip(lists, words, found, strict=True):
        expected = Reference(elmo).layers(" ".join(texts)).mean(axis=0)
        np.testing.assert_allclose(vectors, expected[last], atol=1e-5)
    assert np.abs(found[0] - elmo.encode(lists[0])).max() > 0.01


def test_layers_to_choose_from(elmo: ELMo) -> None:
    layers = elmo.encode_layers(TEXTS)
    for layer in (0, 1, 2):
        np.testing.assert_array_equal(replace(elmo, layer=str(layer)).encode(TEXTS), layers[layer])
    np.testing.assert_allclose(elmo.encode(TEXTS), layers.mean(axis=0), atol=1e-6)


def test_layer_0_sees_no_context(elmo: ELMo) -> None:
    first = replace(elmo, layer="0")
    isolated = first.encode(["7", "75"])
    np.testing.assert_allclose(first.encode_in_list([["7", "75"]])[0], isolated, atol=1e-6)
    np.testing.assert_array_equal(isolated[:, :DIMENSION], isolated[:, DIMENSION:])


def test_the_revision_names_the_bytes_of_both_files(elmo: ELMo) -> None:
    revisions = {elmo.revision}
    for path in (elmo.options, elmo.weights):
        with open(path, "ab") as file:
            file.write(b" ")
        revisions.add(replace(elmo).revision)
    assert len(revisions) == 3


def test_reading_reports_progress(elmo: ELMo) -> None:
    told: list[tuple[str, int, int]] = []
    with watching(lambda *news: told.append(news)):
        assert elmo.network
    assert {what for what, _, _ in told} == {f"reading {elmo.weights}"}
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)
    assert told[-1][1] == told[-1][2] == 4 * sum(int(np.prod(shape)) for shape in SHAPES.values())


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("lstm.n_layers", 3, "lstm.n_layers must be 2, not 3"),
        ("lstm.cell_clip", None, "lstm.cell_clip must be a positive number, not null"),
        ("lstm.dim", "64", 'lstm.dim must be a whole number from 1 to 65,536, not "64"'),
        ("lstm.use_skip_connections", 1, "must be true or false, not 1"),
        ("char_cnn.activation", "gelu", 'must be relu or tanh, not "gelu"'),
        ("char_cnn.n_characters", 300, "must be 261 or 262, not 300"),
        ("char_cnn.filters", [], r"must be a list of \[width, filters\] pairs, not \[\]"),
        ("char_cnn.filters", [[1, 2, 3]], r"pairs, not \[\[1, 2, 3\]\]"),
        ("char_cnn.max_characters_per_token", 2, "must be at least 3, not 2"),
        ("char_cnn.embedding", {}, "has no 'char_cnn.embedding.dim'"),
        ("char_cnn.embedding", {"dim": 4}, r"char_embed has shape \(261, 3\), but the options ask for \(261, 4\)"),
        ("char_cnn.n_highway", 3, "has no dataset 'CNN_high_2/W_carry'"),
        ("lstm.projection_dim", 6, r"CNN_proj/W_proj has shape \(9, 4\), but the options ask for \(9, 6\)"),
    ],
)
def test_options_that_do_not_fit(tmp_path: Path, key: str, value: Any, message: str) -> None:
    refused(write(tmp_path, changed(key, value)), message)


@pytest.mark.parametrize("name", ["char_embed", "CNN/b_cnn_1", "RNN_1/RNN/MultiRNNCell/Cell0/LSTMCell/W_P_0"])
def test_the_first_missing_dataset_is_named(tmp_path: Path, name: str) -> None:
    refused(write(tmp_path, without=name), f"weights.hdf5 has no dataset '{name}'")


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda weights, options: weights.unlink(), "weights.hdf5 does not exist"),
        (lambda weights, options: options.unlink(), "options.json does not exist"),
        (lambda weights, options: weights.write_text("<html>"), "weights.hdf5 is not an HDF5 file"),
        (lambda weights, options: weights.write_bytes(weights.read_bytes()[:9000]), "can't read .*truncated file"),
        (lambda weights, options: options.write_text('{"lstm": '), "options.json is not JSON: .*line 1 column 10"),
        (lambda weights, options: options.write_bytes(b"\xff"), "options.json is not JSON"),
        (lambda weights, options: options.write_text("[]"), "options.json has no 'char_cnn.n_characters'"),
    ],
)
def test_files_that_are_not_an_elmo_model(elmo: ELMo, spoil: Callable[[Path, Path], Any], message: str) -> None:
    spoil(Path(elmo.weights), Path(elmo.options))
    refused(elmo, message)


def refused(elmo: ELMo, message: str) -> None:
    with pytest.raises(NumprobeError, match=message) as refusal:
        elmo.encode(["75"])
    assert "\n" not in str(refusal.value)


def test_wrong_settings_and_texts_are_refused(elmo: ELMo, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NumprobeError, match="did you mean 'mean'"):
        replace(elmo, layer="meen")
    with pytest.raises(NumprobeError, match="in_list takes one layer"):
        replace(elmo, layer="mix", context="in_list")
    with pytest.raises(NumprobeError, match="'mix' learns with the probe; encode takes 0, 1, 2, mean"):
        replace(elmo, layer="mix").encode(["75"])
    with pytest.raises(NumprobeError, match="can't encode ' ': it contains no word"):
        elmo.encode(["75", " "])
    with pytest.raises(NumprobeError, match="nowhere does not exist"):
        replace(elmo, weights="nowhere").encode(["75"])
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(NumprobeError, match=r"needs the package h5py: pip install \"numprobe\[pretrained\]\""):
        elmo.encode(["75"])
