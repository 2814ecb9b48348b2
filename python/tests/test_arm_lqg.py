"""The designed controller of the flexible arm: its equations, its norms, and the nonlinear run beside the linear one."""

from __future__ import annotations

import re
import sys

import numpy as np
import pytest

from places import ROOT

linalg = pytest.importorskip("scipy.linalg")
sys.path.insert(0, str(ROOT / "python/examples"))

import arm_bench as bench  # noqa: E402
import arm_lqg as example  # noqa: E402
from linear_control import Floats, System, as_continuous, gains, h_infinity_norm  # noqa: E402

SILENT = np.zeros(2)


@pytest.fixture(scope="module")
def model() -> bench.flexura.Model:
    return bench.arm()


@pytest.fixture(scope="module")
def linear(model: bench.flexura.Model) -> bench.flexura.LinearSystem:
    return bench.linear_arm(model)


def response(system: System, z: complex) -> Floats:
    a, b, c, d = system
    return np.asarray(c @ np.linalg.solve(z * np.eye(len(a)) - a, b) + d)


@pytest.mark.parametrize("modes", [1, 2, 3])
def test_gains_satisfy_their_riccati_equations(linear: bench.flexura.LinearSystem, modes: int) -> None:
    found = example.design(linear, modes)
    a, b, c, _ = found.plant
    assert len(a) == 2 + 2 * modes and len(a) + len(found.dropped[0]) == len(linear.A)
    # X = AᵀX(A − BK) + Q, with X from the gains of the design by a Lyapunov equation of their own: only the best ones satisfy both.
    q, r = np.outer(c[1], c[1]) / 0.005**2, np.eye(1) / 10.0**2
    x = linalg.solve_discrete_lyapunov((a - b @ found.k).T, q + found.k.T @ r @ found.k)
    assert np.abs(a.T @ x @ (a - b @ found.k) + q - x).max() < 1e-9 * np.abs(x).max()
    # P = (A − LC)PAᵀ + W, with P from the gains of the design by a Lyapunov equation of their own.
    w, v = found.disturbance, np.diag(bench.NOISE**2)
    p = linalg.solve_discrete_lyapunov(a - found.l @ c, w + found.l @ v @ found.l.T)
    assert np.abs((a - found.l @ c) @ p @ a.T + w - p).max() < 1e-9 * np.abs(p).max()


@pytest.mark.parametrize("modes", [1, 2])
def test_regulator_and_filter_keep_their_poles_together(linear: bench.flexura.LinearSystem, modes: int) -> None:
    found = example.design(linear, modes)
    a, b, c, _ = found.plant
    apart = np.concatenate([np.linalg.eigvals(a - b @ found.k), np.linalg.eigvals(a - found.l @ c)])
    together = np.linalg.eigvals(found.loop(found.plant))
    assert np.abs(apart).max() < 1.0
    for pole in apart:
        assert np.abs(together - pole).min() < 1e-6


def test_kept_and_dropped_modes_are_the_whole_arm(linear: bench.flexura.LinearSystem) -> None:
    found, whole = example.design(linear, 2), example.sampled_arm(linear)
    for angle in np.geomspace(1e-3, 3.0, 50):
        z = np.exp(1j * angle)
        parts = response(found.plant, z) + response(found.dropped, z)
        np.testing.assert_allclose(parts, response(whole, z), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("modes", [1, 2])
def test_norms_of_the_loop_are_those_of_a_dense_sweep(linear: bench.flexura.LinearSystem, modes: int) -> None:
    """From the transfer functions of arm and controller, frequency by frequency; no closed loop is put together."""
    found = example.design(linear, modes)
    a, b, c, _ = found.plant
    controller = (a - b @ found.k - found.l @ c, found.l, found.k, np.zeros((1, 2)))
    peak = rest = 0.0
    # Fine enough for the sharpest mode left out: 0.5 % of damping over 280 Hz.
    for angle in np.geomspace(1e-3, np.pi, 8000):
        z = np.exp(1j * angle)
        law = response(controller, z)
        sensitivity = 1.0 / (1.0 + (law @ response(found.plant, z))[0, 0])
        peak = max(peak, abs(sensitivity))
        rest = max(rest, abs(sensitivity * (law @ response(found.dropped, z))[0, 0]))
    for system, swept, coarse in ((found.sensitivity(), peak, 1e-4), (found.through_dropped(), rest, 5e-3)):
        image = as_continuous(system)
        norm, at = h_infinity_norm(image)
        assert swept == pytest.approx(norm, rel=coarse)
        near = gains(image, at * np.linspace(0.99, 1.01, 1001)).max()
        assert near == pytest.approx(norm, rel=3e-9) or near < norm


def predicted(linear: bench.flexura.LinearSystem, found: example.Design, inertia: float, angle: float, end: float) -> Floats:
    """Hub, tip and torque of the linear arm with all modes, by the matrix of its loop."""
    whole = example.sampled_arm(linear)
    pushing = example.sampled(linear.A, linear.B, bench.STEP)[1][:, 1]
    matrix, wanted = found.loop(whole), bench.command(angle)
    into = np.concatenate([whole[1][:, 0], found.plant[1][:, 0]])
    state, rows = np.zeros(len(matrix)), []
    for k in range(round(end / bench.STEP)):
        time = k * bench.STEP
        to = wanted(time)
        ahead = inertia * to.acceleration + bench.DAMPING * to.rate + (found.k @ found.rigid @ [to.angle, to.rate])[0]
        arm = state[: len(pushing)]
        rows.append([*(linear.C @ arm), ahead - (found.k @ state[len(pushing) :])[0]])
        state = matrix @ state + into * ahead
        if bench.PUSH[0] - 1e-9 < time < bench.PUSH[0] + bench.PUSH[1] - 1e-9:
            state[: len(pushing)] += pushing * angle
    return np.array(rows)


def test_the_nonlinear_arm_follows_the_linear_prediction(
    model: bench.flexura.Model, linear: bench.flexura.LinearSystem
) -> None:
    found, inertia, end = example.design(linear, 2), bench.inertia(model), 2.0

    def deviation(degrees: float) -> Floats:
        """Largest of hub, tip and torque, relative to their largest values; the push is as many newtons as radians."""
        angle = float(np.deg2rad(degrees))
        law = example.lqg(found, inertia)
        rows = bench.run(model, law, bench.command(angle), noise=SILENT, push=angle, end=end)
        expected = predicted(linear, found, inertia, angle, end)
        return np.asarray(np.abs(rows[:, 1:] - expected).max(axis=0) / np.abs(expected).max(axis=0))

    # Of a small move only the steps of the method are left, in the torque those of the fifth mode; hub and tip are fifty times nearer.
    assert (deviation(2.0) < [1e-6, 1e-6, 1e-5]).all()
    # The mirrored move is the mirrored motion: nothing is of second order, and four times the angle deviates sixteen times.
    quarter, whole = deviation(15.0), deviation(60.0)
    assert (whole < [1e-3, 1e-3, 5e-3]).all()
    np.testing.assert_allclose(whole / quarter, 16.0, rtol=0.03)


def test_the_filter_knows_what_the_motor_cannot_do(
    linear: bench.flexura.LinearSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On its own model and without noise the estimate is the state, also where the command asks for more than the motor has."""
    monkeypatch.setattr(example, "LIMIT", 8.0)
    found = example.design(linear, 2)
    (a, b, c, _), law, state, limited = found.plant, example.lqg(found, 0.316), np.zeros(6), 0
    for k in range(1000):
        wanted = bench.command()(k * bench.STEP)
        known = 0.316 * wanted.acceleration + bench.DAMPING * wanted.rate
        known -= (found.k @ (state - found.rigid @ [wanted.angle, wanted.rate]))[0]
        torque = law(wanted, bench.Measured(*(c @ state), 0.0))
        assert torque == pytest.approx(float(np.clip(known, -8.0, 8.0)), abs=1e-8)
        limited += abs(known) > 8.0
        state = a @ state + b[:, 0] * torque
    assert limited > 100


def test_noise_moves_the_arm_as_much_as_the_lyapunov_equation_says(
    model: bench.flexura.Model, linear: bench.flexura.LinearSystem
) -> None:
    found = example.design(linear, 2)
    matrix = found.loop(example.sampled_arm(linear))
    into = np.vstack([np.zeros((len(linear.A), 2)), found.l])
    covariance = linalg.solve_discrete_lyapunov(matrix, into @ np.diag(bench.NOISE**2) @ into.T)
    out = linalg.block_diag(linear.C[1:], -found.k)
    expected = np.sqrt(np.diag(out @ covariance @ out.T))
    rows = bench.run(model, example.lqg(found, bench.inertia(model)), bench.command(0.0), push=0.0, end=6.0)
    ratio = rows[500:, 2:].std(axis=0) / expected
    # 5500 values that are correlated as the loop says count as 199 and 873 independent ones: three standard deviations.
    assert (np.abs(ratio - 1.0) < [0.15, 0.072]).all()


def test_the_page_says_what_the_example_finds(capsys: pytest.CaptureFixture[str]) -> None:
    figures, norms = example.main()
    plain, shaped, two, one = figures.values()
    assert shaped.vibration < 0.05 * plain.vibration and shaped.settling < 0.3 * plain.settling
    assert two.settling < 0.1 * plain.settling and two.recovery < 0.3 * shaped.recovery
    assert norms[2][1] < 1.0 and norms[2][2] < 1.0  # small gain, so stable
    assert norms[1][1] > 1.0 and norms[1][2] > 1.0 and one.recovery == float("inf")

    number = re.compile(r"-?(?:\d+\.\d+|inf)")
    page = (ROOT / "book/src/control.md").read_text().split("<!-- arm_lqg.py -->")[1].split("<!-- end -->")[0]
    said = [float(word) for word in number.findall(page)]
    printed = [float(word) for word in number.findall(capsys.readouterr().out)]
    # The last run is unstable: only what it is said to be is compared, not the course of its vibration.
    assert len(said) == len(printed)
    np.testing.assert_allclose(said[:-4], printed[:-4], rtol=0.02, atol=0.011)
