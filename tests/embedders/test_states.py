import pytest
import torch

from numprobe.embedders import states
from numprobe.embedders.states import States

TEXTS = [[5, 6, 7], [5, 6, 8], [5], [9, 6, 7, 8], [5, 6], [9, 6, 7, 1]]
SHAPE = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "vocab_size": 11}


@pytest.mark.parametrize(
    ("kind", "shape", "left_to_right", "shares"),
    [
        ("Llama", {"intermediate_size": 16}, True, True),
        ("GPTNeoX", {"intermediate_size": 16}, True, True),
        ("GPT2", {"n_embd": 16, "n_layer": 2, "n_head": 2}, True, True),
        ("Bloom", {}, True, False),  # counts positions by the mask alone
        ("Mamba", {"state_size": 4}, True, False),  # has no mask
        ("Bert", {"intermediate_size": 16}, False, False),
    ],
)
def test_states_are_those_of_each_text_alone(
    kind: str, shape: dict[str, int], left_to_right: bool, shares: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    import transformers

    torch.manual_seed(0)
    config = getattr(transformers, f"{kind}Config")(**(SHAPE if "n_embd" not in shape else {"vocab_size": 11}) | shape)
    model = getattr(transformers, f"{kind}Model")(config).eval()
    monkeypatch.setattr(states, "SHARED_PIECES", 5)
    found = States(model)
    assert found.reads_from_left_to_right == left_to_right
    assert found._shares_beginnings == shares
    read = dict(found.of(TEXTS))
    for at, text in enumerate(TEXTS):
        with torch.no_grad():
            alone = torch.stack(model(torch.tensor([text]), output_hidden_states=True).hidden_states)[:, 0]
        torch.testing.assert_close(read[at], alone, atol=1e-5, rtol=1e-4)
    for last in range(found.layers):
        for at, some in found.of(TEXTS, last):
            torch.testing.assert_close(some[last], read[at][last])


def test_no_block_runs_behind_the_one_after_the_last_wanted() -> None:
    from transformers import BertConfig, BertModel

    found = States(BertModel(BertConfig(**SHAPE | {"num_hidden_layers": 4}, intermediate_size=16)).eval())
    ran: list[int] = []
    for number, block in enumerate(found.model.encoder.layer):
        block.register_forward_hook(lambda *_, number=number: ran.append(number))
    assert not found._shares_beginnings
    ran.clear()
    list(found.of(TEXTS[:1], 1))
    assert ran == [0, 1]
    assert len(found.model.encoder.layer) == 4


def test_beginnings_go_through_the_model_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from transformers import LlamaConfig, LlamaModel

    found = States(LlamaModel(LlamaConfig(**SHAPE, intermediate_size=16)).eval())
    assert found._shares_beginnings
    asked: list[int] = []
    forward = found.model.forward
    monkeypatch.setattr(
        found.model, "forward", lambda **given: asked.append(given["input_ids"].numel()) or forward(**given)
    )
    list(found.of(TEXTS))
    assert asked == [len({tuple(text[: n + 1]) for text in TEXTS for n in range(len(text))})]


def test_a_long_start_is_read_with_many_texts() -> None:
    start = list(range(300))
    texts = [[*start, n] for n in range(1000)]
    batches = list(states._of_shared_start(texts))
    assert sorted(at for batch in batches for at in batch) == list(range(1000))
    assert len(batches[0]) == states.SHARED_TIMES * 300 - 300
