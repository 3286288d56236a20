"""The command line. Thin: it parses, calls and prints, and imports what a command needs when it runs."""

from __future__ import annotations

import os
import sys

from numprobe.arguments import RANGE_OPTIONS, parser
from numprobe.console import filtered, folder, log_to_stderr, print_results, run_cells
from numprobe.errors import NumprobeError, one_line, unknown
from numprobe.reporting import plot, report
from numprobe.reproduction import compare, reproduce

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence
    from typing import Any


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; returns the exit code."""
    given = _joined(sys.argv[1:] if arguments is None else arguments)
    try:
        if given and not given[0].startswith("-") and given[0] not in COMMANDS:
            raise unknown("command", given[0], COMMANDS)
        options = parser().parse_args(given)
        if options.version:
            from importlib.metadata import version

            print(f"numprobe {version('numprobe')}")
            return 0
        if options.command is None:
            parser().print_help()
            return 0
        if getattr(options, "offline", False):
            os.environ["NUMPROBE_OFFLINE"] = os.environ["HF_HUB_OFFLINE"] = "1"  # worker processes see it too
        if getattr(options, "trust", False):
            os.environ["NUMPROBE_TRUST"] = "1"
        _give(getattr(options, "weights", None), getattr(options, "settings", ""))
        code = COMMANDS[options.command](options)
        sys.stdout.flush()
        return code
    except NumprobeError as error:
        print(f"numprobe: {one_line(error)}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader (head, less) has gone; what is left to say goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


def _give(weights: Sequence[str] | None, settings: str) -> None:
    """Take note of where weights are: of what a settings file says, then of what options say."""
    if not weights and not settings:
        return
    from numprobe.embedders import give, read_settings

    sources = read_settings(settings) if settings else {}
    for text in weights or ():
        name, equals, source = text.partition("=")
        if not (equals and source):
            raise NumprobeError(
                f"--weights {text}: write NAME=FILE, NAME=DIR or NAME=HUB-ID, such as elmo=weights/elmo"
            )
        sources[name] = source
    for name, source in sources.items():
        give(name, source)


def _joined(arguments: Sequence[str]) -> list[str]:
    """`--range -500:500` as `--range=-500:500`: argparse takes a leading minus for an option."""
    joined: list[str] = []
    for argument in arguments:
        if joined and joined[-1] in RANGE_OPTIONS and argument[:2] != "--":
            joined[-1] += f"={argument}"
        else:
            joined.append(argument)
    return joined


def _run(options: argparse.Namespace) -> int:
    from numprobe.experiments import load_suite

    results, code = run_cells(filtered(load_suite(options.suite), options), options)
    print_results(results, "json" if options.json else "terminal")
    return code


def _probe(options: argparse.Namespace) -> int:
    import json

    from numprobe.experiments import Cell
    from numprobe.reports import chart, save_chart

    fields = ("embedder", "task", "range", "form", "probe", "protocol", "test_range", "seeds", "missing")
    cell = Cell.make(**{field: getattr(options, field) for field in fields})
    results, code = run_cells([cell], options)
    if options.plot and results:
        save_chart(chart(results), options.plot)
    if options.json and results:
        print(json.dumps(results[0].as_dict(), indent=2, ensure_ascii=False))
    else:
        print_results(results, "json" if options.json else "terminal")
    return code


def _inspect(options: argparse.Namespace) -> int:
    import json

    from numprobe.analysis import inspect
    from numprobe.progress import reading
    from numprobe.reports import inspection_chart, save_chart

    with reading():
        inspection = inspect(options.embedder, options.range, options.form)
    if options.plot:
        save_chart(inspection_chart(inspection), options.plot)
    print(json.dumps(inspection.as_dict(), indent=2, ensure_ascii=False) if options.json else inspection)
    return 0


def _fetch(options: argparse.Namespace) -> int:
    from numprobe.embedders.sources.catalogue import catalogue
    from numprobe.embedders.sources.fetching import obtain
    from numprobe.errors import one_of
    from numprobe.progress import reading

    for name in options.names:
        one_of("weights", name, catalogue())
    for name in options.names:
        with reading():
            folder = obtain(name)
        print(f"{name}: {folder}")
    return 0


def _cache(options: argparse.Namespace) -> int:
    import json

    from numprobe.embedders.tables import clear, tables
    from numprobe.errors import one_of

    one_of("what to do with the cache", options.what, ("list", "clear"))
    if options.what == "clear":
        freed = clear()
        print(json.dumps({"freed": freed}) if options.json else f"{freed / 1e6:.1f} MB freed")
        return 0
    held: list[dict[str, Any]] = [{**table.about, "bytes": table.bytes, "path": str(table.path)} for table in tables()]
    if options.json:
        print(json.dumps(held, indent=2, ensure_ascii=False))
        return 0
    for table in held:
        about = (table.get(key, "") for key in ("embedder", "texts", "revision"))
        print("  ".join((f"{table['bytes'] / 1e6:8.1f} MB", *about)))
    print(f"{sum(table['bytes'] for table in held) / 1e6:8.1f} MB in {len(held)} tables")
    return 0


def _drop(options: argparse.Namespace) -> int:
    from numprobe.drop_commands import ACTIONS

    ACTIONS[options.action](options)
    return 0


def _show(options: argparse.Namespace) -> int:
    from numprobe.experiments import Store, load_suite
    from numprobe.experiments.archive import published_results

    log_to_stderr()
    store = Store(folder(options))
    published = {result.cell: result for result in published_results()} if options.published else {}
    if options.suite:
        suite = load_suite(options.suite)
        cells = dict.fromkeys((*suite.cells, *suite.quick().cells))
        find = published.get if options.published else store.load
        results = [result for result in map(find, cells) if result is not None]
    else:
        results = list(published.values() if options.published else store.results())
    if not results:
        place = "numprobe" if options.published else store.folder
        raise NumprobeError(f"{place} holds no results{' of ' + options.suite if options.suite else ''} yet")
    form = "json" if options.json else options.format
    print_results(results, form, not options.alone, options.out)
    return 0


def _ls(options: argparse.Namespace) -> int:
    import dataclasses
    import json

    from numprobe.embedders import EMBEDDERS
    from numprobe.embedders.sources import PACKAGE
    from numprobe.embedders.sources.catalogue import catalogue
    from numprobe.embedders.sources.given import GIVEN, given_weights
    from numprobe.experiments import Store, bundled_suites, load_suite
    from numprobe.tasks import TASKS

    def settings(registry: dict[str, type[Any]]) -> dict[str, str]:
        lines = {}
        for name, made in registry.items():
            fields = ", ".join(
                field.name if field.default is dataclasses.MISSING else f"{field.name}={field.default}"
                for field in dataclasses.fields(made)
                if not str(field.default).startswith((PACKAGE, GIVEN))
            )
            about = (made.__doc__ or "").strip().splitlines()[0]
            lines[name] = f"{about} [{fields}]" if fields else about
        return lines

    def results() -> dict[str, str]:
        return {
            f"{r.cell.embedder}  {r.cell.task}  {r.cell.range}  {r.cell.probe}  {r.cell.protocol}": (
                f"{r.metric} {r.mean:.2f} ± {r.std:.2f}"
            )
            for r in Store(folder(options)).results()
        }

    log_to_stderr()
    sections: dict[str, Callable[[], dict[str, str]]] = {
        "tasks": lambda: settings(dict(TASKS)),
        "embedders": lambda: settings(EMBEDDERS),
        "weights": lambda: {
            **{
                name: f"{entry.about} ({entry.size / 1e6:.0f} MB, {entry.licence})"
                for name, entry in catalogue().items()
            },
            **{name: f"{entry.about}: {entry.how}" for name, entry in given_weights().items()},
        },
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


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "run": _run,
    "probe": _probe,
    "reproduce": reproduce,
    "compare": compare,
    "report": report,
    "plot": plot,
    "inspect": _inspect,
    "fetch": _fetch,
    "cache": _cache,
    "drop": _drop,
    "show": _show,
    "ls": _ls,
    "validate": _validate,
}


if __name__ == "__main__":
    sys.exit(main())
