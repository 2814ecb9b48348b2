"""The compiled part of the package."""

from os import PathLike
from typing import Any, Callable, Literal, Sequence, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Model",
    "__version__",
    "command",
    "export_body",
    "import_robot",
    "linearize",
    "lives_in",
    "open_result",
    "reduce_part",
    "rollout",
    "saved_page",
    "sensitivity",
    "set_numbers",
    "set_simulation",
    "simulate",
    "static_equilibrium",
    "write_result",
]

__version__: str

_Floats = NDArray[np.float64]
_State = tuple[ArrayLike, ArrayLike]
_Algorithm = Literal["articulated", "composite", "divide-and-conquer"]

@final
class Model:
    """A built model; never changes. Made by ``flexura.load``, ``loads`` or ``ModelBuilder``; can be pickled."""

    def __new__(cls, text: str, file_name: str, laws: Sequence[tuple[str, Callable[..., ArrayLike], int]] = ...) -> Model: ...
    @property
    def _content(self) -> str:
        """Hash of everything the model was made of, part files included."""
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
    def _engine_seconds(self, count: int) -> float: ...

def command(arguments: Sequence[str]) -> int: ...
def lives_in(interpreter: str, extension: str | PathLike[str]) -> None: ...
def set_numbers(text: str, settings: Sequence[tuple[str, float]]) -> str: ...
def set_simulation(text: str, settings: Sequence[tuple[str, str | None]]) -> str: ...
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
def sensitivity(
    model: Model,
    parameters: Sequence[str],
    outputs: Sequence[str],
    *,
    end: float | None = ...,
    output_interval: float | None = ...,
) -> dict[str, Any]: ...
def reduce_part(text: str, file_name: str | PathLike[str], output: str | PathLike[str] | None = ...) -> dict[str, Any]: ...
def import_robot(
    path: str | PathLike[str],
    folder: str | PathLike[str],
    parts: Sequence[tuple[str, str]],
    tables: Sequence[str | PathLike[str]],
    floating_base: bool = ...,
    leave_out: bool = ...,
) -> tuple[str, list[str]]: ...
def export_body(model: Model, body: str, path: str | PathLike[str]) -> list[str]: ...
