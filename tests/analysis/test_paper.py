import csv
import re
from importlib.resources import files

import pytest

from numprobe.analysis import published
from numprobe.analysis.paper import KEYS
from numprobe.experiments import PAPER_SUITES, Cell, load_suite

ROWS = list(csv.DictReader((files("numprobe.analysis") / "paper.csv").read_text(encoding="utf-8").splitlines()))


@pytest.mark.parametrize(
    ("cell", "mean", "std", "table"),
    [
        (("random", "list-maximum", "0:99"), 0.16, 0.03, "Table 4"),
        (("random", "addition", "0:9999"), 4389.39, 310.91, "Table 4"),
        (("untrained-cnn", "decoding", "0:99"), 2.64, 0.68, "Table 4"),
        (("untrained-lstm", "decoding", "0:999"), 46.5, 5.65, "Table 4"),
        (("value", "decoding", "0:9999"), 275.5, 135.59, "Table 4"),
        (("value", "addition", "0:99"), 0.30, 0.01, "Table 4"),
        (("char-cnn", "list-maximum", "0:9999"), 0.88, 0.02, "Table 4"),
        (("char-lstm", "addition", "0:9999"), 25.37, 3.40, "Table 4"),
        (("glove-840b-300d-bert-words", "decoding", "0:99"), 2.23, 1.26, "Table 4"),
        (("elmo", "list-maximum", "0.0:999.9"), 0.59, 0.01, "Table 5"),
        (("char-cnn", "list-maximum", "-50:50"), 0.95, 0.07, "Table 6"),
        (("char-lstm", "list-maximum", "0:150", "", "", "151:200"), 0.82, None, "Table 7"),
        (("bert", "decoding", "0:999", "", "linear"), 64.42, None, "Table 8"),
        (("glove", "decoding", "-50:50", "", "linear"), 5.76, None, "Table 8"),
        (("naqanet", "addition", "0:99", "words"), 3.95, 0.33, "Table 10"),
        (("word2vec", "list-maximum:sampler=appendix", "0:50", "words"), 0.96, 0.05, "Table 10"),
    ],
)
def test_the_papers_numbers_are_those_of_its_tables(
    cell: tuple[str, ...], mean: float, std: float | None, table: str
) -> None:
    assert published(Cell.make(*cell)) == (mean, std, table)


def test_other_cells_have_no_number_in_the_paper() -> None:
    for cell in (
        Cell.make("char-cnn:padding=right", "decoding", "0:99"),
        Cell.make("value", "decoding", "0:98"),
        Cell.make("value", "decoding", "0:99", probe="linear"),
        Cell.make("value", "decoding", "0:99", "words"),
        Cell.make("value", "decoding", "0:99", test_range="100:120"),
    ):
        assert published(cell) is None


def test_every_number_of_the_paper_has_a_cell_in_a_suite() -> None:
    cells = {
        (cell.embedder, cell.parts.task.name, cell.form, cell.range, cell.test_range, cell.probe)
        for name in PAPER_SUITES
        for cell in load_suite(name).cells
    }
    assert {tuple(row[key] for key in KEYS) for row in ROWS} <= cells


NAMES = {
    "Random Vectors": "random",
    "Rand. Vectors": "random",
    "Random": "random",
    "Untrained CNN": "untrained-cnn",
    "Untrained LSTM": "untrained-lstm",
    "Value Embedding": "value",
    "Word2Vec": "word2vec",
    "GloVe": "glove",
    "ELMo": "elmo",
    "BERT": "bert",
    "Char-CNN": "char-cnn",
    "Char-LSTM": "char-lstm",
    r"\qanet{}": "naqanet",
    "- GloVe": "naqanet-chars",
}


def rows(table: str) -> dict[str, list[tuple[str, ...]]]:
    """Embedder -> (mean, deviation) or (mean,), column by column."""
    found = {}
    for line in table.split(r"\\"):
        plain = re.sub(r"\\(addlinespace|hspace\{.*?\}|cmidrule\(\w+\)\{.*?\}|textbf)|\s+", " ", line)
        name, *entries = (
            part.strip(" {}") if part.strip() != r"\qanet{}" else r"\qanet{}" for part in plain.split("&")
        )
        if name in NAMES:
            found[NAMES[name]] = [tuple(re.findall(r"[\d.]+", entry)) for entry in entries]
    return found


def test_every_row_is_in_the_papers_source(paper_text: str) -> None:
    tables = re.findall(r"\\begin\{table\*?\}(.*?)\\end\{table\*?\}", paper_text, re.DOTALL)
    checked = 0
    for number in (4, 5, 6, 7, 8, 10):
        means, whole = rows(tables[number - 1]), rows(tables[8] if number == 4 else tables[number - 1])
        ours: dict[str, list[dict[str, str]]] = {}
        for row in ROWS:
            if row["table"] == f"Table {number}":
                ours.setdefault(row["embedder"], []).append(row)
        assert list(ours) == list(whole)
        for embedder, entries in ours.items():
            assert [tuple(filter(None, (row["mean"], row["std"]))) for row in entries] == whole[embedder]
            assert [float(row["mean"]) for row in entries] == [float(entry[0]) for entry in means[embedder]]
            checked += len(entries)
    assert checked == len(ROWS) == 224
