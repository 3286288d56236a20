"""Models of the package sentence-transformers, with the pooling that each model defines."""

from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from numprobe.embedders.pretrained import untrained, word_pieces
from numprobe.embedders.sources import locate, resolve, revision
from numprobe.embedders.sources.fetching import is_offline
from numprobe.files.reading import one_line_errors


@dataclass(frozen=True)
class SentenceTransformer:
    """A sentence-transformers model, from a folder or the hub."""

    name: ClassVar[str] = "sentence-transformer"

    model: str
    commit: str = ""
    """The revision of a hub model."""

    @property
    def revision(self) -> str:
        return revision(self.model) or self.commit

    @property
    def hub_commit(self) -> str:
        """The commit that the hub's name refers to now."""
        return str(self._loaded[0].auto_model.config._commit_hash or "")

    @property
    def _loaded(self) -> Any:
        return _load(resolve(self.model), self.commit, self.revision)

    def encode(self, texts: list[str]) -> Any:
        return self._loaded.encode(texts, show_progress_bar=False)

    def encode_untrained(self, texts: list[str], seed: int) -> Any:
        """The vectors of the same architecture before any training."""
        twin = copy(self._loaded)
        twin._modules = {**twin._modules, "0": copy(twin[0])}
        twin[0].auto_model = untrained(twin[0].auto_model, seed)
        return twin.encode(texts, show_progress_bar=False)

    def pieces(self, texts: list[str]) -> list[list[str]]:
        return word_pieces(self._loaded.tokenizer, texts)


@lru_cache(maxsize=1)
def _load(source: str, commit: str, revision: str) -> Any:
    where = locate(source)
    with one_line_errors(source, "load"):
        import sentence_transformers

        return sentence_transformers.SentenceTransformer(
            str(where or source),
            revision=commit or None,
            local_files_only=where is not None or is_offline(),
            model_kwargs={"use_safetensors": True},
        )
