import numpy as np
import pytest
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import numprobe
from numprobe.errors import NumprobeError
from numprobe.experiments import Cell
from numprobe.experiments.laboratory import run_cell
from tests.test_api import by_value


def test_it_agrees_with_our_own_least_squares() -> None:
    cell = {"task": "addition", "range": "0:60", "seeds": 2}
    ours = run_cell(Cell.make("untrained-lstm:hidden=3", probe="linear:penalty=0", **cell))
    theirs = run_cell(Cell.make("untrained-lstm:hidden=3", probe=LinearRegression(), **cell))
    assert theirs.scores == pytest.approx(ours.scores, rel=1e-3)


def test_it_gets_raw_vectors_and_raw_targets() -> None:
    seen = {}

    class Spy(Ridge):
        def fit(self, X: np.ndarray, y: np.ndarray) -> "Spy":
            seen["vectors"], seen["targets"] = X, y
            return super().fit(X, y)

    result = numprobe.probe(by_value, probe=Spy(), numbers="0:99", seeds=1)
    assert seen["vectors"].shape == (80, 2)
    assert set(seen["vectors"][:, 1]) == {1.0}
    assert seen["targets"].tolist() == seen["vectors"][:, 0].tolist()
    assert result.mean < 0.1


def test_guessing_the_mean_is_the_deviation() -> None:
    result = numprobe.probe(by_value, probe=DummyRegressor(), numbers="0:999", seeds=2)
    for seed, score in enumerate(result.scores):
        truths = np.array(result[0].held_out(seed))
        train = np.setdiff1d(np.arange(1000), truths)
        assert score == pytest.approx(np.sqrt(np.mean((truths - train.mean()) ** 2)))


def test_a_classifier_chooses() -> None:
    task = "list-maximum:train_lists=3000,test_lists=300"
    results = [
        numprobe.probe(by_value, task, "0:99", probe=probe, seeds=2)
        for probe in (make_pipeline(StandardScaler(), LogisticRegression()), DummyClassifier())
    ]
    assert results[0].mean > 0.8
    assert 0.1 < results[1].mean < 0.3


def test_randomness_depends_on_the_shuffle_alone() -> None:
    forests = [
        numprobe.probe("value", probe=RandomForestRegressor(n_estimators=5), numbers="0:60", seeds=2) for _ in range(2)
    ]
    assert forests[0].scores == forests[1].scores


def test_settings_are_in_the_name_and_in_the_hash() -> None:
    one, other = (Cell.make("value", "decoding", "0:99", probe=Ridge(alpha=alpha)) for alpha in (1.0, 2.0))
    assert (one.probe, other.probe) == ("Ridge", "Ridge:alpha=2")
    assert one.hash != other.hash


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"probe": LogisticRegression()}, "can't answer task 'decoding', which asks for a value"),
        ({"probe": Ridge()} | {"task": "list-maximum"}, "can't answer task 'list-maximum', which asks for a choice"),
        ({"probe": Ridge}, "give an instance"),
        ({"probe": StandardScaler()}, "is not a probe: it has no answers"),
        ({"probe": Ridge(), "embedder": "char-cnn"}, "probe 'Ridge' can't train it: use mlp"),
    ],
)
def test_what_does_not_fit_is_refused(given: dict[str, object], message: str) -> None:
    with pytest.raises(NumprobeError, match=message):
        Cell.make(**{"embedder": "value", "task": "decoding", "range": "0:99", **given})  # type: ignore[arg-type]


def test_an_estimator_that_fails_is_one_line() -> None:
    with pytest.raises(
        NumprobeError, match=r"probe 'KNeighborsRegressor:n_neighbors=500' failed: Expected n_neighbors"
    ):
        numprobe.probe("value", probe=KNeighborsRegressor(n_neighbors=500), seeds=1)


def test_items_that_do_not_fit_into_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numprobe.probes.estimator.MOST_BYTES", 1000)
    with pytest.raises(NumprobeError, match=r"would need 0\.0 GB .* ask for fewer items"):
        numprobe.probe("value", "addition", probe=Ridge(), seeds=1)
