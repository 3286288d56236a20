"""A tiny causal language model with random weights, in the published format."""

from pathlib import Path

import torch

CHARACTERS = [chr(code) for code in range(32, 127)] + ["\n"]


def save_tiny_model(folder: Path, pieces: int = 4096) -> str:
    """One word piece per character; the output is nonsense that depends on the whole input."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    vocabulary = {character: number for number, character in enumerate(["<s>", "<?>", *CHARACTERS])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<?>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    tokenizer.decoder = decoders.Fuse()
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>").save_pretrained(folder)
    torch.manual_seed(0)
    shape = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16}
    config = LlamaConfig(
        vocab_size=len(vocabulary),
        num_key_value_heads=1,
        max_position_embeddings=pieces,
        initializer_range=1.0,
        **shape,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    return str(folder)
