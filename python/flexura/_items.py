"""Bodies, frames and joints of a model as objects: names that exist, and what belongs to them."""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from ._flexura import Model


class FrameMotion(TypedDict):
    """Pose and velocity of a frame, inertial components."""

    position: NDArray[np.float64]
    rotation: NDArray[np.float64]
    angular_velocity: NDArray[np.float64]
    velocity: NDArray[np.float64]


def _known(kind: str, name: str, names: list[str]) -> None:
    if name not in names:
        raise KeyError(f'no {kind} "{name}"; there are {", ".join(names) or "none"}')


def _channels(model: Model, owner: str) -> list[str]:
    return [name for name, _ in model.channels if fnmatch.fnmatchcase(name, f"{owner}.*")]


@dataclass(frozen=True)
class Frame:
    """A frame of a body: ``model.frame("boom.tip")``, ``model.body("boom").frame("tip")``."""

    model: Model
    name: str
    """``BODY.FRAME``."""

    def __post_init__(self) -> None:
        _known("frame", self.name, self.model.frames)

    def motion(self, q: ArrayLike, v: ArrayLike, t: float = 0.0) -> FrameMotion:
        """Pose and velocity at (q, v, t)."""
        return cast(FrameMotion, self.model.frame_motion(self.name, q, v, t))

    def jacobian(self, q: ArrayLike, t: float = 0.0) -> NDArray[np.float64]:
        """6 by speeds: angular velocity and velocity are J v, inertial components."""
        return self.model.jacobian(self.name, q, t)

    @property
    def channels(self) -> list[str]:
        """What can be recorded of it."""
        return _channels(self.model, self.name)


@dataclass(frozen=True)
class Body:
    """A body: ``model.body("boom")``.

    >>> import flexura
    >>> model = flexura.load("models/flexible_arm.toml")
    >>> model.body("upper").modes, model.body("upper").frame("elbow").name
    (5, 'upper.elbow')
    """

    model: Model
    name: str

    def __post_init__(self) -> None:
        _known("body", self.name, self.model.bodies)

    def frame(self, name: str) -> Frame:
        """One of its frames."""
        _known(f"frame of {self.name}", name, [frame.name.split(".", 1)[1] for frame in self.frames])
        return Frame(self.model, f"{self.name}.{name}")

    @property
    def frames(self) -> list[Frame]:
        """Its frames, ``origin`` among them."""
        return [Frame(self.model, name) for name in self.model.frames if name.startswith(f"{self.name}.")]

    @property
    def modes(self) -> int:
        """Number of modes; 0 where it is rigid."""
        return self.model.modes_of_bodies[self.name]

    @property
    def channels(self) -> list[str]:
        """What can be recorded of it and of its frames."""
        return _channels(self.model, self.name)


@dataclass(frozen=True)
class Joint:
    """A joint: ``model.joint("hinge")``.

    >>> import flexura
    >>> hinge = flexura.load("models/pendulum.toml").joint("hinge")
    >>> hinge.coordinates, hinge.q, hinge.closes_loop
    (['hinge.angle'], slice(0, 1, None), False)
    """

    model: Model
    name: str

    def __post_init__(self) -> None:
        _known("joint", self.name, self.model.joints + self.model.loops)

    @property
    def closes_loop(self) -> bool:
        """Whether it closes a loop: it has no coordinates in q then."""
        return self.name in self.model.loops

    @property
    def q(self) -> slice:
        """Where its coordinates stand in q."""
        return slice(*self.model._joint_places(self.name)[:2])

    @property
    def v(self) -> slice:
        """Where its speeds stand in v."""
        return slice(*self.model._joint_places(self.name)[2:])

    @property
    def coordinates(self) -> list[str]:
        """Names of its coordinates, which are channels."""
        return self.model.coordinate_names[self.q]

    @property
    def speeds(self) -> list[str]:
        """Names of its speeds, which are channels."""
        return self.model.speed_names[self.v]

    @property
    def channels(self) -> list[str]:
        """What can be recorded of it."""
        return _channels(self.model, self.name)
