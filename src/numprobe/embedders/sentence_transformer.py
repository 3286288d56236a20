"""Models of the package sentence-transformers, pooled as they say themselves."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from numprobe.embedders.sources import PRETRAINED_EXTRA, is_offline, locate, revision
from numprobe.embedders.transformer import pieces
from numprobe.errors import NumprobeError


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
        """The commit that the hub's name stands for now."""
        return str(self._loaded[0].auto_model.config._commit_hash or "")

    @cached_property
    def _loaded(self) -> Any:
        try:
            import sentence_transformers
        except ImportError:
            raise NumprobeError(f"this needs the package sentence-transformers: {PRETRAINED_EXTRA}") from None
        where = locate(self.model)
        try:
            return sentence_transformers.SentenceTransformer(
                str(where or self.model),
                revision=self.commit or None,
                local_files_only=where is not None or is_offline(),
                model_kwargs={"use_safetensors": True},
            )
        except Exception as error:  # as with any other model
            reason = (str(error).strip() or type(error).__name__).splitlines()[0]
            raise NumprobeError(f"can't load {self.model}: {reason}") from None

    def encode(self, texts: list[str]) -> Any:
        return self._loaded.encode(texts, show_progress_bar=False)

    def pieces(self, texts: list[str]) -> list[list[str]]:
        return pieces(self._loaded.tokenizer, texts)
