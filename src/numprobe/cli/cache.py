"""List or clear the cache: vectors, and the answers of endpoints and language models.

examples:
  numprobe cache
  numprobe cache clear
"""

from numprobe.cli._options import JSON, Options, option
from numprobe.cli._results import print_json
from numprobe.embedders.tables import clear, tables
from numprobe.errors import one_of

ARGUMENTS = [option("ACTION", "list or clear", "list", nargs="?"), JSON]


def execute(options: Options) -> None:
    one_of("cache action", options.action, ("list", "clear"))
    if options.action == "clear":
        freed = clear()
        print_json({"freed": freed}) if options.json else print(f"{freed / 1e6:.1f} MB freed")
        return
    cached = list(tables())
    if options.json:
        print_json(cached)
        return
    for table in cached:
        about = (table.get(key, "") for key in ("embedder", "texts", "revision"))
        print("  ".join((f"{table['bytes'] / 1e6:8.1f} MB", *about)))
    print(f"{sum(table['bytes'] for table in cached) / 1e6:8.1f} MB in {len(cached)} tables")
