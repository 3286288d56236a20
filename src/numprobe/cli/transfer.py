"""Train on one way of writing numbers and test on another, all against all.

examples:
  numprobe transfer minilm-l6 --forms digits words separators scientific words:language=fr --range 0:999
  numprobe transfer smollm2-135m:layer=best --templates "It costs {number} dollars." "The year {number}." --range 0:999
  numprobe transfer minilm-l6 mpnet-base digit-one-hots --forms digits words --range 1:999 --plot transfer.svg

Test numbers are held out in every cell, also on the diagonal, where nothing is transferred. Scores are relative to
guessing (1) unless --metric says otherwise.
"""

from numprobe.cli._options import JSON, RUNNING, TABLE, WORKERS, Options, option
from numprobe.cli._results import print_json, print_tables, rescored, run_cells
from numprobe.experiments.transfer import Manner, transfer_cells
from numprobe.reports.transfer import transfer_chart, transfer_table

ARGUMENTS = [
    option("EMBEDDERS", "what to probe, each as name:setting=value,…", None, nargs="+", metavar="EMBEDDER"),
    option("--forms NAME", "how numbers are written, such as digits words", None, nargs="+"),
    option("--templates TEXT", "sentences with {number} in them", None, nargs="+"),
    option("--task NAME", "what to ask", "decoding"),
    option("--range LOW:HIGH", "the numbers, both ends included", "0:999"),
    option("--probe NAME", "what answers", "linear"),
    option(
        "--seeds N", "number of shuffles (default: 5, or 20 for a probe with a closed-form solution)", None, type=int
    ),
    option("--metric NAME", "what to show (default: normalised-error for values, or the task's own)"),
    option("--plot FILE", "also draw the matrix: .svg, .png, .pdf or .html"),
    *TABLE,
    WORKERS,
    *RUNNING,
    JSON,
]


def execute(options: Options) -> int:
    if options.plot:
        from numprobe.reports.charts import chart_format, save_chart

        chart_format(options.plot)  # before the work
    manners = [Manner(form, template) for form in options.forms or [""] for template in options.templates or [""]]
    asked = {field: getattr(options, field) for field in ("task", "range", "probe", "seeds")}
    cells = {name: transfer_cells(manners, embedder=name, **asked) for name in dict.fromkeys(options.embedders)}
    metric = options.metric
    if not metric:
        measure = next(iter(cells[options.embedders[0]].values())).parts.metric
        metric = measure.across or measure.name
    results, code = run_cells([cell for own in cells.values() for cell in own.values()], options)
    found = {result.cell: result for result in rescored(results, metric)}
    matrices = {name: {pair: found[cell] for pair, cell in own.items() if cell in found} for name, own in cells.items()}
    matrices = {name: matrix for name, matrix in matrices.items() if matrix}
    if options.plot and matrices:
        save_chart(transfer_chart(matrices), options.plot)
    tables = [transfer_table(matrix) for matrix in matrices.values()]
    if options.json:
        print_json([one for table in tables for one in table.documents])
    else:
        print_tables(tables, options.format, options.out)
    return code
