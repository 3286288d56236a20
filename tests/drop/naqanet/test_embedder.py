from pathlib import Path

import numpy as np
import pytest
import torch

from numprobe.drop.models import TrainedNAQANet, load_model
from numprobe.drop.naqanet.answering import NAQANetReader
from numprobe.drop.naqanet.files import MODEL, describe_reader, load_reader, model_path, write_tensors
from numprobe.drop.naqanet.model import NAQANet
from numprobe.drop.naqanet.vocabulary import Alphabet
from numprobe.drop.naqanet.words import WordInput
from numprobe.embedders import load_embedder
from numprobe.embedders.sources import give
from numprobe.errors import NumprobeError
from tests.drop.naqanet.conftest import TINY

TEXTS = ["7", "75", "1234567", "seventy-five", "-3.5", "Ω"]


@pytest.fixture
def vectors(tmp_path: Path) -> str:
    """A file of word vectors, as an embedder."""
    path = tmp_path / "vectors.txt"
    path.write_text("75 1 2 3\nseventy-five 4 5 6\n")
    return f"word-vectors:path={path}"


def model(folder: Path, vectors: str, width: int) -> NAQANetReader:
    """A model with random weights in a folder."""
    alphabet = Alphabet("0123456789-abcdefghijklmnopqrstuvwxyz")
    reader = NAQANetReader(NAQANet(TINY, len(alphabet.characters), width).eval(), alphabet, WordInput(vectors, width))
    write_tensors(folder / MODEL, reader.network.state_dict(), describe_reader(reader))
    return reader


def test_character_vectors_equal_those_of_the_network(tmp_path: Path) -> None:
    reader = model(tmp_path, "", 0)
    with torch.inference_mode():
        seen = reader.network.characters(torch.from_numpy(reader.alphabet.rows(TEXTS)))
    made = load_embedder("naqanet-chars", model=str(tmp_path)).encode(TEXTS)
    np.testing.assert_allclose(made, seen.numpy(), atol=1e-6)
    assert len(np.unique(made, axis=0)) == len(TEXTS)


def test_word_vectors_come_before_character_vectors(tmp_path: Path, vectors: str) -> None:
    model(tmp_path, vectors, 3)
    words = load_embedder("naqanet", model=str(tmp_path)).encode(["75", "Seventy-five", "76"])
    assert words[:, :3].tolist() == [[1, 2, 3], [4, 5, 6], [0, 0, 0]]
    characters = load_embedder("naqanet-chars", model=str(tmp_path)).encode(["75", "Seventy-five", "76"])
    np.testing.assert_array_equal(words[:, 3:], characters)


def test_a_folder_can_be_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMPROBE_WEIGHTS_NAQANET_CHARS", "")
    model(tmp_path, "", 0)
    own, shipped = load_embedder("naqanet-chars", model=str(tmp_path)), load_embedder("naqanet-chars")
    assert shipped.revision != own.revision
    give("naqanet-chars", str(tmp_path))
    assert load_embedder("naqanet-chars").revision == own.revision
    np.testing.assert_array_equal(load_embedder("naqanet-chars").encode(TEXTS), own.encode(TEXTS))


def test_the_shipped_model_knows_every_digit() -> None:
    vectors = load_embedder("naqanet-chars").encode([str(number) for number in range(100)])
    assert vectors.shape == (100, 64)
    assert len(np.unique(vectors, axis=0)) == 100
    assert "7" in load_reader().alphabet.characters


@pytest.mark.parametrize(
    ("name", "folder", "message"),
    [("naqanet-chars", "empty", "holds no trained NAQANet"), ("naqanet", "bare", "without word vectors")],
)
def test_mistakes_are_one_line(name: str, folder: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    model(tmp_path / "bare", "", 0)
    with pytest.raises(NumprobeError, match=message):
        load_embedder(name, model=str(tmp_path / folder)).encode(["7"])


def test_a_file_that_is_not_a_model_is_refused(tmp_path: Path) -> None:
    (tmp_path / MODEL).write_bytes(b"nothing")
    with pytest.raises(NumprobeError, match="can't read"):
        load_embedder("naqanet-chars", model=str(tmp_path)).encode(["7"])


def test_models_that_ship_have_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "mpnet" in load_reader("naqanet-contextual").words.embedder
    assert model_path("naqanet") == model_path("")
    assert model_path("naqanet-contextual") != model_path("")
    assert load_model("naqanet-contextual") == TrainedNAQANet("naqanet-contextual")
    monkeypatch.chdir(tmp_path)
    Path("naqanet").mkdir()
    with pytest.raises(NumprobeError, match="naqanet holds no trained NAQANet"):
        model_path("naqanet")  # the folder comes first
