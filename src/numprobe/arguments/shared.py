"""Options that several commands have."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

STORE = "numprobe-results"


def seed_and_out(parser: argparse.ArgumentParser, metavar: str, help: str) -> None:
    seed(parser)
    parser.add_argument("--out", required=True, metavar=metavar, help=help)


def seed(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="for the random choice (default: 0)")


def store(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--store", default=None, metavar="DIR", help=f"result store (default: ./{STORE})")


def workers(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--workers", type=int, metavar="N", help="processes (default: one per core, of this machine or of the cluster)"
    )


def running(parser: argparse.ArgumentParser) -> None:
    store(parser)
    parser.add_argument(
        "--mode", default="only-missing", metavar="MODE", help="only-missing (default), always or never run cells"
    )
    parser.add_argument(
        "--cluster", default="", metavar="ADDRESS", help="run on a Ray cluster: ray://HOST:10001, HOST:6379 or auto"
    )
    loading(parser)


def loading(parser: argparse.ArgumentParser) -> None:
    """Where weights come from and go to."""
    parser.add_argument("--device", default="auto", metavar="NAME", help="auto (default), cpu, cuda or mps")
    offline(parser)
    weights(parser)


def offline(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--offline", action="store_true", help="never touch the network (also NUMPROBE_OFFLINE=1)")


def trust(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--trust",
        action="store_true",
        help="let a suite file name files outside of the working directory, and models that bring code",
    )


def weights(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--weights", action="append", metavar="NAME=SOURCE", help="where some weights are: a file, a folder or a hub id"
    )
    parser.add_argument("--settings", default="", metavar="FILE", help="a TOML file with such lines under [weights]")


def json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")
