import gzip
import os
import pickle
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numprobe.embedders.word_vectors import GensimVectors, WordVectors, read_rows
from numprobe.errors import NumprobeError
from numprobe.files.reading import watching
from tests.fuzzing.samples import Rows, glove, some_rows, word2vec, word2vec_binary, zipped

ROWS = some_rows(["the", ".", "75", "seventy-five", "café", "東京", "9", "-1.5"])


def vec(rows: Rows) -> bytes:
    """The format of fastText's .vec files, where each row ends with a space."""
    header, _, body = word2vec(rows).partition(b"\n")
    return header + b"\n" + body.replace(b"\n", b" \n")


def archived(content: bytes, name: str = "a.txt") -> bytes:
    """A zip with a second, smaller member."""
    return zipped({"readme.md": b"x", name: content})


def locked(archive: bytes) -> bytes:
    """The archive with its last member marked as encrypted."""
    flags = archive.rindex(b"PK\x01\x02") + 8
    return archive[:flags] + b"\1" + archive[flags + 1 :]


def same(found: Rows, expected: Rows) -> None:
    assert found.keys() == expected.keys()
    for word, row in found.items():
        assert row.dtype == np.float32
        np.testing.assert_array_equal(row, expected[word])


WRITERS = {
    "glove.txt": glove,
    "word2vec.txt": word2vec,
    "fasttext.vec": vec,
    "word2vec.bin": word2vec_binary,
    "gensim.bin": lambda rows: word2vec_binary(rows, b""),
    "no-ending": glove,
}


@pytest.mark.parametrize("packing", ["", ".gz", ".zip"])
@pytest.mark.parametrize("name", WRITERS)
def test_wanted_rows_of_every_format_and_packing(tmp_path: Path, name: str, packing: str) -> None:
    content = WRITERS[name](ROWS)
    pack = {"": bytes, ".gz": gzip.compress, ".zip": lambda c: archived(c, name)}[packing]
    path = tmp_path / (name + packing)
    path.write_bytes(pack(content))
    same(read_rows(str(path), ["75", "東京", "seventy", ""]), {word: ROWS[word] for word in ["75", "東京"]})
    same(read_rows(str(path), list(ROWS)), ROWS)
    assert read_rows(str(path), ["8", "7"]) == {}


words = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1)
numbers = st.floats(width=32, allow_nan=False, allow_infinity=False)


@settings(max_examples=50, deadline=None)
@given(
    words=st.lists(words, min_size=1, unique=True),
    row=st.lists(numbers, min_size=3, max_size=3),
    wanted=st.sets(words),
    name=st.sampled_from(list(WRITERS)),
)
def test_written_vectors_are_read_back(
    tmp_path_factory: pytest.TempPathFactory, words: list[str], row: list[float], wanted: set[str], name: str
) -> None:
    rows = {word: np.array(row, np.float32) * np.float32((-1) ** i) for i, word in enumerate(words)}
    path = tmp_path_factory.mktemp("vectors") / name
    path.write_bytes(WRITERS[name](rows))
    same(read_rows(str(path), list(rows)), rows)
    wanted |= set(words[::2])
    same(read_rows(str(path), wanted), {word: rows[word] for word in rows if word in wanted})


def test_a_large_file_is_read_in_blocks_and_reports_progress(tmp_path: Path) -> None:
    rows = some_rows([str(n) for n in range(3000)], 50)
    for name in WRITERS:
        content = WRITERS[name](rows)
        (tmp_path / name).write_bytes(content)
        told: list[tuple[str, int, int]] = []
        with watching(lambda *progress, told=told: told.append(progress)):
            same(read_rows(str(tmp_path / name), ["2999", "17", "x"]), {word: rows[word] for word in ["17", "2999"]})
        assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)
        assert told[-1] == (f"reading {tmp_path / name}", len(content), len(content))
        assert len(told) > 2


def test_tokens_with_spaces(tmp_path: Path) -> None:
    rows = some_rows([". . .", "the", "seventy", "seventy five", "at name@domain.com"])
    path = tmp_path / "glove.840B.txt"
    path.write_bytes(glove(rows))
    same(read_rows(str(path), list(rows)), rows)
    same(read_rows(str(path), [".", "at", "seventy"]), {"seventy": rows["seventy"]})


def test_the_first_of_two_rows_counts_and_reading_stops_when_all_are_found(tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt"
    path.write_bytes(b"7 1 2\n7 3 4\n8 5 6\n" + b"the 1 2\n" * 200 + b"9 damaged\n")
    same(read_rows(str(path), ["7", "8"]), {"7": np.array([1, 2], np.float32), "8": np.array([5, 6], np.float32)})
    with pytest.raises(NumprobeError, match="line 204 has 1 numbers where other rows have 2"):
        read_rows(str(path), ["7", "8", "9"])


BINARY = word2vec_binary(ROWS)
PLAIN = b"the 1 2 3\n7 4 5 6\n8 7 8 9\n"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("empty.txt", b"", "is empty"),
        ("empty.txt.gz", gzip.compress(b"", mtime=0), "is empty"),
        ("cut.txt", PLAIN[:-3], "line 3 has 2 numbers where other rows have 3"),
        ("short.txt", PLAIN.replace(b"4 5 6", b"4 5"), "line 2 has 2 numbers where other rows have 3"),
        ("long.txt", PLAIN.replace(b"4 5 6", b"4 5 6 7"), "line 2 has 4 numbers where other rows have 3"),
        ("words.txt", PLAIN.replace(b"4 5 6", b"4 five 6"), "line 2: could not convert.*five"),
        ("nan.txt", PLAIN.replace(b"4 5 6", b"4 nan 6"), "vector of '7' contains NaN"),
        ("huge.txt", PLAIN.replace(b"4 5 6", b"4 1e99 6"), "vector of '7' contains NaN or infinity"),
        ("dimension.txt", b"3 4\n" + PLAIN, "line 2 has 3 numbers where the header promises 4"),
        ("dimension.txt", b"3 2\n" + PLAIN, "line 2 has 3 numbers where the header promises 2"),
        ("dimension.txt", b"3 0\n" + PLAIN, "the header promises 0 numbers per word"),
        ("count.vec", b"4 3\n" + PLAIN, "cut off after line 4: the header promises 4 words"),
        ("header-only.vec", b"4 3\n", "cut off after line 1: the header promises 4 words"),
        ("endless.txt", PLAIN + b"x" * (1 << 20), "line 4 does not end within"),
        ("prose.txt", b"It was the best of times\n", "not word vectors in any known format"),
        ("noise.bin", bytes(range(1, 200)), "not word vectors in any known format"),
        ("cut.bin", BINARY[:-9], rf"cut off at byte {len(BINARY) - 9}, within word 8 of the 8 promised"),
        ("count.bin", BINARY.replace(b"8 5", b"9 5", 1), "within word 9 of the 9 promised"),
        ("more.bin", BINARY.replace(b"8 5", b"7 5", 1), "continues after the 7 words of 5 numbers"),
        ("dimension.bin", BINARY.replace(b"8 5", b"8 4", 1), "a word should be|continues after"),
        ("cut.txt.gz", gzip.compress(PLAIN * 99, mtime=0)[:-20], "damaged or cut off near byte"),
        ("a.txt.xz", b"\xfd7zXZ\0", "is an .xz file; unpack it, or use .gz or .zip"),
        ("cut.txt.zip", archived(PLAIN * 99)[:-20], "damaged or cut off: "),
        ("locked.zip", locked(archived(PLAIN)), "can't be unpacked: .*password"),
        ("tabs.txt", PLAIN.replace(b" ", b"\t"), "not word vectors"),
        (
            "damaged.zip",
            archived(PLAIN).replace(b"a.txt", b"b.txt", 1),
            "damaged or cut off",
        ),
    ],
)
def test_bad_files_are_refused_in_one_line(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(NumprobeError, match=message) as caught:
        read_rows(str(path), ["7", "8", "nowhere"])
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_missing_files(tmp_path: Path) -> None:
    for path, message in [(tmp_path / "none.txt", "does not exist"), (tmp_path, "Is a directory")]:
        with pytest.raises(NumprobeError, match=message):
            WordVectors(str(path)).encode(["7"])


def test_a_given_format_is_checked_and_the_name_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "vectors.bin"
    path.write_bytes(glove(ROWS))
    for format in ("", "glove"):
        same(read_rows(str(path), ["75"], format), {"75": ROWS["75"]})
    with pytest.raises(NumprobeError, match="has the format glove, not word2vec-binary"):
        read_rows(str(path), ["75"], "word2vec-binary")
    with pytest.raises(NumprobeError, match="did you mean 'glove'"):
        WordVectors(str(path), "glov")


def test_word_vectors_read_a_file_once_until_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt"
    path.write_bytes(glove(ROWS))
    vectors = WordVectors(str(path))
    assert vectors.covers(["9", "10", "75"]) == [True, False, True]
    revision = vectors.revision
    assert revision == WordVectors(str(path)).revision
    assert len(revision) == 16
    told: list[tuple[str, int, int]] = []
    with watching(lambda *progress: told.append(progress)):
        np.testing.assert_array_equal(vectors.encode(["75", "9", "75"]), [ROWS["75"], ROWS["9"], ROWS["75"]])
    assert not told
    assert vars(vectors).keys() == {"path", "format", "pooling"}
    path.write_bytes(glove({word: 2 * row for word, row in ROWS.items()}))
    np.testing.assert_array_equal(vectors.encode(["75"]), [2 * ROWS["75"]])
    assert vectors.revision != revision
    with pytest.raises(NumprobeError, match="has no vectors for 1 of the 2 texts, such as '10'"):
        vectors.encode(["9", "10"])
    with pytest.raises(NumprobeError, match="has no vectors for 1 of the 1 texts, such as '10'"):
        vectors.encode(["10"])


SENTENCES = [f"{n} café {n % 7} 東京 мир seventy-five {n * n}".split() for n in range(60)]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("corpus") / "corpus.txt"
    path.write_text("\n".join(map(" ".join, SENTENCES)), encoding="utf-8")
    return path


UNLISTED = ["12345", "seventy-six", "cafés", "東京都", "x", "ы", "", "twenty one"]


@pytest.mark.parametrize(
    "arguments",
    [{}, {"minn": 1, "maxn": 2}, {"minn": 5, "maxn": 5}, {"minn": 0, "maxn": 0}, {"bucket": 7}, {"model": "cbow"}],
    ids=str,
)
def test_fasttext_models_give_the_same_vectors_as_the_library(
    corpus: Path, tmp_path: Path, arguments: dict[str, Any]
) -> None:
    fasttext = pytest.importorskip("fasttext")
    options = {"dim": 6, "minCount": 1, "bucket": 500, "epoch": 1, "thread": 1, "verbose": 0} | arguments
    model = fasttext.train_unsupervised(str(corpus), **options)
    path = tmp_path / "model.bin"
    model.save_model(str(path))
    expected = {
        word: model.get_word_vector(word) for word in [*model.words, *UNLISTED] if len(model.get_subwords(word)[1])
    }
    assert ("12345" in expected) == (options.get("maxn") != 0)
    for packed in (path, tmp_path / "model.bin.gz"):
        if packed != path:
            packed.write_bytes(gzip.compress(path.read_bytes(), mtime=0))
        same(read_rows(str(packed), [*model.words, *UNLISTED]), expected)


def test_supervised_fasttext_models(tmp_path: Path) -> None:
    fasttext = pytest.importorskip("fasttext")
    corpus, path = tmp_path / "corpus.txt", tmp_path / "model.bin"
    corpus.write_text("\n".join(f"__label__{n % 2} number {n}" for n in range(300)))
    model = fasttext.train_supervised(str(corpus), dim=4, minn=2, maxn=3, bucket=500, epoch=1, thread=1, verbose=0)
    model.save_model(str(path))
    for version in (12, 11):  # the library ignores n-grams in supervised models of version 11
        path.write_bytes(path.read_bytes()[:4] + struct.pack("<i", version) + path.read_bytes()[8:])
        model = fasttext.load_model(str(path))
        expected = ["number", "7", "7000"] if version == 12 else ["number", "7"]
        same(read_rows(str(path), ["number", "7", "7000"]), {word: model.get_word_vector(word) for word in expected})
    for cutoff in (0, 280):
        model = fasttext.train_supervised(str(corpus), dim=4, epoch=1, thread=1, verbose=0)
        model.quantize(str(corpus), cutoff=cutoff)
        model.save_model(str(tmp_path / "model.ftz"))
        with pytest.raises(NumprobeError, match="quantised"):
            read_rows(str(tmp_path / "model.ftz"), ["7"])


def test_damaged_fasttext_models(corpus: Path, tmp_path: Path) -> None:
    fasttext = pytest.importorskip("fasttext")
    path = tmp_path / "model.bin"
    fasttext.train_unsupervised(str(corpus), dim=6, bucket=500, epoch=1, thread=1, verbose=0).save_model(str(path))
    content = path.read_bytes()
    for damaged, message in [
        (content[:50], "cut off at byte 50"),
        (content[:200], "cut off at byte 200, within word"),
        (content[:9000], "cut off at byte 9000, within the vectors"),
        (gzip.compress(content[:9000], mtime=0), r"cut off at byte 9000, where \d+ more should follow"),
        (content[:4] + struct.pack("<i", 13) + content[8:], "version 13"),
        (content[:8] + struct.pack("<i", 5) + content[12:], "damaged: a matrix of"),
    ]:
        path.write_bytes(damaged)
        with pytest.raises(NumprobeError, match=message):
            read_rows(str(path), ["75", "12345"])


@pytest.fixture
def keyed() -> Any:
    vectors = pytest.importorskip("gensim.models").KeyedVectors(5)
    vectors.add_vectors(list(ROWS), list(ROWS.values()))
    return vectors


def test_files_that_gensim_writes(tmp_path: Path, keyed: Any) -> None:
    for name, binary in [("vectors.txt", False), ("vectors.bin", True), ("vectors.txt.gz", False)]:
        keyed.save_word2vec_format(str(tmp_path / name), binary=binary)
        same(read_rows(str(tmp_path / name), ["9", "café", "8"]), {word: ROWS[word] for word in ["9", "café"]})


class Harm:
    def __reduce__(self) -> tuple[Any, ...]:
        return os.system, ("echo harm",)


@pytest.mark.parametrize("protocol", range(2, 6))
def test_pickles_are_refused_without_running_them(
    tmp_path: Path, protocol: int, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "vectors.kv"
    path.write_bytes(pickle.dumps(Harm(), protocol))
    with pytest.raises(NumprobeError, match=r"vectors.kv: a pickle, .* KeyedVectors .* save_word2vec_format$"):
        read_rows(str(path), ["9"])
    assert capfd.readouterr().out == ""


def test_files_that_gensim_pickles_are_refused(tmp_path: Path, keyed: Any) -> None:
    keyed.save(str(tmp_path / "vectors.kv"))
    with pytest.raises(NumprobeError, match="a pickle, which can run code"):
        read_rows(str(tmp_path / "vectors.kv"), ["9"])


def test_gensim_objects(keyed: Any) -> None:
    vectors = GensimVectors(keyed)
    assert vectors.covers(["9", "10"]) == [True, False]
    np.testing.assert_array_equal(vectors.encode(["75", "9"]), [ROWS["75"], ROWS["9"]])
    with pytest.raises(NumprobeError, match="KeyedVectors has no vectors for 1 of the 2 texts, such as '10'"):
        vectors.encode(["9", "10"])


def test_gensim_fasttext_objects_have_vectors_for_unknown_words() -> None:
    model = pytest.importorskip("gensim.models").FastText(SENTENCES, vector_size=4, min_count=1, epochs=1, bucket=100)
    vectors = GensimVectors(model.wv)
    assert vectors.covers(["12345"]) == [True]
    np.testing.assert_array_equal(vectors.encode(["12345"])[0], model.wv.get_vector("12345"))
