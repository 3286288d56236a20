"""Suites: TOML files that name cells. A list of values means each of them."""

import itertools
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from importlib.resources import files
from inspect import signature
from pathlib import Path
from typing import Any

from numprobe.embedders.sources import is_trusted, not_here, refuse_reach
from numprobe.errors import NumprobeError, one_line, one_of, unknown
from numprobe.experiments.cell import Cell
from numprobe.files.untrusted import parse_toml, read_text, shortened
from numprobe.registry import Spec

CELL_KEYS = tuple(name for name in signature(Cell.make).parameters if name != "name")
SUITE_KEYS = ("title", "description", "cells", *CELL_KEYS)
PAPER_SUITES = (
    "integers",
    "appendix-lists",
    "floats",
    "negatives",
    "extrapolation",
    "extrapolation-values",
    "linear",
    "words",
    "figure",
    "padding",
)
"""The paper's synthetic experiments, in the paper's order: tables first, then its figure and its appendix."""

PAGE_SUITES = (*PAPER_SUITES, "layers", "floors", "comparison", "transfer", "sentences", "retrieval")
"""The suites that the page shows and whose results are published with numprobe."""

MOST_CELLS = 10_000
"""The most cells of a suite. A few short lists of values make more, and checking them takes seconds."""

QUICK_SEEDS = 2

_BUNDLED = files("numprobe.experiments") / "suites"


@dataclass(frozen=True)
class Suite:
    """Cells under a name and a title.

    >>> suite = load_suite("linear")
    >>> suite.title, suite.cells[0].seeds, suite.quick().cells[0].seeds
    ('Decoding with linear regression (Table 8)', 5, 2)
    """

    name: str
    title: str
    description: str
    cells: tuple[Cell, ...]

    def quick(self) -> "Suite":
        """The same suite with fewer shuffles and lists, under a title that says so."""
        return replace(self, title=f"{self.title}, quick", cells=tuple(cell.quick(QUICK_SEEDS) for cell in self.cells))


def absent(cells: Iterable[Cell]) -> dict[str, str]:
    """Embedders whose weights the user has to give and has not given, each with how to get them.

    >>> absent([Cell.make("value", "decoding", "0:99")])
    {}
    """
    embedders = {cell.embedder: cell.parts.embedder for cell in cells}
    return {name: how for name, embedder in embedders.items() if (how := not_here(embedder))}


def bundled_suites() -> list[str]:
    """The names of the suites that come with the package.

    >>> "integers" in bundled_suites()
    True
    """
    return sorted(entry.name.removesuffix(".toml") for entry in _BUNDLED.iterdir() if entry.name.endswith(".toml"))


def load_suite(name: str) -> Suite:
    """A suite by name, or from a file whose name ends in .toml.

    >>> str(load_suite("integers").cells[0])
    'random, list-maximum, [0,99]'
    """
    if name.endswith(".toml"):
        path = Path(name)
        return parse_suite(read_text(name, "suite"), path.stem, str(path))
    one_of("suite", name, bundled_suites())
    return parse_suite((_BUNDLED / f"{name}.toml").read_text(encoding="utf-8"), name, f"{name}.toml")


def parse_suite(text: str, name: str, file: str) -> Suite:
    """Read the cells of a suite. Keys outside [[cells]] hold for all of them.

    Unless the user trusts it, a suite may only name files in the working directory or below it.

    >>> text = 'task = "decoding"\\n[[cells]]\\nembedder = ["value", "random"]\\nrange = "0:99"'
    >>> suite = parse_suite(text, "pair", "pair.toml")
    >>> [cell.embedder for cell in suite.cells]
    ['value', 'random']
    """
    data = parse_toml(text, file)
    lines = _Lines(text, file)
    _check_keys(data, SUITE_KEYS, lines, block=0)
    blocks = data.get("cells")
    if not isinstance(blocks, list) or not blocks or not all(isinstance(block, dict) for block in blocks):
        raise NumprobeError(f"{file} names no cells: add a [[cells]] block")
    shared = {key: data[key] for key in CELL_KEYS if key in data}
    cells: dict[Cell, None] = {}
    asked = 0
    for number, block in enumerate(blocks, 1):
        _check_keys(block, CELL_KEYS, lines, block=number)
        given = {**shared, **block}
        for missing in ("embedder", "task", "range"):
            if missing not in given:
                raise NumprobeError(f"{lines.where(number)}: [[cells]] has no {missing!r}")
        choices = _choices(given, lines, number)
        asked += math.prod(map(len, choices.values()))
        if asked > MOST_CELLS:
            raise NumprobeError(f"{lines.where(number)}: more than {MOST_CELLS:,} cells; make it several suites")
        for values in itertools.product(*choices.values()):
            fields = dict(zip(choices, values, strict=True))
            try:
                if not is_trusted():
                    for part in (fields["embedder"], fields["task"], fields["range"] if "=" in fields["range"] else ""):
                        refuse_reach(part, dict(Spec.parse(part).settings))
                cells[Cell.make(**fields)] = None
            except NumprobeError as error:
                raise NumprobeError(f"{lines.where(number)}: {error}") from error
    texts = {key: data.get(key, default) for key, default in (("title", name), ("description", ""))}
    for key, value in texts.items():
        if not isinstance(value, str):
            raise NumprobeError(f"{lines.where(0, key)}: {key!r} must be text, not {shortened(value)}")
    return Suite(name, one_line(texts["title"]), texts["description"], tuple(cells))


def _choices(given: dict[str, Any], lines: "_Lines", block: int) -> dict[str, list[Any]]:
    """The values of each key."""
    choices = {}
    for key, value in given.items():
        values = value if isinstance(value, list) else [value]
        wanted = int if key == "seeds" else str
        for one in values:
            if type(one) is not wanted:
                kind = "a whole number" if wanted is int else "text"
                raise NumprobeError(f"{lines.where(block, key)}: {key!r} must be {kind}, not {shortened(one)}")
            if isinstance(one, str) and not one.isprintable():
                raise NumprobeError(f"{lines.where(block, key)}: {shortened(one)} holds control characters")
        choices[key] = list(dict.fromkeys(values))
    return choices


def _check_keys(table: dict[str, Any], known: tuple[str, ...], lines: "_Lines", block: int) -> None:
    for key in table:
        if key == "protocol":
            raise NumprobeError(
                f"{lines.where(block, key)}: there are no protocols any more: numprobe always measures as "
                "'strict' did; delete this line"
            )
        if key not in known:
            raise NumprobeError(f"{lines.where(block, key)}: {unknown('key', key, known)}")


class _Lines:
    """Finds the lines of a suite file: the TOML reader does not tell them."""

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        self.lines = text.splitlines()
        self.headers = [n for n, line in enumerate(self.lines, 1) if re.match(r"\s*\[\[\s*cells\s*\]\]", line)]

    def where(self, block: int, key: str | None = None) -> str:
        """The file and line of a key in the n-th [[cells]] block (0: before the first), or of the block."""
        start = self.headers[block - 1] if 0 < block <= len(self.headers) else 1
        if key is not None:
            name = re.escape(key)
            for number in (*range(start, len(self.lines) + 1), *range(1, start)):
                if re.match(rf"""((.*[{{,])?\s*["']?{name}["']?\s*=)|\s*\[+\s*{name}\b""", self.lines[number - 1]):
                    return f"{self.file}, line {number}"
        return f"{self.file}, line {start}"
