"""Write a report of results as one HTML file: findings, tables and charts.

examples:
  numprobe report --published
  numprobe report integers my-suite.toml --out integers.html --open
  numprobe report --published --geometry glove-6b-50d --geometry smollm2-135m:layer=12

The file needs neither a network nor a server.
"""

import webbrowser

from numprobe.analysis import findings
from numprobe.cli._options import REPORTED, Options, option, repeated
from numprobe.cli._results import bounding, found, rescored, shelf, suites_of, with_quick, write_page
from numprobe.drop.studies import published_studies
from numprobe.experiments import PAGE_SUITES
from numprobe.reports.geometry import layout
from numprobe.reports.page import sections

ARGUMENTS = [
    option("--out FILE", "file to write", "report.html"),
    option("--open", "open the report in the browser"),
    repeated("--geometry MODEL", "also show how the vectors of a model's numbers lie on [0,999], layer by layer"),
    *REPORTED,
]


def execute(options: Options) -> None:
    suites = suites_of(options, PAGE_SUITES)
    place = shelf(options)
    results = found(options, place, with_quick(suites), not options.suites)
    source = "those that come with numprobe" if options.published else f"the store {place.folder}"
    studies = published_studies() if options.published and not options.suites else []
    shown = sections(suites, rescored(results, options.metric))
    out = write_page(
        options.out,
        source,
        shown,
        findings(results),
        known=bounding(results, place),
        studies=studies,
        is_published=options.published,
        layouts=[layout(model) for model in options.geometry or ()],
    )
    print(out)
    if options.open:
        webbrowser.open(out.resolve().as_uri())
