"""The commands that write the report page and its pictures."""

from __future__ import annotations

from numprobe.console import folder, log_to_stderr
from numprobe.errors import NumprobeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from numprobe.reports.page import Section


def report(options: argparse.Namespace) -> int:
    """Write the results as one HTML file."""
    from datetime import date
    from importlib.metadata import version
    from pathlib import Path

    from numprobe.analysis import findings
    from numprobe.drop.studies import published_studies
    from numprobe.files.writing import write_whole
    from numprobe.reports.page import page

    sections = _sections(options)
    source = "those that come with numprobe" if options.published else f"the store {folder(options)}"
    about = {"numprobe": version("numprobe"), "written": date.today().isoformat(), "results": source}
    found = findings(result for section in sections for result in section.results)
    out = Path(options.out)
    studies = published_studies() if options.published and not options.names else []
    write_whole(out, page(sections, found, about, studies, options.published))
    print(out)
    if options.open:
        import webbrowser

        webbrowser.open(out.resolve().as_uri())
    return 0


def plot(options: argparse.Namespace) -> int:
    """Draw one of the page's pictures into a file."""
    from numprobe.errors import one_of
    from numprobe.probes import PROTOCOLS
    from numprobe.reports import PICTURES, save_chart

    one_of("picture", options.picture, PICTURES)
    if options.protocol:
        one_of("protocol", options.protocol, PROTOCOLS)
    results = {result.cell: result for section in _sections(options) for result in section.results}
    wanted = [result for cell, result in results.items() if options.protocol in ("", cell.protocol)]
    drawn = PICTURES[options.picture].draw(wanted)
    if drawn is None:
        raise NumprobeError(f"none of the {len(wanted)} results has what the picture '{options.picture}' shows")
    out = options.out or f"{options.picture}.svg"
    save_chart(drawn, out)
    print(out)
    return 0


def _sections(options: argparse.Namespace) -> list[Section]:
    """What the store has, or what comes with numprobe: of the suites that are named, or everything."""
    from numprobe.experiments import PAGE_SUITES, Store, load_suite
    from numprobe.experiments.archive import published_results
    from numprobe.reports.page import sections

    log_to_stderr()
    store = Store(folder(options))
    suites = {name: load_suite(name) for name in options.names or PAGE_SUITES}
    if options.published:
        made = sections(suites, {result.cell: result for result in published_results()}.get)
    else:
        made = sections(suites, store.load, [] if options.names else store.results())
    if not made:
        place = "numprobe" if options.published else store.folder
        names = f" of {', '.join(options.names)}" if options.names else ""
        raise NumprobeError(f"{place} holds no results{names} yet: numprobe reproduce --quick makes some")
    return made
