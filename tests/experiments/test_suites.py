import re
from pathlib import Path

import pytest

from numprobe.errors import NumprobeError
from numprobe.experiments import PAPER_SUITES, Cell, absent, bundled_suites, load_suite, parse_suite

SUITE = """title = "Mine"
missing = "restrict"

[[cells]]
embedder = ["value", "random"]
task = ["decoding", "addition"]
range = "0:99"
seeds = [1, 2]

[[cells]]
embedder = "value"
task = "decoding"
range = "0:99"
seeds = 1
"""


def test_lists_mean_each_of_them_and_nothing_comes_twice() -> None:
    suite = parse_suite(SUITE, "mine", "mine.toml")
    assert suite.title == "Mine"
    assert len(suite.cells) == 8
    assert {cell.missing for cell in suite.cells} == {"restrict"}


@pytest.mark.parametrize("name", bundled_suites())
def test_bundled_suites_are_valid(name: str) -> None:
    suite = load_suite(name)
    assert suite.cells
    assert suite.title != name


def test_the_demo_is_three_embedders_times_three_tasks() -> None:
    cells = load_suite("demo").cells
    assert len({cell.embedder for cell in cells}) == 3
    assert {cell.task for cell in cells} == {"list-maximum", "decoding", "addition"}
    assert len(cells) == 9
    assert {(cell.range, cell.seeds) for cell in cells} == {("0:99", 5)}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("seeds = 1\n", "seed = 1\n", "mine.toml, line 14: unknown key 'seed'; did you mean 'seeds'?"),
        ("missing", "mising", "mine.toml, line 2: unknown key 'mising'; did you mean 'missing'?"),
        ('missing = "restrict"', 'protocol = "paper"', "mine.toml, line 2: there are no protocols any more"),
        ("seeds = [1, 2]", 'seeds = [1, "2"]', "mine.toml, line 8: 'seeds' must be a whole number, not '2'"),
        ('"value", "random"', '"value", 7', "mine.toml, line 5: 'embedder' must be text, not 7"),
        ('"random"', '"randm"', "mine.toml, line 4: unknown embedder 'randm'; did you mean 'random'?"),
        ('task = "decoding"\n', "", "mine.toml, line 10: [[cells]] has no 'task'"),
        ("[[cells]]", "[[cell]]", "line 4: unknown key 'cell'; did you mean 'cells'?"),
        ('"Mine"', '"Mine', "mine.toml: Illegal character"),
    ],
)
def test_mistakes_are_named_with_file_line_and_key(old: str, new: str, message: str) -> None:
    with pytest.raises(NumprobeError) as error:
        parse_suite(SUITE.replace(old, new), "mine", "mine.toml")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_suites_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(NumprobeError, match="unknown suite 'demmo'; did you mean 'demo'"):
        load_suite("demmo")
    with pytest.raises(NumprobeError, match=r"can't read suite .*No such file"):
        load_suite(str(tmp_path / "none.toml"))
    (tmp_path / "latin.toml").write_bytes(b"title = '\xff'")
    with pytest.raises(NumprobeError, match="not UTF-8"):
        load_suite(str(tmp_path / "latin.toml"))
    with pytest.raises(NumprobeError, match="names no cells"):
        parse_suite("title = 'x'", "x", "x.toml")


@pytest.mark.parametrize("name", PAPER_SUITES)
def test_the_papers_suites_name_their_table_and_can_be_quick(name: str) -> None:
    suite = load_suite(name)
    assert re.search(r"\(((Table|Figure) \d+|Section [\d.]+|Appendix [A-D])\)$", suite.title)
    quick = suite.quick()
    assert quick.title == f"{suite.title}, quick"
    assert all(cell.is_quick for cell in quick.cells)
    assert not any(cell.is_quick for cell in suite.cells)
    assert [Cell.make(**cell.as_dict()) for cell in quick.cells] == list(quick.cells)
    assert name == "padding" or {"elmo", "bert"} <= set(absent(suite.cells))


def test_every_hole_has_a_range_of_its_width_outside() -> None:
    cells = load_suite("extrapolation").cells
    widths: dict[bool, set[tuple[str, str, int]]] = {True: set(), False: set()}
    for cell in cells:
        (tested,) = cell.parts.tests
        widths[cell.parts.numbers.contains(tested)].add((cell.embedder, cell.task, tested.size))
    assert widths[True] == widths[False]
    assert len(widths[True]) * 2 == len(cells)


def test_quick_keeps_what_else_a_task_sets() -> None:
    suite = parse_suite(SUITE.replace('"addition"', '"list-maximum:sampler=appendix"'), "mine", "mine.toml")
    assert "list-maximum:sampler=appendix,test_lists=2000,train_lists=20000" in {c.task for c in suite.quick().cells}


@pytest.mark.parametrize(
    ("embedder", "message"),
    [
        ("endpoint:url=http://example.org/v1,model=m", "names an address, which would get your key"),
        ("shuffled:of='endpoint:url=http://example.org/v1,model=m'", "names an address, which would get your key"),
        ("gaussian:of=word-vectors:path=/etc/passwd", "names a file outside the working directory"),
        ("gaussian:of='transformer:model=x,trust_remote_code=yes'", "would run the model's own code"),
    ],
)
def test_a_suite_may_not_reach_out(embedder: str, message: str) -> None:
    text = f'task = "decoding"\n[[cells]]\nrange = "0:99"\nembedder = "{embedder}"\n'
    with pytest.raises(NumprobeError, match=message):
        parse_suite(text, "theirs", "theirs.toml")
