"""Models and tokenizers through `transformers`: a folder with safetensors or GGUF, or a hub id. Never a pickle."""

import io
from contextlib import nullcontext, redirect_stderr
from pathlib import Path
from typing import Any

from numprobe.embedders.given import stay_inside
from numprobe.embedders.sources import PRETRAINED_EXTRA, is_offline, locate
from numprobe.errors import NumprobeError

TOKENIZER = "AutoTokenizer"


def load_pretrained(auto: str, source: str, gguf: str, commit: str, trust: bool) -> Any:
    """A model, or its tokenizer, by the class of `transformers` that `auto` names."""
    try:
        import torch
        import transformers
    except ImportError:
        raise NumprobeError(f"transformer models need the package transformers: {PRETRAINED_EXTRA}") from None
    where = locate(source)
    stay_inside(gguf, gguf)
    if where is not None:
        _refuse_pickles(where, gguf)
    given: dict[str, Any] = {"trust_remote_code": trust, "local_files_only": where is not None or is_offline()}
    if commit:
        given["revision"] = commit
    if gguf:
        given["gguf_file"] = gguf
    if auto != TOKENIZER:
        given |= {"dtype": torch.float32} | ({} if gguf else {"use_safetensors": True})
    try:
        # Loading a file draws bars that can't be switched off; those of a download are worth seeing.
        with redirect_stderr(io.StringIO()) if where else nullcontext():
            loaded = getattr(transformers, auto).from_pretrained(where or source, **given)
    except Exception as error:  # a folder that is damaged raises whatever its model's code comes upon
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        hint = "; it is not in the hub's cache, and this is offline" if where is None and is_offline() else ""
        raise NumprobeError(f"can't load {source}{hint}: {reason}") from None
    return loaded if auto == TOKENIZER else loaded.eval()


def _refuse_pickles(folder: Path, gguf: str) -> None:
    if gguf or any(folder.glob("*.safetensors")):
        return
    pickled = next((path.name for path in sorted(folder.glob("*.bin")) + sorted(folder.glob("*.pt*"))), None)
    if pickled:
        raise NumprobeError(
            f"{folder / pickled} is a pickle, which can run code when it is read: "
            "save the model again with model.save_pretrained(folder), which writes safetensors"
        )
    raise NumprobeError(f"{folder} holds no model: there is no .safetensors file in it")
