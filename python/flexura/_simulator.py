"""A run that is stepped: inputs in, values out."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Callable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _flexura
from ._checkpoint import fingerprint
from ._flexura import Model
from ._items import Frame
from ._run import State, _patterns, cores
from ._toml import toml_key, toml_value

Floats = NDArray[np.float64]
Inputs = Mapping[str, float] | ArrayLike
"""Values by name, or all of them in the order of :attr:`Simulator.inputs`."""


@dataclass(frozen=True)
class SavedState:
    """Everything of a simulator that changes; :meth:`Simulator.restore` takes it back. Can be pickled."""

    time: float
    """Time (s)."""
    parts: dict[str, Any] = field(repr=False)
    model: str = field(repr=False)
    """Fingerprint of the model."""


class FrameState:
    """A frame at the instant it was asked for, inertial components."""

    def __init__(self, frame: Frame, q: Floats, v: Floats, t: float) -> None:
        found = frame.motion(q, v, t)
        self.frame = frame
        self.position = found["position"]
        """Position (m)."""
        self.rotation = found["rotation"]
        """Rotation matrix, frame to inertial."""
        self.angular_velocity = found["angular_velocity"]
        """Angular velocity (rad/s)."""
        self.velocity = found["velocity"]
        """Velocity (m/s)."""
        self._at = (q.copy(), t)

    @cached_property
    def jacobian(self) -> Floats:
        """6 by speeds: angular velocity and velocity are J v."""
        return self.frame.jacobian(*self._at)


@dataclass(frozen=True)
class Pacing:
    """How steps in real time went."""

    steps: int
    late: int
    """Steps that were not computed when their time had come."""
    worst_lateness: float
    """Longest time by which a step came too late (s); 0 if none did."""
    worst_cost: float
    """Longest time a step took to compute, inputs included (s)."""
    mean_cost: float
    """Mean of these times (s)."""
    costs: Floats = field(repr=False)
    """All of them (s)."""

    def percentile(self, share: float) -> float:
        """Time within which this share (%) of the steps was computed (s)."""
        return float(np.percentile(self.costs, share))


class Simulator(_flexura.Simulator):
    """A run that is stepped; made by :meth:`flexura.Model.simulator`.

    >>> import flexura
    >>> model = flexura.load("models/pendulum.toml")
    >>> sim = model.simulator(inputs=["hinge.effort"], channels=["hinge.*"], step=0.01)
    >>> for _ in range(10):
    ...     values = sim.step({"hinge.effort": -4.905})  # held against gravity
    >>> round(sim.time, 3), bool(abs(sim["hinge.rate"]) < 1e-9)
    (0.1, True)
    """

    @property
    def inputs(self) -> dict[str, float]:
        """Values of the inputs by name; :meth:`step` sets them, and so does ``sim.set_input(name, value)``."""
        return dict(zip(self.input_names, self.input_values.tolist()))

    @cached_property
    def input_names(self) -> list[str]:
        """Names of the inputs, in their order."""
        return [name for name, _ in self.input_units]

    @cached_property
    def names(self) -> list[str]:
        """Names of the channels, in the order of :attr:`values`."""
        return [name for name, _ in self.channels]

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.names)}

    def __getitem__(self, channel: str) -> float:
        """Value of one channel now."""
        place = self._places.get(channel)
        if place is None:
            raise KeyError(f'"{channel}" is none of the channels of this simulator; measure("{channel}") finds it')
        return float(self.values[place])

    def _ipython_key_completions_(self) -> list[str]:
        return self.names

    def _take(self, inputs: Inputs | None) -> None:
        if isinstance(inputs, Mapping):
            for name, value in inputs.items():
                self.set_input(name, float(value))
        elif inputs is not None:
            self.set_inputs(inputs)

    def step(self, inputs: Inputs | None = None) -> Floats:
        """One step of :attr:`interval` (s) with inputs that are held over it; returns :attr:`values`."""
        self._take(inputs)
        self._step()
        return self.values

    def advance_to(self, t: float, inputs: Inputs | None = None) -> Floats:
        """On to the instant ``t`` (s), from which steps are then counted; returns :attr:`values`."""
        self._take(inputs)
        self._advance_to(t)
        return self.values

    def reset(self, state: State | None = None, t: float | None = None) -> Floats:
        """Begins anew, at the model's own state or another (q, v), with inputs as the file has them."""
        self._reset(state, t)
        return self.values

    def save(self) -> SavedState:
        """A copy of everything that changes."""
        parts = self._save()
        return SavedState(parts["time"], parts, fingerprint(self.model))

    def restore(self, saved: SavedState) -> Floats:
        """Takes a copy back, of this simulator or of another with the same model, inputs and channels."""
        if saved.model != fingerprint(self.model):
            raise ValueError("the state is that of another model")
        parts = saved.parts
        self._restore(
            (parts["time"], parts["rows"], parts["words"]),
            *(parts[key] for key in ("row", "inputs", "motions", "start", "steps", "jumped")),
        )
        return self.values

    def change(self, **simulation: Any) -> None:
        """Goes on with another method, formulation or step: keys of ``[simulation]``; ``None`` takes one away.

        Only these keys are read; the model is not built again. With another ``method`` the keys of the old one are forgotten.

        >>> import flexura
        >>> sim = flexura.load("models/pendulum.toml").simulator()
        >>> sim.change(method="rk4", step=1e-3)
        >>> sim.method
        'rk4'
        """
        self._change(_keys(simulation))

    def measure(self, *patterns: str) -> dict[str, float]:
        """Channels at the present state, whichever the simulator records; patterns with ``*`` and ``?``."""
        names, values = self._measure(list(patterns))
        return dict(zip(names, values.tolist()))

    def frame(self, frame: str | Frame) -> FrameState:
        """Pose, velocity and Jacobian of a frame now."""
        given = frame if isinstance(frame, Frame) else Frame(self.model, frame)
        return FrameState(given, self.q, self.v, self.time)

    def energies(self) -> dict[str, float]:
        """Energies now (J): kinetic, gravity, elastic, springs, elements, total."""
        words = ("kinetic", "gravity", "elastic", "springs", "elements", "total")
        _, values = self._measure([f"energy.{word}" for word in words])
        return dict(zip(words, values.tolist()))

    def reaction(self, joint: str) -> Floats:
        """Moment (N m) and force (N) of the first body of a joint on the second now, at and in the second frame."""
        self.model.joint(joint)
        return self._measure([f"{joint}.moment.?", f"{joint}.force.?"])[1]

    def element_force(self, element: str) -> Floats:
        """Moment (N m) and force (N) of a force element (contact, tyre, spring) on its second frame now, inertial axes."""
        return self._measure([f"{element}.moment.?", f"{element}.force.?"])[1]

    def pace(
        self,
        until: float,
        inputs: Callable[[Simulator], Inputs | None] | None = None,
        *,
        rate: float = 1.0,
    ) -> Pacing:
        """Steps up to ``until`` (s) no faster than ``rate`` seconds of motion in a second of clock time.

        ``inputs`` is called before every step. A step is late if it is not computed when its end has come.

        >>> import flexura
        >>> sim = flexura.load("models/pendulum.toml").simulator()
        >>> sim.pace(0.05, rate=10.0).steps
        5
        """
        if not rate > 0.0:
            raise ValueError(f"rate = {rate}: give a positive number")
        began, start, costs, lateness = time.perf_counter(), self.time, [], [0.0]
        while self.time < until - 1e-9 * self.interval and self.stopped_by is None:
            before = time.perf_counter()
            self.step(inputs(self) if inputs is not None else None)
            now = time.perf_counter()
            costs.append(now - before)
            due = began + (self.time - start) / rate
            lateness.append(max(0.0, now - due))
            if due > now:
                time.sleep(due - now)
        times = np.asarray(costs)
        worst, mean = (float(times.max()), float(times.mean())) if costs else (0.0, 0.0)
        return Pacing(len(costs), sum(late > 0.0 for late in lateness), max(lateness), worst, mean, times)


def _keys(simulation: Mapping[str, Any]) -> list[tuple[str, str | None]]:
    return [(toml_key(key), None if value is None else toml_value(value)) for key, value in simulation.items()]


def simulator(
    model: Model,
    inputs: Sequence[str] | None = None,
    channels: Sequence[str] | None = None,
    step: float | None = None,
    simulation: Mapping[str, Any] | None = None,
    initial_state: State | None = None,
    t: float | None = None,
    from_static: bool = False,
    relax: bool = False,
) -> Simulator:
    """What :meth:`flexura.Model.simulator` calls."""
    wanted = ["*"] if inputs is None else _patterns(inputs) or []
    return Simulator(
        model, wanted, _patterns(channels), step, _keys(simulation or {}), initial_state, t, from_static, relax
    )


def step_all(simulators: Sequence[Simulator], inputs: ArrayLike, threads: int | None = None) -> list[Exception | None]:
    """One step of every simulator on all cores, one row of ``inputs`` each; what went wrong, or ``None``.

    Each has the bits it would have alone. Laws in Python make the threads wait for each other.

    >>> import flexura
    >>> model = flexura.load("models/pendulum.toml")
    >>> several = [model.simulator(inputs=["hinge.effort"]) for _ in range(3)]
    >>> flexura.step_all(several, [[-1.0], [0.0], [1.0]])
    [None, None, None]
    """
    rows = np.ascontiguousarray(inputs, dtype=np.float64)
    return _flexura.step_all(list(simulators), rows, cores() if threads is None else threads)
