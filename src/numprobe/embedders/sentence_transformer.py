"""Models of the package sentence-transformers, with the pooling that each model defines."""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar

from numprobe.embedders.pretrained import DTYPES, find_on_hub, untrained, word_pieces
from numprobe.embedders.sources import locate, resolve, revision
from numprobe.embedders.sources.fetching import is_offline
from numprobe.errors import at_least, one_of
from numprobe.files.reading import one_line_errors
from numprobe.registry import RUNTIME


@dataclass(frozen=True)
class SentenceTransformer:
    """A sentence-transformers model, from a folder or the hub."""

    name: ClassVar[str] = "sentence-transformer"

    model: str
    commit: str = ""
    """The revision of a hub model."""
    dtype: str = "float32"
    """The precision that the model computes with."""
    device: str = field(default="", metadata=RUNTIME)
    """Where the model computes; by default where the probes do (`--device`)."""
    batch: int = field(default=32, metadata=RUNTIME)
    """Texts that go through the model at a time."""

    def __post_init__(self) -> None:
        one_of("dtype", self.dtype, DTYPES)
        at_least(1, batch=self.batch)

    @property
    def revision(self) -> str:
        return revision(self.model) or self.commit

    @property
    def hub_commit(self) -> str:
        """The commit that the hub's name refers to now."""
        return str(self._loaded[0].auto_model.config._commit_hash or "")

    @property
    def _loaded(self) -> Any:
        return _load(resolve(self.model), self.commit, self.revision, self.dtype, self.device)

    def encode(self, texts: list[str]) -> Any:
        return self._loaded.encode(texts, batch_size=self.batch, show_progress_bar=False)

    def encode_untrained(self, texts: list[str], seed: int, spans: Sequence[tuple[int, int]] = ()) -> Any:
        """The vectors of the same architecture before any training."""
        twin = copy(self._loaded)
        twin._modules = {**twin._modules, "0": copy(twin[0])}
        twin[0].auto_model = untrained(twin[0].auto_model, seed)
        return twin.encode(texts, batch_size=self.batch, show_progress_bar=False)

    def pieces(self, texts: list[str]) -> list[list[str]]:
        return word_pieces(self._loaded.tokenizer, texts)


@lru_cache(maxsize=1)
def _load(source: str, commit: str, revision: str, dtype: str, device: str) -> Any:
    where = locate(source)
    if where is None:
        find_on_hub(source)
    with one_line_errors(source, "load"):
        import sentence_transformers

        return sentence_transformers.SentenceTransformer(
            str(where or source),
            revision=commit or None,
            device=device or "cpu",
            local_files_only=where is not None or is_offline(),
            model_kwargs={"use_safetensors": True, "dtype": dtype},
        )
