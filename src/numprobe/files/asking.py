"""Asking a service over HTTP: patiently, within bounds, and without ever telling its key."""

import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cached_property
from typing import Any, TypeVar
from urllib.parse import urlsplit

from numprobe.errors import NumprobeError
from numprobe.files.untrusted import first_line, shortened

PASSING = (408, 409, 425, 429, 500, 502, 503, 504)
"""Answers after which a service may answer otherwise a little later."""
TOO_LARGE = 413
UNAUTHORISED = (401, 403)
FIRST_WAIT, LONGEST_WAIT = 0.5, 120.0
"""Seconds between tries: twice as many each time, or as many as the service asks for."""
MOST_BYTES = 1 << 28
"""The longest answer that is read."""
PATIENCE = 5
"""An answer may take this many times longer than the longest silence within it."""


Asked = TypeVar("Asked")
Given = TypeVar("Given")


class TooLarge(Exception):
    """The service takes less at a time."""


class _Passing(Exception):
    """A failure that may pass, and after how many seconds the service wants to be asked again."""

    def __init__(self, reason: str, after: float | None = None) -> None:
        super().__init__(reason)
        self.after = after


@dataclass(frozen=True)
class Service:
    """A service that takes and gives JSON. Several threads may ask it at once."""

    url: str
    key_variable: str = ""
    """The environment variable that holds the key, if the service wants one."""
    timeout: float = 60.0
    """Seconds of silence after which a try has failed."""
    retries: int = 6
    most_bytes: int = MOST_BYTES
    """The longest answer that is read."""
    sent: list[float] = field(default_factory=list, compare=False, repr=False)
    """When each request was sent, whether or not it was answered."""

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise NumprobeError(f"{shortened(self.url)} is not an address: write http://HOST/… or https://HOST/…")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise NumprobeError(
                f"the address of {parts.hostname} must not hold a name, a password or a query, since it is written to "
                "results: put the key into an environment variable"
            )

    def ask(self, question: Any) -> Any:
        """Post a question and return the answer.

        Raise `TooLarge` if the service takes less at a time, and NumprobeError in one line for any lasting failure.
        """
        wait = FIRST_WAIT
        for attempt in range(self.retries + 1):
            try:
                return self._try(question)
            except _Passing as passing:
                if attempt == self.retries:
                    times = f"{attempt + 1} tries" if attempt else "one try"
                    raise NumprobeError(f"{self.url}: {passing} (after {times})") from None
                if passing.after is not None and passing.after > LONGEST_WAIT:
                    raise NumprobeError(f"{self.url}: {passing}, and asks to wait {passing.after:.0f} s") from None
                time.sleep(wait if passing.after is None else passing.after)
                wait = min(2 * wait, LONGEST_WAIT)
        raise AssertionError

    def _try(self, question: Any) -> Any:
        import httpx2

        deadline = time.monotonic() + PATIENCE * self.timeout
        content = bytearray()
        self.sent.append(time.time())
        try:
            with self._client.stream("POST", self.url, json=question, headers=self._headers()) as response:
                for part in response.iter_bytes():
                    content += part
                    if len(content) > self.most_bytes:
                        raise NumprobeError(f"{self.url} answers with more than {self.most_bytes >> 20} MB")
                    if time.monotonic() > deadline:
                        raise _Passing(f"no complete answer within {PATIENCE * self.timeout:g} s")
        except httpx2.TimeoutException:
            raise _Passing(f"no answer within {self.timeout:g} s") from None
        except httpx2.ConnectError as error:
            raise NumprobeError(f"can't reach {self.url}: {self._safe(error)}") from None
        except httpx2.HTTPError as error:
            raise _Passing(f"the connection broke: {self._safe(error) or type(error).__name__}") from None
        return self._read(response.status_code, response.headers.get("retry-after", ""), bytes(content))

    def _read(self, status: int, retry_after: str, content: bytes) -> Any:
        if status == TOO_LARGE:
            raise TooLarge
        if status != 200:
            said = f"it answered {status}: {self._safe(content.decode(errors='replace'))}".rstrip(": ")
            if status in PASSING:
                raise _Passing(said, _seconds(retry_after))
            hint = (
                f"; is the key in ${self.key_variable} right?" if status in UNAUTHORISED and self.key_variable else ""
            )
            raise NumprobeError(f"{self.url}: {said}{hint}")
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            raise NumprobeError(
                f"{self.url} does not answer with JSON but with {shortened(self._safe(content))}"
            ) from None

    @cached_property
    def _client(self) -> Any:
        try:
            import httpx2
        except ImportError:
            raise NumprobeError("endpoints need httpx2: pip install 'numprobe[endpoint]'") from None
        return httpx2.Client(timeout=self.timeout)

    def _key(self) -> str:
        return os.environ.get(self.key_variable, "") if self.key_variable else ""

    def _headers(self) -> dict[str, str]:
        key = self._key()
        if key and not (key.isascii() and key.isprintable()):
            raise NumprobeError(f"${self.key_variable} holds no key: it has spaces or odd characters")
        return {"Authorization": f"Bearer {key}"} if key else {}

    def _safe(self, said: object) -> str:
        """The first line of what was said, without the key."""
        text = said.decode(errors="replace") if isinstance(said, bytes) else str(said)
        key = self._key()
        return first_line((text.replace(key, "***") if key else text).strip())


def at_once(
    ask: Callable[[Asked], Given],
    questions: Sequence[Asked],
    concurrency: int,
    halves: Callable[[Asked], Sequence[Asked]] = lambda question: (),
) -> Iterator[tuple[Asked, Given]]:
    """Ask several questions at a time; yield each with its answer as it arrives.

    Where one is too large, its halves are asked. After a failure no more are asked, but what is under way is paid for:
    it is taken first.
    """
    waiting, failure = list(questions), None
    with ThreadPoolExecutor(concurrency) as pool:
        running: dict[Future[Given], Asked] = {}
        while running or (waiting and failure is None):
            while waiting and failure is None and len(running) < concurrency:
                question = waiting.pop(0)
                running[pool.submit(ask, question)] = question
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                question = running.pop(future)
                try:
                    yield question, future.result()
                except TooLarge:
                    waiting += halves(question)
                except NumprobeError as error:
                    failure = failure or error
    if failure is not None:
        raise failure


def _seconds(retry_after: str) -> float | None:
    """How long a Retry-After header asks to wait: a number of seconds, or a date.

    >>> _seconds("7"), _seconds("soon")
    (7.0, None)
    """
    try:
        return max(0.0, float(retry_after))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(retry_after) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return None
