import pickle

import numpy as np
import pytest

from numprobe.errors import NumprobeError
from numprobe.experiments import Cell
from numprobe.experiments.selection import Selection
from numprobe.probes import PROBES
from numprobe.tasks.decoding import Decoding


def test_two_spellings_of_one_cell_have_one_hash() -> None:
    plain = Cell.make("char-cnn", "list-maximum", "0:99")
    spelled = Cell.make(
        "char-cnn:padding=left,filters=100", "list-maximum:sampler=released", " 0:99 ", "digits", "bilstm"
    )
    assert plain == spelled
    assert plain.hash == spelled.hash


def test_every_setting_is_in_the_hash() -> None:
    base = {"embedder": "value", "task": "decoding", "range": "0:99"}
    others = [
        {"embedder": "value:scale=raw"},
        {"task": "addition"},
        {"range": "0:100"},
        {"form": "words"},
        {"probe": "linear"},
        {"probe": "linear:penalty=0"},
        {"test_range": "100:120"},
        {"seeds": 4},
    ]
    hashes = {Cell.make(**{**base, **other}).hash for other in [{}, *others]}
    assert len(hashes) == len(others) + 1


def test_a_tasks_own_probe_goes_by_its_registered_name(monkeypatch: pytest.MonkeyPatch) -> None:
    from sklearn.linear_model import Ridge

    monkeypatch.setitem(PROBES.makers, "my-ridge", Ridge)
    monkeypatch.setattr(Decoding, "probe", "my-ridge:alpha=2")
    cell = Cell.make("value", "decoding", "0:99")
    assert cell.probe == "my-ridge:alpha=2"
    assert cell.uses_default_probe
    assert pickle.loads(pickle.dumps(cell)) == cell


@pytest.mark.parametrize(
    ("numbers", "form", "expected"),
    [
        ("0:99", "", "digits"),
        ("-50:50", "", "negatives"),
        ("-50:50", "digits", "negatives"),
        ("0.0:99.9", "", "floats"),
        ("0:50", "words", "words"),
    ],
)
def test_forms(numbers: str, form: str, expected: str) -> None:
    assert Cell.make("value", "decoding", numbers, form).form == expected


def test_test_ranges_below_and_above() -> None:
    cell = Cell.make("value", "decoding", "-500:500", test_range="501:2000,-2000:-501")
    assert cell.test_range == "-2000:-501,501:2000"
    assert Selection(cell).held_out(0).tolist() == [*range(-2000, -500), *range(501, 2001)]


def test_a_test_range_around_the_range_adds_its_numbers_to_those_held_out() -> None:
    figure, plain = (Cell.make("value", "decoding", "-500:500", test_range=test) for test in ("-2000:2000", ""))
    held_out = Selection(figure).held_out(3).tolist()
    assert [value for value in held_out if -500 <= value <= 500] == Selection(plain).held_out(3).tolist()
    assert [value for value in held_out if abs(value) > 500] == [*range(-2000, -500), *range(501, 2001)]
    assert len(Selection(figure).split(3).train) == 800


def test_holes_are_held_out_and_all_of_them_test() -> None:
    cell = Cell.make("value", "decoding", "0:150", test_range="71:80,20:24")
    assert cell.where == "[0,150] → [20,24] [71,80]"
    hole = [*range(20, 25), *range(71, 81)]
    for seed in (0, 1):
        split = Selection(cell).split(seed)
        assert split.test.tolist() == hole
        assert split.train.tolist() == sorted({*range(151)} - {*hole})
        assert len(split.development) == 27
        assert np.union1d(split.fit, split.development).tolist() == split.train.tolist()
    assert (Selection(cell).split(0).development != Selection(cell).split(1).development).any()
    pools = [Selection(cell).pool(split, part) for part in ("train", "test")]
    assert [pool.range_size for pool in pools] == [151, 15]


@pytest.mark.parametrize(
    ("test_range", "shared"), [("", False), ("151:160", True), ("71:80", True), ("-9:200", False), ("0:150", False)]
)
def test_shuffles_share_their_test_numbers_outside_and_in_holes(test_range: str, shared: bool) -> None:
    selection = Selection(Cell.make("value", "decoding", "0:150", test_range=test_range))
    assert selection.shares_numbers == shared
    assert (selection.held_out(0).tolist() == selection.held_out(1).tolist()) == shared


def test_a_missing_float_takes_its_integer_along() -> None:
    cell = Cell.make("value", "list-maximum", "-49.9:49.9", missing="restrict")
    whole, restricted = Selection(cell), Selection(cell, (-1.5, -0.2, 7.0))
    gone = set(whole.values.tolist()) - set(restricted.values.tolist())
    assert gone == {-n / 10 for n in range(1, 20)} | {n / 10 for n in range(70, 80)}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"task": "decodin"}, "unknown task 'decodin'; did you mean 'decoding'?"),
        ({"embedder": "valu"}, "unknown embedder 'valu'; did you mean 'value'?"),
        ({"form": "word"}, "unknown form 'word'; did you mean 'words'?"),
        ({"missing": "skip"}, "missing='skip' is not an option: use refuse or restrict"),
        ({"probe": "mpl"}, "did you mean 'mlp'?"),
        (
            {"probe": "bilstm"},
            "probe 'bilstm' can't answer task 'decoding', which asks for a value: use circular, helix, linear, mlp or "
            "sinusoidal",
        ),
        ({"probe": "bilstm", "task": "addition"}, "which asks for a value: use linear or mlp"),
        (
            {"task": "list-maximum", "probe": "mlp"},
            "probe 'mlp' can't answer task 'list-maximum', which asks for a choice: use bilstm",
        ),
        (
            {"embedder": "char-cnn", "probe": "linear"},
            "embedder 'char-cnn' learns with its probe, and probe 'linear' can't train it: use mlp",
        ),
        ({"range": "9:0"}, "reversed"),
        ({"range": "0:1"}, "too small to split for decoding"),
        ({"range": "0:20", "task": "list-maximum"}, "lists need 5 different integers"),
        ({"range": "0:50", "task": "list-maximum"}, "there are 8; use list-maximum:sampler=appendix"),
        ({"range": "0.0:9.9", "form": "words"}, "has decimals: use form 'floats'"),
        ({"range": "0.0:9.9", "form": "digits"}, "has decimals: use form 'floats'"),
        ({"test_range": "50:120"}, "test range 50:120 does not suit range 0:99"),
        ({"test_range": "20:30,120:130"}, "test range 20:30,120:130 does not suit range 0:99"),
        ({"test_range": "0:99,20:30"}, "several have to lie all outside or all inside"),
        ({"test_range": "0:50,51:98"}, "range 0:99 without 0:50,51:98 is too small to split for decoding"),
        ({"range": "0:9999", "test_range": "1:9999"}, "range 0:9999 without 1:9999 is too small"),
        ({"range": "0:9999", "test_range": "7:7"}, "test range 7:7 is too small"),
        ({"test_range": "100:103", "task": "list-maximum"}, "test range 100:103 is too small"),
        ({"seeds": 0}, "seeds must be at least 1"),
        ({"task": "decoding:sampler=appendix"}, "unknown setting of task 'decoding' 'sampler'; known: target"),
    ],
)
def test_what_cannot_run_is_refused_before_anything_runs(given: dict[str, object], message: str) -> None:
    with pytest.raises(NumprobeError) as error:
        Cell.make(**{"embedder": "value", "task": "decoding", "range": "0:99", **given})
    assert message in str(error.value)
    assert "\n" not in str(error.value)
