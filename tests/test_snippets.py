"""Every command in the documentation can be parsed, and the first steps run."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from numprobe.cli._options import parse

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
RUN = ("start.md", "howto.md")


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def commands(page: Path) -> Iterator[list[str]]:
    """The words of each numprobe command, without what the shell does with its output."""
    for block in blocks(page, "sh"):
        for line in block.replace("\\\n", " ").splitlines():
            for part in re.split(r" && | \| | > ", re.sub(r"(^|\s)#.*", "", line)):
                words = shlex.split(re.sub(r"^\s*(\w+=\S+ )*", "", re.sub(r"\$\w+", "1", part)))
                if words[:1] == ["numprobe"]:
                    yield words[1:]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_can_be_parsed(page: Path) -> None:
    for words in commands(page):
        depth = 2 if words[0] == "drop" else 1
        if words[:1] != ["--version"]:
            parse(import_module(".".join(("numprobe.cli", *words[:depth]))), "numprobe", words[depth:])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_can_be_compiled_and_the_first_steps_run(page: Path) -> None:
    for block in blocks(page, "python"):
        code = compile(block, page.name, "exec")
        if page.name in RUN:
            exec(code, {})


@pytest.mark.slow
def test_the_commands_of_the_first_steps_run(tmp_path: Path) -> None:
    (page,) = (page for page in PAGES if page.name == "start.md")
    for words in commands(page):
        subprocess.run([sys.executable, "-m", "numprobe", *words], cwd=tmp_path, check=True, timeout=900)
    assert (tmp_path / "card.html").exists()
