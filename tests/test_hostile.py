"""Malicious files: each is refused early, in one line, and leaves nothing behind."""

import gzip
import hashlib
import json
import struct
import time
import zipfile
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from numprobe.cli import main
from numprobe.drop.naqanet.files import read_tensors
from numprobe.embedders.elmo.files import read_options, read_weights
from numprobe.embedders.sources import fetching
from numprobe.embedders.sources.catalogue import NamedWeights, Wheel
from numprobe.embedders.static_tokens import StaticTokens
from numprobe.embedders.word_vectors import read_rows
from numprobe.errors import NumprobeError
from numprobe.experiments import load_suite
from tests.fuzzing.samples import ELMO_OPTIONS, zipped


@pytest.fixture(autouse=True)
def quickly() -> Any:
    start = time.perf_counter()
    yield
    assert time.perf_counter() - start < 5


def wheel_of(folder: Path, members: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> NamedWeights:
    """Make an entry of the catalogue with a wheel of these members."""
    path = folder / "tiny-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    wheel = Wheel("tiny", "1.0", path.stat().st_size, hashlib.sha256(path.read_bytes()).hexdigest())
    monkeypatch.setattr(fetching, "fetch_wheel", lambda wheel, folder: folder.mkdir(parents=True) or path)
    monkeypatch.setenv("NUMPROBE_CACHE", str(folder / "outer" / "cache"))
    return NamedWeights("tiny", "", "word-vectors", {}, "MIT", (wheel,), tuple(members)[:1])


def files_below(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock")


@pytest.mark.parametrize("asked", ["tiny/vectors.txt", "../../../vectors.txt", "/tmp/vectors.txt"])
def test_a_wheel_with_members_that_lead_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: str) -> None:
    members = {asked: b"7 1 2\n", "../../../evil": b"x", "/evil": b"x", "tiny/__init__.py": b"raise SystemExit"}
    folder = fetching.obtain(wheel_of(tmp_path, members, monkeypatch))
    assert folder.parent == tmp_path / "outer" / "cache" / "weights"
    assert files_below(tmp_path) == ["numprobe.json", "tiny-1.0-py3-none-any.whl", "vectors.txt"]
    assert (folder / "vectors.txt").read_bytes() == b"7 1 2\n"
    assert not Path("/evil").exists()


def test_a_zip_bomb_in_a_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = wheel_of(tmp_path, {"tiny/vectors.txt": bytes(80_000_000)}, monkeypatch)
    with pytest.raises(NumprobeError, match=r"bytes would become 80,000,000, more than 100 times as many"):
        fetching.obtain(entry)
    assert files_below(tmp_path) == ["tiny-1.0-py3-none-any.whl"]


@pytest.mark.parametrize("pack", [gzip.compress, lambda content: zipped({"vectors.txt": content})])
def test_vectors_that_never_stop_unpacking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pack: Any) -> None:
    monkeypatch.setattr("numprobe.files.untrusted.ALWAYS", 1 << 16)
    path = tmp_path / "vectors"
    path.write_bytes(pack(b"the 1 2\n" + b"\n" * 3_000_000))
    with pytest.raises(NumprobeError, match="more than 100 times"):
        read_rows(str(path), ["7"])


@pytest.mark.parametrize(
    "content",
    [
        struct.pack("<Q", 1 << 40) + b"{}",
        (lambda header: struct.pack("<Q", len(header)) + header)(
            json.dumps({"x": {"dtype": "F32", "shape": [1 << 19, 1 << 19], "data_offsets": [0, 1 << 40]}}).encode()
        ),
    ],
    ids=["header", "tensor"],
)
def test_a_safetensors_header_that_claims_a_terabyte(tmp_path: Path, content: bytes) -> None:
    from tokenizers import Tokenizer, models

    path, tokenizer = tmp_path / "model.safetensors", tmp_path / "tokenizer.json"
    path.write_bytes(content)
    Tokenizer(models.WordLevel({"7": 0}, unk_token="7")).save(str(tokenizer))
    with pytest.raises(NumprobeError, match=r"^can't read .*model.safetensors: "):
        StaticTokens(str(path), str(tokenizer)).encode(["7"])
    with pytest.raises(NumprobeError, match=r"^can't read .*model.safetensors: "):
        read_tensors(path)


@pytest.fixture
def elmo(tmp_path: Path) -> tuple[Path, Any]:
    """The path for weights, and the options of a tiny model."""
    (tmp_path / "options.json").write_text(json.dumps(ELMO_OPTIONS))
    return tmp_path / "weights.hdf5", read_options(str(tmp_path / "options.json"))


def test_an_hdf5_with_a_huge_declared_shape(tmp_path: Path) -> None:
    options = json.loads(json.dumps(ELMO_OPTIONS))
    options["char_cnn"] |= {"embedding": {"dim": 65536}, "filters": [[1, 65536]]}
    (tmp_path / "options.json").write_text(json.dumps(options))
    read = read_options(str(tmp_path / "options.json"))
    path = tmp_path / "weights.hdf5"
    with h5py.File(path, "w") as file:
        for name, shape in read.shapes().items():
            file.create_dataset(name, shape, "f4", chunks=True)
    assert path.stat().st_size < 1_000_000
    with pytest.raises(NumprobeError, match=r"bytes would become \d\d,\d{3},\d{3},\d{3}, more than 100 times"):
        read_weights(str(path), read)


@pytest.mark.parametrize("way", ["soft", "external", "storage", "virtual", "text"])
def test_an_hdf5_file_that_links_to_other_files(elmo: tuple[Path, Any], way: str) -> None:
    path, options = elmo
    shape = options.shapes()["char_embed"]
    secret = path.with_name("secret")
    secret.write_bytes(bytes(4 * 261 * 3))
    with h5py.File(path, "w") as file:
        if way == "soft":
            file["char_embed"] = h5py.SoftLink("/other")
        elif way == "external":
            file["char_embed"] = h5py.ExternalLink(str(secret), "/")
        elif way == "storage":
            file.create_dataset("char_embed", shape, "f4", external=[(str(secret), 0, h5py.h5f.UNLIMITED)])
        elif way == "virtual":
            layout = h5py.VirtualLayout(shape, "f4")
            layout[:] = h5py.VirtualSource(str(secret), "x", shape)
            file.create_virtual_dataset("char_embed", layout)
        else:
            file.create_dataset("char_embed", shape, h5py.string_dtype())
    with pytest.raises(NumprobeError, match=r"is a link|is stored in another file|not floats"):
        read_weights(str(path), options)


def suite_with(folder: Path, embedder: str) -> str:
    path = folder / "suite.toml"
    path.write_text(f'[[cells]]\nembedder = "{embedder}"\ntask = "decoding"\nrange = "0:99"\n')
    return str(path)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with vectors, next to a file that a suite must not read."""
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "vectors.txt").write_text("7 1 2\n")
    (tmp_path / "secret.txt").write_text("hush 1 2\n")
    (folder / "link.txt").symlink_to("../secret.txt")
    monkeypatch.chdir(folder)
    monkeypatch.delenv("NUMPROBE_TRUST", raising=False)
    return folder


OUTSIDE = [
    "word-vectors:path=../secret.txt",
    "word-vectors:path=/etc/passwd",
    "word-vectors:path=~/.ssh/id_rsa",
    "word-vectors:path=link.txt",
    "elmo:weights=x.hdf5,options=a/../../secret.txt",
    "transformer:model=..",
    "transformer:model=someone/some-model,trust_remote_code=yes",
]


@pytest.mark.parametrize("embedder", OUTSIDE)
def test_a_suite_that_names_a_file_outside(
    here: Path, embedder: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["validate", suite_with(here, embedder)]) == 2
    said = capsys.readouterr().err
    assert "suite.toml, line 1: " in said
    assert "--trust lets a suite do that" in said
    assert "hush" not in said
    monkeypatch.setenv("NUMPROBE_TRUST", "1")
    assert load_suite("suite.toml").cells


def test_trust_allows_files_outside(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMPROBE_TRUST", "")  # so that monkeypatch undoes what --trust sets
    assert main(["validate", suite_with(here, OUTSIDE[0]), "--trust"]) == 0


@pytest.mark.parametrize("source", ["vectors.txt", "sub/new.txt", "given:glove", "package:minilm-l6/x"])
def test_a_suite_may_name_what_is_in_the_working_directory(here: Path, source: str) -> None:
    for path in (source, str(here / "vectors.txt")):
        assert load_suite(suite_with(here, f"word-vectors:path={path}")).cells


@pytest.mark.parametrize("source", ["given:glove/../x", "given:glove//etc/passwd", "package:minilm-l6/../../x"])
def test_given_and_fetched_weights_stay_in_their_folder(here: Path, monkeypatch: Any, source: str) -> None:
    from numprobe.embedders import load_embedder

    monkeypatch.setenv("NUMPROBE_WEIGHTS_GLOVE", str(here))
    with pytest.raises(NumprobeError, match="leads out of its folder"):
        load_embedder("word-vectors", path=source).encode(["7"])


def test_a_suite_can_not_ask_for_absurd_amounts(here: Path) -> None:
    many, ranges = [f"random:seed={seed}" for seed in range(200)], [f"0:{high}" for high in range(100, 200)]
    Path("many.toml").write_text(f'task = "decoding"\n[[cells]]\nembedder = {many}\nrange = {ranges}\n')
    with pytest.raises(NumprobeError, match=r"line 2: more than 10,000 cells"):
        load_suite("many.toml")
    for dimension, most in (("100000", "65,536"), ("9" * 99, "1,000,000,000")):
        with pytest.raises(NumprobeError, match=f"dimension must be at most {most}$"):
            load_suite(suite_with(here, f"random:dimension={dimension}"))


def test_quoted_values_can_not_control_the_terminal(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("suite.toml").write_text('"\\u001b[2J\\n" = 1\n')
    assert main(["validate", "suite.toml"]) == 2
    said = capsys.readouterr().err
    assert "\x1b" not in said
    assert said.count("\n") == 1


def test_a_shape_beyond_all_memory_in_an_npy(tmp_path: Path) -> None:
    from numprobe.embedders.saved_vectors import SavedVectors

    path = tmp_path / "vectors.npy"
    np.save(path, np.zeros((2, 2), np.float32))
    content = path.read_bytes()
    for shape in (b"(99999999999999, 2)", b"(4611686018427387904, 4)"):
        at = content.index(b"(2, 2)")
        path.write_bytes(content[:at] + shape + content[at + 6 :].replace(b" " * (len(shape) - 6), b"", 1))
        with pytest.raises(NumprobeError, match=r"^can't read .*vectors.npy: "):
            SavedVectors(str(path), str(path)).encode(["7"])
