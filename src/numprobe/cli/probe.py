"""Run one cell: one embedder, one task, one range of numbers; and what its score has to beat.

examples:
  numprobe probe --embedder value --task decoding --range 0:999 --seeds 5 --json
  numprobe probe --embedder char-lstm --task list-maximum --range 0:150 --test-range 151:180
  numprobe probe --embedder char-cnn --task addition --range 0:50 --form words
  numprobe probe --embedder untrained-cnn --range 0.0:99.9 --probe linear
  numprobe probe --embedder glove-6b-50d --range 0:9999 --missing restrict
  numprobe probe --embedder smollm2-135m:layer=all --range 0:999 --plot layers.svg --alone
  numprobe probe --embedder minilm-l6 --task list-maximum --range 0:99 --test-range trained
  numprobe probe --embedder smollm2-135m:reading=mean --template "It costs {number} dollars." --range 0:999
  numprobe probe --embedder minilm-l6 --template sentences.txt --range 0:999 --probe linear
  numprobe probe --embedder minilm-l6 --form digits --test-form words:language=fr --range 0:999 --probe linear
  numprobe probe --embedder minilm-l6 --task retrieval:condition=less --probe cosine --range 100:999 --json

The same cell is also run for controls of the embedder (its vectors dealt out anew, a Gaussian like them, an untrained
twin) and for what the text alone gives away (its length, its digits, its edit distance to others). They show in the
table; --alone leaves them out and takes a fraction of the time. On common ranges, the results of the texts come with
numprobe and take no time.
"""

import statistics
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from numprobe.analysis.statistics import selectivities
from numprobe.cli._options import ASKED, JSON, METRIC, RUNNING, WORKERS, Options, option, repeated
from numprobe.cli._results import open_store, print_json, print_results, rescored, run_cells
from numprobe.embedders.strings import STRINGS
from numprobe.experiments import Cell, Result
from numprobe.experiments.archive import Bundle
from numprobe.experiments.cell import MISSING
from numprobe.experiments.floors import floors
from numprobe.files.untrusted import read_text
from numprobe.numbers.mentions import NUMBER
from numprobe.reports.contents import document, record

FIELDS = ("embedder", "task", "range", "form", "probe", "test_range", "seeds", "missing", "test_form", "test_template")


ARGUMENTS = [
    option("--embedder NAME", "what to probe, as name:setting=value,…", required=True),
    *ASKED,
    option(
        "--test-range LOW:HIGH",
        "test on these numbers instead of on held-out ones; trained asks new items about the training numbers",
    ),
    repeated("--template TEXT", "a sentence with {number} in it, or a file of them: FILE.txt, a line each"),
    option("--test-form NAME", "write test numbers in this form instead"),
    option("--test-template TEXT", "test in this sentence instead; write just {number} for no sentence"),
    option("--alone", "run no controls and no baselines"),
    option("--plot FILE", "also draw the result: .svg, .png, .pdf or .html"),
    METRIC,
    WORKERS,
    *RUNNING,
    JSON,
]


def execute(options: Options) -> int:
    fields = {field: getattr(options, field) for field in FIELDS}
    cells = [Cell.make(**fields, template=template) for template in read_templates(options.template or ())]
    if options.plot:
        from numprobe.reports.charts import chart, chart_format, save_chart

        chart_format(options.plot)  # before an hour of work
    results, code = run_cells(cells, options)
    asked = len(results)
    if results and not options.alone:
        results += run_floors(cells, options)
    results = rescored(results, options.metric)
    if options.plot and results:
        save_chart(chart(results), options.plot)
    if options.json and results:
        own = [document(result) for result in results[:asked]]
        floors_run = [record(floor, None) for floor in results[asked:]]
        if asked > 1:
            print_json({"templates": own, **over_templates(results[:asked]), "floors": floors_run})
        else:
            selectivity = selectivities(results).get(cells[0].embedder)
            print_json({**own[0], "selectivity": selectivity, "floors": floors_run})
    else:
        print_results(results, open_store(options), "json" if options.json else "terminal")
        if len(cells) > 1 and asked > 1:
            over = over_templates(results[:asked])
            print("over {count} templates: {mean:.3f} ± {std:.3f}, {least:.3f} to {most:.3f}".format(**over))
    return code


def run_floors(cells: Sequence[Cell], options: Options) -> list[Result]:
    """The results of what some cells have to beat; string baselines that come with numprobe are not run again."""
    wanted = list(dict.fromkeys(floor for cell in cells for floor in floors(cell)))
    published = Bundle()
    found = {}
    for floor in wanted if options.mode != "always" else ():
        known = (published.load(replace(floor, missing=way)) for way in MISSING if floor.embedder in STRINGS)
        if (result := next(filter(None, known), None)) is not None:
            found[floor] = replace(result, cell=floor)
    unknown = [floor for floor in wanted if floor not in found]
    if unknown:
        found |= {result.cell: result for result in run_cells(unknown, options)[0]}
    return [found[floor] for floor in wanted if floor in found]


def read_templates(given: Sequence[str]) -> list[str]:
    """The templates that are given, and the lines of those that are files; the number alone if there are none."""
    found: list[str] = []
    for template in given:
        if template.endswith(".txt") and NUMBER not in template:
            found += [line for line in read_text(template, "file of templates").splitlines() if line.strip()]
        else:
            found.append(template)
    return list(dict.fromkeys(found)) or [""]


def over_templates(results: Sequence[Result]) -> dict[str, Any]:
    """The mean score over several templates, and how much they differ."""
    means = [result.mean for result in results]
    return {
        "metric": results[0].metric,
        "count": len(means),
        "mean": statistics.mean(means),
        "std": statistics.stdev(means),
        "least": min(means),
        "most": max(means),
    }
