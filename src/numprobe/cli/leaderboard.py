"""Write the leaderboard: what all reference models know about numbers, and yours beside them.

examples:
  numprobe leaderboard --out leaderboard.html
  numprobe leaderboard add mine.json     after numprobe card ./my-model --quick --json > mine.json

The file needs neither a network nor a server. Columns can be sorted and filtered; marks show what can't be told from
the best of a column.
"""

from numprobe.cards.leaderboard import leaderboard, read_results
from numprobe.cli._options import Options, option
from numprobe.cli._results import write_page
from numprobe.errors import NumprobeError

ARGUMENTS = [
    option(
        "ADD", "add FILE…: results of your own, from card --json or show --json", None, nargs="*", metavar="add FILE"
    ),
    option("--out FILE", "file to write", "leaderboard.html"),
]


def execute(options: Options) -> None:
    word, *files = options.add or ["add"]
    if word != "add" or (options.add and not files):
        raise NumprobeError(f"{word!r} is not something to do: write numprobe leaderboard add FILE.json")
    added = [result for file in files for result in read_results(file)]
    verdicts, sections = leaderboard(added)
    known = [result for section in sections for result in section.results]
    source = "those that come with numprobe" + (f", and {', '.join(files)}" if files else "")
    print(write_page(options.out, source, sections, [], known=known, is_published=not files, compared=verdicts))
