"""The command line. Thin: it parses, calls and prints, and imports what a command needs when it runs.

It is built on argparse: importing a larger framework alone takes longer than `numprobe --help` may.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from numprobe.errors import NumprobeError, unknown

if TYPE_CHECKING:
    from numprobe.experiments import Cell, Result

STORE = "numprobe-results"
RANGE_OPTIONS = ("--range", "--test-range")

EXAMPLES = """examples:
  numprobe run demo                          six embedders, three tasks, beside the paper's numbers
  numprobe probe --embedder value --task decoding --range 0:999
  numprobe probe --embedder char-cnn:padding=right --task list-maximum:sampler=released --range -50:50
  numprobe show demo --format latex          the table of a suite, ready to paste
  numprobe ls                                what there is to probe, to ask and to run

Put results elsewhere with --store or the variable NUMPROBE_STORE (default: ./numprobe-results)."""


class _Parser(argparse.ArgumentParser):
    """A parser whose complaints are one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def _parser() -> _Parser:
    parser = _Parser(
        prog="numprobe",
        description="How well does an embedding or a language model know numbers?",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="store_true", help="print the version and stop")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")

    def command(name: str, action: Callable[..., int], help: str, epilog: str = "") -> _Parser:
        made: _Parser = commands.add_parser(
            name,
            help=help,
            description=f"{help[0].upper()}{help[1:]}.",
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        made.set_defaults(action=action)
        return made

    run = command("run", _run, "run the cells of a suite that the store does not have yet", RUN_EXAMPLES)
    run.add_argument("suite", metavar="SUITE", help="a suite that comes with numprobe, or a file FILE.toml")
    for name in ("embedder", "task", "range", "protocol"):
        run.add_argument(f"--{name}", action="append", metavar="NAME", help=f"only the cells with this {name}")
    run.add_argument("--workers", type=int, metavar="N", help="processes (default: one per core)")
    _running(run)
    _json(run)

    probe = command("probe", _probe, "run one cell, given by options", PROBE_EXAMPLES)
    probe.add_argument("--embedder", required=True, metavar="NAME", help="what to probe, as name:setting=value,…")
    probe.add_argument("--task", default="decoding", metavar="NAME", help="what to ask (default: decoding)")
    probe.add_argument("--range", default="0:99", metavar="LOW:HIGH", help="the numbers, both ends included")
    probe.add_argument("--test-range", default="", metavar="LOW:HIGH", help="test here instead (extrapolation)")
    probe.add_argument("--form", default="", metavar="FORM", help="digits, words, floats or negatives")
    probe.add_argument("--probe", default="", metavar="NAME", help="linear, mlp or bilstm (default: the paper's)")
    probe.add_argument("--protocol", default="strict", metavar="NAME", help="strict (default) or paper")
    probe.add_argument("--seeds", type=int, default=5, metavar="N", help="shuffles (default: 5)")
    _running(probe)
    _json(probe)

    show = command("show", _show, "print tables of results that are in the store", SHOW_EXAMPLES)
    show.add_argument("suite", nargs="?", metavar="SUITE", help="only the cells of this suite (default: everything)")
    show.add_argument("--format", default="terminal", metavar="NAME", help="terminal, markdown, csv, json or latex")
    _store(show)
    _json(show)

    ls = command("ls", _ls, "list tasks, embedders, suites and results")
    ls.add_argument("what", nargs="?", metavar="WHAT", help="tasks, embedders, suites or results (default: all)")
    _store(ls)
    _json(ls)

    validate = command("validate", _validate, "check a suite and list its cells without running them")
    validate.add_argument("suite", metavar="SUITE", help="a suite that comes with numprobe, or a file FILE.toml")
    return parser


RUN_EXAMPLES = """examples:
  numprobe run demo
  numprobe run my-suite.toml --workers 4 --store results
  numprobe run baselines --embedder value --range 0:99

Ctrl-C leaves finished cells in the store; the same command goes on from there."""

PROBE_EXAMPLES = """examples:
  numprobe probe --embedder value --task decoding --range 0:999 --protocol strict --seeds 5 --json
  numprobe probe --embedder char-lstm --task list-maximum --range 0:150 --test-range 151:160
  numprobe probe --embedder char-cnn --task addition --range 0:50 --form words
  numprobe probe --embedder untrained-cnn --range 0.0:99.9 --probe linear"""

SHOW_EXAMPLES = """examples:
  numprobe show
  numprobe show demo --format markdown
  numprobe show --json | jq '.[].mean'"""


def _store(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--store", default=None, metavar="DIR", help=f"result store (default: ./{STORE})")


def _running(parser: argparse.ArgumentParser) -> None:
    _store(parser)
    parser.add_argument(
        "--mode", default="only-missing", metavar="MODE", help="only-missing (default), always or never run cells"
    )
    parser.add_argument("--device", default="auto", metavar="NAME", help="auto (default), cpu, cuda or mps")


def _json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; returns the exit code."""
    given = _joined(sys.argv[1:] if arguments is None else arguments)
    parser = _parser()
    names = ("run", "probe", "show", "ls", "validate")
    try:
        if given and not given[0].startswith("-") and given[0] not in names:
            raise unknown("command", given[0], names)
        options = parser.parse_args(given)
        if options.version:
            from importlib.metadata import version

            print(f"numprobe {version('numprobe')}")
            return 0
        if options.command is None:
            parser.print_help()
            return 0
        code: int = options.action(options)
        sys.stdout.flush()
        return code
    except NumprobeError as error:
        print(f"numprobe: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader (head, less) has gone; what is left to say goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


def _joined(arguments: Sequence[str]) -> list[str]:
    """`--range -500:500` as `--range=-500:500`: argparse takes a leading minus for an option."""
    joined: list[str] = []
    for argument in arguments:
        if joined and joined[-1] in RANGE_OPTIONS and argument[:2] != "--":
            joined[-1] += f"={argument}"
        else:
            joined.append(argument)
    return joined


def _folder(options: argparse.Namespace) -> str:
    return options.store or os.environ.get("NUMPROBE_STORE") or STORE


def _run(options: argparse.Namespace) -> int:
    from numprobe.experiments import load_suite

    cells: Sequence[Cell] = load_suite(options.suite).cells
    for field in ("embedder", "task", "range", "protocol"):
        wanted = getattr(options, field)
        for name in wanted or ():
            if name not in (known := {_key(cell, field, name) for cell in cells}):
                raise unknown(f"{field} of suite '{options.suite}'", name, known)
        cells = [cell for cell in cells if not wanted or any(_key(cell, field, name) == name for name in wanted)]
    return _run_and_print(cells, options, workers=options.workers or os.cpu_count() or 1, single=False)


def _key(cell: "Cell", field: str, asked: str) -> str:
    """A cell's field as it was asked for: with its settings if settings were asked for."""
    value: str = getattr(cell, field)
    return value.partition(":")[0] if field in ("embedder", "task") and ":" not in asked else value


def _probe(options: argparse.Namespace) -> int:
    from numprobe.experiments import Cell

    fields = ("embedder", "task", "range", "form", "probe", "protocol", "test_range", "seeds")
    cell = Cell.make(**{field: getattr(options, field) for field in fields})
    return _run_and_print([cell], options, workers=1, single=True)


def _run_and_print(cells: Sequence["Cell"], options: argparse.Namespace, workers: int, single: bool) -> int:
    import json

    from numprobe.experiments import Store, run
    from numprobe.progress import Progress

    _log_to_stderr()
    store = Store(_folder(options))
    with Progress(cells, store, again=" ".join(["numprobe", *sys.argv[1:]])) as progress:
        results = run(cells, store, workers=workers, mode=options.mode, device=options.device, listen=progress.listen)
    if options.json and single and results:
        print(json.dumps(results[0].as_dict(), indent=2, ensure_ascii=False))
    else:
        _print(results, "json" if options.json else "terminal")
    for cell, error in progress.failed:
        print(f"numprobe: {cell.embedder}, {cell.task}, {cell.range}: {error}", file=sys.stderr)
    if not progress.failed and len(results) < len(cells):
        print(f"numprobe: {len(cells) - len(results)} of {len(cells)} cells are not in {store.folder}", file=sys.stderr)
    return 0 if len(results) == len(cells) else 2


def _show(options: argparse.Namespace) -> int:
    from numprobe.experiments import Store, load_suite

    _log_to_stderr()
    store = Store(_folder(options))
    if options.suite:
        cells = load_suite(options.suite).cells
        results = [result for result in map(store.load, cells) if result is not None]
    else:
        results = list(store.results())
    if not results:
        raise NumprobeError(f"{store.folder} holds no results{' of ' + options.suite if options.suite else ''} yet")
    _print(results, "json" if options.json else options.format)
    return 0


def _ls(options: argparse.Namespace) -> int:
    import dataclasses
    import json

    from numprobe.embedders import EMBEDDERS
    from numprobe.experiments import Store, bundled_suites, load_suite
    from numprobe.tasks import TASKS

    def settings(registry: dict[str, type[Any]]) -> dict[str, str]:
        lines = {}
        for name, made in registry.items():
            fields = ", ".join(f"{field.name}={field.default}" for field in dataclasses.fields(made))
            about = (made.__doc__ or "").strip().splitlines()[0]
            lines[name] = f"{about} [{fields}]" if fields else about
        return lines

    def results() -> dict[str, str]:
        return {
            f"{r.cell.embedder}  {r.cell.task}  {r.cell.range}  {r.cell.probe}  {r.cell.protocol}": (
                f"{r.metric} {r.mean:.2f} ± {r.std:.2f}"
            )
            for r in Store(_folder(options)).results()
        }

    _log_to_stderr()
    sections: dict[str, Callable[[], dict[str, str]]] = {
        "tasks": lambda: settings(dict(TASKS)),
        "embedders": lambda: settings(EMBEDDERS),
        "suites": lambda: {name: load_suite(name).title for name in bundled_suites()},
        "results": results,
    }
    if options.what and options.what not in sections:
        raise unknown("list", options.what, sections)
    lists = {name: make() for name, make in sections.items() if options.what in (None, name)}
    if options.json:
        print(json.dumps(lists, indent=2, ensure_ascii=False))
        return 0
    for name, entries in lists.items():
        print(f"{name}:")
        width = max(map(len, entries), default=0)
        for entry, about in entries.items():
            print(f"  {entry:<{width}}  {about}")
        if not entries:
            print("  none yet")
    return 0


def _validate(options: argparse.Namespace) -> int:
    from numprobe.experiments import load_suite

    suite = load_suite(options.suite)
    print(f"{suite.title}: {len(suite.cells)} cells")
    for cell in suite.cells:
        test = f" → {cell.test_range}" if cell.test_range else ""
        print(
            "  "
            + "  ".join((cell.hash, cell.embedder, cell.task, cell.form, cell.range + test, cell.probe, cell.protocol))
        )
    return 0


def _print(results: "Sequence[Result]", form: str) -> None:
    from numprobe.reports import render, terminal

    if form != "terminal":
        print(render(results, form))
    elif results:
        from rich.console import Console

        console = Console(width=None if sys.stdout.isatty() else 140)
        console.print(terminal(results))


def _log_to_stderr() -> None:
    """Warnings of the library, one line each."""
    import logging

    logging.basicConfig(format="numprobe: %(message)s", level=logging.WARNING, stream=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
