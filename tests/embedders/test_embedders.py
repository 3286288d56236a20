import numpy as np
import pytest
import torch

from numprobe.embedders import FunctionEmbedder, encode, load_embedder, vectors_of
from numprobe.embedders.characters import CharCNN, character_ids
from numprobe.errors import NumprobeError
from numprobe.kernels.parameters import initial
from numprobe.numbers import generator

FIXED = ["random", "untrained-cnn", "untrained-lstm", "value"]


@pytest.mark.parametrize("name", FIXED)
def test_a_vector_depends_on_its_text_alone(name: str) -> None:
    embedder = load_embedder(name)
    texts = ["7", "75", "seventy-five", "-1234"]
    together = np.asarray(embedder.encode(texts))
    alone = np.concatenate([np.asarray(embedder.encode([text])) for text in texts])
    np.testing.assert_allclose(together, alone, atol=1e-6)
    assert len({tuple(np.round(row, 5)) for row in together}) == (3 if name == "value" else 4)


def test_dimensions_are_those_of_the_released_code() -> None:
    assert load_embedder("random").encode(["7"]).shape == (1, 300)
    assert load_embedder("untrained-cnn").encode(["7"]).shape == (1, 400)
    assert load_embedder("untrained-lstm").encode(["7"]).shape == (1, 200)


def test_value_scales() -> None:
    texts = ["0", "9", "-99"]
    assert load_embedder("value").encode(texts).tolist() == [[0.0], [1.0], [-2.0]]
    assert load_embedder("value:scale=raw").encode(texts).tolist() == [[0.0], [9.0], [-99.0]]


def test_neighbouring_large_values_stay_apart() -> None:
    texts = [str(10**9 + n) for n in range(1000)]
    found = vectors_of(load_embedder("value"), "value", texts)
    assert len(np.unique(found)) == 1000
    rounded = encode(FunctionEmbedder(lambda given: np.ones((len(given), 2), np.float16)), texts, "mine")
    assert rounded.dtype == np.float32


@pytest.mark.parametrize("name", ["random", "untrained-cnn", "untrained-lstm"])
def test_each_shuffle_draws_its_own_embedder_unless_the_seed_is_given(name: str) -> None:
    free, given = load_embedder(name), load_embedder(name, seed=1)
    zero, one = (free.of_shuffle(shuffle).encode(["75"]) for shuffle in (0, 1))
    assert not np.allclose(zero, one)
    np.testing.assert_array_equal(free.encode(["75"]), zero)
    np.testing.assert_array_equal(given.encode(["75"]), one)
    np.testing.assert_array_equal(given.of_shuffle(0).encode(["75"]), one)


def test_random_vectors_are_normal_and_unrelated() -> None:
    vectors = load_embedder("random:dimension=1000").encode([str(n) for n in range(200)])
    assert abs(vectors.mean()) < 0.01
    assert abs(vectors.std() - 1) < 0.01
    others = np.corrcoef(vectors) - np.eye(200)
    assert np.abs(others).max() < 0.2


def test_the_untrained_cnn_has_the_relu_of_the_released_code() -> None:
    plain, rectified = (
        load_embedder(name).encode(["7", "75"]) for name in ("untrained-cnn:activation=none", "untrained-cnn")
    )
    assert plain.min() < 0
    np.testing.assert_array_equal(rectified, np.maximum(plain, 0))
    assert CharCNN().activation == "none"


def test_left_padding_puts_equal_digits_in_equal_places() -> None:
    left, right = (character_ids(["11", "110"], padding) for padding in ("left", "right"))
    assert (left[0] == left[1]).sum() == 3  # two pads and the tens digit: ∅∅∅11, ∅∅110
    assert left[0][3] == left[1][3] == ord("1") - 30
    assert right[0][:2].tolist() == right[1][:2].tolist()
    assert character_ids(["7"], "same").tolist() == [[0, 0, ord("7") - 30, 0, 0]]


def test_char_cnn_is_a_convolution_with_max_pooling() -> None:
    network = CharCNN(filters=7, character_dimension=6)
    layout = network.layout()
    weights = initial(layout, [generator(0)])
    texts = ["75", "12345678", "seventy-five"]
    ours = network.vectors(weights, network.read(texts).take(torch.arange(3)[None]))[0]
    for row, text in zip(ours, texts, strict=True):
        characters = weights["characters"][0][torch.from_numpy(character_ids([text], "left")[0])]
        pooled = []
        for width in (2, 3, 4, 5):
            kernel = weights[f"filters{width}.weight"][0].view(width, 6, 7).permute(2, 1, 0)
            convolved = torch.conv1d(characters.T[None], kernel, weights[f"filters{width}.bias"][0])
            pooled.append(convolved[0].amax(dim=1))
        torch.testing.assert_close(row, torch.cat(pooled))


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (lambda texts: np.zeros((len(texts) - 1, 3)), r"returned shape \(9, 3\) for 10 texts"),
        (lambda texts: np.zeros(len(texts)), r"returned shape \(10,\)"),
        (lambda texts: np.full((len(texts), 2), np.nan), "NaN or infinity, first for '0'"),
        (lambda texts: [[1.0] * (1 + len(text)) for text in ["a", "bb"]], "rectangular"),
        (lambda texts: [["x"]] * len(texts), "rectangular"),
    ],
)
def test_bad_vectors_are_refused(returned: object, message: str) -> None:
    with pytest.raises(NumprobeError, match=message):
        encode(FunctionEmbedder(returned), [str(n) for n in range(10)], "mine")


def test_a_changing_dimension_is_refused() -> None:
    sizes = iter([3, 4])
    with pytest.raises(NumprobeError, match="changed its dimension from 3 to 4"):
        encode(FunctionEmbedder(lambda texts: np.zeros((len(texts), next(sizes)))), ["1"] * 5000, "mine")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("char-cn", "did you mean 'char-cnn'"),
        ("char-cnn:paddin=left", "did you mean 'padding'"),
        ("char-cnn:padding=lefft", "did you mean 'left'"),
        ("char-cnn:filters=many", "must be a whole number, not 'many'"),
        ("char-cnn:filters=0", "filters must be at least 1"),
        ("char-cnn:activation=rel", "did you mean 'relu'"),
        ("char-cnn:filters", "is not key=value"),
        ("char-cnn:filters=1,filters=2", "sets 'filters' twice"),
        ("random:dimension=0", "at least 1"),
        ("random:seed=-1", "seed must be at least 0"),
        ("value:scale=log", "did you mean 'log10'"),
        ("value:scale=standardised", "unknown scale"),
    ],
)
def test_bad_names_and_settings(name: str, message: str) -> None:
    with pytest.raises(NumprobeError, match=message):
        load_embedder(name)
