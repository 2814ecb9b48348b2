"""One evaluation: algorithms against each other, linear systems against differences, and SciPy."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

import flexura

from places import MODELS

OPEN = ["pendulum", "flexible_arm", "controlled_arm", "robot_arm", "satellite", "spinning_top"]


def random_state(model: flexura.Model, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A state near the initial one; quaternions stay as they are."""
    random = np.random.default_rng(seed)
    q, v = model.initial_state()
    if model.coordinate_count == model.speed_count:
        # Small enough for the modes to stay within their linear range.
        q = q + 0.001 * random.standard_normal(q.size)
    return q, v + 0.1 * random.standard_normal(v.size)


@pytest.mark.parametrize("name", OPEN)
def test_three_algorithms_and_the_inverse_agree(name: str) -> None:
    model = flexura.load(MODELS / f"{name}.toml")
    for seed in range(5):
        q, v = random_state(model, seed)
        assert np.linalg.eigvalsh(model.mass_matrix(q)).min() > 0
        a = model.accelerations(q, v, 0.3)
        scale = np.abs(a).max() + 1.0
        for algorithm in ("composite", "conjugate-gradient", "divide-and-conquer"):
            np.testing.assert_allclose(model.accelerations(q, v, 0.3, algorithm), a, rtol=0, atol=1e-9 * scale)
        forces = model.inverse_dynamics(q, v, a, 0.3)
        free = ~np.array(model.prescribed)
        size = np.abs(model.mass_matrix(q)).max() * scale
        # Free speeds need nothing beyond the model's loads.
        assert np.abs(forces[free]).max(initial=0.0) < 1e-10 * size


@pytest.mark.parametrize("name", ["pendulum", "robot_arm", "satellite"])
def test_mass_matrix_is_the_change_of_force_per_acceleration(name: str) -> None:
    model = flexura.load(MODELS / f"{name}.toml")
    q, v = model.initial_state()
    mass = model.mass_matrix(q)
    np.testing.assert_allclose(mass, mass.T, atol=1e-12 * np.abs(mass).max())
    zero = np.zeros(model.speed_count)
    base = model.inverse_dynamics(q, zero, zero)
    columns = [model.inverse_dynamics(q, zero, row) - base for row in np.eye(model.speed_count)]
    np.testing.assert_allclose(np.transpose(columns), mass, atol=1e-9 * np.abs(mass).max())


@pytest.mark.filterwarnings("ignore::flexura.ModelWarning")  # a plane loop in space
@pytest.mark.parametrize("name", [*OPEN, "double_four_bar_flexible"])
def test_jacobians_of_frames_give_velocities_and_differences_of_places(name: str) -> None:
    model = flexura.load(MODELS / f"{name}.toml")
    q, v = random_state(model, 2)
    free = ~np.array(model.prescribed)
    v[~free] = 0.0
    for frame in model.frames:
        jacobian = model.jacobian(frame, q)
        motion = model.frame_motion(frame, q, np.where(free, v, 0.0))
        given = model.frame_motion(frame, q, np.zeros_like(v))  # speeds of drives
        found = np.concatenate([motion["angular_velocity"], motion["velocity"]])
        driven = np.concatenate([given["angular_velocity"], given["velocity"]])
        np.testing.assert_allclose(jacobian[:, free] @ v[free], found - driven, atol=1e-12 * (1 + np.abs(found).max()))
        step = 1e-6
        ahead = model.frame_motion(frame, model.retract(q, step * v), v)["position"]
        behind = model.frame_motion(frame, model.retract(q, -step * v), v)["position"]
        np.testing.assert_allclose((ahead - behind) / (2 * step), (jacobian @ v)[3:], atol=1e-6)
    with pytest.raises(KeyError, match="no frame"):
        model.jacobian("nowhere.tip", q)


def test_linear_system_against_differences() -> None:
    model = flexura.load(MODELS / "robot_arm.toml")
    q, v = random_state(model, 3)
    system = flexura.linearize(model, outputs=["energy.total"], state=(q, v))
    n = model.free_speed_count
    assert system.A.shape == (2 * n, 2 * n) and len(system.states) == 2 * n
    step = 1e-6
    free = np.flatnonzero(~np.array(model.prescribed))
    for i in range(n):
        for half, shift in ((0, (step, 0.0)), (n, (0.0, step))):
            e = np.eye(model.speed_count)[free[i]]
            more = model.accelerations(q + shift[0] * e, v + shift[1] * e)
            less = model.accelerations(q - shift[0] * e, v - shift[1] * e)
            column = (more - less)[free] / (2 * step)
            np.testing.assert_allclose(
                system.A[n:, half + i], column, atol=1e-6 * (np.abs(system.A).max() + 1.0)
            )


def test_modes_are_the_eigenvalues_numpy_finds() -> None:
    model = flexura.load(MODELS / "satellite.toml")
    found = flexura.modes(model)
    system = flexura.linearize(model)
    theirs = np.linalg.eigvals(system.A)
    theirs = np.sort(np.abs(theirs.imag[theirs.imag > 1e-3]))
    ours = np.sort(found.eigenvalues.imag[found.eigenvalues.imag > 1e-3])
    np.testing.assert_allclose(ours, theirs, rtol=1e-7)
    assert found.shapes.shape == (len(found.eigenvalues), len(found.coordinates))


def test_frequency_response_from_the_matrices() -> None:
    model = flexura.load(MODELS / "controlled_arm.toml")
    inputs, outputs = ["motor.effort"], ["motor.angle", "arm.tip.position.y"]
    system = flexura.linearize(model, inputs, outputs)
    frequencies = [0.7, 5.0, 40.0]
    ours = flexura.frequency_response(model, frequencies, inputs, outputs)
    for f, response in zip(frequencies, ours):
        s = 2j * np.pi * f
        theirs = system.C @ np.linalg.solve(s * np.eye(len(system.A)) - system.A, system.B) + system.D
        np.testing.assert_allclose(response, theirs, rtol=1e-8)


def test_accelerations_integrate_with_scipy_to_the_same_motion() -> None:
    from scipy.integrate import solve_ivp

    model = flexura.load(MODELS / "pendulum.toml")
    q, v = model.initial_state()

    def rate(t: float, y: np.ndarray) -> np.ndarray:
        return np.concatenate([y[1:], model.accelerations(y[:1], y[1:], t)])

    theirs = solve_ivp(rate, (0, 2), np.concatenate([q, v]), method="DOP853", rtol=1e-11, atol=1e-12)
    ours = flexura.simulate(model, end=2.0)
    assert ours["hinge.angle"][-1] == pytest.approx(theirs.y[0, -1], abs=1e-7)


def test_sensitivity_against_differences() -> None:
    path = MODELS / "pendulum.toml"
    model = flexura.load(path)
    found = flexura.sensitivity(model, ["rod.mass", "hinge.position"], ["hinge.angle"], end=1.0)
    assert found.derivatives.shape == (101, 1, 2)
    assert "in place of" not in found.method
    step = 1e-5
    for p, name in enumerate(found.parameters):
        value = {"rod.mass": 1.0, "hinge.position": 0.0}[name]
        runs = flexura.rollout(
            model, {name: [value - step, value + step]}, end=1.0, relative_tolerance=1e-11, absolute_tolerance=1e-13
        )
        theirs = (runs[1]["hinge.angle"] - runs[0]["hinge.angle"]) / (2 * step)
        np.testing.assert_allclose(found.derivatives[:, 0, p], theirs, atol=2e-5 * np.abs(theirs).max())


def test_closed_loops_are_known_or_refused() -> None:
    with pytest.warns(flexura.ModelWarning, match="constraints"):
        model = flexura.load(MODELS / "squeezer.toml")
    assert len(model.loops) == 3
    assert model.mobility()["freedoms"] == 1
    q, v = model.initial_state()
    a = model.accelerations(q, v)
    assert np.isfinite(a).all() and np.abs(a).max() > 0
    divided = model.accelerations(q, v, algorithm="divide-and-conquer")
    np.testing.assert_allclose(divided, a, rtol=0, atol=1e-9 * np.abs(a).max())
    for call in (
        lambda: model.accelerations(q, v, algorithm="composite"),
        lambda: model.inverse_dynamics(q, v, v),
    ):
        with pytest.raises(ValueError, match="closed loops"):
            call()


def test_many_threads_may_evaluate_one_model() -> None:
    """Threads that let the interpreter go do not meet in one state."""
    builder = flexura.ModelBuilder("chain")
    for index in range(250):
        base = f"link{index - 1}.end" if index else "ground.origin"
        builder.rigid(f"link{index}", 1.0, [0.01] * 3, frames={"end": [0.1, 0, 0]})
        builder.revolute(f"joint{index}", base, f"link{index}.origin", axis=[0, 1, 0])
    model = builder.build()
    states = [0.01 * np.random.default_rng(seed).standard_normal((2, 250)) for seed in range(4)]
    alone = [model.accelerations(*state) for state in states]
    wrong: list[int] = []

    def work(index: int) -> None:
        for _ in range(200):
            if (model.accelerations(*states[index]) != alone[index]).any():
                wrong.append(index)

    threads = [threading.Thread(target=work, args=(index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_out_is_filled_in_place(pendulum: flexura.Model) -> None:
    q, v = pendulum.initial_state()
    out = np.empty(1)
    assert pendulum.accelerations(q, v, out=out) is out
    assert out[0] == pendulum.accelerations(q, v)[0]


def test_cost_of_a_call_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """Timing never decides a test: the figures are shown, and must be finite."""
    lines = []
    for name in ("pendulum", "flexible_arm"):
        model = flexura.load(MODELS / f"{name}.toml")
        q, v = model.initial_state()
        out = np.empty(model.speed_count)
        count, best, engine = 300, np.inf, np.inf
        for _ in range(100):
            started = time.perf_counter()
            for _ in range(count):
                model.accelerations(q, v, 0.0, out=out)
            best = min(best, (time.perf_counter() - started) / count)
            engine = min(engine, model._engine_seconds(count) / count)
        lines.append(f"{name}: {best * 1e6:.2f} us a call, engine {engine * 1e6:.2f} us, overhead {(best - engine) * 1e6:.2f} us")
        assert np.isfinite(best) and best > 0
    with capsys.disabled():
        print("\n" + "\n".join(lines))
