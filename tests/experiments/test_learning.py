import numpy as np
import pytest

from numprobe.analysis.description import coded, description_length
from numprobe.errors import NumprobeError
from numprobe.experiments import Cell
from numprobe.experiments.laboratory import run_cell
from numprobe.experiments.learning import Schooling
from numprobe.numbers import beginning, interpolation


def schooling(embedder: str, probe: str = "linear", numbers: str = "0:199", seeds: int = 2) -> Schooling:
    return Schooling(Cell.make(embedder, "decoding", numbers, probe=probe, seeds=seeds))


def test_the_last_point_of_a_curve_is_the_cell_itself() -> None:
    own = schooling("digit-one-hots", "circular")
    points = dict(own.curve())
    assert list(points) == [25, 50, 100, 160]
    (whole,) = [run_cell(own.cell)]
    np.testing.assert_array_equal(points[160].given, whole.predictions)
    errors = [float(np.mean(points[count].given != points[count].truths)) for count in points]
    assert errors[0] > errors[-1] == 0


def test_blocks_follow_one_another_and_hold_every_number() -> None:
    own = schooling("random", seeds=1)
    size, blocks = own.blocks()
    seen = [own.first(0, size), *(block.truths[0] for block in blocks)]
    assert sorted(np.concatenate(seen).tolist()) == own.values.tolist()
    assert [len(part) for part in seen] == [16, 34, 50, 100]


def test_a_beginning_trains_on_part_of_what_the_whole_trains_on() -> None:
    values = np.arange(100)
    whole, part = interpolation(values, 3), beginning(values, 3, 20)
    assert set(part.train) < set(whole.train)
    assert part.test.tolist() == whole.test.tolist()
    assert set(part.fit) | set(part.development) == set(part.train)
    following = beginning(values, 3, 20, 30)
    assert not set(following.test) & set(following.train)
    assert len(following.test) == 30


def test_what_knows_the_numbers_tells_them_in_few_bits() -> None:
    lengths = {name: description_length(schooling(name)) for name in ("digit-one-hots", "length", "random")}
    uniform = np.log2(200)
    assert lengths["digit-one-hots"].bits_per_number < 0.5 * uniform
    assert lengths["digit-one-hots"].compression > 2
    assert lengths["digit-one-hots"].bits_per_number < lengths["length"].bits_per_number
    assert lengths["random"].bits_per_number == pytest.approx(uniform, rel=0.1)
    assert lengths["random"].numbers == 200


def test_the_code_is_one_of_probabilities() -> None:
    first = np.array([0.0, 10.0])
    truths = np.arange(-3000.0, 3000.0)
    chances = [2 ** -coded(first, [(np.array([5.0]), np.array([truth]))]) for truth in truths[::1]]
    assert sum(chances) == pytest.approx(1, abs=1e-6)
    sure = coded(first, [(truths, truths), (truths, truths)]) - coded(first, [(truths, truths)])
    assert sure < 0.1 * len(truths)  # the deviation has a floor, so being right is nearly free
    wrong = coded(first, [(truths, truths), (truths, truths + 3)]) - coded(first, [(truths, truths)])
    assert 10 * len(truths) < wrong < np.inf


@pytest.mark.parametrize(
    "cell",
    [
        Cell.make("random", "addition", "0:50"),
        Cell.make("random", "decoding", "0:50", test_range="51:80"),
        Cell.make("random", "decoding", "0.0:49.9"),
        Cell.make("minilm-l6:layer=all", "decoding", "0:50"),
    ],
    ids=["addition", "elsewhere", "decimals", "layers"],
)
def test_only_held_out_numbers_of_one_layer(cell: Cell) -> None:
    with pytest.raises(NumprobeError):
        Schooling(cell)
