"""Matrices of the equations of motion and forces of motions: against NumPy, the program and runs."""

from __future__ import annotations

import json
import subprocess

import numpy as np
import pytest

import flexura

from places import MODELS, binary, without

SIX = ["pendulum", "robot_arm", "flexible_arm", "satellite", "spinning_top", "double_four_bar_flexible"]


@pytest.mark.filterwarnings("ignore::flexura.ModelWarning")  # a plane loop in space
@pytest.mark.parametrize("name", SIX)
def test_matrices_agree_with_numpy_and_with_the_program(name: str) -> None:
    model = flexura.load(MODELS / f"{name}.toml")
    q, v = model.initial_state()
    found = model.matrices(q, v)
    mass, inverse = found["mass"], found["inverse"]
    assert found["speeds"] == model.speed_names
    np.testing.assert_array_equal(mass, model.mass_matrix(q))
    np.testing.assert_array_equal(inverse, model.inverse_mass_matrix(q))
    # Rounding times the condition of the mass matrix.
    np.testing.assert_allclose(mass @ inverse, np.eye(len(mass)), atol=1e-15 * np.linalg.cond(mass))
    sign, logarithm = np.linalg.slogdet(mass)
    assert sign == 1 and abs(logarithm - model.log_determinant(q)) < 1e-9 * max(1.0, abs(logarithm))
    assert found["jacobian"].shape == (len(found["constraints"]), len(mass))
    if not model.loops:
        zero = np.zeros(model.speed_count)
        needed = model.inverse_dynamics(q, v, zero)
        size = np.abs(found["bias"]).max() + np.abs(found["applied"]).max() + 1.0
        np.testing.assert_allclose(found["bias"] - found["applied"], needed, atol=1e-13 * size)
    program = binary()
    if program is None:
        without("the program is not built")
    path = str(MODELS / f"{name}.toml")
    told = json.loads(subprocess.run([program, "matrices", path, "--json"], check=True, capture_output=True).stdout)
    for word, key in (("M", "mass"), ("M_inverse", "inverse"), ("bias", "bias"), ("applied", "applied")):
        np.testing.assert_array_equal(np.array(told[word]), found[key])
    assert told["log_determinant"] == found["log_determinant"]


@pytest.mark.filterwarnings("ignore::flexura.ModelWarning")  # a plane loop in space
@pytest.mark.parametrize("name", ["satellite", "pendulum", "spinning_top"])
def test_derivatives_agree_with_differences(name: str) -> None:
    model = flexura.load(MODELS / f"{name}.toml")
    rng = np.random.default_rng(5)
    q, v = model.initial_state()
    q, v = model.retract(q, rng.normal(scale=1e-2, size=len(v))), v + rng.normal(size=len(v))
    found = model.derivatives(q, v)
    assert found["speeds"] == model.speed_names
    step = 1e-5
    units = step * np.eye(len(v))
    moved = [model.accelerations(model.retract(q, u), v) - model.accelerations(model.retract(q, -u), v) for u in units]
    faster = [model.accelerations(q, v + u) - model.accelerations(q, v - u) for u in units]
    for word, differences in (("positions", moved), ("speeds", faster)):
        expected = np.array(differences).T / (2 * step)
        size = np.abs(expected).max() + 1.0
        np.testing.assert_allclose(found[f"accelerations_over_{word}"], expected, atol=1e-6 * size)
    np.testing.assert_allclose(found["accelerations_over_forces"], model.matrices(q, v)["inverse"], rtol=1e-9, atol=1e-12)
    held = model.derivatives(q, v, a=model.accelerations(q, v))
    np.testing.assert_allclose(held["forces_over_positions"], found["forces_over_positions"], rtol=1e-9, atol=1e-9)
    assert "accelerations_over_speeds" not in held
    with pytest.raises(ValueError, match="closed loops"):
        loop = flexura.load(MODELS / "four_bar.toml")
        loop.derivatives(*loop.initial_state())


def test_efforts_of_a_run_come_back_from_its_motion() -> None:
    model = flexura.load(MODELS / "pendulum.toml")
    result = flexura.simulate(model, end=1.0)
    time = np.array(result["time"])
    full = {name: np.array(result[name]) for name in ("hinge.angle", "hinge.rate", "hinge.rate_acceleration")}
    assert np.abs(model.inverse_motion(time, full)["hinge.effort"]).max() < 1e-12  # it falls by itself
    # From the angle alone: rates by splines over 10 ms, of third order in accelerations.
    force = model.inverse_motion(time, {"hinge.angle": full["hinge.angle"]})["hinge.effort"]
    assert 1e-12 < np.abs(force).max() < 1e-4
    with pytest.raises(ValueError, match="did you mean `hinge.angle`"):
        model.inverse_motion(time, {"hinge.angel": time})


@pytest.mark.filterwarnings("ignore::flexura.ModelWarning")  # a plane loop in space
def test_drives_of_a_loop() -> None:
    model = flexura.load(MODELS / "squeezer.toml")
    q, v = model.initial_state()
    asked = np.zeros(model.speed_count)
    index = model.speed_names.index("beta.rate")
    asked[index] = 100.0
    forces = model.inverse_dynamics(q, v, asked, drives=["beta"])
    assert forces[index] != 0.0 and np.count_nonzero(forces) == 1
    # Linear in the acceleration, as M a + b is.
    twice = model.inverse_dynamics(q, v, 2 * asked, drives=["beta"])[index]
    none = model.inverse_dynamics(q, v, 0 * asked, drives=["beta"])[index]
    assert abs(twice - 2 * forces[index] + none) < 1e-9 * abs(twice)
    with pytest.raises(ValueError, match="closes a loop"):
        model.inverse_dynamics(q, v, asked)
    with pytest.raises(ValueError, match="leave 1 freedoms"):
        model.inverse_dynamics(q, v, asked, drives=["beta", "theta"])


@pytest.mark.filterwarnings("ignore::flexura.ModelWarning")  # a plane loop in space
def test_equations_of_the_graph_are_those_of_the_engine() -> None:
    """Numbers, their solution, formulas and runs of the linear graph."""
    model = flexura.load(MODELS / "four_bar.toml")
    q, v = model.initial_state()
    found = model.equations(q, v)
    assert found["accelerations"] == pytest.approx(model.accelerations(q, v), rel=1e-9, abs=1e-6)
    rest = found["mass"] @ found["accelerations"] - found["force"] - found["jacobian"].T @ found["multipliers"]
    assert np.abs(rest[~np.array(found["prescribed"])]).max() < 1e-6 * np.abs(found["force"]).max()
    assert np.abs(found["mass"] - model.mass_matrix(q)).max() < 1e-12
    text = model.formulas("c")
    assert "void equations(" in text and "int accelerations(" in text
    with pytest.raises(ValueError, match="choose"):
        model.formulas("cobol")
    short = {"end": 0.002, "channels": ["b.angle"]}
    graph = flexura.simulate(model, formulation="graph", **short)["b.angle"]
    assert graph == pytest.approx(flexura.simulate(model, **short)["b.angle"], abs=1e-8)
