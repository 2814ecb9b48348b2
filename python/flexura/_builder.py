"""Models in code: a builder that composes the text of a model file.

There is one model format and one validation; the builder only writes it, so every key of a
model file is a keyword here, and errors name the item and the line of ``builder.text``.
"""

from __future__ import annotations

from typing import Any, Mapping, Sequence

from ._flexura import Model
from ._model import Law, Measured, PythonLaw, loads
from ._toml import toml_key, toml_table

_SINGLE = ("model", "let", "simulation", "output", "graph")


class ModelBuilder:
    """Builds a model item by item; every method returns the builder.

    Keywords are the keys of the model file (``MODEL_FILE.md``); SI units.

    >>> import flexura
    >>> model = (
    ...     flexura.ModelBuilder("pendulum")
    ...     .rigid("rod", mass=1.0, inertia=[1e-4, 0.083, 0.083], frames={"pivot": [-0.5, 0, 0]})
    ...     .revolute("hinge", "ground.origin", "rod.pivot", axis=[0, 1, 0])
    ...     .simulation(end=1.0)
    ...     .build()
    ... )
    >>> model.joints, model.free_speed_count
    (['hinge'], 1)
    """

    def __init__(self, name: str | None = None, *, gravity: Sequence[float] | None = None) -> None:
        self._single: dict[str, dict[str, Any]] = {section: {} for section in _SINGLE}
        self._definitions: dict[str, dict[str, Any]] = {}
        self._lists: list[tuple[str, dict[str, Any]]] = []
        self._laws: dict[str, PythonLaw] = {}
        self._single["model"] = {"name": name, "gravity": gravity}

    def _add(self, section: str, entry: dict[str, Any]) -> ModelBuilder:
        self._lists.append((section, entry))
        return self

    def let(self, **values: Any) -> ModelBuilder:
        """Variables for formulas, which may stand wherever a number may.

        >>> import flexura
        >>> model = (
        ...     flexura.ModelBuilder("row")
        ...     .let(n=3, spacing=0.2)
        ...     .define("bob", mass="= spacing", inertia=[1e-3, 1e-3, 1e-3])
        ...     .body("bob{i}", repeat="= n", like="bob", frames={"pivot": [0, 0, "= spacing*i"]})
        ...     .revolute("swing{i}", "ground.origin", "bob{i}.pivot", repeat="= n", axis=[0, 1, 0])
        ...     .build()
        ... )
        >>> model.joints
        ['swing1', 'swing2', 'swing3']
        """
        self._single["let"].update(values)
        return self

    def define(self, name: str, **keys: Any) -> ModelBuilder:
        """A definition: entries with ``like=name`` begin with its keys."""
        self._definitions[name] = keys
        return self

    def use(self, name: str, file: str, **keys: Any) -> ModelBuilder:
        """Another model file as a part: ``let``, ``outer``, ``position``, ``rotation``, ``repeat``."""
        return self._add("use", {"name": name, "file": file, **keys})

    def ground_frame(self, name: str, position: Sequence[float] = (0, 0, 0), **keys: Any) -> ModelBuilder:
        """A frame fixed to the ground."""
        return self._add("ground.frame", {"name": name, "position": position, **keys})

    def body(self, name: str, *, frames: Frames | None = None, **keys: Any) -> ModelBuilder:
        """A body of any kind, by the keys of ``[[body]]``."""
        return self._add("body", {"name": name, **keys, "frame": _frames(frames)})

    def rigid(
        self, name: str, mass: float, inertia: Any, *, frames: Frames | None = None, **keys: Any
    ) -> ModelBuilder:
        """A rigid body: mass (kg), inertia about the centre of mass (kg m²), three numbers or rows."""
        return self.body(name, frames=frames, mass=mass, inertia=inertia, **keys)

    def point(self, name: str, mass: float, *, frames: Frames | None = None) -> ModelBuilder:
        """A point mass (kg)."""
        return self.body(name, frames=frames, point_mass=mass)

    def beam(
        self, name: str, *, frames: Frames | None = None, level: str | None = None, **keys: Any
    ) -> ModelBuilder:
        """A uniform beam: length (m), density (kg/m³), young (Pa), poisson, section, boundary, bending_y, …"""
        return self.body(name, frames=frames, level=level, beam=keys)

    def modal(
        self,
        name: str,
        nodes: Sequence[Mapping[str, Any]],
        stiffness: Any,
        *,
        frames: Frames | None = None,
        damping: Any = None,
        level: str | None = None,
    ) -> ModelBuilder:
        """A flexible body from nodes (mass, position, translations, slopes) and modal stiffness."""
        modal = {"stiffness": stiffness, "damping": damping, "node": list(nodes)}
        return self.body(name, frames=frames, level=level, modal=modal)

    def finite_elements(self, name: str, file: str, **keys: Any) -> ModelBuilder:
        """A flexible body from a part file or reduced-body file; its interfaces are frames."""
        return self.body(name, fe=file, **keys)

    def joint(self, name: str, kind: str, first: str, second: str, **keys: Any) -> ModelBuilder:
        """A joint between two frames, ``"body.frame"``; its coordinates move the second."""
        return self._add("joint", {"name": name, "type": kind, "between": [first, second], **keys})

    def weld(self, name: str, first: str, second: str) -> ModelBuilder:
        """A rigid connection."""
        return self.joint(name, "weld", first, second)

    def revolute(self, name: str, first: str, second: str, **keys: Any) -> ModelBuilder:
        """A hinge about ``axis``."""
        return self.joint(name, "revolute", first, second, **keys)

    def prismatic(self, name: str, first: str, second: str, **keys: Any) -> ModelBuilder:
        """A slide along ``axis``."""
        return self.joint(name, "prismatic", first, second, **keys)

    def spherical(self, name: str, first: str, second: str, **keys: Any) -> ModelBuilder:
        """A ball joint."""
        return self.joint(name, "spherical", first, second, **keys)

    def free(self, name: str, first: str, second: str, **keys: Any) -> ModelBuilder:
        """No connection: six freedoms."""
        return self.joint(name, "free", first, second, **keys)

    def force(
        self,
        name: str,
        at: str,
        *,
        law: Law | PythonLaw | None = None,
        sensors: Sequence[str] = (),
        sample_time: float | None = None,
        **keys: Any,
    ) -> ModelBuilder:
        """A load at a frame: ``force`` (N), ``moment`` (N m), ``axes``, ``scale``.

        A ``law(time, values, memory)`` in Python gives the number that force and moment are multiplied by, from the
        values of the ``sensors`` (channels), every ``sample_time`` (s); it is held in between. A call costs
        two to four microseconds beside the law itself.
        """
        if law is None:
            return self._add("force", {"name": name, "at": at, **keys})
        given = law if isinstance(law, PythonLaw) else PythonLaw(law)
        self._add("force", {"name": name, "at": at, "scale": 0.0, **keys})
        measured = PythonLaw(Measured(given.law), given.memory)
        return self.controller(f"{name}_law", sensors=sensors, actuators=[name], law=measured, sample_time=sample_time)

    def load(self, name: str, kind: str, body: str, **keys: Any) -> ModelBuilder:
        """A load spread over a flexible body: line, pressure, thermal, modal."""
        return self._add("load", {"name": name, "type": kind, "body": body, **keys})

    def element(self, name: str, kind: str, first: str, second: str, **keys: Any) -> ModelBuilder:
        """A force element between two frames: spring-damper, bushing, contact, …"""
        return self._add("element", {"name": name, "type": kind, "between": [first, second], **keys})

    def controller(
        self,
        name: str,
        *,
        sensors: Sequence[str],
        actuators: Sequence[str],
        law: Law | PythonLaw | None = None,
        **keys: Any,
    ) -> ModelBuilder:
        """A controller: ``type`` pid, state-space, function or fmu with its keys, or a ``law`` in Python.

        A ``law(time, errors, memory)`` in Python needs a ``sample_time`` (s). A call costs two to four microseconds
        beside the law itself.
        """
        if law is not None:
            self._laws[name] = law if isinstance(law, PythonLaw) else PythonLaw(law)
        return self._add("controller", {"name": name, "sensors": sensors, "actuators": actuators, **keys})

    def picture(self, body: str, **keys: Any) -> ModelBuilder:
        """How a body looks: ``box``, ``sphere``, ``cylinder``, ``file`` (STL, OBJ, glTF), ``lines`` or ``triangles``."""
        return self._add("picture", {"body": body, **keys})

    def initial(self, body: str, **keys: Any) -> ModelBuilder:
        """Modal coordinates at the start: ``modal_position``, ``modal_speed``."""
        return self._add("simulation.initial", {"body": body, **keys})

    def event(self, name: str, channel: str, **keys: Any) -> ModelBuilder:
        """An instant to locate: ``value``, ``direction``, ``action``."""
        return self._add("simulation.event", {"name": name, "channel": channel, **keys})

    def simulation(self, **keys: Any) -> ModelBuilder:
        """Time span, method, tolerances, ``output_interval`` (s)."""
        self._single["simulation"].update(keys)
        return self

    def output(self, **keys: Any) -> ModelBuilder:
        """What to record: ``channels``, ``picture``."""
        self._single["output"].update(keys)
        return self

    @property
    def text(self) -> str:
        """The model file."""
        parts = [toml_table(f"[{section}]", self._single[section]) for section in _SINGLE]
        parts += [toml_table(f"[define.{toml_key(name)}]", keys) for name, keys in self._definitions.items()]
        parts += [toml_table(f"[[{section}]]", entry) for section, entry in self._lists]
        return "\n".join(part for part in parts if part)

    def build(self, *, file_name: str | None = None) -> Model:
        """The model; files it names are relative to the folder of ``file_name``."""
        name = file_name if file_name is not None else f"{self._single['model']['name'] or 'model'}.toml"
        return loads(self.text, controllers=self._laws, file_name=name)


Frames = Mapping[str, Any]
"""Frames of a body: name to position (m), or to the keys of ``[[body.frame]]``."""


def _frames(frames: Frames | None) -> list[dict[str, Any]] | None:
    if not frames:
        return None
    return [
        {"name": name, **place} if isinstance(place, Mapping) else {"name": name, "position": place}
        for name, place in frames.items()
    ]
