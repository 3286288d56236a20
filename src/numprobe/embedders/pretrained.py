"""Models and tokenizers through `transformers`: a folder with safetensors or GGUF, or a hub id. Never a pickle."""

import io
from contextlib import nullcontext, redirect_stderr
from pathlib import Path
from typing import Any

from numprobe.embedders.sources import locate, stay_inside
from numprobe.embedders.sources.fetching import is_offline
from numprobe.errors import NumprobeError
from numprobe.files.reading import one_line_errors
from numprobe.files.untrusted import first_line

DTYPES = ("float32", "bfloat16", "float16")
TOKENIZER = "AutoTokenizer"
CONFIG = "AutoConfig"
PATIENCE = 10.0
"""Seconds that the hub has to say whether it has a model."""


def load_pretrained(
    auto: str, source: str, gguf: str, commit: str, trust: bool, dtype: str = "float32", device_map: str = ""
) -> Any:
    """Load a model or a tokenizer with the class of `transformers` that `auto` names."""
    where = locate(source)
    stay_inside(gguf, gguf)
    if where is not None:
        _refuse_pickles(where, gguf)
    else:
        find_on_hub(source)
    with one_line_errors(source, "load"):
        import torch
        import transformers

        options: dict[str, Any] = {"trust_remote_code": trust, "local_files_only": where is not None or is_offline()}
        if commit:
            options["revision"] = commit
        if gguf:
            options["gguf_file"] = gguf
        is_model = auto not in (TOKENIZER, CONFIG)
        if is_model:
            options |= {"dtype": getattr(torch, dtype)} | ({} if gguf else {"use_safetensors": True})
            options |= {"device_map": device_map} if device_map else {}
        # Loading a file draws bars that can't be switched off; the bars of a download are worth seeing.
        with redirect_stderr(io.StringIO()) if where else nullcontext():
            loaded = getattr(transformers, auto).from_pretrained(where or source, **options)
        return loaded.eval() if is_model else loaded


def find_on_hub(source: str) -> None:
    """Fail at once for a model that is neither a folder, nor in the hub's cache, nor on the hub.

    `transformers` would try for half a minute.
    """
    with one_line_errors(source, "load"):
        from huggingface_hub import HfApi, try_to_load_from_cache

        is_cached = isinstance(try_to_load_from_cache(source, "config.json"), str)
    if is_cached:
        return
    if is_offline():
        raise NumprobeError(f"can't load {source}: it is not in the hub's cache, and numprobe is offline")
    try:
        HfApi().model_info(source, timeout=PATIENCE)
    except Exception as error:  # of the HTTP client, or of the hub
        raise NumprobeError(f"{source} is not a folder, and the hub does not give it: {first_line(error)}") from None


def _refuse_pickles(folder: Path, gguf: str) -> None:
    if gguf or any(folder.glob("*.safetensors")):
        return
    pickled = next((path.name for path in sorted(folder.glob("*.bin")) + sorted(folder.glob("*.pt*"))), None)
    if pickled:
        raise NumprobeError(
            f"{folder / pickled} is a pickle, which can run code when it is read: "
            "save the model again with model.save_pretrained(folder), which writes safetensors"
        )
    raise NumprobeError(f"{folder} contains no model: there is no .safetensors file in it")


def untrained(model: Any, seed: int) -> Any:
    """A model of the same architecture with new weights, drawn as they are before training."""
    import torch

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return type(model)(model.config).eval().to(model.device)


def word_pieces(tokenizer: Any, texts: list[str]) -> list[list[str]]:
    """The word pieces of each text, without special ones."""
    return [tokenizer.convert_ids_to_tokens(ids) for ids in tokenizer(texts, add_special_tokens=False)["input_ids"]]
