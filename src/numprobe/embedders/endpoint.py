"""Embedding services: OpenAI's interface, which most servers speak, and TEI's."""

import base64
import binascii
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar
from urllib.parse import urlsplit

import numpy as np

from numprobe.embedders.speech.service import MOST_BYTES, PATHS, ServiceSpeaker
from numprobe.embedders.tables import ANSWERS
from numprobe.errors import NumprobeError, at_least, at_most
from numprobe.files import cache_folder
from numprobe.files.asking import Service, TooLarge, at_once
from numprobe.files.kept import Kept
from numprobe.files.reading import tell
from numprobe.files.untrusted import shortened
from numprobe.registry import RUNTIME

TEI = "/embed"


@dataclass(frozen=True)
class Endpoint:
    """A service that turns texts into vectors: OpenAI's /v1/embeddings, or TEI's /embed. Vectors are asked for once.

    Where it also completes texts or chats, it can be asked in words.
    """

    name: ClassVar[str] = "endpoint"

    url: str
    """Such as http://localhost:8080/v1, or http://localhost:8080/embed for TEI."""
    model: str = ""
    dimensions: int = 0
    """How many to ask for, of a model that can shorten its vectors; 0 leaves it to the model."""
    key_variable: str = field(default="OPENAI_API_KEY", metadata=RUNTIME)
    """The environment variable that holds the key."""
    batch: int = field(default=64, metadata=RUNTIME)
    """Texts per request."""
    concurrency: int = field(default=4, metadata=RUNTIME)
    """Requests at a time."""
    timeout: float = field(default=60.0, metadata=RUNTIME)
    retries: int = field(default=6, metadata=RUNTIME)

    def __post_init__(self) -> None:
        at_least(1, batch=self.batch, concurrency=self.concurrency)
        at_least(0, dimensions=self.dimensions, retries=self.retries)
        at_most(64, concurrency=self.concurrency)
        if self.timeout <= 0:
            raise NumprobeError(f"timeout must be more than 0, not {self.timeout:g}")
        if not (self.model or self._is_tei):
            raise NumprobeError("endpoint needs a model: write endpoint:url=…,model=…")
        _ = self._service  # refuse a wrong address at once

    @property
    def _is_tei(self) -> bool:
        return urlsplit(self.url).path.rstrip("/").endswith(TEI)

    @cached_property
    def _service(self) -> Service:
        url = self.url.rstrip("/")
        if not self._is_tei and not url.endswith("/embeddings"):
            url += "/embeddings" if url.endswith("/v1") else "/v1/embeddings"
        return Service(url, self.key_variable, self.timeout, self.retries, sent=self._sent)

    @property
    def requests(self) -> int:
        """How many requests were sent, with those that had to be repeated."""
        return len(self._sent)

    @cached_property
    def _sent(self) -> list[float]:
        """When each request was sent, whatever it asked for."""
        return []

    def speaker(self, style: str, pieces: int) -> ServiceSpeaker:
        """The model behind the same address, to be asked in words."""
        if self._is_tei:
            raise NumprobeError(f"{self.url} gives vectors only: it can't be asked in words")
        url = self._service.url.removesuffix("/embeddings") + PATHS[style]
        service = Service(url, self.key_variable, self.timeout, self.retries, MOST_BYTES, self._sent)
        return ServiceSpeaker(service, self.model, style, pieces, self.concurrency)

    @cached_property
    def _kept(self) -> Kept:
        about = json.dumps([self._service.url, self.model, self.dimensions])
        return Kept(cache_folder() / ANSWERS / f"{hashlib.sha256(about.encode()).hexdigest()[:20]}.sqlite")

    def encode(self, texts: list[str]) -> np.ndarray:
        """(texts, dimension)"""
        wanted = list(dict.fromkeys(texts))
        found = self._kept.find(wanted)
        if len(found) < len(wanted):
            with self._kept.alone():
                found = self._kept.find(wanted)  # another process may have asked meanwhile
                missing = [text for text in wanted if text not in found]
                for arrived in self._answers(missing):
                    self._kept.add(arrived)
                    found |= arrived
        vectors = [np.frombuffer(found[text], dtype="<f4") for text in texts]
        if len({len(vector) for vector in vectors}) > 1:
            raise NumprobeError(
                f"{self.url} gives vectors of different dimensions: remove them with numprobe cache clear"
            )
        return np.asarray(np.stack(vectors))

    def _answers(self, texts: Sequence[str]) -> Iterator[dict[str, bytes]]:
        """Ask for the vectors of texts, in batches; yield them as they arrive."""
        batches = [list(texts[start : start + self.batch]) for start in range(0, len(texts), self.batch)]
        what = f"asking {self.model or self.url} for {len(texts):,} texts in {len(batches):,} requests"
        tell(what, done := 0, len(texts))
        for batch, arrived in at_once(self._ask, batches, self.concurrency, _halves):
            yield arrived
            done += len(batch)
            tell(what, done, len(texts))

    def _ask(self, texts: list[str]) -> dict[str, bytes]:
        wanted: dict[str, Any] = {"model": self.model, "input": texts, "encoding_format": "float"}
        if self.dimensions:
            wanted["dimensions"] = self.dimensions
        try:
            answer = self._service.ask({"inputs": texts} if self._is_tei else wanted)
        except TooLarge:
            if len(texts) > 1:
                raise
            raise NumprobeError(f"{self.url} finds a single text too large: {shortened(texts[0])}") from None
        rows = answer if self._is_tei else self._in_order(answer)
        if not isinstance(rows, list) or len(rows) != len(texts):
            count = len(rows) if isinstance(rows, list) else "no"
            raise NumprobeError(f"{self.url} gives {count} vectors for {len(texts)} texts")
        return {text: self._vector(row, text) for text, row in zip(texts, rows, strict=True)}

    def _in_order(self, answer: Any) -> Any:
        """The vectors of an answer in OpenAI's form, whose rows may come in any order."""
        try:
            rows = answer["data"]
            places = [row.get("index", place) for place, row in enumerate(rows)]
            if sorted(places) != list(range(len(rows))):
                raise NumprobeError(f"{self.url} gives {len(rows)} vectors with the wrong indices")
            return [row["embedding"] for _, row in sorted(zip(places, rows, strict=True), key=lambda pair: pair[0])]
        except (TypeError, KeyError, AttributeError):
            raise NumprobeError(f"{self.url} does not answer as /v1/embeddings does: there is no data") from None

    def _vector(self, row: Any, text: str) -> bytes:
        """A vector as little-endian floats, from numbers or from base64."""
        try:
            vector = (
                np.frombuffer(base64.b64decode(row, validate=True), "<f4")
                if isinstance(row, str)
                else np.array(row, "<f4")
            )
        except (ValueError, TypeError, binascii.Error):
            raise NumprobeError(f"{self.url} gives no vector of numbers for {text!r}") from None
        if vector.ndim != 1 or not vector.size:
            raise NumprobeError(f"{self.url} gives no vector of numbers for {text!r}")
        if not np.isfinite(vector).all():
            raise NumprobeError(f"{self.url} gives NaN or infinity for {text!r}")
        if self.dimensions and len(vector) != self.dimensions:
            raise NumprobeError(f"{self.url} gives {len(vector)} dimensions, and {self.dimensions} were asked for")
        return vector.tobytes()


def _halves(texts: list[str]) -> list[list[str]]:
    middle = len(texts) // 2
    return [texts[:middle], texts[middle:]]
