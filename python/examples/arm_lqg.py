"""A flexible arm turned by 60 degrees and pushed at its tip: PD, shaped command, and a controller that is designed.

The arm is linearised once with five bending modes, and a controller is designed on its first ones: a linear-quadratic regulator on the
states of a Kalman filter, which sees the angle of the hub and the direction of the tip, both with noise. What runs is the nonlinear model
with all five modes, stepped by the sampled controller. Norms tell beforehand how robust that is: the peak of the sensitivity, and the
loop gain through the modes the design left out, which below one cannot make it unstable (small-gain theorem).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cdf2rdf

import flexura
from arm_bench import (
    DAMPING,
    LIMIT,
    NOISE,
    STEP,
    Figures,
    Law,
    Measured,
    Motion,
    arm,
    command,
    inertia,
    judged,
    linear_arm,
    pd,
    pd_pole,
    run,
    shaped,
)
from linear_control import System, as_continuous, h_infinity_norm, kalman, regulator, sampled

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Design:
    """Sampled model of some modes, the gains found on it, and what it leaves out."""

    plant: System
    k: Floats
    """Regulator: torque −K x."""
    l: Floats  # noqa: E741, the letter of every textbook
    """Kalman filter."""
    disturbance: Floats
    """Covariance of what moves the states, as the filter takes it."""
    rigid: Floats
    """States of a rigid motion, from its angle and rate."""
    dropped: System
    """The other modes."""

    def loop(self, arm: System) -> Floats:
        """Matrix of the closed loop of a sampled arm and this controller: states of the arm, then estimated ones."""
        a, b, c, _ = self.plant
        return np.block([[arm[0], -arm[1] @ self.k], [self.l @ arm[2], a - b @ self.k - self.l @ c]])

    def sensitivity(self) -> System:
        """Disturbance of the torque to torque, of the loop on the design model."""
        into = np.vstack([self.plant[1], np.zeros_like(self.plant[1])])
        return self.loop(self.plant), into, self._torque(), np.eye(1)

    def through_dropped(self) -> System:
        """Torque, through the modes left out and the loop, back to torque."""
        a, b, c, _ = self.dropped
        loop = self.loop(self.plant)
        heard = np.vstack([np.zeros((len(loop) // 2, len(a))), self.l @ c])
        both = np.block([[a, np.zeros((len(a), len(loop)))], [heard, loop]])
        into = np.vstack([b, np.zeros((len(loop), 1))])
        return both, into, np.hstack([np.zeros((1, len(a))), self._torque()]), np.zeros((1, 1))

    def _torque(self) -> Floats:
        return np.hstack([np.zeros_like(self.k), -self.k])


def sampled_arm(linear: flexura.LinearSystem) -> System:
    """Motor to both sensors, all modes."""
    a, b = sampled(linear.A, linear.B, STEP)
    return a, b[:, :1], linear.C, linear.D[:, :1]


def design(linear: flexura.LinearSystem, modes: int = 2, tip: float = 0.005, torque: float = 10.0) -> Design:
    """LQG on the first modes: deviations of the tip (rad) and torques (N m) that are worth the same."""
    values, vectors = np.linalg.eig(linear.A)
    order = np.argsort(np.abs(values), kind="stable")
    _, shapes = cdf2rdf(values[order], vectors[:, order])
    # The two of the rigid motion, at rest and slowly braked, are nearly parallel.
    shapes[:, :2] = np.linalg.qr(shapes[:, :2])[0]
    inverse, kept = np.linalg.inv(shapes), 2 + 2 * modes
    a, b = sampled(inverse @ linear.A @ shapes, inverse @ linear.B, STEP)
    c = linear.C @ shapes

    def part(modal: slice) -> System:
        return a[modal, modal], b[modal, :1], c[:, modal], linear.D[:, :1]

    low = slice(kept)
    plant = part(low)
    k, _ = regulator(plant[0], plant[1], np.outer(c[1, low], c[1, low]) / tip**2, np.eye(1) / torque**2)
    # A newton metre and a newton, from sample to sample, stand for friction, pushes and what the model lacks.
    disturbance = b[low] @ b[low].T
    l, _ = kalman(plant[0], plant[2], disturbance, np.diag(NOISE**2))  # noqa: E741
    rigid = inverse[low][:, [linear.states.index("motor.angle"), linear.states.index("motor.angle'")]]
    return Design(plant, k, l, disturbance, rigid, part(slice(kept, None)))


def lqg(found: Design, inertia: float) -> Law:
    """Torque of the rigid motion, and feedback of the estimated states; the filter is told the torque that was possible.

    The law remembers its estimate: make one for every run.
    """
    a, b, c, _ = found.plant
    state = np.zeros(len(a))

    def law(wanted: Motion, measured: Measured) -> float:
        nonlocal state
        ahead = inertia * wanted.acceleration + DAMPING * wanted.rate
        back = found.k @ (state - found.rigid @ np.array([wanted.angle, wanted.rate]))
        torque = float(np.clip(ahead - back[0], -LIMIT, LIMIT))
        surprise = np.array([measured.hub, measured.tip]) - c @ state
        state = a @ state + b[:, 0] * torque + found.l @ surprise
        return torque

    return law


def main() -> tuple[dict[str, Figures], dict[int, tuple[float, float, float]]]:
    model = arm()
    linear, moved = linear_arm(model), inertia(model)
    norms, laws = {}, {}
    print("design on      peak of sensitivity   gain through the rest   largest |z| of the whole loop")
    for modes in (1, 2):
        found = design(linear, modes)
        peak, _ = h_infinity_norm(as_continuous(found.sensitivity()))
        rest, _ = h_infinity_norm(as_continuous(found.through_dropped()))
        radius = float(np.abs(np.linalg.eigvals(found.loop(sampled_arm(linear)))).max())
        print(f"{modes} of 5 modes   {peak:19.2f}   {rest:21.2f}   {radius:29.4f}")
        norms[modes], laws[modes] = (peak, rest, radius), lqg(found, moved)

    law, gains = pd(moved)
    runs = {
        "PD": (law, command()),
        "PD, shaped": (law, shaped(command(), pd_pole(linear, gains))),
        "LQG, 2 modes": (laws[2], command()),
        "LQG, 1 mode": (laws[1], command()),
    }
    print("\nlaw            settles (s)   vibration (mrad)   recovers (s)   torque of noise (N m)")
    figures = {name: judged(run(model, law, wanted)) for name, (law, wanted) in runs.items()}
    for name, of in figures.items():
        print(f"{name:12}   {of.settling:11.3f}   {1e3 * of.vibration:16.3f}   {of.recovery:12.3f}   {of.torque:21.2f}")
    return figures, norms


if __name__ == "__main__":
    main()
