"""Three ways to turn a flexible arm by 60 degrees: in one go, shaped, and by feedback.

The arm of ``flexura.tasks.FlexibleArm`` is linearised once. From the linear system come the period of its first bending mode, for which a
zero-vibration shaper splits the command in two (Singer and Seering, 1990), and the gains of a linear-quadratic regulator, by SciPy. All three are
run in the nonlinear model through a simulator; what is printed is the vibration of the tip that is left.
"""

from __future__ import annotations

from typing import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_continuous_are

import flexura

Floats = NDArray[np.float64]
ANGLE = np.deg2rad(60.0)
MOVE = 0.4
"""Duration of the command (s)."""
END = 3.0
STEP = 0.005


def command(time: float) -> float:
    """Torque of a move from rest to rest of the rigid arm, as a share of its largest."""
    return float(np.sin(2 * np.pi * time / MOVE)) if 0.0 <= time < MOVE else 0.0


def run(model: flexura.Model, torque: Callable[[flexura.Simulator], float]) -> tuple[Floats, Floats]:
    """Angle of the motor and bending over time."""
    sim = model.simulator(["motor.effort"], ["motor.angle", "arm.eta.1"], step=STEP)
    rows = np.array([sim.step([torque(sim)]).copy() for _ in range(round(END / STEP))])
    # Values come in the order of the model, which sim.names tells.
    return rows[:, sim.names.index("motor.angle")], rows[:, sim.names.index("arm.eta.1")]


def left(values: Floats) -> float:
    """Largest deviation in the last third."""
    late = values[2 * len(values) // 3 :]
    return float(np.abs(late - late.mean()).max())


def main() -> dict[str, float]:
    model = flexura.load(flexura.tasks.FlexibleArm().model.file_name, set={"motor.damping": 0.0})
    linear = flexura.linearize(model, inputs=["motor.effort"], outputs=["motor.angle", "arm.eta.1"])
    eigenvalues = np.linalg.eigvals(linear.A)
    bending = min((value for value in eigenvalues if value.imag > 1.0), key=lambda value: value.imag)
    frequency, ratio = float(bending.imag), float(-bending.real / abs(bending))
    print(f"first mode of the free arm: {frequency / (2 * np.pi):.2f} Hz, damping ratio {ratio:.4f}")

    # Rigid move: torque J θ'' with θ'' = a sin(2πt/T), which turns by a T²/2π.
    motor = model.joint("motor").v
    inertia = float(model.mass_matrix(model.initial_state()[0])[motor, motor][0, 0])
    peak = inertia * ANGLE * 2 * np.pi / MOVE**2

    # Two impulses half a period apart, the second as small as the damping asks for.
    decay = np.exp(-ratio * np.pi / np.sqrt(1 - ratio**2))
    shares, delay = (1 / (1 + decay), decay / (1 + decay)), np.pi / frequency

    def plain(sim: flexura.Simulator) -> float:
        return float(peak * command(sim.time + STEP / 2))

    def shaped(sim: flexura.Simulator) -> float:
        time = sim.time + STEP / 2
        return float(peak * (shares[0] * command(time) + shares[1] * command(time - delay)))

    # Regulator: angle and rates cost, and bending; states of the linear system are q and v of this model.
    weights = np.diag([200.0 if name == "motor.angle" else 1.0 for name in linear.states])
    riccati = solve_continuous_are(linear.A, linear.B, weights, np.eye(1))
    gains = (linear.B.T @ riccati)[0]
    target = np.array([ANGLE if name == "motor.angle" else 0.0 for name in linear.states])

    def regulated(sim: flexura.Simulator) -> float:
        state = np.concatenate([sim.q, sim.v])
        return float(np.clip(gains @ (target - state), -8.0, 8.0))

    found = {}
    for name, law in (("in one go", plain), ("shaped", shaped), ("regulated", regulated)):
        angle, eta = run(model, law)
        found[name] = left(eta)
        print(f"{name:10}  angle {np.rad2deg(angle[-1]):6.2f} deg  bending left {found[name]:.2e}")
    return found


if __name__ == "__main__":
    main()
