"""How a command declares its arguments, and the options that several commands share."""

import argparse
import logging
import os
import re
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any, NoReturn

from numprobe.cli import described
from numprobe.embedders.sources import give, read_settings
from numprobe.errors import NumprobeError

Option = tuple[str, dict[str, Any]]
Options = argparse.Namespace


def option(usage: str, help: str, default: Any = "", **more: Any) -> Option:
    """An argument as its usage line shows it: `--seeds N`, `--json`, or `SUITE` for a positional one.

    The help names a default that is neither empty nor None; the value has the type of the default.

    >>> option("--seeds N", "number of shuffles", 5)[1]["help"]
    'number of shuffles (default: 5)'
    """
    name, _, metavar = usage.partition(" ")
    if name.startswith("--") and not metavar:
        return name, {"action": "store_true", "help": help}
    if default not in ("", None):
        help += f" (default: {default})"
        more = {"type": type(default)} | more
    if not name.startswith("--"):
        name, metavar = name.lower(), name
    return name, {"metavar": metavar, "default": default, "help": help, **more}


def only(*fields: str) -> list[Option]:
    """Options that select cells of a suite."""
    return [repeated(f"--{field} NAME", f"use only cells with this {field}") for field in fields]


def repeated(usage: str, help: str) -> Option:
    return option(usage, f"{help}; can be repeated", None, action="append")


FILE_OR_NAME = "name of a bundled suite, or a file FILE.toml"
SUITE = option("SUITE", FILE_OR_NAME)
QUICK = option("--quick", "use two shuffles and fewer lists; such results are marked as quick")
JSON = option("--json", "print a single JSON document")
STORE = option("--store DIR", "where results are kept (default: ./numprobe-results)")
OFFLINE = option("--offline", "never use the network (also NUMPROBE_OFFLINE=1)")
TRUST = option("--trust", "let suite files name files outside the working directory and models that run their own code")
SEED = option("--seed N", "seed of the random choices", 0)
FORM = option("--form NAME", "how numbers are written, such as digits or words (default: depends on the range)")
ASKED = [
    option("--task NAME", "what to ask", "decoding"),
    option("--range LOW:HIGH", "the numbers, both ends included", "0:99"),
    FORM,
    option("--probe NAME", "what answers (default: the paper's choice for the task)"),
    option(
        "--seeds N", "number of shuffles (default: 5, or 20 for a probe with a closed-form solution)", None, type=int
    ),
    option(
        "--missing CHOICE", "if numbers are missing: refuse, or restrict the range to those that are there", "refuse"
    ),
]
INSIDE = [
    option("MODEL", "a causal language model on this machine, as name:setting=value,…"),
    option("--task NAME", "what to ask", "addition"),
    option("--range LOW:HIGH", "the numbers, both ends included", "0:99"),
    FORM,
    option("--prompt NAME", "how to ask in words, as prompt:setting=value,…", "prompt"),
    option("--seeds N", "number of shuffles", 2),
    option("--first N", "number of the first shuffle", 0),
]
METRIC = option("--metric NAME", "score the kept answers in this metric instead of the task's own")
WORKERS = option("--workers N", "number of processes (default: one per core)", None, type=int)
WEIGHTS = [
    repeated("--weights NAME=SOURCE", "use this file, folder or hub id as the weights NAME"),
    option("--settings FILE", "TOML file with lines NAME = SOURCE under [weights]"),
]
LOADING = [option("--device NAME", "auto, cpu, cuda or mps", "auto"), OFFLINE, *WEIGHTS]
RUNNING = [
    STORE,
    option("--mode MODE", "which cells to run: only-missing, always or never", "only-missing"),
    option("--cluster ADDRESS", "run on a Ray cluster: ray://HOST:10001, HOST:6379 or auto"),
    *LOADING,
]
KEPT = [option("--published", "use the results bundled with numprobe, not the store"), STORE, *WEIGHTS, TRUST]


def suites(default: str) -> Option:
    """Any number of suites."""
    return option("SUITES", f"{FILE_OR_NAME} (default: {default})", None, nargs="*", metavar="SUITE")


_ALWAYS_OFFLINE = ("--offline", {"action": "store_true", "default": True, "help": argparse.SUPPRESS})
REPORTED = [suites("all results"), *KEPT, METRIC, _ALWAYS_OFFLINE]  # a report leaves out what is not on this machine


def out(metavar: str, help: str) -> Option:
    return option(f"--out {metavar}", help, required=True)


TABLE = [
    option("--format NAME", "terminal, markdown, html, csv, json, latex, svg or parquet", "terminal"),
    option("--out FILE", "write to this file"),
]


class Parser(argparse.ArgumentParser):
    """A parser that reports a mistake in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def parse(command: ModuleType, prog: str, given: Sequence[str]) -> Options:
    """Parse the arguments of a command."""
    about, examples = described(command)
    raw = argparse.RawDescriptionHelpFormatter
    parser = Parser(prog, description=about, epilog=examples, formatter_class=raw, allow_abbrev=False)
    parser._negative_number_matcher = re.compile(r"-[\d.]+(:.*)?$")  # -500:500 is a range, not an option
    for name, settings in command.ARGUMENTS:
        parser.add_argument(name, **settings)
    return parser.parse_args(given)


def apply(options: Options) -> None:
    """Put into effect what holds for the whole process: warnings, the network, trust, and where weights are."""
    logging.basicConfig(format="numprobe: %(message)s", level=logging.WARNING, stream=sys.stderr)
    given = vars(options)
    if given.get("offline"):
        os.environ["NUMPROBE_OFFLINE"] = os.environ["HF_HUB_OFFLINE"] = "1"  # worker processes see it too
    if given.get("trust"):
        os.environ["NUMPROBE_TRUST"] = "1"
    sources = read_settings(options.settings) if given.get("settings") else {}
    for text in given.get("weights") or ():  # options win over the settings file
        name, _, source = text.partition("=")
        if not source:
            example = "such as elmo=weights/elmo"
            raise NumprobeError(f"--weights {text}: write NAME=FILE, NAME=DIR or NAME=HUB-ID, {example}")
        sources[name] = source
    for name, source in sources.items():
        give(name, source)
