"""Erasure leaves nothing linear of a concept, and the control beside it is as large."""

from dataclasses import replace

import numpy as np
import torch

from numprobe.kernels.erasure import leace, push, random_eraser, random_push


def planted(rows: int = 300, dimension: int = 20) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    values = rng.integers(0, 100, rows).astype(float)
    mixing = rng.normal(size=(dimension, dimension))
    return rng.normal(size=(rows, dimension)) @ mixing + np.outer(values, 0.1 * rng.normal(size=dimension)), values


def correlations(states: np.ndarray, values: np.ndarray) -> np.ndarray:
    return np.array([np.corrcoef(column, values)[0, 1] for column in states.T])


def test_nothing_correlates_afterwards_and_little_else_is_lost() -> None:
    states, values = planted()
    eraser = leace(states, values[:, None])
    erased = eraser(torch.from_numpy(states)).numpy()
    assert np.abs(correlations(states, values)).max() > 0.5
    assert np.abs(correlations(erased, values)).max() < 1e-9
    assert eraser.rank == 1
    assert np.linalg.matrix_rank(erased - erased.mean(axis=0)) == 19


def test_dimensions_of_very_different_sizes() -> None:
    states, values = planted(120, 60)
    states = states * np.logspace(-3, 4, 60)
    erased = leace(states, values[:, None])(torch.from_numpy(states)).numpy()
    assert np.abs(correlations(erased, values)).max() < 1e-9


def test_new_states_do_not_grow_where_the_old_ones_are_nearly_empty() -> None:
    states, values = planted(120, 60)
    states[:, :20] *= 1e4
    states[:, 40:] *= 1e-6
    eraser = leace(states, values[:, None])
    new = states + 0.01 * np.random.default_rng(5).normal(size=states.shape)  # also where there was nothing
    assert np.abs(correlations(eraser(torch.from_numpy(states)).numpy(), values)).max() < 1e-9
    moved = (torch.from_numpy(new) - eraser(torch.from_numpy(new))).norm(dim=1)
    assert moved.max() < 10 * torch.from_numpy(states - states.mean(axis=0)).norm(dim=1).max()


def test_the_change_is_the_least_one() -> None:
    """Projecting onto what is orthogonal to the covariance erases as well, but changes more."""
    states, values = planted()
    erased = leace(states, values[:, None])(torch.from_numpy(states)).numpy()
    centred = states - states.mean(axis=0)
    axis = centred.T @ (values - values.mean())
    axis /= np.linalg.norm(axis)
    projected = states - np.outer(centred @ axis, axis)
    assert np.abs(correlations(projected, values)).max() < 1e-9
    assert np.square(erased - states).sum() <= np.square(projected - states).sum() + 1e-9


def test_more_states_than_rows_and_several_columns() -> None:
    states, values = planted(30, 80)
    digits = np.eye(10)[values.astype(int) % 10]
    eraser = leace(states, digits)
    erased = eraser(torch.from_numpy(states)).numpy()
    centred = digits - digits.mean(axis=0)
    assert eraser.rank == np.linalg.matrix_rank(centred)
    assert np.abs((erased - erased.mean(axis=0)).T @ centred).max() < 1e-6


def test_a_random_subspace_has_the_rank_and_the_length_but_leaves_the_value() -> None:
    states, values = planted()
    eraser = leace(states, values[:, None])
    control = random_eraser(states, eraser, np.random.default_rng(3))
    given = torch.from_numpy(states)
    moved, moved_at_random = given - eraser(given), given - control(given)
    torch.testing.assert_close(moved.norm(dim=1), moved_at_random.norm(dim=1))
    assert torch.linalg.matrix_rank(control.removed) == eraser.rank
    left = np.column_stack((control(given).numpy(), np.ones(len(values))))
    found = left @ np.linalg.lstsq(left, values, rcond=None)[0]
    assert np.corrcoef(found, values)[0, 1] > 0.8


def test_twice_the_erasure_is_the_opposite() -> None:
    states, values = planted()
    turned = replace(leace(states, values[:, None]), times=2)(torch.from_numpy(states)).numpy()
    whole, centred = np.column_stack((states, np.ones(len(values)))), values - values.mean()
    weights = np.linalg.lstsq(whole, centred, rcond=None)[0]
    np.testing.assert_allclose(turned @ weights[:-1] + weights[-1], -(whole @ weights), atol=1e-8)


def test_a_random_push_is_as_long_and_goes_elsewhere() -> None:
    states, values = planted(dimension=100)
    true = push(states, values, 10)
    other = random_push(states, true, np.random.default_rng(1))
    torch.testing.assert_close(other.step.norm(), true.step.norm())
    assert abs(torch.dot(other.step, true.step) / true.step.norm() ** 2) < 0.5
