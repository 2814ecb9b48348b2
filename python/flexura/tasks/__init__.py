"""Tasks for control and learning: a model, what may be set, what is seen, what is wanted.

A task computes for many runs at once: one row each. ``flexura.gym`` makes environments of them.
"""

from __future__ import annotations

import pathlib
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .._flexura import Model
from .._model import load

Floats = NDArray[np.float64]
_FOLDER = pathlib.Path(__file__).parent


@dataclass(frozen=True)
class Task:
    """What an environment needs to know. Rows are runs."""

    model: Model
    inputs: tuple[str, ...]
    """Inputs that actions drive, −1 … 1 times :attr:`action_scale`."""
    channels: tuple[str, ...]
    """Channels that :meth:`observe`, :meth:`reward` and :meth:`failed` see, in this order."""
    action_scale: tuple[float, ...]
    goal_low: tuple[float, ...]
    """Goals are drawn evenly from here …"""
    goal_high: tuple[float, ...]
    """… to here."""
    observation_scale: tuple[float, ...]
    """Observations are divided by these, so that they are of order one."""
    steps: int = 200
    """Steps of an episode."""
    step: float | None = None
    """Length of a step (s); the model's ``output_interval`` if left out."""

    def start(self, random: np.random.Generator) -> tuple[Floats, Floats]:
        """State (q, v) that an episode starts from: the model's own, slightly moved."""
        q, v = self.model.initial_state()
        free = ~np.asarray(self.model.prescribed)
        v[free] += 1e-3 * random.standard_normal(int(free.sum()))
        return q, v

    def goals(self, random: np.random.Generator) -> Floats:
        """A goal for one episode."""
        return np.asarray(random.uniform(self.goal_low, self.goal_high), dtype=np.float64)

    def observe(self, values: Floats, goals: Floats) -> Floats:
        """What a policy sees: the first channels as distances from their goals, the others as they are."""
        seen = values.copy()
        seen[:, : goals.shape[1]] -= goals
        return np.asarray(seen / np.asarray(self.observation_scale))

    def reward(self, values: Floats, goals: Floats, actions: Floats) -> Floats:
        """Reward of a step: minus a weighted sum of squares of what is seen and done."""
        seen = self.observe(values, goals)
        return np.asarray(-(seen**2).mean(axis=1) - 1e-2 * (actions**2).mean(axis=1))

    def failed(self, values: Floats, goals: Floats) -> NDArray[np.bool_]:
        """Whether an episode ends early."""
        return np.zeros(len(values), dtype=bool)


@dataclass(frozen=True)
class FlexibleArm(Task):
    """A motor turns a flexible arm to a wanted angle; observed: angle error, rate, two bending modes and their rates."""

    model: Model = field(default_factory=lambda: load(_FOLDER / "flexible_arm.toml"))
    inputs: tuple[str, ...] = ("motor.effort",)
    channels: tuple[str, ...] = ("motor.angle", "motor.rate", "arm.eta.1", "arm.eta.2", "arm.eta_rate.1", "arm.eta_rate.2")
    action_scale: tuple[float, ...] = (4.0,)
    goal_low: tuple[float, ...] = (-1.0,)
    goal_high: tuple[float, ...] = (1.0,)
    observation_scale: tuple[float, ...] = (1.0, 3.0, 0.05, 0.01, 1.0, 1.0)
    steps: int = 200

    def failed(self, values: Floats, goals: Floats) -> NDArray[np.bool_]:
        """Beyond one turn."""
        return np.asarray(np.abs(values[:, 0]) > 2 * np.pi)


@dataclass(frozen=True)
class Crane(Task):
    """A jib slews with a hanging load; observed: angle error, rate, sway of the rope and its rates, bending of the jib."""

    model: Model = field(default_factory=lambda: load(_FOLDER / "crane.toml"))
    inputs: tuple[str, ...] = ("slew.acceleration",)
    channels: tuple[str, ...] = (
        "slew.angle",
        "slew.rate",
        "rope.angle1",
        "rope.angle2",
        "rope.rate1",
        "rope.rate2",
        "jib.eta.1",
        "jib.eta.2",
    )
    action_scale: tuple[float, ...] = (0.3,)
    goal_low: tuple[float, ...] = (-1.2,)
    goal_high: tuple[float, ...] = (1.2,)
    observation_scale: tuple[float, ...] = (1.0, 0.5, 0.3, 0.3, 0.5, 0.5, 0.3, 0.3)
    steps: int = 200

    def failed(self, values: Floats, goals: Floats) -> NDArray[np.bool_]:
        """A sway of more than one radian."""
        return np.asarray(np.abs(values[:, 2:4]).max(axis=1) > 1.0)


__all__ = ["Crane", "FlexibleArm", "Task"]
