"""Vectors in every format that people save them in."""

import json
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch
from safetensors.torch import save_file

import numprobe
from numprobe.embedders.saved_vectors import SavedVectors

TEXTS = [str(number) for number in range(40)]
TABLE = np.column_stack((np.arange(40), np.arange(40) ** 2, np.ones(40))).astype(np.float32)


def npz(path: Path) -> None:
    np.savez_compressed(path, texts=np.array(TEXTS), vectors=TABLE)


def npz_by_text(path: Path) -> None:
    np.savez(path, **dict(zip(TEXTS, TABLE, strict=True)))


def npy(path: Path) -> None:
    np.save(path, np.asfortranarray(TABLE.astype(np.float64)))
    path.with_name("texts.txt").write_text("\n".join(TEXTS), encoding="utf-8")


def safetensors(path: Path) -> None:
    save_file({"vectors": torch.from_numpy(TABLE).bfloat16().float()}, path, {"texts": json.dumps(TEXTS)})


def safetensors_by_text(path: Path) -> None:
    save_file({text: torch.from_numpy(row.copy()) for text, row in zip(TEXTS, TABLE, strict=True)}, path)


def parquet(path: Path) -> None:
    pd.DataFrame({"text": TEXTS, "vector": list(TABLE)}).to_parquet(path)


def parquet_by_column(path: Path) -> None:
    pd.DataFrame({"text": TEXTS, **{f"d{at}": TABLE[:, at] for at in range(3)}}).to_parquet(path)


def csv(path: Path) -> None:
    pd.DataFrame({"text": TEXTS, **{f"d{at}": TABLE[:, at] for at in range(3)}}).to_csv(path, index=False)


@pytest.mark.parametrize(
    ("write", "name"),
    [
        (npz, "v.npz"),
        (npz_by_text, "v.npz"),
        (npy, "v.npy"),
        (safetensors, "v.safetensors"),
        (safetensors_by_text, "v.safetensors"),
        (parquet, "v.parquet"),
        (parquet_by_column, "v.parquet"),
        (csv, "v.csv"),
    ],
)
def test_every_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: object, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NUMPROBE_CACHE", str(tmp_path / "cache"))
    write(tmp_path / name)  # type: ignore[operator]
    texts = ",texts=texts.txt" if write is npy else ""
    saved = SavedVectors(name, "texts.txt" if texts else "")
    assert saved.encode(["7", "39"]) == pytest.approx(TABLE[[7, 39]], rel=0.01)
    assert saved.covers(["7", "40", "seven"]).tolist() == [True, False, False]
    result = numprobe.probe(f"saved-vectors:path={name}{texts}", numbers="0:49", probe="linear", missing="restrict")
    assert result[0].coverage == {"covered": 40, "asked": 50}
    assert result.mean < 1e-3


def test_a_dict_is_an_embedder() -> None:
    result = numprobe.probe(dict(zip(TEXTS, TABLE, strict=True)), numbers="0:39", probe="linear", name="mine")
    assert result.mean < 1e-3
    assert result[0].cell.embedder == "mine"
    with pytest.raises(numprobe.NumprobeError, match="has 40 of the 50 numbers"):
        numprobe.probe(dict(zip(TEXTS, TABLE, strict=True)), numbers="0:49", probe="linear", name="mine")


def bomb(path: Path) -> None:
    """A header that promises more than there is."""
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (9999999999, 99), }"
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("vectors.npy", b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + b"1234")


def pickled(path: Path) -> None:
    np.savez(path, vectors=np.array([{}, {}], dtype=object), texts=np.array(["a", "b"]))


@pytest.mark.parametrize(
    ("write", "name", "message"),
    [
        (bomb, "v.npz", "can't read v.npz"),
        (pickled, "v.npz", "it holds pickled objects"),
        (lambda path: np.savez(path, vectors=TABLE), "v.npz", "neither arrays 'vectors' and 'texts'"),
        (lambda path: np.savez(path, vectors=TABLE, texts=np.array(["a"])), "v.npz", "1 texts for the 40 rows"),
        (lambda path: np.save(path, TABLE), "v.npy", "holds no texts"),
        (lambda path: path.write_bytes(b"PK\x03\x04"), "v.npz", "damaged or cut off"),
        (lambda path: path.write_text("a,b\n1,2\n"), "v.csv", "has no column 'text', but 'a', 'b'"),
        (lambda path: path.write_text("text,b\n1,two\n"), "v.csv", "can't read v.csv"),
        (lambda path: path.write_text("x"), "v.safetensors", "can't read v.safetensors"),
        (lambda path: None, "none.csv", r"none\.csv does not exist"),
        (lambda path: None, "v.txt", "unknown format of saved vectors '.txt'"),
    ],
)
def test_what_can_not_be_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: object, name: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / name)  # type: ignore[operator]
    with pytest.raises(numprobe.NumprobeError, match=message) as caught:
        SavedVectors(name).encode(["1"])
    assert "\n" not in str(caught.value)
