import logging
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numprobe.errors import NumprobeError
from numprobe.metrics import METRICS, Metric
from numprobe.numbers import FORMS
from numprobe.probes import PROBES
from numprobe.registry import Registry, Spec, text_of
from numprobe.tasks import TASKS, Answer, Task

KEYS = st.from_regex(r"[a-z_]{1,8}", fullmatch=True)


@given(st.dictionaries(KEYS, st.text(max_size=20)))
def test_any_value_survives_being_written_and_read(settings: dict[str, str]) -> None:
    spec = Spec("name", tuple(sorted(settings.items())))
    assert Spec.parse(str(spec)) == spec


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("x:a=1,b=two", {"a": "1", "b": "two"}),
        ("x: a = 1 , b = two ", {"a": "1", "b": "two"}),
        ("x:path=package:glove/file.txt", {"path": "package:glove/file.txt"}),
        ("x:t='The price is {number}, or so.',n=3", {"t": "The price is {number}, or so.", "n": "3"}),
        ('x:t="say \\"hi\\", then go"', {"t": 'say "hi", then go'}),
        ("x:a=b=c", {"a": "b=c"}),
        ("x:", {}),
    ],
)
def test_settings_as_people_write_them(text: str, settings: dict[str, str]) -> None:
    assert dict(Spec.parse(text).settings) == settings


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x:a", "'a' is not key=value; write name:key=value"),
        ("x:a=", "'a=' is not key=value"),
        ("x:=1", "'=1' is not key=value"),
        ("x:a=1,a=2", "sets 'a' twice"),
        ("x:a='open,b=1", "is not key=value"),
    ],
)
def test_settings_that_are_wrong(text: str, message: str) -> None:
    with pytest.raises(NumprobeError) as error:
        Spec.parse(text)
    assert message in str(error.value)


def test_every_part_describes_itself_and_reads_back() -> None:
    for registry in (TASKS, PROBES, FORMS, METRICS):
        assert len(list(registry)) > 1
        for name in registry:
            part = registry.build(name)
            assert text_of(part) == name
            assert registry.about(name).endswith((".", "?"))


def test_parts_may_be_objects_of_the_right_kind() -> None:
    task = TASKS.build("list-maximum:sampler=appendix")
    assert TASKS.part(task) is task
    with pytest.raises(NumprobeError, match="is not a task: it has no name"):
        TASKS.part(7)
    with pytest.raises(NumprobeError, match="is not a task: give an instance, not a class"):
        TASKS.part(type(task))


@dataclass(frozen=True)
class Sound(Metric):
    """A metric of another package."""

    name: ClassVar[str] = "sound"
    answer: ClassVar[Answer] = Answer.VALUE
    higher_is_better: ClassVar[bool] = True

    power: float = 2.0

    def __post_init__(self) -> None:
        if self.power < 0:
            raise ValueError("power is negative")

    def score(self, answers: Any, truths: Any, guess: float) -> float:
        return 0.0


class Mute(Task):
    name = "mute"
    answer = Answer.VALUE
    arity = 1
    metric = "rmse"


class Point(EntryPoint):
    """An entry point of a package called `acme`."""

    @property
    def dist(self) -> Any:  # type: ignore[override]
        return type("Distribution", (), {"name": "acme"})()


def registry_with(monkeypatch: pytest.MonkeyPatch, like: Registry[Any], *points: EntryPoint) -> Registry[Any]:
    monkeypatch.setattr("numprobe.registry.entry_points", lambda group: points)
    return Registry(like.kind, like.package, like.required)


@pytest.mark.parametrize(
    ("like", "name", "value", "line"),
    [
        (METRICS, "gone", "acme_gone:Metric", "can't be imported: No module named 'acme_gone'"),
        (METRICS, "rmse", "tests.test_registry:Sound", "numprobe.metrics has 'rmse' already"),
        (TASKS, "mute", "tests.test_registry:Mute", "it has no probe"),
    ],
)
def test_a_bad_plug_in_is_left_out_in_one_line(
    like: Registry[Any], name: str, value: str, line: str,
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    points = [Point(name, value, ""), Point("sound", "tests.test_registry:Sound", "")]
    registry = registry_with(monkeypatch, like, *points)
    own = list(like)
    with caplog.at_level(logging.WARNING):
        assert list(registry)[: len(own)] == own
    (first, *rest) = (record.getMessage() for record in caplog.records)
    assert f"the {like.kind} {name!r} of acme is left out" in first
    assert line in first
    assert "\n" not in first
    assert len(rest) == (like is TASKS)  # a metric is not a task
    assert ("sound" in registry) == (like is METRICS)


def test_two_packages_with_one_name(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    points = [Point("sound", "tests.test_registry:Sound", "") for _ in range(2)]
    registry = registry_with(monkeypatch, METRICS, *points)
    with caplog.at_level(logging.WARNING):
        assert registry.build("sound:power=3") == Sound(3.0)
    assert len(caplog.records) == 1
    with pytest.raises(NumprobeError, match="metric 'sound:power=-1': power is negative"):
        registry.build("sound:power=-1")
    with pytest.raises(NumprobeError, match="sound:power must be a number, not 'loud'"):
        registry.build("sound:power=loud")
