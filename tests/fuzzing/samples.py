"""Small files of each kind that numprobe reads, as a start for damaged ones."""

import io
import json
import struct
import tarfile
import zipfile
from collections.abc import Sequence
from typing import Any

import numpy as np

Rows = dict[str, np.ndarray]

WORDS = ("the", "75", "seventy-five", "café", "9", "-1.5", "7", "8")
WANTED = ("75", "9", "7", "nowhere")
DIMENSION = 5


def some_rows(words: Sequence[str] = WORDS, dimension: int = DIMENSION) -> Rows:
    chance = np.random.default_rng(0)
    return {word: chance.normal(size=dimension).astype(np.float32) for word in words}


def glove(rows: Rows) -> bytes:
    return "".join(f"{word} {' '.join(map(str, row.tolist()))}\n" for word, row in rows.items()).encode()


def _header(rows: Rows) -> bytes:
    return b"%d %d\n" % (len(rows), len(next(iter(rows.values()))))


def word2vec(rows: Rows) -> bytes:
    return _header(rows) + glove(rows)


def word2vec_binary(rows: Rows, end: bytes = b"\n") -> bytes:
    """The format that word2vec writes; gensim writes no newline after a row."""
    return _header(rows) + b"".join(word.encode() + b" " + row.tobytes() + end for word, row in rows.items())


def fasttext() -> bytes:
    """A model of version 12 with n-grams of three to six characters in twenty buckets."""
    buckets = 20
    arguments = (DIMENSION, 5, 5, 1, 5, 1, 1, 2, buckets, 3, 6, 100)
    dictionary = b"".join(word.encode() + b"\0" + struct.pack("<qb", 3, 0) for word in WORDS)
    matrix = np.random.default_rng(1).normal(size=(len(WORDS) + buckets, DIMENSION)).astype("<f4")
    return (
        struct.pack("<2i12id", 793712314, 12, *arguments, 1e-4)
        + struct.pack("<3i2q", len(WORDS), len(WORDS), 0, 100, -1)
        + dictionary
        + b"\0"
        + struct.pack("<2q", *matrix.shape)
        + matrix.tobytes()
    )


ELMO_OPTIONS: dict[str, Any] = {
    "lstm": {
        "cell_clip": 3,
        "proj_clip": 3.0,
        "dim": 5,
        "projection_dim": 4,
        "n_layers": 2,
        "use_skip_connections": True,
    },
    "char_cnn": {
        "activation": "relu",
        "embedding": {"dim": 3},
        "filters": [[1, 2], [2, 3]],
        "n_highway": 1,
        "n_characters": 262,
        "max_characters_per_token": 9,
    },
}


def elmo_options() -> bytes:
    return json.dumps(ELMO_OPTIONS).encode()


def elmo_weights(shapes: dict[str, tuple[int, ...]], **packing: Any) -> bytes:
    import h5py

    held = io.BytesIO()
    with h5py.File(held, "w") as file:
        for name, shape in shapes.items():
            file.create_dataset(name, data=np.ones(shape, np.float32), **packing)
    return held.getvalue()


def zipped(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return held.getvalue()


def tarred(members: dict[str, bytes]) -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w:gz") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return held.getvalue()


MEMBER = "tiny/data/vectors.bin"
WHEEL = {MEMBER: bytes(range(256)) * 8, "tiny/__init__.py": b"raise SystemExit", "../outside": b"no"}

SUITE = b"""title = "Mine"
description = "All that a suite can say"
missing = "restrict"
seeds = 2

[[cells]]
embedder = ["value", "char-cnn:padding=right,filters=50", "word-vectors:path=vectors/glove.txt"]
task = ["decoding", "list-maximum:sampler=appendix,train_lists=1000"]
range = ["0:99", "-50:50"]

[[cells]]
embedder = "minilm-l6:layer=all"
task = "addition:pair_share=0.5"
range = "0:150"
test_range = "151:160,170:200"
form = "words"
probe = "linear"
missing = "restrict"

[[cells]]
embedder = "elmo"
task = "list-maximum"
range = "0.0:99.9"
"""

DROP: dict[str, Any] = {
    "nfl_1": {
        "passage": "The Saints kicked a 43-yard field goal, twenty-one yards longer than in 1999. They won 20-17.",
        "qa_pairs": [
            {
                "question": "How many yards was the longest field goal?",
                "query_id": "a",
                "answer": {"number": "43", "date": {"day": "", "month": "", "year": ""}, "spans": []},
                "validated_answers": [{"number": "", "date": {}, "spans": ["43-yard", "43"]}],
            },
            {
                "question": "Who won?",
                "query_id": "b",
                "answer": {"number": "", "date": {"day": "", "month": "", "year": ""}, "spans": ["Saints", "they"]},
            },
            {
                "question": "When was it shorter or longer?",
                "query_id": "c",
                "answer": {"number": "", "date": {"day": "5", "month": "May", "year": "1999"}, "spans": []},
            },
        ],
    }
}

PREDICTIONS: dict[str, Any] = {"a": "43", "b": ["the Saints", "they"], "c": ["5 May 1999"]}
