"""List or clear the cache of vectors.

examples:
  numprobe cache
  numprobe cache clear
"""

from numprobe.cli._options import JSON, Options, option

ARGUMENTS = [option("ACTION", "list or clear", "list", nargs="?"), JSON]


def execute(options: Options) -> int:
    import json

    from numprobe.embedders.tables import clear, tables
    from numprobe.errors import one_of

    one_of("cache action", options.action, ("list", "clear"))
    if options.action == "clear":
        freed = clear()
        print(json.dumps({"freed": freed}) if options.json else f"{freed / 1e6:.1f} MB freed")
        return 0
    cached: list[dict[str, Any]] = [
        {**table.about, "bytes": table.bytes, "path": str(table.path)} for table in tables()
    ]
    if options.json:
        print(json.dumps(cached, indent=2, ensure_ascii=False))
        return 0
    for entry in cached:
        about = (str(entry.get(key, "")) for key in ("embedder", "texts", "revision"))
        print("  ".join((f"{entry['bytes'] / 1e6:8.1f} MB", *about)))
    print(f"{sum(entry['bytes'] for entry in cached) / 1e6:8.1f} MB in {len(cached)} tables")
    return 0
