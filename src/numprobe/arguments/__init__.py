"""The options of the command line, and what its help says.

It is built on argparse: importing a larger framework alone takes longer than `numprobe --help` may.
"""

from numprobe.arguments.commands import RANGE_OPTIONS, parser
from numprobe.arguments.shared import STORE

__all__ = ["RANGE_OPTIONS", "STORE", "parser"]
