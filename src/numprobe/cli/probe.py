"""Run one cell: one embedder, one task, one range of numbers; and what its score has to beat.

examples:
  numprobe probe --embedder value --task decoding --range 0:999 --seeds 5 --json
  numprobe probe --embedder char-lstm --task list-maximum --range 0:150 --test-range 151:180
  numprobe probe --embedder char-cnn --task addition --range 0:50 --form words
  numprobe probe --embedder untrained-cnn --range 0.0:99.9 --probe linear
  numprobe probe --embedder glove-6b-50d --range 0:9999 --missing restrict
  numprobe probe --embedder smollm2-135m:layer=all --range 0:999 --plot layers.svg --alone
  numprobe probe --embedder minilm-l6 --task list-maximum --range 0:99 --test-range trained

The same cell is also run for controls of the embedder (its vectors dealt out anew, a Gaussian like them, an untrained
twin) and for what the text alone gives away (its length, its digits, its edit distance to others). They show in the
table; --alone leaves them out and takes a fraction of the time.
"""

from numprobe.cli._options import ASKED, JSON, METRIC, RUNNING, WORKERS, Options, option
from numprobe.cli._results import print_json, print_results, rescored, run_cells
from numprobe.experiments import Cell
from numprobe.experiments.floors import floors
from numprobe.reports.contents import document, record

FIELDS = ("embedder", "task", "range", "form", "probe", "test_range", "seeds", "missing")


ARGUMENTS = [
    option("--embedder NAME", "what to probe, as name:setting=value,…", required=True),
    *ASKED,
    option("--test-range LOW:HIGH", "test on these numbers instead of on held-out ones; or on those that were trained"),
    option("--alone", "run no controls and no baselines"),
    option("--plot FILE", "also draw the result: .svg, .png, .pdf or .html"),
    METRIC,
    WORKERS,
    *RUNNING,
    JSON,
]


def execute(options: Options) -> int:
    cell = Cell.make(**{field: getattr(options, field) for field in FIELDS})
    if options.plot:
        from numprobe.reports.charts import chart, chart_format, save_chart

        chart_format(options.plot)  # before an hour of work
    results, code = run_cells([cell], options)
    if results and not options.alone:
        results += run_cells(floors(cell), options)[0]
    results = rescored(results, options.metric)
    if options.plot and results:
        save_chart(chart(results), options.plot)
    if options.json and results:
        print_json({**document(results[0]), "floors": [record(floor, None) for floor in results[1:]]})
    else:
        print_results(results, "json" if options.json else "terminal")
    return code
