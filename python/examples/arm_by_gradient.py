"""The torque that turns a flexible arm by 60 degrees in 0.6 s and leaves it at rest, found by gradient.

A rigid arm of the same inertia would be turned by one push and one brake of equal length; the flexible arm of ``flexura.tasks.FlexibleArm`` goes on
ringing after that. Here every value of the torque, held for 20 ms each and bounded, is an unknown. What is to be small is the angle left to go,
its rate and the bending after the move, through a run of the nonlinear model. SciPy's L-BFGS-B asks for value and gradient;
one way back gives the derivative by all 30 values, which differences would take 60 runs for.
"""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

import flexura

Floats = NDArray[np.float64]
ANGLE = np.deg2rad(60.0)
HOLD, MOVES, AFTER = 0.02, 30, 15
"""Length of an interval (s), intervals of the move, intervals after it."""
LIMIT = 10.0
"""Largest torque (N m)."""
CHANNELS = ["motor.angle", "motor.rate", "arm.tip.position.y", "arm.eta.1"]


def loss(rows: Floats) -> tuple[float, Floats]:
    """Mean square of what is left after the move, and its derivative over the rows."""
    left = np.zeros_like(rows)
    goal = np.array([ANGLE, 0.0, 0.0, 0.0])
    # Angles of 0.01 rad count like rates of 0.1 rad/s and like a bending of 1 mm; the position of the tip is looked at only.
    scale = np.array([0.01, 0.1, np.inf, 0.001])
    left[MOVES:] = (rows[MOVES:] - goal) / scale
    count = left[MOVES:].shape[0]
    return float((left**2).sum() / count), 2.0 * left / scale / count


def main() -> dict[str, float]:
    model = flexura.tasks.FlexibleArm().model
    times = HOLD * np.arange(MOVES + AFTER + 1)
    run = flexura.DifferentiableRun(model, CHANNELS, inputs=["motor.effort"], times=times)

    def torque_of(unknowns: Floats) -> Floats:
        return np.concatenate([unknowns, np.zeros(AFTER)])[:, None]

    def value_and_gradient(unknowns: Floats) -> tuple[float, Floats]:
        torque = torque_of(unknowns)
        value, weights = loss(run.rows(inputs=torque))
        return value, run.pull_back(weights, inputs=torque).inputs[:MOVES, 0]

    # One push and one brake: what turns a rigid arm, whose inertia is that of the first move.
    motor = model.joint("motor").v
    inertia = float(model.mass_matrix(model.initial_state()[0])[motor, motor][0, 0])
    push = 4.0 * inertia * ANGLE / (HOLD * MOVES) ** 2
    start = np.repeat([push, -push], MOVES // 2)
    before = run.rows(inputs=torque_of(start))[MOVES:]
    began = time.perf_counter()
    found = minimize(
        value_and_gradient, start, jac=True, method="L-BFGS-B", bounds=[(-LIMIT, LIMIT)] * MOVES, options={"maxiter": 200}
    )
    seconds = time.perf_counter() - began
    after = run.rows(inputs=torque_of(found.x))[MOVES:]
    print(f"{found.nfev} runs with gradients in {seconds:.1f} s, {seconds / found.nfev:.3f} s each")

    def told(rows: Floats) -> str:
        angle, bending = np.abs(rows[:, 0] - ANGLE).max(), np.abs(rows[:, 3]).max()
        return f"angle off by {1e3 * angle:.3f} mrad, bending {1e3 * bending:.3f} mm at most"

    print(f"push and brake of {push:.2f} N m: {told(before)}")
    print(f"by gradient, up to {np.abs(found.x).max():.2f} N m: {told(after)}")
    return {
        "bending before": float(np.abs(before[:, 3]).max()),
        "bending": float(np.abs(after[:, 3]).max()),
        "angle": float(np.abs(after[:, 0] - ANGLE).max()),
        "torque": float(np.abs(found.x).max()),
    }


if __name__ == "__main__":
    main()
