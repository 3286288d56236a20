"""How well does an embedding or a language model know numbers?

examples:
  numprobe run demo                     run a suite and print its table, with the paper's numbers
  numprobe probe --embedder value --task decoding --range 0:999
  numprobe show demo --format latex     print the table again, ready to paste into a paper
  numprobe ls                           list everything that can be run

Results go to ./numprobe-results; --store DIR or the variable NUMPROBE_STORE puts them elsewhere.
"""

# Every module here is a command, and every package a group of commands, unless its name starts with an underscore.
# The docstring is what --help prints, ARGUMENTS its arguments, `execute` does the work and may return an exit code.
# A command is imported when it is run: `numprobe --help` reads only the first line of each file.

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

from numprobe.errors import NumprobeError, one_line, unknown

WITH_COMMANDS = """usage: {prog} COMMAND ...

{about}

commands:
{commands}

{prog} COMMAND --help explains a command, numprobe --version prints the version.

{more}"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if given == ["--version"]:
            from importlib.metadata import version

            print(f"numprobe {version('numprobe')}")
            return 0
        code = _dispatch(sys.modules[__name__], "numprobe", given)
        sys.stdout.flush()
        return code
    except NumprobeError as error:
        print(f"numprobe: {one_line(error)}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader (head, less) has gone; let the rest of the output go nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


def _dispatch(package: ModuleType, prog: str, given: Sequence[str]) -> int:
    """Run the command that the first argument names, or list the commands of the package."""
    if not given or given[0] in ("-h", "--help"):
        print(_overview(package, prog))
        return 0
    name, *rest = given
    if name.startswith("-"):
        raise NumprobeError(f"unrecognized arguments: {name} (see {prog} --help)")
    if name not in (known := _commands(package)):
        raise unknown(f"{prog} command".removeprefix("numprobe "), name, known)
    module, prog = import_module(f"{package.__name__}.{name}"), f"{prog} {name}"
    if hasattr(module, "__path__"):
        return _dispatch(module, prog, rest)
    from numprobe.cli._options import apply, parse

    options = parse(module, prog, rest)
    apply(options)
    return module.execute(options) or 0


def _commands(package: ModuleType) -> list[str]:
    names = (entry.removesuffix(".py") for entry in os.listdir(package.__path__[0]))  # importing pkgutil takes too long
    return sorted(name for name in names if name.isidentifier() and not name.startswith("_"))


def _overview(package: ModuleType, prog: str) -> str:
    about, more = described(package)
    helps = {name: _about(f"{package.__path__[0]}/{name}") for name in _commands(package)}
    lines = (f"  {name:<{max(map(len, helps))}}  {help}" for name, help in helps.items())
    return WITH_COMMANDS.format(prog=prog, about=about, commands="\n".join(lines), more=more)


def _about(path: str) -> str:
    """The first line of the docstring of a command or a group of commands."""
    with open(f"{path}/__init__.py" if os.path.isdir(path) else f"{path}.py", encoding="utf-8") as file:
        return file.readline().strip('".\n')


def described(module: ModuleType) -> tuple[str, str]:
    """What a command does in one sentence, and its examples."""
    about, _, more = (module.__doc__ or "").strip().partition("\n\n")
    return about, more
