"""Gradients of models with finite element parts, and over many parameters at once, against differences of whole runs.

Runs at shifted values are those of ``flexura.simulate``, which knows nothing of gradients; the rows and the objective are taken from
its results.
"""

from __future__ import annotations

import sys
from typing import Callable

import numpy as np
import pytest

import flexura
from places import MODELS, ROOT

TIP = "crane.tip.position.y"
Value = Callable[[flexura.Model, tuple[np.ndarray, np.ndarray]], float]


def slope(value: Callable[[float], float], by: float) -> float:
    """Central difference."""
    return (value(by) - value(-by)) / (2 * by)


def mean_square(rows: np.ndarray) -> float:
    """Over time, by the trapezoidal rule."""
    squares = np.square(rows)
    return float((squares.sum() - 0.5 * (squares[0] + squares[-1])) / (len(rows) - 1))


def agree(
    found: flexura.Gradient,
    load: Callable[[dict[str, float]], flexura.Model],
    value: Value,
    steps: dict[str, float],
    moves: tuple[float, float],
) -> None:
    """Derivatives over the parameters, and over the initial state along directions of its coordinates and speeds, within 1e-5 of differences."""
    model = load({})
    q, v = model.initial_state()
    numbers = model.parameters

    def close(derivative: float, expected: float) -> None:
        assert expected != 0.0 and abs(derivative - expected) <= 1e-5 * abs(expected), (derivative, expected)

    for name, by in steps.items():
        close(found[name], slope(lambda shift: value(load({name: numbers[name] + shift}), (q, v)), by))  # noqa: B023
    # A joint that is held does not move.
    random, free = np.random.default_rng(11), ~np.asarray(model.prescribed)
    for _ in range(2):
        one = np.where(free, random.standard_normal(len(v)), 0.0)
        close(found.position @ one, slope(lambda shift: value(model, (model.retract(q, shift * one), v)), moves[0]))  # noqa: B023
        close(found.v @ one, slope(lambda shift: value(model, (q, v + shift * one)), moves[1]))  # noqa: B023


def test_implicit_steps_of_a_rod_of_solid_elements() -> None:
    """A connecting rod, a thousand tetrahedra reduced, is shaken and carries a piston: generalised-α."""

    def load(numbers: dict[str, float]) -> flexura.Model:
        with pytest.warns(flexura.ModelWarning, match="serve as sets only"):
            return flexura.load(MODELS / "rod_shaken.toml", set=numbers)

    def value(model: flexura.Model, state: tuple[np.ndarray, np.ndarray]) -> float:
        run = flexura.simulate(model, end=0.003, initial_state=state, channels=["energy.elastic", "piston.position.x"], progress=False)
        return float(run["energy.elastic"][-1] + 50.0 * run["piston.position.x"][-1])

    model = load({})
    found = flexura.grad(
        model,
        ["end:energy.elastic", "50*end:piston.position.x"],
        ["body.piston.mass", "model.gravity.3", "joint.shaker.motion.cycloidal.to"],
        end=0.003,
    )
    steps = {"body.piston.mass": 1e-3, "model.gravity.3": 1e-1, "joint.shaker.motion.cycloidal.to": 1e-5}
    agree(found, load, value, steps, (1e-8, 1e-5))


def test_explicit_steps_of_a_frame_of_beam_elements() -> None:
    """A jib crane of beam elements begins to travel: Runge-Kutta, the mean square of the way of its tip."""
    fixed = {"method": "rk4", "step": 5e-4}

    def load(numbers: dict[str, float]) -> flexura.Model:
        return flexura.load(MODELS / "crane_travel.toml", set=numbers, simulation=fixed)

    def value(model: flexura.Model, state: tuple[np.ndarray, np.ndarray]) -> float:
        run = flexura.simulate(model, end=0.6, initial_state=state, channels=[TIP], progress=False)
        return mean_square(run[TIP])

    parameters = ["model.gravity.3", "joint.rail.motion.cycloidal.to"]
    found = flexura.grad(load({}), f"mean-square:{TIP}", parameters, end=0.6)
    agree(found, load, value, dict(zip(parameters, [1e-1, 1e-3])), (1e-6, 1e-5))


def test_numbers_of_a_part_file_are_refused_by_name() -> None:
    """What the part file says is reduced before the run: its numbers are no numbers of the model, and a gradient over them says so."""
    model = flexura.load(MODELS / "crane_travel.toml")
    assert not [name for name in model.parameters if "crane" in name or "steel" in name]
    for name in ["crane.young", "crane.steel.young", "steel.density"]:
        with pytest.raises(ValueError, match=rf"`{name}`: no item .* with numbers"):
            flexura.grad(model, "end:crane.tip.position.z", [name], end=0.01)


def test_a_hundred_parameters_cost_a_few_runs() -> None:
    """Ten numbers of every link of a chain, in one gradient; ``scripts/gradient_cost.py --only many`` does it with a thousand."""
    sys.path.insert(0, str(ROOT / "scripts"))
    import gradient_cost

    text, names = gradient_cost.chain(10)
    model = flexura.loads(text)
    found = flexura.grad(model, "mean-square:energy.kinetic", names)
    assert len(found.parameters) == len(names) == 100 and not found.followed_by_models
    numbers = {name: model.parameters[f"{'joint' if name.startswith('hold') else 'body'}.{name}"] for name in names}
    print(f"100 parameters: {found.cost}")
    # A hundred models per parameter at most, and none of them goes through the run.
    alone = flexura.grad(model, "mean-square:energy.kinetic", names[:1])
    assert found.cost["steps"] == alone.cost["steps"] == 100 and found.cost["models"] <= 100 * len(names)

    def value(name: str, shift: float) -> float:
        return mean_square(flexura.simulate(flexura.loads(text, set={name: numbers[name] + shift}), progress=False)["energy.kinetic"])

    size = max(abs(found[name] * numbers[name]) for name in names)
    for name in [*names[::7], *names[-10:]]:
        expected = slope(lambda shift: value(name, shift), 1e-4 * numbers[name])  # noqa: B023
        assert abs(found[name] - expected) * abs(numbers[name]) <= 1e-6 * size, (name, found[name], expected)
