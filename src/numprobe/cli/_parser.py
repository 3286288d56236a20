"""The argument parser of a command."""

import argparse
from collections.abc import Sequence
from types import ModuleType
from typing import NoReturn

from numprobe.cli import described
from numprobe.cli._options import Options


class Parser(argparse.ArgumentParser):
    """A parser that reports a mistake in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def parse(command: ModuleType, prog: str, given: Sequence[str]) -> Options:
    """Parse the arguments of a command."""
    about, examples = described(command)
    raw = argparse.RawDescriptionHelpFormatter
    parser = Parser(prog, description=about, epilog=examples, formatter_class=raw, allow_abbrev=False)
    for name, settings in command.ARGUMENTS:
        parser.add_argument(name, **settings)
    return parser.parse_args(_joined(given), Options())


def _joined(given: Sequence[str]) -> list[str]:
    """Write `--range -500:500` as `--range=-500:500`, because argparse takes a leading minus for an option."""
    joined: list[str] = []
    for argument in given:
        if joined and joined[-1] in ("--range", "--test-range") and not argument.startswith("--"):
            joined[-1] += f"={argument}"
        else:
            joined.append(argument)
    return joined
