"""Asking in words: right replies score as right, every other one as wrong, and nothing about test numbers leaks."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import numprobe
from numprobe import NumprobeError
from numprobe.cli import main
from numprobe.embedders.speech import Dialogue
from numprobe.experiments import Cell
from numprobe.experiments.floors import bounds, floors
from numprobe.experiments.selection import Selection
from numprobe.probes.prompt import _place
from numprobe.probes.replies import as_answer, check_slots, filled, read_number
from numprobe.tasks import TASKS
from tests.embedders.test_endpoint import KEY, Handler, Reply, Server, cut, failing, server, stalled, told

__all__ = ["server"]


def solved(prompt: str) -> str:
    """The right answer to the last question of a prompt."""
    prompt = prompt if isinstance(prompt, str) else prompt[0]
    question = prompt.rpartition("\n\n")[2] if "\n\n" in prompt else prompt
    question = question if "Question" in question or ":" in question else question.rpartition("\n")[2]
    numbers = [int(one) for one in re.findall(r"\d+", question)]
    if re.search(r"Subtract|taken from", question):
        return str(numbers[1] - numbers[0])
    if re.search(r"minus|\d - \d", question):
        return str(numbers[0] - numbers[1])
    if ranked := re.search(r"number (\d+) in increasing|\[(\d+)\] =", question, re.IGNORECASE):
        place = int(ranked[1]) - 1 if ranked[1] else int(ranked[2])
        (listed,) = re.findall(r"\d+(?:, \d+)+", question)
        return str(sorted(map(int, listed.split(", ")))[place])
    return str(sum(numbers) if re.search(r"\+|sum|plus|Add", question) else max(numbers))


def completed(question: Any) -> dict[str, Any]:
    text = solved(question["prompt"]) if "prompt" in question else solved(question["messages"][-1]["content"])
    said = {"text": f" {text}"} if "prompt" in question else {"message": {"role": "assistant", "content": text}}
    return {"choices": [said], "usage": {"prompt_tokens": 7, "completion_tokens": 2}}


def saying(text: Any) -> Reply:
    return told(lambda question: {"choices": [{"text": text}]})


well = told(completed)


def asked(server: Server, task: str = "addition", settings: str = "", **more: Any) -> numprobe.Result:
    name = f"endpoint:url={server.url},model=m,timeout=0.5,retries=3,concurrency=2"
    given = {"numbers": "0:40", "seeds": 2, **more}
    (result,) = numprobe.probe(name, task, probe=f"prompt:most_items=4{settings}", **given)
    return result


@pytest.mark.parametrize("task", ["addition", "subtraction", "comparison", "list-maximum", "ordering:rank=2"])
@pytest.mark.parametrize("settings", ["", ",shots=3", ",style=chat,shots=1"])
def test_who_is_always_right_scores_as_right(server: Server, task: str, settings: str) -> None:
    server.script = [well]
    result = asked(server, task, settings, numbers="0:99")
    assert result.more.get("exact", result.scores) == [1.0, 1.0]
    assert all(set(choice["right"].values()) == {1.0} for choice in result.choices)
    assert all(choice["unreadable"] == 0 and "likeliest" not in choice for choice in result.choices)
    assert server.paths == {"/v1/chat/completions" if "chat" in settings else "/v1/completions"}
    counted = result.made["asking"]
    assert (counted["read"], counted["written"]) == (7 * counted["asked"], 2 * counted["asked"])
    assert result.made["requests"] == counted["asked"] == len(server.questions)


def test_words_are_decoded_and_digits_are_a_copy(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    from numprobe.numbers import read

    def decoded(question: Any) -> Any:
        text = re.sub(r"^(Question: What is|Number:|Write)|in digits.*|written.*|\n.*|=", "", question["prompt"])
        return {"choices": [{"text": f"{read(text.strip()):.0f}"}]}

    server.script = [told(decoded)]
    assert asked(server, "decoding", form="words").scores == [0.0, 0.0]
    assert "copy" not in caplog.text
    assert asked(server, "decoding").scores == [0.0, 0.0]
    assert "the answer is a copy" in caplog.text


def test_examples_are_about_training_numbers_only(server: Server) -> None:
    server.script = [well]
    asked(server, settings=",shots=4,phrasing=1", seeds=1)
    selection = Selection(Cell.make("value", "addition", "0:40"))
    held_out = set(selection.held_out(0).astype(int).tolist())
    for question in server.questions:
        *shown, last = [re.findall(r"\d+", line) for line in question["prompt"].splitlines()]
        assert set(map(int, last)) <= held_out
        assert not {int(number) for one in shown for number in one[:2]} & held_out
        assert len(shown) == 4


def test_likelihoods_of_a_service_are_asked_for_on_demand(server: Server) -> None:
    def weighing(question: Any) -> Any:
        if "echo" not in question:
            return completed(question)
        right = solved(question["prompt"][0].rpartition(" ")[0])
        told = [
            {"tokens": [text[:-4], text[-4:]], "token_logprobs": [None, -1.0 if text.endswith(f" {right}\n") else -2.0]}
            for text in question["prompt"]
        ]
        return {"choices": [{"index": at, "logprobs": one} for at, one in enumerate(told)]}

    server.script = [told(weighing)]
    result = asked(server, settings=",phrasing=1,likelihoods=yes", seeds=1)
    assert result.choices[0]["likeliest"] == 1.0
    assert result.made["asking"]["weighed"] == 4
    assert result.made["requests"] == len(server.questions) == 8


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("phrasing=2", "does not tell how likely given texts are: use likelihoods=no"),
        ("phrasing=2,style=chat", "a chat does not tell how likely a given answer is: use style=text"),
    ],
)
def test_a_service_that_tells_no_likelihoods(server: Server, settings: str, message: str) -> None:
    server.script = [well]
    with pytest.raises(NumprobeError, match=message):
        asked(server, settings=f",{settings},likelihoods=yes", seeds=1)


def test_the_items_are_a_sample_of_the_test_items() -> None:
    def items(most: int) -> set[tuple[int, ...]]:
        cell = Cell.make("endpoint:url=http://h/v1,model=m", "addition", "0:40", probe=f"prompt:most_items={most}")
        return set(map(tuple, Selection(cell).items(3, "test").numbers.tolist()))

    whole = set(map(tuple, Selection(Cell.make("value", "addition", "0:40")).items(3, "test").numbers.tolist()))
    assert len(items(5)) == 5
    assert items(5) < items(20) < whole == items(0)


@pytest.mark.parametrize("text", ["", None, "about fifty", "12 + 3", "9" * 5000, "7 apples", "NaN", "1e5"])
def test_what_is_no_number_is_wrong_and_counted(server: Server, text: Any, caplog: pytest.LogCaptureFixture) -> None:
    server.script = [saying(text)]
    result = asked(server, settings=",phrasing=2")
    assert result.more["exact"] == [0.0, 0.0]
    assert [choice["unreadable"] for choice in result.choices] == [1.0, 1.0]
    assert "100 % of the answers are no number alone" in caplog.text
    assert asked(server, "comparison", settings=",phrasing=1").scores == [0.0, 0.0]


def endless(handler: Handler, question: Any) -> None:
    handler.send_response(200)
    handler.end_headers()
    for _ in range(10_000):
        handler.wfile.write(b" " * 1000)


@pytest.mark.parametrize(
    "script",
    [
        [failing(429, b"slow down", Retry_After="0"), well],
        [failing(500), failing(503), well],
        [cut, well],
        [stalled, well],
    ],
    ids=["429", "500", "cut", "stall"],
)
def test_faults_that_pass(server: Server, script: list[Reply]) -> None:
    server.script = script
    result = asked(server, settings=",phrasing=1", seeds=1)
    assert result.more["exact"] == [1.0]
    assert result.made["requests"] > result.made["asking"]["asked"] == 4


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ([failing(401, KEY.encode())], r"401: \*\*\*; is the key in \$OPENAI_API_KEY right"),
        ([failing(500, b"boom")], r"500: boom \(after 4 tries\)"),
        ([failing(429, b"", Retry_After="3600")], "asks to wait 3600 s"),
        ([failing(413)], "finds a single question too large"),
        ([told(lambda question: {"choices": []})], "does not answer as /v1/completions does"),
        ([told(lambda question: [1])], "does not answer as /v1/completions does"),
        ([told(lambda question: {"choices": [{"text": "5"}], "usage": {"prompt_tokens": "x"}})], "does not answer as"),
        ([saying([5])], "answers with something that is not text"),
        ([lambda handler, question: handler.say(b"<html>hello")], "does not answer with JSON but with '<html>hello'"),
        ([endless], "answers with more than 1 MB"),
        ([cut], "the connection broke"),
        ([stalled], r"no answer within 0.5 s \(after 4 tries\)"),
    ],
)
def test_lasting_faults_are_one_line(server: Server, script: list[Reply], message: str) -> None:
    server.script = script
    with pytest.raises(NumprobeError, match=message) as caught:
        asked(server, settings=",phrasing=1", seeds=1)
    assert KEY not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_run_that_broke_off_asks_only_for_the_rest(server: Server) -> None:
    server.script = [well, well, well, failing(400, b"enough")]
    with pytest.raises(NumprobeError, match="400: enough"):
        asked(server)
    answered = [question["prompt"] for question in server.questions[:3]]
    server.script, server.questions = [well], []
    asked(server)
    again = [question["prompt"] for question in server.questions]
    assert len(set(again)) == len(again)
    assert not set(answered) & set(again)
    before = len(again)
    asked(server, seeds=1)
    assert len(server.questions) == before


def test_nobody_is_there_and_the_command_says_so(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    name = "endpoint:url=http://127.0.0.1:9,model=m"
    command = ["probe", "--embedder", name, "--task", "addition", "--probe", "prompt", "--store", str(tmp_path)]
    assert main(command) == 2
    assert "can't reach http://127.0.0.1:9/v1/completions" in capsys.readouterr().err


def test_there_are_no_controls_of_a_prompt(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    server.script = [well]
    name = f"endpoint:url={server.url},model=m"
    cell = Cell.make(name, "addition", "0:40", probe="prompt")
    assert floors(cell) == bounds(cell) == []
    command = ["probe", "--embedder", name, "--task", "addition", "--range", "0:40", "--probe", "prompt:most_items=3"]
    assert main([*command, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["floors"] == []
    assert document["cell"]["probe"] == "prompt:most_items=3"
    assert main(command) == 0
    assert "rmse" in capsys.readouterr().out
    assert main(["show", "--format", "markdown"]) == 0


@pytest.mark.parametrize(
    ("task", "settings", "message"),
    [
        ("addition", "phrasing={first} and more", r"lacks \{second\}: name them, or \{numbers\}"),
        ("addition", "phrasing=what?", r"lacks \{first\} and \{second\}"),
        ("decoding", "phrasing={third}", r"has no number for \{third\}: its slots are"),
        ("addition", "phrasing={first", "can't be read"),
        ("addition", "phrasing=9", "has phrasings 1 to 5, and no 9"),
        ("addition", "style=shout", "unknown style 'shout'"),
        ("addition", "shots=-1", "shots must be at least 0"),
        ("decoding:target=log2", "shots=1", "there are no words to ask task 'decoding' in"),
    ],
)
def test_mistakes(task: str, settings: str, message: str) -> None:
    with pytest.raises(NumprobeError, match=message):
        Cell.make("endpoint:url=http://h/v1,model=m", task, "1:40", probe=f"prompt:{settings}")


@given(st.integers(-(10**9), 10**9))
def test_a_number_is_read_as_itself(number: int) -> None:
    for reply in (str(number), f" {number}.", f"**{number}**", f"{number:,}", f"{number}, because it is so"):
        assert read_number(reply) == number
    for reply in (f"{number} {number}", f"{number} + 1", f"= {number} cm", f"it is {number}", f"{number}%3"):
        assert read_number(reply) is None
    assert as_answer(number) == str(number)


@pytest.mark.parametrize("reply", [".5", "-.5", "- 5", "–5", "-$5", "5%", "5€", "5 +", "5 -", "5°"])
def test_signs_points_and_units_are_not_swallowed(reply: str) -> None:
    assert read_number(reply) is None


@pytest.mark.parametrize("value", ["7.25", "-0.04", "0.75", "0", "-12", "1000000"])
def test_an_answer_is_written_as_exactly_as_it_is(value: str) -> None:
    assert as_answer(float(value)) == value
    assert read_number(value) == float(value)


@pytest.mark.parametrize(
    ("words", "reply", "place"),
    [
        (["-5", "5"], "5", 1),
        (["5", "7"], "-7", None),
        (["5", "-7"], "-7.", 1),
        (["seventy-five", "seventy"], "Seventy five.", 0),
        (["minus five", "five"], "five", 1),
    ],
)
def test_a_choice_keeps_its_sign(words: list[str], reply: str, place: int | None) -> None:
    assert _place(words, reply) == place


@pytest.mark.parametrize("otherwise", [{"template": "I have {number} apples."}, {"test_form": "words"}])
def test_a_prompt_writes_its_own_questions(otherwise: dict[str, str]) -> None:
    with pytest.raises(NumprobeError, match="writes its own questions"):
        Cell.make("endpoint:url=http://h/v1,model=m", "addition", "0:40", probe="prompt", **otherwise)


def test_every_phrasing_names_every_number_and_is_its_own_tasks() -> None:
    tasks = [TASKS.build(name) for name in TASKS if not TASKS.makers[name].writes_sentences]
    asked = {task.name: task.phrasings for task in tasks if task.phrasings}
    for task in tasks:
        for phrasing in task.phrasings:
            check_slots(phrasing, task.arity)
    every = [phrasing for phrasings in asked.values() for phrasing in phrasings]
    assert len(set(every)) == len(every) >= 30  # a task that inherits another's would be asked the wrong question


def test_slots() -> None:
    check_slots("max({numbers})", 5)
    assert filled("{first} {second}", ["1", "2"]) == "1 2"
    assert Dialogue("a:\nb", (("c:\nd", "5"),)).text == "c:\nd 5\n\na:\nb"
