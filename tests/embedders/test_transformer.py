import logging
import os
from pathlib import Path

import numpy as np
import pytest
import torch

from numprobe import load_embedder, probe
from numprobe.analysis import inspect
from numprobe.embedders import transformer
from numprobe.embedders.tables import tables, vectors_of
from numprobe.embedders.transformer import Transformer
from numprobe.errors import NumprobeError
from numprobe.experiments import Cell

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *"0123456789", *(f"##{digit}" for digit in range(10)), "10", "75"]


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A tiny random BERT in the published format."""
    from transformers import BertConfig, BertModel, BertTokenizerFast

    folder = tmp_path_factory.mktemp("bert")
    (folder / "vocab.txt").write_text("\n".join(WORDS) + "\n")
    BertTokenizerFast(vocab=str(folder / "vocab.txt")).save_pretrained(folder)
    torch.manual_seed(0)
    shape = {"hidden_size": 12, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16}
    BertModel(BertConfig(vocab_size=len(WORDS), **shape)).save_pretrained(folder)
    return str(folder)


def test_pieces_are_those_of_the_vocabulary(bert: str) -> None:
    assert Transformer(bert).pieces(["75", "752", "9"]) == [["75"], ["75", "##2"], ["9"]]


def test_each_layer_equals_the_hidden_states_of_the_model(bert: str) -> None:
    from transformers import AutoTokenizer, BertModel

    model, tokenizer = BertModel.from_pretrained(bert).eval(), AutoTokenizer.from_pretrained(bert)
    with torch.no_grad():
        hidden = model(**tokenizer("752", return_tensors="pt"), output_hidden_states=True).hidden_states
    places = {"first": [1], "last": [2], "mean": [1, 2], "sentence": [0], "pooled": [0, 1, 2, 3]}
    for reading, at in places.items():
        found = Transformer(bert, reading=reading).encode_layers(["9", "752", "1"])
        assert found.shape == (3, 3, 12)
        for layer in range(3):
            np.testing.assert_allclose(found[layer, 1], hidden[layer][0, at].mean(0), atol=1e-6)


def test_a_layer_by_number_from_either_end(bert: str) -> None:
    layers = Transformer(bert).encode_layers(["75"])
    for layer, number in {"last": 2, "0": 0, "1": 1, "-1": 2, "-3": 0}.items():
        np.testing.assert_allclose(Transformer(bert, layer=layer).encode(["75"]), layers[number], atol=1e-6)
    with pytest.raises(NumprobeError, match="has layers 0 to 2, and no layer 3"):
        Transformer(bert, layer="3").encode(["75"])


def test_vectors_do_not_depend_on_the_batch(bert: str) -> None:
    texts = ["7", "1075", "75", "7", "123456"]
    together = Transformer(bert).encode(texts)
    alone = np.concatenate([Transformer(bert).encode([text]) for text in texts])
    np.testing.assert_allclose(together, alone, atol=1e-6)


def test_a_list_is_one_sequence(bert: str) -> None:
    from transformers import AutoTokenizer, BertModel

    model, tokenizer = BertModel.from_pretrained(bert).eval(), AutoTokenizer.from_pretrained(bert)
    with torch.no_grad():
        hidden = model(**tokenizer("752 9 10", return_tensors="pt")).last_hidden_state[0]
    found = Transformer(bert, context="in_list").encode_in_list([["752", "9", "10"], ["7", "7", "7"]])
    assert found.shape == (2, 3, 12)
    np.testing.assert_allclose(found[0], hidden[[2, 3, 4]], atol=1e-6)


def save_decoder(folder: Path, template: str = "", **special: str) -> str:
    """A tiny random Llama with one piece per character. The template says which special tokens its tokenizer adds."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import LlamaConfig, LlamaModel, PreTrainedTokenizerFast

    words = {word: at for at, word in enumerate([*"0123456789", "<s>", "</s>", " "])}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="0"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    if template:
        added = [(token, words[token]) for token in template.split() if token in words]
        tokenizer.post_processor = processors.TemplateProcessing(single=template, special_tokens=added)
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **special).save_pretrained(folder)
    torch.manual_seed(0)
    shape = {"hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 8}
    LlamaModel(LlamaConfig(vocab_size=len(words), num_key_value_heads=2, **shape)).save_pretrained(folder)
    return str(folder)


def states(folder: str, ids: list[int]) -> np.ndarray:
    """(layers, pieces, dimension) states of a sequence of ids, from the model alone."""
    from transformers import LlamaModel

    with torch.no_grad():
        found = LlamaModel.from_pretrained(folder).eval()(torch.tensor([ids]), output_hidden_states=True).hidden_states
    return torch.stack(found)[:, 0].numpy()


def test_a_decoder_in_a_folder_with_safetensors(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder = save_decoder(tmp_path)
    decoder = Transformer(folder)
    with caplog.at_level(logging.WARNING, "numprobe"):
        assert decoder.encode(["7", "75", "750"]).shape == (3, 8)
        np.testing.assert_allclose(decoder.encode(["75"])[0], states(folder, [7, 5])[-1, -1], atol=1e-5)
    assert decoder.start_token == ""
    assert sum("has no token to put first" in line for line in caplog.messages) == 1
    assert not np.allclose(*decoder.encode(["75", "5"]))  # the last digit has seen the first
    with pytest.raises(NumprobeError, match="adds no sentence token"):
        Transformer(folder, reading="sentence").encode(["7"])


@pytest.mark.parametrize(
    ("special", "token", "number"),
    [
        ({"bos_token": "<s>", "eos_token": "</s>"}, "<s>", 10),
        ({"eos_token": "</s>"}, "</s>", 11),
    ],
)
def test_a_start_token_comes_first_and_is_not_read(
    special: dict[str, str], token: str, number: int, tmp_path: Path
) -> None:
    folder = save_decoder(tmp_path, **special)
    expected = states(folder, [number, 7, 5])
    places = {"last": [2], "first": [1], "mean": [1, 2]}
    for reading, at in places.items():
        decoder = Transformer(folder, reading=reading)
        assert decoder.start_token == token
        np.testing.assert_allclose(decoder.encode_layers(["9", "75"])[:, 1], expected[:, at].mean(1), atol=1e-5)
    found = Transformer(folder, context="in_list").encode_in_list([["75", "9"]])
    np.testing.assert_allclose(found[0], states(folder, [number, 7, 5, 12, 9])[-1, [2, 4]], atol=1e-5)
    with pytest.raises(NumprobeError, match="adds no sentence token"):
        Transformer(folder, reading="sentence").encode(["7"])
    plain = Transformer(folder, start="none")
    assert plain.start_token == ""
    np.testing.assert_allclose(plain.encode(["75"])[0], states(folder, [7, 5])[-1, -1], atol=1e-5)


def test_a_tokenizer_that_puts_a_token_first_is_left_alone(bert: str, tmp_path: Path) -> None:
    folder = save_decoder(tmp_path, "<s> $0", bos_token="<s>", eos_token="</s>")
    assert Transformer(folder).start_token == Transformer(bert).start_token == ""
    expected = states(folder, [10, 7, 5])
    np.testing.assert_allclose(Transformer(folder).encode_layers(["75"])[:, 0], expected[:, 2], atol=1e-5)
    np.testing.assert_allclose(Transformer(folder, reading="sentence").encode(["75"])[0], expected[-1, 0], atol=1e-5)


def test_the_start_token_of_cached_vectors_needs_no_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMPROBE_CACHE", str(tmp_path / "cache"))
    decoder = Transformer(save_decoder(tmp_path / "model", bos_token="<s>"))
    made = vectors_of(decoder, "mine", ["7", "75"])
    transformer._find_start.cache_clear()
    monkeypatch.setattr(transformer, "_load_states", None)
    np.testing.assert_array_equal(vectors_of(decoder, "mine", ["7", "75"]), made)
    assert decoder.start_token == "<s>"


def test_the_sentence_token_is_the_tokenizers_own(tmp_path: Path) -> None:
    folder = save_decoder(tmp_path, "$0 </s>", bos_token="<s>", eos_token="</s>")
    found = Transformer(folder, reading="sentence").encode(["75"])
    np.testing.assert_allclose(found[0], states(folder, [10, 7, 5, 11])[-1, 3], atol=1e-5)


def test_vectors_of_another_version_are_computed_again(
    bert: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMPROBE_CACHE", str(tmp_path))
    for version in (1, 2, 2):
        monkeypatch.setattr(Transformer, "version", version)
        vectors_of(Transformer(bert), "mine", ["7"])
    assert [table["version"] for table in tables()].count("2") == 1
    assert len(list(tables())) == 2


def test_the_revision_follows_the_weights(bert: str, tmp_path: Path) -> None:
    from shutil import copytree

    copy = copytree(bert, tmp_path / "copy")
    assert Transformer(str(copy)).revision == Transformer(bert).revision
    with (copy / "model.safetensors").open("ab") as file:
        file.write(b"\0")
    assert Transformer(str(copy)).revision != Transformer(bert).revision


def test_sentence_transformers_use_their_own_pooling(bert: str) -> None:
    found = load_embedder("sentence-transformer", model=bert)
    expected = Transformer(bert).for_texts.encode(["75", "752 9"])
    np.testing.assert_allclose(found.encode(["75", "752 9"]), expected, atol=1e-6)
    assert found.pieces(["752"]) == [["75", "##2"]]
    assert found.revision == Transformer(bert).revision


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"layer": "top"}, "layer must be a number, last, all, best or mix, not 'top'"),
        ({"reading": "lst"}, "did you mean 'last'"),
        ({"context": "in-list"}, "did you mean 'in_list'"),
        ({"trust_remote_code": "true"}, "unknown trust_remote_code"),
        ({"context": "in_list", "layer": "all"}, "in_list takes one layer"),
        ({"context": "in_list", "layer": "best"}, "in_list takes one layer"),
        ({"start": "bos"}, "unknown start 'bos'"),
    ],
)
def test_wrong_settings(settings: dict[str, str], message: str) -> None:
    with pytest.raises(NumprobeError, match=message):
        Transformer("somewhere", **settings)


def test_folders_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(NumprobeError, match=r"there is no \.safetensors file"):
        Transformer(str(tmp_path)).encode(["7"])
    (tmp_path / "pytorch_model.bin").write_bytes(b"")
    with pytest.raises(NumprobeError, match=r"is a pickle, which can run code .*save_pretrained"):
        Transformer(str(tmp_path)).encode(["7"])
    with pytest.raises(NumprobeError, match="/nowhere/at/all does not exist"):
        Transformer("/nowhere/at/all").encode(["7"])
    (tmp_path / "model.safetensors").write_bytes(b"")
    with pytest.raises(NumprobeError, match="can't load"):
        Transformer(str(tmp_path)).encode(["7"])


def test_the_hub_is_not_asked_when_offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NUMPROBE_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    with pytest.raises(
        NumprobeError, match="someone/some-model: it is not in the hub's cache, and numprobe is offline"
    ):
        Transformer("someone/some-model").encode(["7"])
    assert os.environ["NUMPROBE_OFFLINE"] == "1"


@pytest.mark.parametrize("inspect_first", [True, False])
def test_an_inspection_and_a_sweep_share_the_table_of_all_layers(
    bert: str, inspect_first: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMPROBE_CACHE", str(tmp_path))
    name = f"transformer:layer=all,model={bert}"

    def sweep() -> None:
        (result,) = probe(name, numbers="0:30", probe="linear", seeds=1)
        assert len(result.layers) == 3

    if not inspect_first:
        sweep()
    inspection = inspect(name, "0:30")
    assert inspection.dimension == 12
    assert inspection.neighbours == inspect(f"transformer:model={bert}", "0:30").neighbours
    sweep()
    best = f"transformer:layer=best,model={bert}"
    assert vectors_of(load_embedder(best), best, [str(n) for n in range(31)]).shape == (3, 31, 12)
    assert sorted(table["embedder"] for table in tables()) == [name, f"transformer:model={bert}"]


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_half_precision_is_part_of_the_cell_and_gives_nearly_the_same_vectors(bert: str, dtype: str) -> None:
    texts = [str(number) for number in range(200)]
    whole, half = Transformer(bert).encode(texts), Transformer(bert, dtype=dtype).encode(texts)
    assert half.dtype == np.float32
    assert 1e-4 < np.abs(whole - half).max() < 0.1
    name = f"transformer:model={bert}"
    assert Cell.make(name, "decoding", "0:99").hash != Cell.make(f"{name},dtype={dtype}", "decoding", "0:99").hash


def test_where_and_in_which_batches_is_not_part_of_the_cell(bert: str) -> None:
    texts = [str(number) for number in range(200)]
    name = f"transformer:model={bert}"
    placed = f"{name},device=cpu,batch=16"
    assert Cell.make(name, "decoding", "0:99") == Cell.make(placed, "decoding", "0:99")
    np.testing.assert_allclose(load_embedder(name).encode(texts), load_embedder(placed).encode(texts), atol=1e-6)
    assert Transformer(bert, device_map="cpu").encode(["75"]) == pytest.approx(
        Transformer(bert).encode(["75"]), abs=1e-6
    )


def test_an_untrained_twin_has_the_shape_and_nothing_else(bert: str) -> None:
    texts = ["7", "75", "752"]
    own, twin, other = (
        Transformer(bert).encode(texts),
        Transformer(bert).encode_untrained(texts, 5),
        Transformer(bert).encode_untrained(texts, 1),
    )
    assert own.shape == twin.shape
    assert not np.allclose(twin, own)
    assert not np.allclose(twin, other)
    np.testing.assert_allclose(twin, Transformer(bert).encode_untrained(texts, 5))
