"""A real server answers as the local model does (`make test-server` installs llama.cpp's)."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from gguf import GGUFReader, GGUFWriter
from gguf.quants import dequantize

from numprobe import probe
from numprobe.embedders import load_embedder
from numprobe.embedders.sources import local_file
from numprobe.embedders.speech import Dialogue, Interview
from tests import serving

pytestmark = pytest.mark.slow
MODEL = "smollm2-135m"
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
LOCAL = f"{MODEL}:start=none"  # the server puts no start token first
TEXTS = [str(number) for number in range(200)]


@pytest.fixture(scope="module")
def weights() -> Path:
    pytest.importorskip("xllamacpp", reason="make test-server installs it")
    return Path(local_file(f"package:{MODEL}/{FILE}"))


@contextmanager
def served(path: Path, what: str = "vectors") -> Iterator[str]:
    """The name of an embedder that asks a server of these weights."""
    command = [sys.executable, serving.__file__, str(path), what]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        yield f"endpoint:url={server.stdout.readline().strip()}/v1,model={path.stem}"
        server.stdin.close()


def unit_vectors(name: str) -> np.ndarray:
    """The server's vectors have length 1, so these do, too."""
    vectors = np.asarray(load_embedder(name).encode(TEXTS), dtype=np.float64)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def in_float32(path: Path, out: Path) -> Path:
    """The same weights without quantisation."""
    reader = GGUFReader(path)
    writer = GGUFWriter(out, reader.fields["general.architecture"].contents())
    for name, own in reader.fields.items():
        if not name.startswith("GGUF.") and name not in ("general.architecture", "general.file_type"):
            writer.add_key_value(name, own.contents(), own.types[0], own.types[-1] if len(own.types) > 1 else None)
    for tensor in reader.tensors:
        writer.add_tensor(tensor.name, dequantize(tensor.data, tensor.tensor_type).astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return out


def test_at_the_same_precision_its_vectors_are_the_local_models(weights: Path, tmp_path: Path) -> None:
    with served(in_float32(weights, tmp_path / "float32.gguf")) as name:
        difference = np.abs(unit_vectors(name) - unit_vectors(LOCAL)).max()
    print(f"largest difference {difference:.1e}")
    assert difference < 1e-4


@pytest.mark.parametrize("style", ["text", "chat"])
def test_at_the_same_precision_it_says_what_the_local_model_says(
    weights: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, style: str
) -> None:
    monkeypatch.setenv("NUMPROBE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NUMPROBE_OFFLINE", "1")
    with served(in_float32(weights, tmp_path / "float32.gguf"), "says") as name:
        asked = [Dialogue(f"{number} + {41 - number // 2} =", (("12 + 5 =", "17"),)) for number in range(1, 40, 2)]
        there = Interview(load_embedder(name).speaker(style, 8)).ask(asked)
    monkeypatch.undo()
    here = Interview(load_embedder(LOCAL).speaker(style, 8)).ask(asked)
    print(f"{style}: {[reply.text for reply in here]}")
    assert [reply.text for reply in there] == [reply.text for reply in here]
    assert [reply.read for reply in there] == [reply.read for reply in here]


def test_at_the_same_precision_it_says_the_same_in_every_task(weights: Path, tmp_path: Path) -> None:
    """The cells of docs/says.md with fewer items: the same answers, and the same ones unreadable."""
    asked = [
        ("list-maximum", "0:99", ""),
        ("addition", "0:99", ""),
        ("addition", "0:999", ""),
        ("comparison", "1:999", ""),
        ("decoding", "0:999", "words"),
    ]
    with served(in_float32(weights, tmp_path / "float32.gguf"), "says") as name:
        for (task, numbers, form), shots in product(asked, (0, 4)):
            settings = f"prompt:shots={shots},most_items=4,phrasing=2"
            there, here = probe([name, LOCAL], task, numbers, form=form, probe=settings, seeds=1)
            print(f"{task} {numbers}, {shots} shots: {there.predictions} and {here.predictions}")
            assert there.predictions == here.predictions
            assert there.choices[0]["unreadable"] == here.choices[0]["unreadable"]


def test_with_four_bits_its_vectors_point_the_same_way_and_scores_agree(weights: Path) -> None:
    with served(weights) as name:
        cosines = (unit_vectors(name) * unit_vectors(LOCAL)).sum(axis=1)
        (pair,) = probe([name, LOCAL], "decoding", "0:199", probe="linear").compare()
    print(f"least cosine {cosines.min():.4f}; difference of errors {pair.difference:+.3f}, p {pair.p}")
    assert cosines.min() >= 0.99
    assert pair.better is None
