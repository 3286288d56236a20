"""What --help prints, for every command: it names each option, and its examples are right."""

import re
import shlex
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import numprobe.cli
from numprobe.cli import main
from numprobe.cli._options import parse

COMMANDS = [
    path.relative_to(folder).with_suffix("").parts
    for folder in [Path(numprobe.cli.__path__[0])]
    for path in sorted(folder.rglob("[a-z]*.py"))
]


def command(words: tuple[str, ...]) -> ModuleType:
    return import_module(".".join(("numprobe.cli", *words)))


def examples(module: ModuleType) -> Iterator[list[str]]:
    for line in (module.__doc__ or "").splitlines():
        if found := re.match(r"  (?:[A-Z_]+=\S+ )?numprobe (.*?)(?:   .*| \| .*)?$", line):
            yield shlex.split(found[1])


def test_there_is_a_command_for_every_file() -> None:
    assert len(COMMANDS) == 31
    assert ("drop", "train") in COMMANDS


@pytest.mark.parametrize("words", COMMANDS, ids="-".join)
def test_examples_can_be_parsed(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    own = list(examples(command(words)))
    assert own
    for given in own:
        assert tuple(given[: len(words)]) == words
        parse(command(words), "numprobe", given[len(words) :])


@pytest.mark.parametrize("words", COMMANDS, ids="-".join)
def test_help_of_a_command(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main([*words, "--help"])
    out = capsys.readouterr().out
    assert out.startswith(f"usage: numprobe {' '.join(words)} ")
    assert "examples:" in out


@pytest.mark.parametrize("group", [(), ("drop",)])
def test_help_lists_commands(group: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*group, "--help"]) == 0
    out = capsys.readouterr().out
    for words in COMMANDS:
        if words[:-1] == group:
            assert re.search(rf"^  {words[-1]} +[A-Z].*[^.]$", out, re.MULTILINE)
    for given in examples(sys.modules["numprobe.cli"] if not group else command(group)):
        name, *rest = given[len(group) :]
        parse(command((*group, name)), "numprobe", rest)


@pytest.mark.parametrize("words", [(), ("drop",)])
def test_unknown_commands_and_options(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words, "runn"]) == 2
    assert main([*words, "--verbose"]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith(f"numprobe: unknown {' '.join((*words, 'command'))} 'runn'; ")
    assert second == f"numprobe: unrecognized arguments: --verbose (see {' '.join(('numprobe', *words))} --help)"


def test_there_is_one_protocol(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["run", "demo", "--protocol", "paper"])
    assert "unrecognized arguments: --protocol paper" in capsys.readouterr().err
