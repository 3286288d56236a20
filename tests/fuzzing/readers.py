"""The readers of untrusted files: samples of what each of them reads, and how to damage them."""

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np

from numprobe.drop.data import Passage
from numprobe.drop.formats import from_json
from numprobe.drop.formats import read_passages as read
from numprobe.drop.metric import read_predictions
from numprobe.drop.metric import score_predictions as score
from numprobe.drop.question_types import question_types
from numprobe.embedders.elmo.files import Options, read_options, read_weights
from numprobe.embedders.flair.files import read_character_models
from numprobe.embedders.onnx import Onnx
from numprobe.embedders.saved_vectors import SavedVectors
from numprobe.embedders.sources.fetching import _extract
from numprobe.embedders.static_tokens import StaticTokens
from numprobe.embedders.word_vectors import read_rows
from numprobe.errors import NumprobeError
from numprobe.experiments import Store, absent, load_suite
from numprobe.reports import render, result_tables
from numprobe.reports.page.data import detail
from tests.conftest import make_result
from tests.embedders.flair_file import flair_file
from tests.embedders.test_onnx import Model
from tests.fuzzing import samples
from tests.fuzzing.mutations import mutated_bytes, mutated_json, mutated_toml

CELLS = 20
"""Cells of a suite whose hashes are computed."""


@dataclass(frozen=True)
class Reader:
    name: str
    """The name of the file, with the ending that the reader may look at."""
    samples: Callable[[], list[bytes]]
    read: Callable[[Path], object]
    mutated: Callable[[bytes, Random], bytes] = mutated_bytes


def _vectors(path: Path) -> None:
    read_rows(str(path), samples.WANTED)


@cache
def _options(folder: Path) -> Options:
    path = folder / "sound-options.json"
    path.write_bytes(samples.elmo_options())
    return read_options(str(path))


@cache
def _weights(folder: Path) -> Path:
    path = folder / "sound-weights.hdf5"
    path.write_bytes(samples.elmo_weights(_options(folder).shapes()))
    return path


def _elmo_options(path: Path) -> None:
    read_weights(str(_weights(path.parent)), read_options(str(path)))


def _elmo_weights(path: Path) -> None:
    read_weights(str(path), _options(path.parent))


def _elmo_samples() -> list[bytes]:
    """Uncompressed, as published, and compressed."""
    shapes = {"char_embed": (261, 3)} | Options("relu", 3, [[1, 2], [2, 3]], 9, 1, 3, 3, 5, 4, True).shapes()
    return [samples.elmo_weights(shapes), samples.elmo_weights(shapes, compression="gzip", shuffle=True)]


def _suite(path: Path) -> None:
    cells = load_suite(str(path)).cells[:CELLS]
    absent(cells)
    assert all(cell.hash for cell in cells)


def _drop(path: Path) -> None:
    passages = read(path)
    score({}, passages)
    for passage in passages:
        for question in passage.questions:
            question_types(question)


@cache
def _passages() -> tuple[Passage, ...]:
    return from_json(samples.DROP, "sample")


def _predictions(path: Path) -> None:
    score(read_predictions(path), _passages())


def _archive(path: Path) -> None:
    target = path.parent / "taken"
    target.unlink(missing_ok=True)
    before = set(path.parent.parent.rglob("*"))
    _extract(path, samples.MEMBER, target)
    assert set(path.parent.parent.rglob("*")) == before | {target}


def _result(path: Path) -> None:
    found = list(Store(path.parent).results())
    for result in found:
        detail(result, None)
        render(result_tables([result]), "markdown")
    if not found:
        raise NumprobeError("a damaged result counts as missing")


def _result_samples() -> list[bytes]:
    made = make_result("char-cnn:padding=right", numbers="0:19"), make_result("value", "list-maximum")
    return [json.dumps(result.as_dict()).encode() for result in made]


@cache
def _tokenizer(folder: Path) -> Path:
    from tokenizers import Tokenizer, models

    path = folder / "tokenizer.json"
    Tokenizer(models.WordLevel({"<unk>": 0, "7": 1}, unk_token="<unk>")).save(str(path))
    return path


def _safetensors(path: Path) -> None:
    StaticTokens(str(path), str(_tokenizer(path.parent))).encode(["7"])


def _safetensors_samples() -> list[bytes]:
    from safetensors.numpy import save

    return [save({"embedding.weight": np.ones((2, 4), np.float16)}, {"about": "x"})]


@cache
def _words(folder: Path) -> Path:
    import pyarrow
    from pyarrow import parquet

    path = folder / "words.parquet"
    parquet.write_table(pyarrow.table({"index": ["7", "8"]}), path)
    return path


def _npy(path: Path) -> None:
    SavedVectors(str(path), str(_words(path.parent))).encode(["7"])


def _npy_samples() -> list[bytes]:
    import io

    held = io.BytesIO()
    np.save(held, np.ones((2, 4), np.float32))
    return [held.getvalue()]


def _onnx(path: Path) -> None:
    Onnx(str(path), str(_tokenizer(path.parent))).encode(["7"])


def _onnx_samples() -> list[bytes]:
    with TemporaryDirectory() as folder:
        return [Model().write(Path(folder) / "model.onnx").read_bytes()]


def _packed_samples() -> list[bytes]:
    plain = samples.glove(samples.some_rows()) * 20
    return [gzip.compress(plain), samples.zipped({"glove.txt": plain, "readme": b"x"})]


READERS = {
    "GloVe text": Reader("vectors.txt", lambda: [samples.glove(samples.some_rows())], _vectors),
    "word2vec text": Reader("vectors.vec", lambda: [samples.word2vec(samples.some_rows())], _vectors),
    "word2vec binary": Reader("vectors.bin", lambda: [samples.word2vec_binary(samples.some_rows())], _vectors),
    "fastText": Reader("vectors.bin", lambda: [samples.fasttext()], _vectors),
    "packed vectors": Reader("vectors", _packed_samples, _vectors),
    "npy vectors": Reader("vectors.npy", _npy_samples, _npy),
    "safetensors": Reader("vectors.safetensors", _safetensors_samples, _safetensors),
    "ELMo options": Reader("options.json", lambda: [samples.elmo_options()], _elmo_options, mutated_json),
    "ELMo HDF5": Reader("weights.hdf5", _elmo_samples, _elmo_weights),
    "Flair": Reader("model.bin", lambda: [flair_file()[0]], lambda path: read_character_models(str(path))),
    "suite TOML": Reader("suite.toml", lambda: [samples.SUITE], _suite, mutated_toml),
    "DROP JSON": Reader("drop.json", lambda: [json.dumps(samples.DROP).encode()], _drop, mutated_json),
    "predictions": Reader(
        "predictions.json", lambda: [json.dumps(samples.PREDICTIONS).encode()], _predictions, mutated_json
    ),
    "wheel archive": Reader(
        "tiny.whl", lambda: [samples.zipped(samples.WHEEL), samples.zipped(samples.WHEEL, 0)], _archive
    ),
    "tar archive": Reader("tiny.tar.gz", lambda: [samples.tarred(samples.WHEEL)], _archive),
    "ONNX": Reader("model.onnx", _onnx_samples, _onnx),
    "result": Reader("result.json", _result_samples, _result, mutated_json),
}
