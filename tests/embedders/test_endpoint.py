"""An embedding service that misbehaves in every way: the right result, or one line; and nothing is paid for twice."""

import base64
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import numprobe
from numprobe.cli import main
from numprobe.embedders import load_embedder
from numprobe.experiments import Cell
from numprobe.files import asking

KEY = "sk-very-secret-1234567890"


def vector(text: str) -> list[float]:
    number = float(text)
    return [number, number**2 / 100, 1.0]


def openai(question: Any) -> dict[str, Any]:
    texts = question["input"]
    return {"data": [{"index": at, "embedding": vector(text)} for at, text in enumerate(texts)], "model": "m"}


Reply = Callable[["Handler", Any], None]


class Handler(BaseHTTPRequestHandler):
    server: "Server"

    def do_POST(self) -> None:
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            self.server.questions.append(question)
            self.server.keys.add(self.headers.get("Authorization", ""))
            self.server.paths.add(self.path)
            script = self.server.script
            reply = script.pop(0) if len(script) > 1 else script[0]
        reply(self, question)

    def say(self, content: bytes, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        pass


class Server(ThreadingHTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.lock = threading.Lock()
        self.script: list[Reply] = [well]
        self.questions: list[Any] = []
        self.keys: set[str] = set()
        self.paths: set[str] = set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def handle_error(self, request: Any, address: Any) -> None:
        pass  # a client that has gone


def told(made: Callable[[Any], Any]) -> Reply:
    return lambda handler, question: handler.say(json.dumps(made(question)).encode())


def failing(status: int, content: bytes = b"", **headers: str) -> Reply:
    return lambda handler, question: handler.say(content, status, **headers)


def shuffled(question: Any) -> Any:
    return {"data": openai(question)["data"][::-1]}


def packed(question: Any) -> Any:
    data = openai(question)["data"]
    return {
        "data": [
            row | {"embedding": base64.b64encode(np.array(row["embedding"], "<f4").tobytes()).decode()} for row in data
        ]
    }


def with_nan(question: Any) -> Any:
    answer = openai(question)
    answer["data"][-1]["embedding"][1] = float("nan")
    return answer


def too_few(question: Any) -> Any:
    return {"data": openai(question)["data"][:-1]}


def at_most_three(handler: Handler, question: Any) -> None:
    if len(question["input"]) > 3:
        handler.say(b"too large", 413)
    else:
        well(handler, question)


def cut(handler: Handler, question: Any) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    handler.wfile.write(b'{"data": [')
    handler.close_connection = True


def stalled(handler: Handler, question: Any) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "10")
    handler.end_headers()
    threading.Event().wait(1.5)


well = told(openai)


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NUMPROBE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setattr(asking, "FIRST_WAIT", 0.01)
    monkeypatch.chdir(tmp_path)
    made = Server()
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield made
    made.shutdown()
    made.server_close()


TEXTS = [str(number) for number in range(20)]


def encoded(server: Server, texts: list[str] = TEXTS, **settings: Any) -> np.ndarray:
    given = {"url": server.url, "model": "m", "batch": 8, "timeout": 0.5, "retries": 3} | settings
    return np.asarray(load_embedder("endpoint", **given).encode(texts))


@pytest.mark.parametrize(
    "script",
    [
        [well],
        [told(shuffled)],
        [told(packed)],
        [at_most_three],
        [failing(429, b"slow down", Retry_After="0"), well],
        [failing(429, b"", Retry_After="Wed, 21 Oct 2015 07:28:00 GMT"), well],
        [failing(500), failing(503), well],
        [cut, well],
        [stalled, well],
    ],
    ids=["well", "shuffled", "base64", "413", "429", "429-date", "500", "cut", "stall"],
)
def test_the_right_vectors(server: Server, script: list[Reply]) -> None:
    server.script = script
    assert encoded(server) == pytest.approx(np.array([vector(text) for text in TEXTS]), rel=1e-6)


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (
            [failing(401, f"Incorrect API key provided: {KEY}".encode())],
            r"401: .*\*\*\*; is the key in \$OPENAI_API_KEY right",
        ),
        ([failing(404, b'{"error": "no such model"}')], "404: .*no such model"),
        ([failing(500, b"boom")], r"500: boom \(after 4 tries\)"),
        ([failing(429, b"", Retry_After="3600")], "asks to wait 3600 s"),
        ([failing(413)], "finds a single text too large: '"),
        ([told(with_nan)], "NaN or infinity for '"),
        ([told(too_few)], "vectors for"),
        ([told(lambda question: {"data": "nothing"})], "does not answer as /v1/embeddings does"),
        ([told(lambda question: [1, 2])], "does not answer as /v1/embeddings does"),
        ([told(lambda q: {"data": [{"embedding": "!"} for _ in q["input"]]})], "no vector of numbers for '"),
        ([lambda handler, question: handler.say(b"<html>hello")], "does not answer with JSON but with '<html>hello'"),
        ([cut], "the connection broke"),
        ([stalled], r"no answer within 0.5 s \(after 4 tries\)"),
    ],
)
def test_one_line(server: Server, script: list[Reply], message: str) -> None:
    server.script = script
    with pytest.raises(numprobe.NumprobeError, match=message) as caught:
        encoded(server)
    assert KEY not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_nothing_is_asked_twice(server: Server) -> None:
    encoded(server)
    assert sorted(text for question in server.questions for text in question["input"]) == sorted(TEXTS)
    before = len(server.questions)
    encoded(server, [*TEXTS, *TEXTS[::-1]])
    assert len(server.questions) == before
    encoded(server, [*TEXTS, "99"])
    assert server.questions[before:] == [{"model": "m", "input": ["99"], "encoding_format": "float"}]
    encoded(server, dimensions=3)
    assert server.questions[-1]["dimensions"] == 3
    with pytest.raises(numprobe.NumprobeError, match="3 dimensions, and 2 were asked for"):
        encoded(server, dimensions=2)


def test_a_result_counts_its_requests(server: Server) -> None:
    name = f"endpoint:url={server.url},model=m,batch=8"
    first, again = (numprobe.probe(name, numbers="0:19", probe="linear", seeds=seeds)[0] for seeds in (2, 3))
    assert first.made["requests"] == len(server.questions) == 3
    assert again.made["requests"] == 0


def test_a_run_that_broke_off_asks_only_for_the_rest(server: Server) -> None:
    server.script = [well, failing(400, b"enough")]
    with pytest.raises(numprobe.NumprobeError, match="400: enough"):
        encoded(server, concurrency=1)
    server.script, server.questions = [well], []
    encoded(server, concurrency=1)
    assert [text for question in server.questions for text in question["input"]] == TEXTS[8:]


def test_tei(server: Server) -> None:
    server.script = [told(lambda question: [vector(text) for text in question["inputs"]])]
    found = load_embedder("endpoint", url=server.url.replace("/v1", "/embed")).encode(TEXTS)
    assert np.asarray(found) == pytest.approx(np.array([vector(text) for text in TEXTS]), rel=1e-6)
    assert server.paths == {"/embed"}


def test_the_key_is_sent_and_told_nowhere(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    name = f"endpoint:url={server.url},model=m,key_variable=MY_KEY,batch=7"
    probe = ["probe", "--alone", "--embedder", name, "--range", "0:40", "--probe", "linear", "--seeds", "2", "--json"]
    assert main(probe) == 0
    assert main(["report", "--out", "page.html"]) == 0
    server.script = [failing(401, KEY.encode())]
    assert main([*probe[:5], "0:60", *probe[6:]]) == 2
    out, err = capsys.readouterr()
    assert server.keys == {f"Bearer {KEY}"}
    written = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) >= 3
    assert not any(KEY.encode() in content for content in (*written, out.encode(), err.encode()))
    assert "MY_KEY" in err
    assert "MY_KEY" not in out


def test_what_does_not_change_vectors_is_not_part_of_a_cell(server: Server) -> None:
    import pickle

    one = Cell.make(f"endpoint:url={server.url},model=m", "decoding", "0:40")
    other = Cell.make(f"endpoint:url={server.url},model=m,batch=3,concurrency=1,key_variable=X", "decoding", "0:40")
    assert one == other
    assert one.hash == other.hash
    assert pickle.loads(pickle.dumps(other)).parts.embedder.batch == 3
    assert one.hash != Cell.make(f"endpoint:url={server.url},model=n", "decoding", "0:40").hash


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("endpoint:url=localhost,model=m", "is not an address"),
        ("endpoint:url=http://me:secret@host/v1,model=m", "must not hold a name, a password or a query"),
        ("endpoint:url=http://host/v1?key=secret,model=m", "must not hold"),
        ("endpoint:url=http://host/v1", "needs a model"),
        ("endpoint:url=http://host/v1,model=m,batch=0", "batch must be at least 1"),
        ("endpoint:model=m", "needs url"),
    ],
)
def test_mistakes(name: str, message: str) -> None:
    with pytest.raises(numprobe.NumprobeError, match=message) as caught:
        load_embedder(name)
    assert "secret" not in str(caught.value)


def test_nobody_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMPROBE_CACHE", str(tmp_path))
    with pytest.raises(numprobe.NumprobeError, match=r"can't reach http://127\.0\.0\.1:9/v1/embeddings"):
        load_embedder("endpoint", url="http://127.0.0.1:9", model="m").encode(["7"])
