import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import numprobe
from numprobe.analysis.geometry import Geometry, first_component, number_lines, placed, similarity, spectrum
from numprobe.cli import main
from numprobe.errors import NumprobeError
from tests.probes.planted import circle, gaussian, line, logarithm, planted


def look(embedder: object, numbers: str = "0:299", **settings: str) -> Geometry:
    found = numprobe.geometry(embedder, numbers, **settings)
    assert isinstance(found, Geometry)
    return found


def test_a_circle_has_a_spike_and_can_be_read() -> None:
    def noisy(texts: list[str]) -> np.ndarray:
        noise = np.random.default_rng(0).normal(size=(len(texts), 16))
        return planted(lambda values: circle(values, 10))(texts) + 0.3 * noise

    found = look(noisy)
    assert found.spectrum["10"] > 100
    assert found.kappa["10"] > 0.9
    assert abs(found.kappa["2"]) < 0.15  # no straight line parts alternate points of a circle
    assert abs(found.kappa["3"]) < 0.15
    assert all(found.spectrum[period] < 5 for period in ("3", "7", "9", "11"))
    assert found.warnings == []


def test_a_spike_in_one_dimension_is_not_knowledge() -> None:
    def one_dimension(texts: list[str]) -> np.ndarray:
        values = np.array([float(text) for text in texts])
        noise = np.random.default_rng(0).normal(size=len(values))
        return (0.4 * np.cos(2 * np.pi * values / 10) + noise)[:, None]

    found = look(one_dimension, "0:999")
    assert found.spectrum["10"] > 20
    assert found.spectrum["10"] == max(found.spectrum.values())
    assert abs(found.kappa["10"]) < 0.05
    assert [warning[:9] for warning in found.warnings] == ["period 10"]
    assert "not knowledge" in str(found)


def test_gaussian_vectors_have_no_geometry() -> None:
    found = look(gaussian)
    assert max(found.spectrum.values()) < 3
    assert max(map(abs, found.kappa.values())) < 0.15
    assert max(abs(value) for value in vars(found.rsa).values()) < 0.05
    assert found.first_component < 0.1


@pytest.mark.parametrize(("shape", "best"), [(line, "linear"), (logarithm, "log")])
def test_distances_tell_a_line_from_a_logarithm(shape: object, best: str) -> None:
    found = look(planted(shape), "1:399")  # type: ignore[arg-type]
    assert vars(found.rsa)[best] == pytest.approx(1, abs=1e-4)
    assert sorted(vars(found.rsa).values())[1] < 0.99
    assert found.first_component == pytest.approx(1)


def test_distances_of_texts() -> None:
    texts = [str(number) for number in range(1, 300)]
    codes = np.zeros((len(texts), 3, 10))
    for row, text in enumerate(texts):
        for place, digit in enumerate(text.zfill(3)):
            codes[row, place, int(digit)] = 1
    found = similarity(np.arange(1.0, 300), texts, codes.reshape(len(texts), -1))
    assert found.levenshtein > max(found.log, found.linear)


def test_gaps_and_trends_leave_the_spectrum_as_it_is() -> None:
    values = np.delete(np.arange(600.0), np.random.default_rng(0).choice(600, 150, replace=False))
    noise = np.random.default_rng(1).normal(size=(len(values), 4))
    found = spectrum(values, noise + 0.7 * circle(values, 7).repeat(2, axis=1) + 50 * values[:, None])
    assert max(found, key=lambda period: found[period]) == "7"
    assert set(spectrum(values, values[:, None]).values()) == {0.0}


def test_equal_vectors() -> None:
    assert first_component(np.ones((5, 3))) == 0
    assert similarity(np.arange(5.0), list("01234"), np.ones((5, 3))).log == 0


@dataclass(frozen=True)
class Layered:
    layer: str = "all"

    def encode(self, texts: list[str]) -> np.ndarray:
        return self.encode_layers(texts)[-1]

    def encode_layers(self, texts: list[str]) -> np.ndarray:
        return np.stack((gaussian(texts)[:, :16], planted(line)(texts)))


def test_each_layer_has_a_geometry_and_a_number_line() -> None:
    found = numprobe.geometry(Layered(), "0:99")
    assert isinstance(found, list)
    assert found[0].first_component < 0.3
    assert found[1].first_component == pytest.approx(1)
    rows = list(number_lines(placed(Layered(), "layered", "0:99")))
    assert len(rows) == 200
    growing = [first for layer, _, first, _ in rows if layer == 1]
    assert growing == sorted(growing)


def test_the_command_prints_the_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "line.svg"
    assert main(["geometry", "digit-one-hots", "--range", "0:99", "--json", "--plot", str(picture)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert list(document) == ["spectrum", "kappa", "rsa", "first_component"]
    assert list(document["kappa"]) == ["2", "3", "5", "7", "10"]
    assert list(document["rsa"]) == ["log", "linear", "levenshtein"]
    assert document["kappa"]["10"] == pytest.approx(1)
    assert picture.read_text().startswith("<svg")
    assert main(["geometry", "digit-one-hots", "--range", "0:99"]) == 0
    assert "not knowledge" in capsys.readouterr().out


def test_what_has_no_vectors_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(NumprobeError, match="learns together with its probe"):
        numprobe.geometry("char-cnn", "0:99")
    assert main(["geometry", "value", "--plot", "line.xyz"]) == 2
    assert "chart format" in capsys.readouterr().err
