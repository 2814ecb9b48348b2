"""A test bench for laws of a flexible arm: the arm, commands, a PD law, sensors with noise, runs and what they are judged by.

A motor turns a metre of aluminium by 60 degrees; later the tip is pushed. A law is asked every millisecond, its torque is held in between, and the
nonlinear model is stepped by a simulator. ``arm_lqg.py`` designs a controller for it. SI units.
"""

from __future__ import annotations

from typing import Callable, NamedTuple

import numpy as np
from numpy.typing import NDArray

import flexura

Floats = NDArray[np.float64]
STEP = 0.001
"""Time between samples (s)."""
ANGLE = np.deg2rad(60.0)
MOVE = 0.4
"""Duration of the command (s)."""
PUSH = (1.5, 0.02, 5.0)
"""Push at the tip: start (s), duration (s), force (N)."""
END = 3.0
LIMIT = 20.0
"""Largest torque of the motor (N m)."""
DAMPING = 0.05
"""Damping of the motor (N m s)."""
NOISE = np.array([1e-4, 5e-4])
"""Standard deviation of the measured angle of the hub and direction of the tip (rad)."""
CHANNELS = ["motor.angle", "motor.rate", "arm.tip.position.x", "arm.tip.position.y"]


class Motion(NamedTuple):
    """A wanted motion of the rigid arm at an instant."""

    angle: float
    rate: float
    acceleration: float


class Measured(NamedTuple):
    """What a law is told at a sample; hub and tip with noise."""

    hub: float
    tip: float
    rate: float
    """Of the hub, exact: only the PD law has it."""


Command = Callable[[float], Motion]
Law = Callable[[Motion, Measured], float]


def arm(modes: int = 5) -> flexura.Model:
    """A metre of aluminium, 6 mm thick, on a motor."""
    return (
        flexura.ModelBuilder("flexible arm", gravity=[0, 0, 0])
        .rigid("hub", mass=1.0, inertia=[0.1, 0.1, 0.1])
        .beam(
            "arm",
            length=1.0,
            density=2700,
            young=70e9,
            poisson=0.33,
            section={"rectangle": [0.006, 0.04]},
            boundary="clamped-free",
            bending_y=modes,
            damping={"ratios": [0.005] * modes},
            frames={"tip": {"station": "tip"}},
        )
        .revolute("motor", "ground.origin", "hub.origin", axis=[0, 0, 1], damping=DAMPING)
        .weld("clamp", "hub.origin", "arm.origin")
        .force("push", "arm.tip", force=[0, 1, 0], axes="frame", scale=0.0)
        .simulation(end=END, method="rk4", step=STEP / 4)
        .build()
    )


def linear_arm(model: flexura.Model) -> flexura.LinearSystem:
    """Torque and push to angle of the hub and direction of the tip; at one metre, that is its displacement."""
    return flexura.linearize(model, ["motor.effort", "push"], ["motor.angle", "arm.tip.position.y"])


def inertia(model: flexura.Model) -> float:
    """Of the rigid arm about the motor (kg m²)."""
    motor = model.joint("motor").v
    return float(model.mass_matrix(model.initial_state()[0])[motor, motor][0, 0])


def command(angle: float = ANGLE) -> Command:
    """From rest to rest with an acceleration of one period of a sine."""

    def at(time: float) -> Motion:
        phase = 2.0 * np.pi * float(np.clip(time / MOVE, 0.0, 1.0))
        turned, rate = angle * (phase - np.sin(phase)) / (2.0 * np.pi), angle / MOVE * (1.0 - np.cos(phase))
        return Motion(turned, rate, 2.0 * np.pi * angle / MOVE**2 * np.sin(phase))

    return at


def shaped(given: Command, pole: complex) -> Command:
    """The command in two parts half a period apart, which leave no vibration of that pole (Singer and Seering, 1990)."""
    decay, delay = float(np.exp(pole.real * np.pi / pole.imag)), np.pi / pole.imag

    def at(time: float) -> Motion:
        pairs = zip(given(time), given(time - delay))
        return Motion(*((now + decay * later) / (1.0 + decay) for now, later in pairs))

    return at


def pd(inertia: float, stiffness: float = 300.0) -> tuple[Law, Floats]:
    """Critically damped for the rigid arm; the law, and its gains on angle and rate of the hub."""
    gains = np.array([stiffness, 2.0 * np.sqrt(stiffness * inertia)])

    def law(wanted: Motion, measured: Measured) -> float:
        ahead = inertia * wanted.acceleration + DAMPING * wanted.rate
        back = gains @ np.array([wanted.angle - measured.hub, wanted.rate - measured.rate])
        return float(np.clip(ahead + back, -LIMIT, LIMIT))

    return law, gains


def pd_pole(linear: flexura.LinearSystem, gains: Floats) -> complex:
    """The bending pole of the arm under the PD law: what its command is shaped for."""
    hub = [linear.states.index("motor.angle"), linear.states.index("motor.angle'")]
    closed = linear.A.copy()
    closed[:, hub] -= np.outer(linear.B[:, 0], gains)
    return complex(min((value for value in np.linalg.eigvals(closed) if value.imag > 1.0), key=abs))


def run(
    model: flexura.Model, law: Law, wanted: Command, *, noise: Floats = NOISE, push: float = PUSH[2], end: float = END
) -> Floats:
    """Rows of time, angle of the hub, direction of the tip, and torque, by the nonlinear model."""
    sim = model.simulator(["motor.effort", "push.scale"], CHANNELS, step=STEP)
    random, rows = np.random.default_rng(1), []
    for _ in range(round(end / STEP)):
        hub, tip = sim["motor.angle"], float(np.arctan2(sim["arm.tip.position.y"], sim["arm.tip.position.x"]))
        heard = np.array([hub, tip]) + noise * random.standard_normal(2)
        torque = law(wanted(sim.time), Measured(heard[0], heard[1], sim["motor.rate"]))
        rows.append((sim.time, hub, tip, torque))
        pushed = PUSH[0] - STEP / 2 < sim.time < PUSH[0] + PUSH[1] - STEP / 2
        sim.step({"motor.effort": torque, "push.scale": push if pushed else 0.0})
    return np.array(rows)


class Figures(NamedTuple):
    """What a run is judged by."""

    settling: float
    """Time from the end of the unshaped command until the tip stays within 2 mrad up to the push (s)."""
    vibration: float
    """Root mean square of the tip about its place between 1 s and the push (rad)."""
    recovery: float
    """Time from the push until the tip stays within 2 mrad (s); infinite where it does not."""
    torque: float
    """Root mean square of the torque in the last half second: noise alone (N m)."""


def judged(rows: Floats) -> Figures:
    time, tip = rows[:, 0], rows[:, 2] - ANGLE
    before = time < PUSH[0]
    rest = tip[before & (time > 1.0)]
    return Figures(
        _settled(time[before], tip[before], MOVE),
        float(np.sqrt(np.mean(rest**2))),
        _settled(time[~before], tip[~before], PUSH[0]),
        float(np.std(rows[time > END - 0.5, 3])),
    )


def _settled(time: Floats, tip: Floats, start: float, within: float = 2e-3) -> float:
    outside = time[np.abs(tip) > within]
    last = float(outside.max(initial=start))
    return last - start if last < time[-1] - 0.05 else float("inf")
