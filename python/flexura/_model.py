"""Models: from files, from text, with laws in Python."""

from __future__ import annotations

import os
import pathlib
import warnings
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._errors import Diagnostic, ModelError, ModelWarning
from ._flexura import Model, set_numbers, set_simulation
from ._toml import toml_key, toml_value

Law = Callable[[float, "NDArray[np.float64]", "NDArray[np.float64]"], ArrayLike]
"""``law(time, errors, memory)``: one number per actuator (N, N m).

``errors`` are reference − sensor; ``memory`` is kept from sample to sample and may be written to.
"""


@dataclass(frozen=True)
class PythonLaw:
    """A control law with remembered values."""

    law: Law
    memory: int = 0
    """How many numbers are kept from sample to sample; zero at the start."""


@dataclass(frozen=True)
class Measured:
    """A law that takes what is measured; the engine gives errors, 0 − sensor."""

    law: Law

    def __call__(
        self, time: float, errors: NDArray[np.float64], memory: NDArray[np.float64]
    ) -> ArrayLike:
        return self.law(time, -errors, memory)


Controllers = Mapping[str, Union[Law, PythonLaw]]


def load(
    path: str | os.PathLike[str],
    set: Mapping[str, float] | None = None,
    controllers: Controllers | None = None,
    simulation: Mapping[str, Any] | None = None,
) -> Model:
    """The model of a file (TOML), with other numbers, settings and laws in Python.

    ``set`` replaces numbers of the file by their path, as ``flexura run --set`` does;
    ``controllers`` gives a law in Python for ``[[controller]]`` entries with a ``sample_time``;
    ``simulation`` gives keys of ``[simulation]``: method, formulation, step (s), … (``None`` takes one away).

    >>> import flexura
    >>> model = flexura.load("models/pendulum.toml", set={"rod.mass": 2.0})
    >>> model.parameters["body.rod.mass"], model.bodies
    (2.0, ['rod'])
    >>> stiff = flexura.load("models/pendulum.toml", simulation={"method": "trapezoidal", "step": 0.01})
    >>> flexura.simulate(stiff, end=1.0).outcome["steps"]
    100
    """
    try:
        text = pathlib.Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as fault:
        raise ModelError(f"{os.fspath(path)} is not a model file: it is not UTF-8 text ({fault})") from None
    return loads(text, set, controllers, simulation, file_name=os.path.abspath(os.fspath(path)))


def loads(
    text: str,
    set: Mapping[str, float] | None = None,
    controllers: Controllers | None = None,
    simulation: Mapping[str, Any] | None = None,
    *,
    file_name: str = "model.toml",
) -> Model:
    """The model of a text; files it names are relative to the folder of ``file_name``."""
    if set:
        text = set_numbers(text, [(str(key), float(value)) for key, value in set.items()])
    if simulation:
        keys = simulation.items()
        text = set_simulation(text, [(toml_key(key), None if value is None else toml_value(value)) for key, value in keys])
    laws = []
    for name, law in (controllers or {}).items():
        given = law if isinstance(law, PythonLaw) else PythonLaw(law)
        if not callable(given.law):
            raise TypeError(f"the law of controller `{name}` cannot be called")
        laws.append((name, given.law, given.memory))
    model = Model(text, file_name, laws)
    for found in diagnostics(model):
        warnings.warn(str(found), ModelWarning, stacklevel=3)
    return model


def diagnostics(model: Model) -> list[Diagnostic]:
    """What is suspicious but allowed in a model."""
    return [Diagnostic(**found) for found in model._findings]


def rebuild(text: str, file_name: str, laws: list[tuple[str, Law, int]]) -> Model:
    """The model that was pickled."""
    return Model(text, file_name, laws)
