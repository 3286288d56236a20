"""Tiny ONNX models, against the same computation in NumPy."""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from numprobe.embedders import load_embedder
from numprobe.embedders.onnx import Onnx
from numprobe.embedders.registry import name_for
from numprobe.errors import NumprobeError

PIECES = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "7", "5", "##7", "##5", "-", "seven", "##ty")
TEXTS = ["7", "75", "-755", "seventy", "5", "57", "7557557"]
IDS = [[2, 4, 3], [2, 4, 7, 3], [2, 8, 4, 7, 7, 3], [2, 9, 10, 3], [2, 5, 3], [2, 5, 6, 3], [2, 4, 7, 7, 6, 7, 7, 6, 3]]
DIMENSION, POSITIONS = 6, 12
INPUTS = ("input_ids", "attention_mask", "token_type_ids")

chance = np.random.default_rng(0)
TABLE = chance.normal(size=(len(PIECES), DIMENSION)).astype(np.float32)
PLACES = chance.normal(size=(POSITIONS, DIMENSION)).astype(np.float32)
TYPES = chance.normal(size=(2, DIMENSION)).astype(np.float32)
MIXED = chance.normal(size=(DIMENSION, DIMENSION)).astype(np.float32)


@dataclass(frozen=True)
class Model:
    """Pieces, positions and types are added, each piece sees the mean of all, and a matrix mixes what it sees."""

    inputs: tuple[str, ...] = INPUTS
    kind: int = TensorProto.INT64
    shape: tuple[int | str, int | str] = ("batch", "pieces")
    rows: int = len(PIECES)
    """Of its table."""
    pools: bool = False
    quantises: bool = False
    """On one scale for all texts of a batch."""
    of_one: bool = False
    """As a model that was traced with one text."""
    data: str = ""
    """The file of the table, if it is not in the model."""

    def write(self, path: Path) -> Path:
        weights = {"table": TABLE[: self.rows], "places": PLACES, "types": TYPES, "mixed": MIXED}
        weights |= {name: np.array([number]) for name, number in (("zero", 0), ("one", 1), ("two", 2))}
        tensors = {name: numpy_helper.from_array(array, name) for name, array in weights.items()}
        steps: list[tuple[str, list[str], list[str], dict[str, int]]] = [
            ("Gather", ["table", "input_ids"], ["pieces"], {}),
            ("Shape", ["input_ids"], ["shape"], {}),
            ("Slice", ["shape", "one", "two"], ["count"], {}),
            ("Slice", ["places", "zero", "count"], ["read"], {}),
            ("Add", ["pieces", "read"], ["seen"], {}),
        ]
        seen = "seen"
        if INPUTS[2] in self.inputs:
            steps += [("Gather", ["types", INPUTS[2]], ["of_type"], {}), ("Add", [seen, "of_type"], ["typed"], {})]
            seen = "typed"
        if INPUTS[1] in self.inputs:
            steps += [
                ("Cast", [INPUTS[1]], ["mask"], {"to": TensorProto.FLOAT}),
                ("Unsqueeze", ["mask", "two"], ["inside"], {}),
                ("Mul", [seen, "inside"], ["kept"], {}),
                ("ReduceSum", ["kept", "one"], ["sum"], {}),
                ("ReduceSum", ["inside", "one"], ["number"], {}),
                ("Div", ["sum", "number"], ["mean"], {}),
                ("Add", [seen, "mean"], ["both"], {}),
            ]
            seen = "both"
        if self.quantises:
            steps += [
                ("DynamicQuantizeLinear", [seen], ["rounded", "scale", "middle"], {}),
                ("DequantizeLinear", ["rounded", "scale", "middle"], ["coarse"], {}),
            ]
            seen = "coarse"
        if self.of_one:
            tensors["only"] = numpy_helper.from_array(np.array([1, -1, DIMENSION]), "only")
            steps += [("Reshape", [seen, "only"], ["alone"], {})]
            seen = "alone"
        steps += [("MatMul", [seen, "mixed"], ["linear"], {}), ("Tanh", ["linear"], ["last_hidden_state"], {})]
        if self.pools:
            steps += [("ReduceMean", ["last_hidden_state", "one"], ["vector"], {"keepdims": 0})]
        outputs = ["vector"] if self.pools else ["tanh", "last_hidden_state"]
        if not self.pools:  # another output, which is not the states
            steps += [("ReduceMean", ["last_hidden_state", "one"], ["tanh"], {"keepdims": 0})]
        if self.data:
            tensors["table"] = self.outside(path)
        graph = helper.make_graph(
            [helper.make_node(kind, given, made, **more) for kind, given, made, more in steps],
            "tiny",
            [helper.make_tensor_value_info(name, self.kind, self.shape) for name in self.inputs],
            [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs],
            list(tensors.values()),
        )
        made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
        path.write_bytes(made.SerializeToString())
        return path

    def outside(self, path: Path) -> TensorProto:
        """The table in a file of its own."""
        TABLE.tofile(path.parent / self.data)
        tensor = TensorProto(name="table", dims=TABLE.shape, data_type=TensorProto.FLOAT)
        tensor.data_location = TensorProto.EXTERNAL
        tensor.external_data.add(key="location", value=self.data)
        return tensor


def states(ids: Sequence[int], inputs: Sequence[str] = INPUTS) -> np.ndarray:
    seen = TABLE[list(ids)] + PLACES[: len(ids)]
    if INPUTS[2] in inputs:
        seen = seen + TYPES[0]
    if INPUTS[1] in inputs:
        seen = seen + seen.mean(axis=0)
    return np.tanh(seen @ MIXED)


def means(inputs: Sequence[str] = INPUTS) -> np.ndarray:
    return np.stack([states(ids, inputs).mean(axis=0) for ids in IDS])


def make(folder: Path, model: Model = Model(), **settings: object) -> Onnx:  # noqa: B008
    """A model with a list of word pieces beside it."""
    (folder / "vocab.txt").write_text("\n".join(PIECES), encoding="utf-8")
    return Onnx(str(model.write(folder / "model.onnx")), **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("kind", [TensorProto.INT64, TensorProto.INT32])
def test_it_is_the_mean_of_the_last_layer_whatever_the_model_asks_for(tmp_path: Path, count: int, kind: int) -> None:
    inputs = INPUTS[:count]
    embedder = make(tmp_path, Model(inputs, kind))
    found = embedder.encode(TEXTS)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, means(inputs), atol=1e-6)
    assert embedder.pieces(["755", "seventy"]) == [["7", "##5", "##5"], ["seven", "##ty"]]


def test_the_sentence_token_and_a_prefix(tmp_path: Path) -> None:
    embedder = make(tmp_path, reading="sentence")
    np.testing.assert_allclose(embedder.encode(TEXTS), np.stack([states(ids)[0] for ids in IDS]), atol=1e-6)
    prefixed = replace(embedder, prefix="seven 7-")
    np.testing.assert_allclose(prefixed.encode(["5"])[0], states([2, 9, 4, 8, 5, 3])[0], atol=1e-6)
    assert prefixed.pieces(["5"]) == [["5"]]
    with pytest.raises(NumprobeError, match=r"^unknown reading 'last'"):
        replace(embedder, reading="last")


def test_a_vector_does_not_depend_on_the_size_of_the_batch(tmp_path: Path) -> None:
    embedder = make(tmp_path)
    assert not embedder._parts[0].takes_one
    for batch in (1, 5, 1000):
        np.testing.assert_allclose(replace(embedder, batch=batch).encode(TEXTS), means(), atol=1e-6)


@pytest.mark.parametrize("model", [Model(quantises=True), Model(of_one=True), Model(quantises=True, pools=True)])
def test_texts_go_alone_through_a_model_that_mixes_or_refuses_neighbours(tmp_path: Path, model: Model) -> None:
    embedder = make(tmp_path, model)
    assert embedder._parts[0].takes_one
    together = embedder.encode(TEXTS)
    np.testing.assert_array_equal(together, np.concatenate([embedder.encode([text]) for text in TEXTS]))
    np.testing.assert_allclose(together, means(), atol=0.2 if model.quantises else 1e-6)


def test_a_model_that_pools_by_itself(tmp_path: Path) -> None:
    embedder = make(tmp_path, Model(pools=True))
    np.testing.assert_allclose(embedder.encode(TEXTS), means(), atol=1e-6)
    with pytest.raises(NumprobeError, match=r"gives one vector per text: leave out reading=sentence$"):
        replace(embedder, reading="sentence").encode(TEXTS)


def test_texts_are_padded_for_a_model_of_fixed_length(tmp_path: Path) -> None:
    embedder = make(tmp_path, Model(shape=("batch", 10)))
    np.testing.assert_allclose(embedder.encode(TEXTS), means(), atol=1e-6)
    with pytest.raises(NumprobeError, match=r"model.onnx reads at most 10 pieces, and '777777777' has 11$"):
        embedder.encode(["7", "7" * 9])


def test_a_text_that_is_too_long(tmp_path: Path) -> None:
    embedder = make(tmp_path)
    assert embedder.encode(["7" * (POSITIONS - 2)]).shape == (1, DIMENSION)
    with pytest.raises(NumprobeError, match=r"model.onnx reads at most 12 pieces, and '77777777777' has 13$"):
        embedder.encode(["7", "7" * (POSITIONS - 1)])


def test_tokenizers(tmp_path: Path) -> None:
    from tokenizers import BertWordPieceTokenizer, Tokenizer, models, pre_tokenizers

    embedder = make(tmp_path)
    by_list, first = embedder.encode(TEXTS), embedder.revision
    own = BertWordPieceTokenizer(str(tmp_path / "vocab.txt"))
    own.enable_padding(length=POSITIONS)
    own.enable_truncation(4)
    own.save(str(tmp_path / "tokenizer.json"))
    np.testing.assert_array_equal(embedder.encode(TEXTS), by_list)
    assert embedder.revision != first  # it reads tokenizer.json now
    assert embedder.pieces(["SEVEN"]) == [["seven"]]

    cased = tmp_path / "cased.txt"
    cased.write_text("\n".join([*PIECES[:-1], "SEVEN"]), encoding="utf-8")
    assert replace(embedder, tokenizer=str(cased)).pieces(["SEVEN", "Seven"]) == [["SEVEN"], ["[UNK]"]]

    plain = Tokenizer(models.WordLevel({"7": 4, "5": 5}, unk_token="7"))
    plain.pre_tokenizer = pre_tokenizers.Whitespace()
    plain.save(str(tmp_path / "plain.json"))
    bare = replace(embedder, tokenizer=str(tmp_path / "plain.json"))
    np.testing.assert_allclose(bare.encode(["7 5"])[0], states([4, 5]).mean(axis=0), atol=1e-6)
    with pytest.raises(NumprobeError, match=r"model.onnx has no pieces for ''$"):
        bare.encode([""])
    with pytest.raises(NumprobeError, match=r"adds no sentence token; use reading=pooled$"):
        replace(bare, reading="sentence").encode(["7"])


def test_data_beside_the_model_is_read_and_identifies_it(tmp_path: Path) -> None:
    embedder = make(tmp_path, Model(data="model.onnx.data"))
    np.testing.assert_allclose(embedder.encode(TEXTS), means(), atol=1e-6)
    first = embedder.revision
    (TABLE + 1).tofile(tmp_path / "model.onnx.data")
    assert embedder.revision != first
    assert not np.allclose(embedder.encode(TEXTS), means(), atol=1e-3)


@pytest.mark.parametrize("way", ["up", "absolute", "link"])
def test_data_outside_the_folder_is_not_read(tmp_path: Path, way: str) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    secret = tmp_path / "secret.bin"
    secret.write_bytes(TABLE.tobytes())
    (inside / "link.bin").symlink_to("../secret.bin")
    data = {"up": "../secret.bin", "absolute": str(secret), "link": "link.bin"}[way]
    with pytest.raises(NumprobeError, match=r"^can't load .*model.onnx: .*validation failed"):
        make(inside, Model(data=data)).encode(["7"])


def strange(path: Path) -> None:
    Model(("input_ids", "pixel_values")).write(path)


@pytest.mark.parametrize(
    ("write", "message"),
    [
        (lambda path: None, r"model.onnx does not exist$"),
        (lambda path: path.write_bytes(b"7 1 2\n"), r"^can't load .*model.onnx: .*INVALID_PROTOBUF"),
        (lambda path: path.write_bytes(b""), r"^can't load .*model.onnx: "),
        (lambda path: path.mkdir(), r"^can't load .*model.onnx: "),
        (strange, r"asks for 'input_ids' \(tensor\(int64\)\), 'pixel_values' \(tensor\(int64\)\); numprobe gives"),
        (lambda path: Model(kind=TensorProto.FLOAT).write(path), r"asks for 'input_ids' \(tensor\(float\)|^can't load"),
        (lambda path: Model(rows=9).write(path), r"vocab.txt has 11 pieces, more than the table of .*model.on"),
        (lambda path: Model(shape=(2, "n")).write(path), r"^can't run .*model.onnx: .*invalid dimensions"),
        (lambda path: Model(INPUTS[:1], shape=(1, 9)).write(path), r"exactly 9 pieces, and asks for no attention_mask"),
    ],
)
def test_what_can_not_be_used(tmp_path: Path, capfd: pytest.CaptureFixture[str], write: object, message: str) -> None:
    embedder = make(tmp_path)
    (tmp_path / "model.onnx").unlink()
    write(tmp_path / "model.onnx")  # type: ignore[operator]
    with pytest.raises(NumprobeError, match=message) as caught:
        embedder.encode(["7"])
    assert "\n" not in str(caught.value)
    assert capfd.readouterr() == ("", "")


def test_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = make(tmp_path)
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(NumprobeError, match=r'needs the package onnxruntime: pip install "numprobe\[onnx\]"$'):
        embedder.encode(["7"])
    monkeypatch.undo()
    monkeypatch.setattr("onnxruntime.__version__", "1.23.2")
    with pytest.raises(NumprobeError, match=r'needs onnxruntime 1.24 or newer: pip install "numprobe\[onnx\]"$'):
        embedder.encode(["7"])
    os.remove(tmp_path / "vocab.txt")
    with pytest.raises(NumprobeError, match=r"^there is no tokenizer.json or vocab.txt beside .*model.onnx: write "):
        embedder.encode(["7"])


def test_it_computes_with_one_thread(tmp_path: Path) -> None:
    options = make(tmp_path)._parts[0].session.get_session_options()
    assert options.intra_op_num_threads == options.inter_op_num_threads == 1


def test_names(tmp_path: Path) -> None:
    assert name_for("some/model.onnx") == "onnx:model=some/model.onnx"
    made = load_embedder("onnx", model=str(Model().write(tmp_path / "m.onnx")), prefix="query: ")
    assert made == Onnx(str(tmp_path / "m.onnx"), prefix="query: ")
    e5, bge = load_embedder("e5-small"), load_embedder("bge-small")
    assert (e5.reading, e5.prefix, bge.reading, bge.prefix) == ("pooled", "query: ", "sentence", "")
    assert e5.revision == "0.1.0a3-c7d1aae2-0.1.0-b9a0018d"
