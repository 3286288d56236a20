import io

from rich.console import Console

from numprobe.reports.tables import Heading, Table, render

WIDE = Table(
    "Wide",
    headings=[Heading("name"), *(Heading(f"[0,{n}]", group) for group in ("first", "second") for n in "12")],
    rows=[["a", *(f"{n}.00 ± 0.00\n9.00" for n in range(4))], ["[b]", "", "", "8.00", "7.00"]],
    records=[{"name": "a", "scores": [0.5, 1.5]}, {"name": "b", "mean": 1.0}],
    notes=["A note."],
)


def printed(width: int) -> str:
    console = Console(width=width, file=io.StringIO(), color_system=None)
    with console.capture() as capture:
        console.print(WIDE)
    return capture.get()


def test_a_table_that_fits_is_printed_whole() -> None:
    text = printed(100)
    assert text.startswith("Wide, the paper's below\n")
    assert text.rstrip().endswith("A note.")
    assert text.count("┏") == 1
    assert "[b]" in text


def test_a_wide_table_is_split_by_groups_and_then_by_columns() -> None:
    by_group = printed(40)
    assert by_group.count("┏") == 2
    assert by_group.count("[b]") == 1  # it has nothing in the first group
    by_column = printed(25)
    assert by_column.count("┏") == 4
    for text in (by_group, by_column):
        assert all(f"{n}.00 ± 0.00" in text for n in range(4))
        assert max(map(len, text.splitlines())) <= 40
        assert [line for line in text.splitlines() if line in ("first", "second")]


def test_latex_spans_groups_and_aligns_labels() -> None:
    text = render([WIDE], "latex")
    assert r"\begin{tabular}{lrrrr}" in text
    assert r" & \multicolumn{2}{c}{first} & \multicolumn{2}{c}{second} \\" in text


def test_csv_has_every_key_and_writes_lists_with_spaces() -> None:
    assert render([WIDE], "csv") == "name,scores,mean\na,0.5 1.5,\nb,,1.0"


def test_no_tables_are_no_text() -> None:
    assert [str(render([], form)).strip() for form in ("markdown", "latex", "csv", "json")] == ["", "", "", "[]"]
