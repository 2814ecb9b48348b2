"""Gradients of runs: one number of a run, or all its rows for programs that optimise."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any, Mapping, NamedTuple, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _flexura
from ._errors import ModelWarning
from ._fit import Record, columns_of
from ._flexura import Model
from ._model import loads
from ._run import State, cores

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Gradient:
    """A number of a run and its derivatives."""

    value: float
    parameters: Floats
    """Over the parameters, in the order of ``parameter_names``."""
    inputs: Floats
    """Over the inputs: (interval between rows, input)."""
    q: Floats
    """Over the initial coordinates as they are stored; zero along quaternions themselves, which have unit length."""
    v: Floats
    """Over the initial speeds."""
    position: Floats
    """Over displacements of the initial state along its speeds (m, rad, modal units), as :meth:`flexura.Model.retract` takes them."""
    parameter_names: list[str]
    input_names: list[str]
    speed_names: list[str] = field(repr=False)
    """Names of the entries of ``v`` and ``position``."""
    touched: list[str]
    """One-sided elements that opened or closed: there the gradient is that of the steps taken."""
    followed_by_models: list[str]
    """Parameters that took some seven runs each (``flexura gradient`` says why)."""
    cost: dict[str, float] = field(repr=False)
    """``runs`` (all in all, in units of the run), steps, seconds, models built, bytes."""

    def __getitem__(self, name: str) -> Any:
        """The derivative over a parameter, or those over an input, interval after interval."""
        if name in self.parameter_names:
            return float(self.parameters[self.parameter_names.index(name)])
        if name in self.input_names:
            return self.inputs[:, self.input_names.index(name)]
        known = ", ".join([*self.parameter_names, *self.input_names])
        raise KeyError(f"no derivative over `{name}` was asked for; there are {known or 'none'}")


class Pulled(NamedTuple):
    """Derivatives of a weighted sum of rows, with the leading axes of what was given."""

    parameters: Floats
    """(…, parameter)."""
    inputs: Floats
    """(…, interval, input)."""
    q: Floats
    """(…, coordinate)."""
    v: Floats
    """(…, speed)."""


class DifferentiableRun:
    """The rows of a run as a function of numbers of the file, inputs over time and the initial state, with its derivatives backwards.

    ``channels`` are patterns with ``*`` and ``?``; ``parameters`` numbers of the file; ``inputs`` are held from row to row
    (``JOINT.effort``, ``ACTUATOR.effort``, ``FORCE.scale``, ``CONTROLLER.reference``); ``times`` are the instants of the rows (s), those of
    ``output_interval`` if left out. ``simulation`` are other keys of ``[simulation]``. Arrays may have leading axes: cases, on all cores.

    >>> import flexura, numpy as np
    >>> model = flexura.load("models/pendulum.toml")
    >>> run = flexura.DifferentiableRun(model, ["hinge.angle"], parameters=["rod.mass"], inputs=["hinge.effort"], end=0.5)
    >>> effort = np.linspace(0.0, 1.0, run.intervals)[:, None]
    >>> rows = run.rows(inputs=effort)
    >>> rows.shape
    (51, 1)
    >>> weights = np.zeros_like(rows)
    >>> weights[-1] = 1.0  # the last angle
    >>> pulled = run.pull_back(weights, inputs=effort)
    >>> pulled.parameters.shape, pulled.inputs.shape, pulled.q.shape
    ((1,), (50, 1), (1,))
    """

    def __init__(
        self,
        model: Model,
        channels: Sequence[str],
        *,
        parameters: Sequence[str] = (),
        inputs: Sequence[str] = (),
        times: ArrayLike | None = None,
        end: float | None = None,
        simulation: Mapping[str, Any] | None = None,
        checkpoints: int = 0,
        threads: int | None = None,
    ) -> None:
        self.model = _with_settings(model, simulation)
        self._times = None if times is None else np.ascontiguousarray(times, dtype=np.float64)
        self._end, self._checkpoints = end, checkpoints
        self.threads = cores() if threads is None else threads
        self.parameters, self.inputs = _names(parameters), _names(inputs)
        plan = _flexura.gradient_plan(self.model, self.parameters, _names(channels), self.inputs, times=self._times, end=end)
        self.channels: list[str] = [name for name, _ in plan["channels"]]
        """Names of the columns of the rows."""
        self.units = dict(plan["channels"])
        self.time: Floats = plan["time"]
        """Instants of the rows (s)."""
        self.intervals: int = plan["intervals"]
        """Intervals between rows, over which inputs are held."""
        self.parameter_values: Floats = plan["parameter_values"]
        """Numbers of the file."""
        self.input_values: Floats = np.tile(plan["input_values"], (self.intervals, 1))
        """Values of the inputs in the model, interval after interval."""

    def __repr__(self) -> str:
        over = [f"{len(self.parameters)} parameters", f"{len(self.inputs)} inputs over {self.intervals} intervals"]
        return f"<flexura.DifferentiableRun '{self.model.name}': {len(self.time)} rows of {len(self.channels)} channels, {', '.join(over)}>"

    def rows(
        self, parameters: ArrayLike | None = None, inputs: ArrayLike | None = None, state: State | None = None
    ) -> Floats:
        """Rows (…, row, channel); what is left out is the model's own."""
        lead, cases = self._cases(parameters, inputs, state, None)
        rows = np.stack([done["rows"] for done in self._run(cases)]) if cases else np.empty((0, 0))
        return rows.reshape(*lead, len(self.time), len(self.channels))

    def pull_back(
        self,
        weights: ArrayLike,
        parameters: ArrayLike | None = None,
        inputs: ArrayLike | None = None,
        state: State | None = None,
    ) -> Pulled:
        """Derivatives of Σ weights · rows; ``weights`` are (…, row, channel)."""
        lead, cases = self._cases(parameters, inputs, state, weights)
        done = self._run(cases)
        _warn({name for case in done for name in case["touched"]}, 3)

        def all_of(name: str, *shape: int) -> Floats:
            parts = [case[name] for case in done]
            return (np.stack(parts) if parts else np.empty(0)).reshape(*lead, *shape)

        return Pulled(
            all_of("parameters", len(self.parameters)),
            all_of("inputs", self.intervals, len(self.inputs)),
            all_of("coordinates", self.model.coordinate_count),
            all_of("speed", self.model.speed_count),
        )

    def _cases(
        self, parameters: ArrayLike | None, inputs: ArrayLike | None, state: State | None, weights: ArrayLike | None
    ) -> tuple[tuple[int, ...], list[Any]]:
        """Leading axes, and one list of arrays per case."""
        q, v = (None, None) if state is None else state
        given = [
            _checked("parameters", self.parameter_values if parameters is None else parameters, (len(self.parameters),)),
            _checked("inputs", self.input_values if inputs is None else inputs, (self.intervals, len(self.inputs))),
            _checked("q", np.empty(0) if q is None else q, (0 if q is None else self.model.coordinate_count,)),
            _checked("v", np.empty(0) if v is None else v, (0 if v is None else self.model.speed_count,)),
            _checked("weights", np.empty((0, 0)) if weights is None else weights, (0, 0) if weights is None else (len(self.time), len(self.channels))),
        ]
        lead = np.broadcast_shapes(*(array.shape[: array.ndim - own] for array, own in given))
        flat = []
        for array, own in given:
            shape = array.shape[array.ndim - own :]
            spread = np.broadcast_to(array, (*lead, *shape))
            flat.append(np.ascontiguousarray(spread).reshape(int(np.prod(lead)), int(np.prod(shape))))
        cases = []
        for values, held, q_row, v_row, weight in zip(*flat):
            start = None if state is None else (q_row, v_row)
            cases.append((values, start, held, None if weights is None else weight))
        return lead, cases

    def _run(self, cases: list[Any]) -> list[dict[str, Any]]:
        found = _flexura.kept_runs(
            self.model,
            self.parameters,
            self.channels,
            self.inputs,
            cases,
            self.threads,
            times=self._times,
            end=self._end,
            checkpoints=self._checkpoints,
        )
        for place, done in enumerate(found):
            if isinstance(done, BaseException):
                if len(found) > 1 and hasattr(done, "add_note"):
                    done.add_note(f"in case {place} of {len(found)}")
                raise done
        return found


def grad(
    model: Model,
    objective: str | Sequence[str] = (),
    parameters: Sequence[str] = (),
    *,
    record: Record | None = None,
    inputs: Sequence[str] | Mapping[str, ArrayLike] = (),
    initial_state: State | None = None,
    times: ArrayLike | None = None,
    end: float | None = None,
    simulation: Mapping[str, Any] | None = None,
    checkpoints: int = 0,
) -> Gradient:
    """A number of a run and its derivatives over numbers of the file, inputs over time and the initial state.

    ``objective`` is ``[WEIGHT*]TERM:CHANNEL`` with the terms ``end``, ``integral``, ``mean-square`` and ``peak``, as of
    ``flexura gradient``; several are added. ``record`` adds the mean square distance to measured columns, each over its spread, at their
    instants. ``inputs`` are names, or values by name: one, or one per interval between rows. The cost hardly depends on
    how much is differentiated by. Trees and closed loops by ``rk4``, ``dormand-prince``, ``radau``,
    ``trapezoidal``, ``generalized-alpha`` and ``hht``; what has no gradient is refused by name.

    >>> import flexura
    >>> model = flexura.load("models/pendulum.toml")
    >>> found = flexura.grad(model, "end:hinge.angle", ["rod.mass", "model.gravity.3"], inputs={"hinge.effort": 0.1}, end=1.0)
    >>> found.inputs.shape, found.parameters.shape, found.v.shape
    ((100, 1), (2,), (1,))
    >>> by = 1e-4
    >>> heavier, lighter = (flexura.grad(model, "end:hinge.angle", inputs={"hinge.effort": 0.1 + d}, end=1.0) for d in (by, -by))
    >>> bool(abs((heavier.value - lighter.value) / (2 * by) - found["hinge.effort"].sum()) < 1e-6)
    True
    """
    model = _with_settings(model, simulation)
    terms, measured = _names(objective), []
    if record is not None:
        columns = columns_of(record)
        if times is not None or "time" not in columns:
            raise ValueError("a record has a column `time`, and times are those of the record")
        times = columns.pop("time")
        measured = [_wanted(name, values) for name, values in columns.items()]
    if not terms and not measured:
        raise ValueError("give an objective, such as end:CHANNEL, or a record")
    at = None if times is None else np.ascontiguousarray(times, dtype=np.float64)
    names, input_names = _names(parameters), _names(inputs if isinstance(inputs, str) else list(inputs))
    plan = _flexura.gradient_plan(model, names, [], input_names, times=at, end=end)
    held = np.tile(plan["input_values"], (plan["intervals"], 1))
    if isinstance(inputs, Mapping):
        for place, name in enumerate(input_names):
            values = np.asarray(inputs[name], dtype=np.float64)
            if values.shape not in ((), (plan["intervals"],)):
                raise ValueError(f"input `{name}` has the shape {values.shape}: give one value, or one for each of {plan['intervals']} intervals")
            held[:, place] = values
    state = None
    if initial_state is not None:
        q, v = (np.ascontiguousarray(part, dtype=np.float64) for part in initial_state)
        state = (q, v)
    case = (plan["parameter_values"], state, held.ravel(), None)
    done = _flexura.kept_runs(
        model, names, [], input_names, [case], 1, times=at, end=end, terms=terms, record=measured, checkpoints=checkpoints
    )[0]
    if isinstance(done, BaseException):
        raise done
    _warn(done["touched"], 3)
    return Gradient(
        value=done["value"],
        parameters=done["parameters"],
        inputs=done["inputs"].reshape(plan["intervals"], len(input_names)),
        q=done["coordinates"],
        v=done["speed"],
        position=done["position"],
        parameter_names=names,
        input_names=input_names,
        speed_names=plan["speeds"],
        touched=done["touched"],
        followed_by_models=done["followed_by_models"],
        cost=done["cost"],
    )


def _with_settings(model: Model, simulation: Mapping[str, Any] | None) -> Model:
    if not simulation:
        return model
    if model._has_laws:
        raise ValueError("gradients do not know laws in Python: give the controller a type of the model file")
    return loads(model.text, simulation=simulation, file_name=model.file_name)


def _names(given: str | Sequence[str]) -> list[str]:
    return [given] if isinstance(given, str) else [str(name) for name in given]


def _wanted(name: str, values: Floats) -> tuple[str, Floats, float]:
    """A column with the distance that counts as one: its spread."""
    bad = np.flatnonzero(~np.isfinite(values))
    if bad.size:
        raise ValueError(f"value {bad[0] + 1} of column `{name}` is no number")
    spread = float(values.std()) if values.size else 0.0
    return name, np.ascontiguousarray(values), spread if spread > 0.0 else 1.0


def _checked(name: str, given: ArrayLike, shape: tuple[int, ...]) -> tuple[Floats, int]:
    """The array, whose last axes have `shape`, and their number."""
    array = np.asarray(given, dtype=np.float64)
    own = len(shape)
    if array.ndim < own or array.shape[array.ndim - own :] != shape:
        raise ValueError(f"{name} has the shape {array.shape}: its last axes must be {shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} has an entry that is no number")
    return array, own


def _warn(touched: Any, level: int) -> None:
    for name in sorted(touched):
        words = f"`{name}` opens or closes in the run: the gradient is that of the steps taken; compare with smaller steps"
        warnings.warn(words, ModelWarning, stacklevel=level)
