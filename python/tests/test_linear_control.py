"""Regulator, Kalman filter and H-infinity norm of the examples, against closed forms, sweeps and Lyapunov equations."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from places import ROOT

linalg = pytest.importorskip("scipy.linalg")
signal = pytest.importorskip("scipy.signal")
sys.path.insert(0, str(ROOT / "python/examples"))

import linear_control as lc  # noqa: E402


def oscillator(damping: float, frequency: float = 7.0) -> lc.System:
    """ω² / (s² + 2ζωs + ω²)."""
    a = np.array([[0.0, 1.0], [-(frequency**2), -2.0 * damping * frequency]])
    return a, np.array([[0.0], [frequency**2]]), np.array([[1.0, 0.0]]), np.zeros((1, 1))


def random_system(seed: int) -> lc.System:
    """Stable, with three inputs, two outputs, light damping and a direct part."""
    random = np.random.default_rng(seed)
    blocks = [np.array([[-w * z, w], [-w, -w * z]]) for w, z in zip(random.uniform(1, 30, 4), random.uniform(1e-3, 0.3, 4))]
    turn = random.normal(size=(8, 8))
    a = turn @ linalg.block_diag(*blocks) @ np.linalg.inv(turn)
    return a, random.normal(size=(8, 3)), random.normal(size=(2, 8)), random.normal(size=(2, 3))


@pytest.mark.parametrize("damping", [0.6, 0.1, 1e-3, 1e-5])
def test_norm_of_an_oscillator_has_its_closed_form(damping: float) -> None:
    norm, at = lc.h_infinity_norm(oscillator(damping))
    # The norm is sought to 1e-9; around a flat peak the place is known to its square root.
    assert norm == pytest.approx(1.0 / (2.0 * damping * np.sqrt(1.0 - damping**2)), rel=1e-8)
    assert at == pytest.approx(7.0 * np.sqrt(1.0 - 2.0 * damping**2), rel=1e-4)


def test_norm_without_a_peak_is_that_at_rest_or_at_infinity() -> None:
    assert lc.h_infinity_norm(oscillator(0.9)) == (pytest.approx(1.0, rel=1e-12), 0.0)
    one = np.ones((1, 1))
    assert lc.h_infinity_norm((-one, one, -one, 3.0 * one)) == (3.0, np.inf)  # 3 − 1 / (s + 1)


@pytest.mark.parametrize("seed", range(5))
def test_norm_bounds_a_dense_sweep_and_is_met_by_it(seed: int) -> None:
    system = random_system(seed)
    norm, at = lc.h_infinity_norm(system)
    wide = lc.gains(system, np.linspace(0.0, 60.0, 3001)).max()
    near = lc.gains(system, at * np.linspace(0.99, 1.01, 1001)).max() if np.isfinite(at) else norm
    assert max(wide, near) <= norm * (1.0 + 3e-9)
    assert near == pytest.approx(norm, rel=1e-3)


@pytest.mark.parametrize("seed", range(5))
def test_bad_coordinates_do_not_hide_the_peak(seed: int) -> None:
    """Nearly parallel states, as two poles that nearly meet have them: eigenvalues come with errors."""
    a, b, c, d = random_system(seed)
    turn = np.linalg.qr(np.random.default_rng(seed).normal(size=(8, 8)))[0] @ np.diag(np.geomspace(1.0, 1e-4, 8))
    turn = turn @ np.linalg.qr(np.random.default_rng(seed + 100).normal(size=(8, 8)))[0]
    bad = (np.linalg.inv(turn) @ a @ turn, np.linalg.inv(turn) @ b, c @ turn, d)
    # Written in them the system is another by rounding: it is its own gains that count.
    at = lc.h_infinity_norm((a, b, c, d))[1]
    near = lc.gains(bad, at * np.linspace(0.999, 1.001, 2001)).max()
    assert near <= lc.h_infinity_norm(bad)[0] * (1.0 + 1e-7)


def test_an_infinite_norm_is_refused() -> None:
    with pytest.raises(ValueError, match="the norm is infinite"):
        lc.h_infinity_norm(oscillator(-0.01))


def test_a_sampled_system_and_its_continuous_image_have_the_same_gains() -> None:
    a, b, c, d = random_system(3)
    a = linalg.expm(0.1 * a)
    image = lc.as_continuous((a, b, c, d))
    angles = np.linspace(0.01, 3.0, 200)
    sampled = [np.linalg.norm(c @ np.linalg.solve(np.exp(1j * x) * np.eye(8) - a, b) + d, 2) for x in angles]
    np.testing.assert_allclose(lc.gains(image, np.tan(angles / 2.0)), sampled, rtol=1e-9)
    assert lc.h_infinity_norm(image)[0] >= max(sampled)


def test_sampling_is_that_of_scipy() -> None:
    a, b, c, d = random_system(5)
    expected = signal.cont2discrete((a, b, c, d), 0.02)
    np.testing.assert_allclose(lc.sampled(a, b, 0.02)[0], expected[0], atol=1e-12)
    np.testing.assert_allclose(lc.sampled(a, b, 0.02)[1], expected[1], atol=1e-12)


def test_no_other_regulator_costs_less() -> None:
    a, b = lc.sampled(*random_system(1)[:2], 0.02)
    q, r, start = np.eye(8), 0.1 * np.eye(3), np.ones(8)
    k, x = lc.regulator(a, b, q, r)

    def cost(gain: lc.Floats) -> float:
        """Σ xᵀQx + uᵀRu, summed by a Lyapunov equation."""
        return float(start @ linalg.solve_discrete_lyapunov((a - b @ gain).T, q + gain.T @ r @ gain) @ start)

    assert cost(k) == pytest.approx(start @ x @ start, rel=1e-9)
    random = np.random.default_rng(0)
    assert all(cost(k + 0.01 * random.normal(size=k.shape)) > cost(k) for _ in range(20))


def test_no_other_filter_errs_less() -> None:
    a, b = lc.sampled(*random_system(2)[:2], 0.02)
    c = random_system(2)[2]
    w, v = b @ b.T, 0.1 * np.eye(2)
    gain, p = lc.kalman(a, c, w, v)

    def error(l: lc.Floats) -> lc.Floats:  # noqa: E741
        """Covariance of x − x̂ with any gains, by a Lyapunov equation."""
        return np.asarray(linalg.solve_discrete_lyapunov(a - l @ c, w + l @ v @ l.T))

    np.testing.assert_allclose(error(gain), p, rtol=1e-9, atol=1e-9 * np.abs(p).max())
    random = np.random.default_rng(0)
    assert all(np.trace(error(gain + 0.01 * random.normal(size=gain.shape))) > np.trace(p) for _ in range(20))
