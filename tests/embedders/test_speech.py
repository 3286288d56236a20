"""A local model that is asked in words says what `generate` says, in batches, and each answer is kept."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import torch

from numprobe import NumprobeError, probe
from numprobe.embedders.endpoint import Endpoint
from numprobe.embedders.speech import Dialogue, Interview
from numprobe.embedders.speech.local import LocalSpeaker
from numprobe.embedders.transformer import Transformer
from tests.embedders.test_endpoint import Server, server, told
from tests.embedders.test_transformer import save_decoder

__all__ = ["server"]

CHAT = "{% for m in messages %}{{ m['content'] + '\n' }}{% endfor %}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A tiny random Llama with a head, and one piece per character."""
    return save_writer(tmp_path_factory.mktemp("writer"))


def save_writer(folder: Path, chat: str = "", model: Any = None, **special: str) -> str:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    words = {word: at for at, word in enumerate([*"0123456789", "<s>", "</s>", " ", "\n", "+", "=", *"abcdefgh"])}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="a"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    tokenizer.decoder = decoders.Fuse()
    made = PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", **special)
    if chat:
        made.chat_template = chat
    made.save_pretrained(folder)
    torch.manual_seed(0)
    shape = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 32}
    model = model or LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(words),
            bos_token_id=10,
            eos_token_id=11,
            num_key_value_heads=2,
            initializer_range=0.6,
            tie_word_embeddings=False,
            **shape,
        )
    )
    model.save_pretrained(folder)
    return str(folder)


def speaker(folder: str, style: str = "text", pieces: int = 8) -> LocalSpeaker:
    return Transformer(folder).speaker(style, pieces)


QUESTIONS = [Dialogue(f"{a} + {b} =") for a in range(0, 40, 3) for b in (4, 17, 230)]
SHOWN = [Dialogue(one.question, (("1 + 1 =", "2"), ("10 + 20 =", "30"))) for one in QUESTIONS]


def plainly(writer: LocalSpeaker, dialogue: Dialogue) -> str:
    """One question at a time, by the library."""
    ids = torch.tensor([writer.ids(dialogue)])
    with torch.inference_mode():
        made = writer.model.generate(
            ids, attention_mask=torch.ones_like(ids), max_new_tokens=writer.pieces, do_sample=False, pad_token_id=0
        )
    text: str = writer.tokenizer.decode(made[0, ids.shape[1] :])
    return text.partition("</s>")[0].partition("<s>")[0].partition("\n")[0].strip()


@pytest.mark.parametrize("asked", [QUESTIONS, SHOWN], ids=["zero", "two"])
def test_answers_in_batches_are_those_of_a_plain_loop(folder: str, asked: list[Dialogue]) -> None:
    writer = speaker(folder)
    said = {one: reply for some in writer.say(asked) for one, reply in some.items()}
    assert {one: reply.text for one, reply in said.items()} == {one: plainly(writer, one) for one in asked}
    assert len({reply.text for reply in said.values()}) > 5
    assert len({reply.written for reply in said.values()}) > 2  # some lines end early
    assert all(reply.read == len(writer.ids(one)) for one, reply in said.items())


def tiny(kind: str) -> Any:
    import transformers as library

    common = {"vocab_size": 24, "bos_token_id": 10, "eos_token_id": 11, "initializer_range": 0.6}
    shapes = {
        "Mistral": {
            "hidden_size": 32,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "num_key_value_heads": 2,
            "intermediate_size": 32,
            "sliding_window": 12,
        },
        "Mpt": {"d_model": 32, "n_heads": 4, "n_layers": 2, "expansion_ratio": 1},
        "GPT2": {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 64},
    }
    head = "GPT2LMHeadModel" if kind == "GPT2" else f"{kind}ForCausalLM"
    torch.manual_seed(0)
    return getattr(library, head)(getattr(library, f"{kind}Config")(**common, **shapes[kind]))


@pytest.mark.parametrize("kind", ["Mistral", "Mpt", "GPT2"])
def test_batches_change_nothing_where_padding_would_use_up_a_window_or_stretch_distances(
    kind: str, tmp_path: Path
) -> None:
    writer = speaker(save_writer(tmp_path, model=tiny(kind)))
    some = [*SHOWN[:3], Dialogue("1 + 1 + 1 + 1 + 1 =", (("1 + 1 =", "2"), ("10 + 20 =", "30")))]
    said = {one: reply.text for part in writer.say(some) for one, reply in part.items()}
    assert said == {one: plainly(writer, one) for one in some}
    candidates = [(one, ("3", "12")) for one in some]
    together = {one: own.logarithms for part in writer.weigh(candidates) for one, own in part.items()}
    alone = {one: own.logarithms for pair in candidates for part in writer.weigh([pair]) for one, own in part.items()}
    assert together.keys() == alone.keys()
    for one, own in together.items():
        assert own == pytest.approx(alone[one], abs=1e-3)


def test_a_prompt_longer_than_the_model_takes_is_refused(tmp_path: Path) -> None:
    writer = speaker(save_writer(tmp_path, model=tiny("GPT2")))
    long = Dialogue("1 + 1 =", tuple(("10 + 20 =", "30") for _ in range(9)))
    with pytest.raises(NumprobeError, match="takes only 64: ask with fewer shots"):
        list(writer.say([long]))


def test_layer_0_is_what_the_first_block_reads(tmp_path: Path) -> None:
    writer = speaker(save_writer(tmp_path, model=tiny("GPT2")))
    ids, seen = writer.ids(QUESTIONS[0]), []

    def keep(module: Any, inputs: Any, output: torch.Tensor) -> torch.Tensor:
        seen.append(output)
        return output

    with torch.inference_mode(), writer.writer.after(0, keep):
        states = writer.model(torch.tensor([ids]), output_hidden_states=True).hidden_states
    torch.testing.assert_close(seen[0], states[0])


def test_a_candidate_of_a_chat_keeps_its_sign(tmp_path: Path) -> None:
    from tokenizers import Tokenizer, models
    from transformers import PreTrainedTokenizerFast

    vocabulary = {piece: at for at, piece in enumerate(["<s>", "</s>", "=", "-", "5", "\n", "=-"])}
    merging = Tokenizer(models.BPE(vocabulary, [("=", "-")]))
    save_writer(tmp_path, chat="{{ messages[0].content }}")
    PreTrainedTokenizerFast(tokenizer_object=merging, bos_token="<s>", eos_token="</s>").save_pretrained(tmp_path)
    assert speaker(str(tmp_path), "chat")._candidate("-5") == [3, 4]


def test_likelihoods_are_those_of_the_model(folder: str) -> None:
    writer = speaker(folder)
    choices = list(zip(QUESTIONS, [("3", "12", "1"), ("123", "5"), ("7",)], strict=False))
    (found,) = writer.weigh(choices)
    for (one, texts), weighed in found.items():
        before = writer.ids(one)
        for text, weight in zip(texts, weighed.logarithms, strict=True):
            answer = writer.tokenizer(f" {text}\n").input_ids
            with torch.inference_mode():
                scores = writer.model(torch.tensor([before + answer])).logits[0].log_softmax(dim=1)
            expected = sum(scores[len(before) - 1 + at, piece].item() for at, piece in enumerate(answer))
            assert weight == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("start", ["", "<s>"])
def test_a_service_that_repeats_texts_tells_the_same_likelihoods(
    folder: str, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start: str
) -> None:
    monkeypatch.setenv("NUMPROBE_CACHE", str(tmp_path))
    local = Transformer(folder, start="auto" if start else "none").speaker("text", 8)
    choices = list(zip(QUESTIONS, [("3", "12", "1"), ("123", "5"), ("7",)], strict=False))

    def repeated(text: str) -> dict[str, Any]:
        ids = local.ids(Dialogue(text))
        with torch.inference_mode():
            scores = local.model(torch.tensor([ids])).logits[0].log_softmax(dim=1)
        each = [None, *(scores[at, piece].item() for at, piece in enumerate(ids[1:]))]
        return {"tokens": [*map(local.tokenizer.decode, ids), "9"], "token_logprobs": [*each, -1.0]}

    def answer(question: Any) -> Any:
        assert question["echo"]
        made = [{"index": at, "logprobs": repeated(text)} for at, text in enumerate(question["prompt"])]
        return {"choices": made[::-1], "usage": {"prompt_tokens": 11}}

    server.script = [told(answer)]
    interview = Interview(Endpoint(server.url, "m").speaker("text", 8))
    (here,) = local.weigh(choices)
    for _ in range(2):  # what was paid for is not asked again
        there = interview.weigh(choices)
        assert len(server.questions) == interview.counted["weighed"] == 3
    for choice, weighed in zip(choices, there, strict=True):
        assert weighed.logarithms == pytest.approx(here[choice].logarithms, abs=1e-4)
    assert interview.counted["read"] == 33


def test_local_models_do_not_wait_for_each_other(folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMPROBE_CACHE", str(tmp_path))
    one, other = Interview(speaker(folder)), Interview(speaker(folder))
    with ThreadPoolExecutor(1) as pool, one._kept.alone():
        assert len(pool.submit(other.ask, QUESTIONS[:2]).result(timeout=60)) == 2


def test_an_answer_is_computed_once(folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMPROBE_CACHE", str(tmp_path))
    first, again, longer = Interview(speaker(folder)), Interview(speaker(folder)), Interview(speaker(folder, pieces=3))
    said = first.ask(QUESTIONS[:5])
    tokens = sum(len(first.speaker.ids(one)) for one in QUESTIONS[:5])  # type: ignore[attr-defined]
    assert first.counted["read"] == first.counted["estimated"] == tokens
    assert again.ask(QUESTIONS[:6])[:5] == said
    assert (again.counted["questions"], again.counted["asked"]) == (6, 1)
    longer.ask(QUESTIONS[:5])
    assert longer.counted["asked"] == 5


def test_a_start_token_comes_first_where_there_is_one(folder: str) -> None:
    assert speaker(folder).ids(Dialogue("7 ="))[0] == 10
    assert Transformer(folder, start="none").speaker("text", 8).ids(Dialogue("7 ="))[0] == 7


def test_a_chat_needs_a_template(folder: str, tmp_path: Path) -> None:
    assert Transformer(folder).speaks
    with pytest.raises(NumprobeError, match="has no chat template: ask it with style=text"):
        list(speaker(folder, "chat").say(QUESTIONS[:1]))
    writer = speaker(save_writer(tmp_path, CHAT), "chat")
    assert writer.tokenizer.decode(writer.ids(SHOWN[0])).endswith("1 + 1 =\n2\n10 + 20 =\n30\n0 + 4 =\n")
    assert len(next(writer.say(SHOWN[:3]))) == 3


def test_what_can_not_be_asked(tmp_path: Path, folder: str) -> None:
    encoder = save_decoder(tmp_path)
    assert not Transformer(encoder).speaks
    assert not Transformer("someone/unknown").speaks
    for given, message in {
        f"transformer:model={encoder}": "holds LlamaModel, which is not a causal language model",
        "value": "embedder 'value' can't be asked in words",
        f"shuffled:of=transformer:model={folder}": "can't be asked in words",
    }.items():
        with pytest.raises(NumprobeError, match=message):
            probe(given, "addition", "0:30", probe="prompt", seeds=1)


def test_a_cell_of_a_model_that_knows_nothing(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    monkeypatch.setenv("NUMPROBE_CACHE", str(tmp_path))
    (result,) = probe(f"transformer:model={folder}", "addition", "0:30", probe="prompt:most_items=6", seeds=2)
    assert result.more["exact"] == [0.0, 0.0]
    assert [choice["unreadable"] for choice in result.choices] > [0.5, 0.5]
    assert "no number alone" in caplog.text
    assert all(0 <= choice["likeliest"] <= 1 for choice in result.choices)
    counted = result.made["asking"]
    assert counted["questions"] == 2 * 2 * 5 * 6  # shuffles, development and test, phrasings, items
    assert 0 < counted["asked"] <= counted["questions"]
    (again,) = probe(f"transformer:model={folder}", "addition", "0:30", probe="prompt:most_items=6", seeds=2)
    assert again.made["asking"]["asked"] == 0
    assert again.predictions == result.predictions
