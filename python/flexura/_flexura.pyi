"""The compiled part of the package."""

from os import PathLike
from typing import Any, Callable, Literal, Mapping, Sequence, final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import disjoint_base

from ._gradient import Gradient
from ._items import Body, Frame, Joint
from ._simulator import Simulator as _Stepped

__all__ = [
    "Model",
    "Simulator",
    "__version__",
    "command",
    "export_body",
    "modelica_record",
    "fatigue_damage",
    "fit",
    "gradient_plan",
    "import_robot",
    "kept_runs",
    "leave_mpi",
    "linearize",
    "lives_in",
    "open_result",
    "rainflow",
    "reduce_part",
    "rollout",
    "saved_page",
    "rotor_modes",
    "sensitivity",
    "set_numbers",
    "set_simulation",
    "simulate",
    "static_equilibrium",
    "step_all",
    "write_result",
]

__version__: str

_Floats = NDArray[np.float64]
_State = tuple[ArrayLike, ArrayLike]
_Algorithm = Literal["articulated", "composite", "conjugate-gradient", "divide-and-conquer"]

@final
class Model:
    """A built model; never changes. Made by ``flexura.load``, ``loads`` or ``ModelBuilder``; can be pickled."""

    def __new__(cls, text: str, file_name: str, laws: Sequence[tuple[str, Callable[..., ArrayLike], int]] = ...) -> Model: ...
    @property
    def _content(self) -> str:
        """Hash of everything the model was made of, part files included."""
    @property
    def _has_laws(self) -> bool: ...
    @property
    def text(self) -> str:
        """Text of the model file, with the numbers that were set."""
    @property
    def file_name(self) -> str:
        """File the text came from."""
    @property
    def name(self) -> str:
        """Name of the model."""
    @property
    def gravity(self) -> list[float]:
        """Gravity (m/s²)."""
    @property
    def bodies(self) -> list[str]:
        """Names of the bodies in tree order."""
    @property
    def joints(self) -> list[str]:
        """Names of the joints of the tree; joint ``i`` carries body ``i``."""
    @property
    def frames(self) -> list[str]:
        """Names of the frames, ``BODY.FRAME``."""
    @property
    def controllers(self) -> list[str]:
        """Names of the controllers."""
    @property
    def loops(self) -> list[str]:
        """Names of the joints that close loops."""
    @property
    def modes_of_bodies(self) -> dict[str, int]:
        """Number of modes of every body."""
    @property
    def coordinate_count(self) -> int:
        """Number of coordinates (length of q); quaternions count four."""
    @property
    def speed_count(self) -> int:
        """Number of speeds (length of v)."""
    @property
    def free_speed_count(self) -> int:
        """Number of speeds that are not prescribed."""
    @property
    def prescribed(self) -> list[bool]:
        """Which speeds are prescribed."""
    @property
    def coordinate_names(self) -> list[str]:
        """Names of the entries of q."""
    @property
    def speed_names(self) -> list[str]:
        """Names of the entries of v."""
    @property
    def channels(self) -> list[tuple[str, str]]:
        """Every channel that can be recorded: (name, unit)."""
    @property
    def parameters(self) -> dict[str, float]:
        """Every number of the model file that can be set, by its path."""
    @property
    def time_span(self) -> tuple[float, float]:
        """Start and end of the simulation (s)."""
    @property
    def _findings(self) -> list[dict[str, Any]]: ...
    def initial_state(self) -> tuple[_Floats, _Floats]:
        """Coordinates and speeds (q, v) at the start."""
    def mobility(self) -> dict[str, int]:
        """Degrees of freedom by rank: tree_freedoms, constraints, rank, counted, freedoms."""
    def accelerations(
        self,
        q: ArrayLike,
        v: ArrayLike,
        t: float = 0.0,
        algorithm: _Algorithm = "articulated",
        out: _Floats | None = None,
    ) -> _Floats:
        """Accelerations at (q, v, t): one number per speed (m/s², rad/s², modal units/s²).

        Prescribed coordinates take their own values at ``t`` (s). ``out`` is filled and returned if
        given. Sampled controllers are at rest.

        >>> import flexura
        >>> model = flexura.load("models/pendulum.toml")
        >>> q, v = model.initial_state()
        >>> round(float(model.accelerations(q, v)[0]), 4)  # m g l / I
        14.715

        """
    def inverse_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        t: float = 0.0,
        drives: Sequence[str] | None = None,
    ) -> _Floats:
        """Generalised forces (N, N m) that the accelerations ``a`` need beyond the model's own loads.

        With ``drives`` (joints, or coordinates of joints) only their accelerations are taken from ``a``; modes
        and other joints follow, and closed loops stay closed, which have no inverse otherwise.
        """
    def inverse_motion(
        self,
        time: Sequence[float] | _Floats,
        columns: dict[str, Sequence[float]] | dict[str, _Floats],
        drives: Sequence[str] | None = None,
    ) -> dict[str, _Floats]:
        """Forces that a motion needs, over time, by name (``JOINT.effort``, ``BODY.eta_force.1``).

        ``columns`` are values by the name of their channel: coordinates, and speeds and accelerations where they are
        known; splines give the rest. Coordinates without a column rest where the model starts.

        >>> import flexura
        >>> model = flexura.load("models/pendulum.toml")
        >>> forces = model.inverse_motion([0.0, 0.5, 1.0], {"hinge.angle": [0.0, 0.0, 0.0]})
        >>> forces["hinge.effort"].round(3)  # held horizontal
        array([-4.905, -4.905, -4.905])

        """
    def mass_matrix(self, q: ArrayLike) -> _Floats:
        """Mass matrix at q over all speeds."""
    def inverse_mass_matrix(self, q: ArrayLike) -> _Floats:
        """Inverse of the mass matrix at q, by the innovations factorisation."""
    def log_determinant(self, q: ArrayLike) -> float:
        """Logarithm of the determinant of the mass matrix at q, without forming it."""
    def matrices(self, q: ArrayLike, v: ArrayLike | None = None, t: float = 0.0) -> dict[str, Any]:
        """The equations of motion at (q, v, t) as matrices: M a + bias = applied + further forces.

        ``speeds`` (names), ``mass``, ``inverse``, ``log_determinant``, ``bias`` (velocity terms, gravity,
        elasticity), ``applied`` (all loads of the model), ``jacobian`` and ``constraints`` (rows of closed loops).

        >>> import flexura
        >>> model = flexura.load("models/pendulum.toml")
        >>> model.matrices(*model.initial_state())["bias"].round(3)
        array([-4.905])

        """
    def derivatives(
        self, q: ArrayLike, v: ArrayLike | None = None, t: float = 0.0, a: ArrayLike | None = None
    ) -> dict[str, Any]:
        """Derivatives of the dynamics of a tree at (q, v, t), by recursion, over displacements and speeds.

        ``forces_over_positions``, ``forces_over_speeds``: of the forces that accelerations need beside all loads of the model, at
        accelerations ``a``. Without ``a`` they are those that follow, whose own derivatives are there too:
        ``accelerations_over_positions``, ``accelerations_over_speeds``, ``accelerations_over_forces`` (zero where prescribed).
        Displacements are twists in the axes of the speeds (``speeds``); rows are those of forces or accelerations. Closed loops,
        controllers, points held undeformed and free joints with some directions prescribed are refused by name.

        >>> import flexura
        >>> model = flexura.load("models/pendulum.toml")
        >>> model.derivatives(*model.initial_state())["accelerations_over_forces"].round(3)
        array([[3.]])

        """
    def equations(self, q: ArrayLike, v: ArrayLike | None = None, t: float = 0.0) -> dict[str, Any]:
        """The equations that the linear graph generates, at (q, v, t): M a = Q + J* lambda, J a = right.

        ``speeds`` (names), ``prescribed`` (which of them have given accelerations), ``mass``, ``force`` (Q),
        ``jacobian`` and ``right`` (rows of closed loops), and their solution, ``accelerations`` and ``multipliers``.

        >>> import flexura
        >>> model = flexura.load("models/pendulum.toml")
        >>> model.equations(*model.initial_state())["force"].round(3)
        array([4.905])

        """
    def formulas(self, format: str = "text") -> str:
        """The same equations as formulas of coordinates q and speeds u: "text", "latex", or code, "c" or "rust".

        What is no formula of q and u (time functions, controllers, contacts) is refused.

        >>> import flexura
        >>> print(flexura.load("models/pendulum.toml").formulas().splitlines()[-1])
        Q[1] = 4.905 cos(q1)

        """
    def frame_motion(self, name: str, q: ArrayLike, v: ArrayLike, t: float = 0.0) -> dict[str, _Floats]:
        """Pose and velocity of a frame at (q, v, t) in inertial components.

        ``position`` (m), ``rotation`` (frame to inertial, 3 by 3), ``angular_velocity`` (rad/s) and
        ``velocity`` (m/s). Prescribed coordinates take their own values at ``t`` (s).
        """
    def jacobian(self, name: str, q: ArrayLike, t: float = 0.0) -> _Floats:
        """Jacobian of a frame, 6 by speeds: its angular velocity and velocity are J v, inertial components.

        >>> import flexura
        >>> model = flexura.load("models/robot_arm.toml")
        >>> q, v = model.initial_state()
        >>> model.jacobian(model.frames[-1], q).shape == (6, model.speed_count)
        True

        """
    def retract(self, q: ArrayLike, step: ArrayLike) -> _Floats:
        """Coordinates ``q`` moved by a step of speeds over a unit of time: quaternions turn, the others add."""
    def body(self, name: str) -> Body:
        """A body: its frames, modes and channels."""
    def joint(self, name: str) -> Joint:
        """A joint: its coordinates, speeds and channels."""
    def frame(self, name: str) -> Frame:
        """A frame, ``BODY.FRAME``."""
    def simulator(
        self,
        inputs: Sequence[str] | None = None,
        channels: Sequence[str] | None = None,
        step: float | None = None,
        simulation: Mapping[str, Any] | None = None,
        initial_state: _State | None = None,
        t: float | None = None,
        from_static: bool = False,
        relax: bool = False,
    ) -> _Stepped:
        """A run that is stepped: inputs in, values out.

        ``inputs`` are names with ``*`` and ``?`` (all that the model can have if left out): ``JOINT.effort``,
        ``ACTUATOR.effort``, ``FORCE.scale``, ``CONTROLLER.reference``, and ``JOINT.acceleration`` where the file holds a
        coordinate by ``motion = 0``. ``channels`` are as in :func:`flexura.simulate`; ``step`` (s) is that of
        :meth:`Simulator.step`, the model's ``output_interval`` if left out; ``simulation`` are other keys of ``[simulation]``.

        >>> import flexura
        >>> sim = flexura.load("models/pendulum.toml").simulator(step=0.1)
        >>> sim.step() is sim.values
        True

        """
    def gradient(
        self,
        objective: str | Sequence[str],
        parameters: Sequence[str] | None = None,
        **keys: Any,
    ) -> Gradient:
        """A number of a run and its derivatives: :func:`flexura.grad` of this model, with its other arguments.

        >>> import flexura
        >>> model = flexura.load("models/pendulum.toml")
        >>> found = model.gradient("end:hinge.angle", ["rod.mass"], end=0.5)
        >>> abs(found["rod.mass"]) < 1e-9, found.v.shape  # a pendulum swings alike whatever its mass, if its inertia grows with it
        (False, (1,))

        """
    def _joint_places(self, name: str) -> tuple[int, int, int, int]: ...
    def _engine_seconds(self, count: int) -> float: ...

@disjoint_base
class Simulator:
    """What :class:`flexura.Simulator` is made of."""

    def __new__(
        cls,
        model: Model,
        inputs: Sequence[str],
        channels: Sequence[str] | None = None,
        step: float | None = None,
        keys: Sequence[tuple[str, str | None]] = ...,
        state: _State | None = None,
        t: float | None = None,
        from_static: bool = False,
        relax: bool = False,
    ) -> Simulator: ...
    @property
    def model(self) -> Model:
        """The model."""
    @property
    def time(self) -> float:
        """Time reached (s)."""
    @property
    def interval(self) -> float:
        """Length of a step (s); can be set."""
    @interval.setter
    def interval(self, value: float) -> None: ...
    @property
    def channels(self) -> list[tuple[str, str]]:
        """Names and units of the channels, in the order of ``values``."""
    @property
    def input_units(self) -> list[tuple[str, str]]:
        """Names and units of the inputs, in their order."""
    @property
    def input_values(self) -> _Floats:
        """Values of the inputs, in their order; a copy."""
    @property
    def values(self) -> _Floats:
        """Values of the channels: always the same array, overwritten by every step; ``.copy()`` to keep them."""
    @property
    def q(self) -> _Floats:
        """Coordinates: always the same array, overwritten by every step."""
    @property
    def v(self) -> _Floats:
        """Speeds: always the same array, overwritten by every step."""
    @property
    def events(self) -> list[tuple[str, float]]:
        """Events of the last step: name and time (s)."""
    @property
    def stopped_by(self) -> str | None:
        """The event that ended the last step early."""
    @property
    def counts(self) -> tuple[int, int, int]:
        """Steps of the integrator since the last start: accepted, rejected, evaluations."""
    @property
    def method(self) -> str:
        """The method in force."""
    def set_input(self, name: str, value: float) -> None:
        """Sets one input from now on."""
    def set_inputs(self, values: ArrayLike) -> None:
        """Sets all inputs from now on, in their order."""
    def _step(self) -> None: ...
    def _advance_to(self, t: float) -> None: ...
    def _reset(self, state: _State | None = None, t: float | None = None) -> None: ...
    def _save(self) -> dict[str, Any]: ...
    def _restore(
        self,
        checkpoint: tuple[float, int, NDArray[np.uint64]],
        row: _Floats,
        inputs: _Floats,
        motions: _Floats,
        start: float,
        steps: tuple[float, int],
        jumped: bool,
    ) -> None: ...
    def _change(self, keys: Sequence[tuple[str, str | None]]) -> None: ...
    def _measure(self, patterns: Sequence[str]) -> tuple[list[str], _Floats]: ...

def step_all(simulators: Sequence[Simulator], inputs: _Floats, threads: int) -> list[Exception | None]: ...

def command(arguments: Sequence[str]) -> int: ...
def lives_in(interpreter: str, extension: str | PathLike[str]) -> None: ...
def set_numbers(text: str, settings: Sequence[tuple[str, float]]) -> str: ...
def set_simulation(text: str, settings: Sequence[tuple[str, str | None]]) -> str: ...
def leave_mpi(failed: bool) -> None: ...
def simulate(
    model: Model,
    *,
    end: float | None = ...,
    output_interval: float | None = ...,
    relative_tolerance: float | None = ...,
    absolute_tolerance: float | None = ...,
    channels: list[str] | None = ...,
    picture: bool | None = ...,
    threads: int | None = ...,
    ranks: int | str | None = ...,
    formulation: str | None = ...,
    device: str | None = ...,
    initial_state: _State | None = ...,
    from_static: bool = ...,
    relax: bool = ...,
    progress: Callable[[float, float], object] | None = ...,
    keep: Callable[[float, NDArray[np.uint64], _Floats, int], object] | None = ...,
    keep_interval: float = ...,
    restart: tuple[float, NDArray[np.uint64], _Floats] | None = ...,
) -> dict[str, Any]: ...
def rollout(
    model: Model,
    numbers: Sequence[Sequence[tuple[str, float]]],
    states: Sequence[_State | None],
    threads: int,
    *,
    end: float | None = ...,
    output_interval: float | None = ...,
    relative_tolerance: float | None = ...,
    absolute_tolerance: float | None = ...,
    channels: list[str] | None = ...,
    picture: bool | None = ...,
    device: str | None = ...,
    progress: Callable[[float, float], object] | None = ...,
) -> list[Any]: ...
def open_result(path: str | PathLike[str]) -> dict[str, Any]: ...
def write_result(
    path: str | PathLike[str],
    data: _Floats,
    families: Sequence[tuple[str, str, list[tuple[str, str]]]],
    metadata: dict[str, str],
    overwrite: bool,
    complete: bool,
) -> None: ...
def rainflow(series: _Floats) -> list[tuple[float, float, float]]: ...
def fatigue_damage(
    history: _Floats, curve: str | PathLike[str], factor: float, equivalent: str | None
) -> tuple[list[float], list[float], list[float]]: ...
def saved_page(path: str | PathLike[str], budget: int) -> str: ...
def static_equilibrium(
    model: Model,
    *,
    state: _State | None = ...,
    t: float | None = ...,
    tolerance: float = ...,
    load_steps: int = ...,
    relax: bool = ...,
) -> dict[str, Any]: ...
def linearize(
    model: Model,
    *,
    inputs: Sequence[str] = ...,
    outputs: Sequence[str] = ...,
    state: _State | None = ...,
    t: float | None = ...,
    modes: bool = ...,
    frequencies: list[float] | None = ...,
) -> dict[str, Any]: ...
def rotor_modes(
    model: Model,
    method: str,
    *,
    state: _State | None = ...,
    t: float | None = ...,
    count: int = ...,
) -> dict[str, Any]: ...
def sensitivity(
    model: Model,
    parameters: Sequence[str],
    outputs: Sequence[str],
    *,
    end: float | None = ...,
    output_interval: float | None = ...,
) -> dict[str, Any]: ...
def fit(
    model: Model,
    parameters: Sequence[str],
    times: _Floats,
    channels: Sequence[str],
    values: _Floats,
    *,
    bounds: Sequence[tuple[str, float, float]],
    time_offset: float,
    bias: bool,
    noise: Sequence[tuple[str, float]],
    iterations: int,
    confidence: float,
    end: float | None = ...,
    progress: Callable[[int, float, int], object] | None = ...,
) -> dict[str, Any]: ...
def gradient_plan(
    model: Model,
    parameters: Sequence[str],
    channels: Sequence[str],
    inputs: Sequence[str],
    *,
    times: _Floats | None = ...,
    end: float | None = ...,
) -> dict[str, Any]: ...
def kept_runs(
    model: Model,
    parameters: Sequence[str],
    channels: Sequence[str],
    inputs: Sequence[str],
    cases: Sequence[tuple[_Floats, tuple[_Floats, _Floats] | None, _Floats, _Floats | None]],
    threads: int,
    *,
    times: _Floats | None = ...,
    end: float | None = ...,
    terms: Sequence[str] = ...,
    record: Sequence[tuple[str, _Floats, float]] = ...,
    checkpoints: int = ...,
) -> list[Any]: ...
def reduce_part(
    text: str,
    file_name: str | PathLike[str],
    output: str | PathLike[str] | None = ...,
    enough: float | None = ...,
    band: float | None = ...,
) -> dict[str, Any]: ...
def import_robot(
    path: str | PathLike[str],
    folder: str | PathLike[str],
    parts: Sequence[tuple[str, str]],
    tables: Sequence[str | PathLike[str]],
    floating_base: bool = ...,
    leave_out: bool = ...,
) -> tuple[str, list[str]]: ...
def export_body(model: Model, body: str, path: str | PathLike[str]) -> list[str]: ...
def modelica_record(
    name: str,
    about: str,
    names: tuple[list[str], list[str], list[str]],
    matrices: tuple[list[float], list[float], list[float], list[float]],
) -> str: ...
