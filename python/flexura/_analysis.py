"""Equilibrium, linear systems, modes, sensitivities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _flexura
from ._flexura import Model
from ._run import State

Floats = NDArray[np.float64]
Complexes = NDArray[np.complex128]


@dataclass(frozen=True)
class Equilibrium:
    """A state at rest; ``simulate(model, initial_state=(found.q, found.v))`` starts there."""

    q: Floats
    """Coordinates (m, rad, modal units)."""
    v: Floats
    """Speeds: zero but for prescribed ones."""
    t: float
    """Time (s)."""
    residual: float
    """Largest residual force relative to the largest force."""
    iterations: int
    """Newton iterations."""
    unheld: list[str]
    """Coordinates that no stiffness holds."""
    unstable: list[str]
    """Coordinates along which the stiffness is negative: the system leaves this equilibrium at a small push."""


def static(
    model: Model,
    *,
    state: State | None = None,
    t: float | None = None,
    tolerance: float = 1e-12,
    load_steps: int = 10,
    relax: bool = False,
) -> Equilibrium:
    """Static equilibrium near a state, by default the initial one.

    >>> import flexura, math
    >>> model = flexura.load("models/pendulum.toml", set={"hinge.position": 1.2})
    >>> found = flexura.static(model)
    >>> round(float(found.q[0]) - math.pi / 2, 9)
    0.0
    """
    found = _flexura.static_equilibrium(
        model, state=state, t=t, tolerance=tolerance, load_steps=load_steps, relax=relax
    )
    return Equilibrium(**found)


@dataclass(frozen=True)
class LinearSystem:
    """x' = A x + B u, y = C x + D u about a state; exact to rounding."""

    A: Floats
    B: Floats
    C: Floats
    D: Floats
    states: list[str]
    """Names of x: coordinates, their rates (with a prime), controller states."""
    inputs: list[str]
    """Names of u."""
    outputs: list[str]
    """Names of y."""

    def modelica(self, name: str = "linear", about: str = "a state") -> str:
        """The text of a Modelica record with A, B, C, D and all names, as ``flexura modes --modelica`` writes it."""
        names = (list(self.states), list(self.inputs), list(self.outputs))
        rows = [np.asarray(matrix, dtype=float).ravel().tolist() for matrix in (self.A, self.B, self.C, self.D)]
        return _flexura.modelica_record(name, about, names, (rows[0], rows[1], rows[2], rows[3]))


def linearize(
    model: Model,
    inputs: Sequence[str] = (),
    outputs: Sequence[str] = (),
    *,
    state: State | None = None,
    t: float | None = None,
) -> LinearSystem:
    """Linear system about a state, by default the initial one.

    ``inputs`` are ``JOINT.effort`` or names of forces, loads and actuators; ``outputs`` are channel patterns.
    """
    return LinearSystem(**_flexura.linearize(model, inputs=list(inputs), outputs=list(outputs), state=state, t=t))


def frequency_response(
    model: Model,
    frequencies: ArrayLike,
    inputs: Sequence[str],
    outputs: Sequence[str],
    *,
    state: State | None = None,
    t: float | None = None,
) -> Complexes:
    """G(iω) = C (iω − A)⁻¹ B + D at frequencies (Hz): an array (frequency, output, input); NaN at a pole."""
    values = np.atleast_1d(np.asarray(frequencies, dtype=float))
    found = _flexura.linearize(
        model, inputs=list(inputs), outputs=list(outputs), state=state, t=t, frequencies=values.tolist()
    )
    shape = (len(found["outputs"]), len(inputs))
    out: Complexes = np.full((values.size, *shape), np.nan + 0j)
    for index, entries in enumerate(found["response"]):
        if entries is not None:
            out[index] = np.array([complex(*entry) for entry in entries], dtype=complex).reshape(shape)
    return out


@dataclass(frozen=True)
class Modes:
    """Modes of a linearised system with non-negative imaginary part, slowest first."""

    eigenvalues: Complexes
    """Eigenvalues (1/s)."""
    shapes: Complexes
    """One row per mode over the coordinates, largest entry one."""
    coordinates: list[str]
    """Names of the coordinates."""

    @property
    def frequencies(self) -> Floats:
        """Undamped natural frequencies |λ| / 2π (Hz)."""
        return np.abs(self.eigenvalues) / (2 * np.pi)

    @property
    def damping_ratios(self) -> Floats:
        """Fractions of critical damping; zero for rigid-body modes."""
        size = np.abs(self.eigenvalues)
        return np.divide(-self.eigenvalues.real, size, out=np.zeros_like(size), where=size > 0)


def modes(
    model: Model, *, state: State | None = None, at_equilibrium: bool = False, t: float | None = None
) -> Modes:
    """Modes about a state, by default the initial one, or about the static equilibrium near it.

    >>> import flexura
    >>> model = flexura.load("models/pendulum.toml", set={"hinge.position": 1.2})
    >>> found = flexura.modes(model, at_equilibrium=True)
    >>> round(float(found.frequencies[0]), 4)  # sqrt(m g l / I) / 2π
    0.6105
    """
    if at_equilibrium:
        rest = static(model, state=state, t=t)
        state = (rest.q, rest.v)
    found = _flexura.linearize(model, state=state, t=t, modes=True)
    values = np.array([complex(*value) for value in found["eigenvalues"]], dtype=complex)
    shapes = [[complex(*entry) for entry in shape] for shape in found["shapes"]]
    width = len(shapes[0]) if shapes else 0
    table = np.array(shapes, dtype=complex).reshape(len(shapes), width)
    return Modes(values, table, found["states"][:width])


@dataclass(frozen=True)
class RotorModes:
    """Modes of a rotor that turns, as seen from beside it, slowest first."""

    eigenvalues: Complexes
    """Eigenvalues with imaginary parts that are not negative (1/s)."""
    shapes: Complexes
    """(mode, coordinate), largest entry one."""
    coordinates: list[str]
    """Names of the coordinates; of equal blades the collective, cosine and sine ones."""
    patterns: list[str]
    """What goes round: "collective", "forward", "backward", "line", "differential" or "-"."""
    harmonics: list[list[tuple[float, float]]]
    """For each mode the frequencies (Hz) that it shows beside each other, with their shares, largest first."""
    speed: float
    """Speed of the rotor (rad/s)."""
    blades: list[str]
    """First bodies of equal blades; empty where there are none."""
    change: float
    """Largest change of the accelerations of a mode over a turn, as a share: zero where the system is constant.

    "coleman" gives the modes of the average over a turn and refuses nothing: look here, and take "floquet" where this is not small.
    """
    unresolved: int
    """Values that are left out: too fast for the steps of a turn, gone within it, or with shapes that rounding hides."""

    @property
    def frequencies(self) -> Floats:
        """Undamped natural frequencies |λ| / 2π (Hz)."""
        return np.abs(self.eigenvalues) / (2 * np.pi)

    @property
    def damping_ratios(self) -> Floats:
        """Fractions of critical damping; negative where a mode grows."""
        size = np.abs(self.eigenvalues)
        return np.divide(-self.eigenvalues.real, size, out=np.zeros_like(size), where=size > 0)


def rotor_modes(
    model: Model,
    method: str,
    *,
    state: State | None = None,
    at_equilibrium: bool = False,
    t: float | None = None,
    count: int = 20,
) -> RotorModes:
    """Modes of the rotor that a motion turns: ``"coleman"`` for three or more equal blades, ``"floquet"`` for any.

    ``"coleman"`` averages over a turn: where ``change`` of what it returns is not small (above 1e-3 the command warns), the blades
    or their support make the system periodic in its coordinates too, and ``"floquet"`` takes it as it is.

    >>> import flexura
    >>> model = flexura.load("models/rotor_three_blades.toml")
    >>> found = flexura.rotor_modes(model, "coleman")
    >>> found.patterns[0], round(float(found.frequencies[0]), 3)
    ('collective', 1.056)
    """
    if at_equilibrium:
        rest = static(model, state=state, t=t)
        state = (rest.q, rest.v)
    found = _flexura.rotor_modes(model, method, state=state, t=t, count=count)
    values = np.array([complex(*value) for value in found["eigenvalues"]], dtype=complex)
    shapes = [[complex(*entry) for entry in shape] for shape in found["shapes"]]
    table = np.array(shapes, dtype=complex).reshape(len(shapes), len(found["coordinates"]))
    turn = 2 * np.pi
    harmonics = [[(omega / turn, share) for omega, share in mode] for mode in found["harmonics"]]
    return RotorModes(
        values,
        table,
        found["coordinates"],
        found["patterns"],
        harmonics,
        found["speed"],
        found["blades"],
        found["change"],
        found["unresolved"],
    )


@dataclass(frozen=True)
class Sensitivity:
    """Channels and their derivatives over time."""

    time: Floats
    """Times (s)."""
    values: Floats
    """(row, channel)."""
    derivatives: Floats
    """(row, channel, parameter)."""
    errors: Floats
    """Upper estimate of the relative error of each parameter's direction."""
    parameters: list[str]
    """Paths of the parameters."""
    channels: list[tuple[str, str]]
    """Names and units of the channels."""
    method: str
    """The method that derivatives were followed by; where it is not the file's, that one is named too."""


def sensitivity(
    model: Model,
    parameters: Sequence[str],
    outputs: Sequence[str],
    *,
    end: float | None = None,
    output_interval: float | None = None,
) -> Sensitivity:
    """Derivatives of channels over time with respect to numbers of the model file."""
    found = _flexura.sensitivity(
        model, list(parameters), list(outputs), end=end, output_interval=output_interval
    )
    return Sensitivity(**found)
