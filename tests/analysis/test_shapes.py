from dataclasses import replace

import numpy as np
import pytest

from numprobe.analysis.geometry import placed
from numprobe.analysis.shapes import explained
from numprobe.embedders import FunctionEmbedder
from numprobe.experiments import Cell
from numprobe.experiments.laboratory import run_cell
from numprobe.probes import PROBES
from numprobe.reports.layers import Sweep
from tests.analysis.test_geometry import Layered
from tests.probes.planted import SHAPES, Shape, gaussian, planted

NAMES = dict(zip(SHAPES.values(), ("line", "log", "circle per digit", "line and circles", "sinusoids"), strict=True))


@pytest.mark.parametrize("shape", SHAPES.values())
def test_the_planted_shape_is_named(shape: Shape) -> None:
    def noisy(texts: list[str]) -> np.ndarray:
        made = planted(shape)(texts)
        return made + 0.05 * made.std(axis=0) * np.random.default_rng(0).normal(size=made.shape)

    for embedder in (planted(shape), noisy):
        (found,) = explained(placed(FunctionEmbedder(embedder), "planted", "1:250"))
        assert found.shape == NAMES[shape]
        assert found.states_r2[found.shape] > 0.93


def test_gaussian_vectors_have_no_shape() -> None:
    (found,) = explained(placed(FunctionEmbedder(gaussian), "gaussian", "1:250"))
    assert found.shape == "none"
    assert max(found.states_r2.values()) < 0.01


def test_every_layer_of_a_sweep_has_a_row() -> None:
    cells = [
        Cell.make(Layered(), "decoding", "1:150", probe=name, seeds=2, name="mine") for name in ("linear", "helix")
    ]
    results = [run_cell(cell) for cell in cells]
    sweep = Sweep("mine:layer=all", results, [], explained(placed(Layered(), "mine", "1:150")))
    rows = sweep.documents()["rows"]
    assert [row["row"] for row in rows] == ["layer 0", "layer 1"]
    assert [row["shape"] for row in rows] == ["none", "line"]
    assert rows[0]["exact"]["linear"] < 0.1
    assert rows[1]["exact"] == {"linear": 1, "helix": 1}
    assert sweep.table().rows[1][0] == "layer 1"
    assert sweep.chart().to_dict()
    bare = replace(results[0], more_by_layer={})  # a result of an older version
    assert {metric for _, metric, _, _ in Sweep("mine", [bare], [], []).rows()} == set()


def test_probes_say_where_they_look() -> None:
    shapes = [shape for name in PROBES for shape in getattr(PROBES.makers[name], "shapes", ())]
    assert set(shapes) >= {*SHAPES, "mlp:most_steps=3000"}
    for shape in shapes:
        assert Cell.make("random", "decoding", "1:99", probe=shape).probe == shape
