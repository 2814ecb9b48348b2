"""Environments with the ``gymnasium`` API: ``pip install flexura[gym]``.

>>> import gymnasium, flexura.gym
>>> env = gymnasium.make("flexura/Crane-v0")
>>> observation, info = env.reset(seed=1)
>>> observation.shape, env.action_space.shape
((8,), (1,))
>>> many = flexura.gym.VectorEnv(flexura.gym.FlexibleArm(), 4)
>>> many.reset(seed=1)[0].shape
(4, 6)

Both kinds compute alike: environment ``i`` of a vector with seed ``s`` has the bits of a single one with seed ``s + i``.
"""

from __future__ import annotations

from typing import Any, Callable, SupportsFloat

import gymnasium
import numpy as np
from gymnasium.spaces import Box
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as _VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ._simulator import Simulator, step_all
from .tasks import Crane, FlexibleArm, Task

Floats = NDArray[np.float64]

__all__ = ["Crane", "Env", "FlexibleArm", "Task", "VectorEnv"]


def _spaces(task: Task) -> tuple[Any, Any]:
    seen = (len(task.channels),)
    actions = Box(-1.0, 1.0, (len(task.inputs),), np.float64)
    return Box(-np.inf, np.inf, seen, np.float64), actions


def _simulator(task: Task) -> Simulator:
    made = task.model.simulator(inputs=task.inputs, channels=task.channels, step=task.step)
    if sorted(made.names) != sorted(task.channels):
        raise ValueError(f"the channels of a task are names, one channel each: {', '.join(task.channels)}")
    return made


class _Batch:
    """Runs of one task side by side: what both kinds of environment are made of."""

    def __init__(self, task: Task, count: int, threads: int | None) -> None:
        self.task, self.threads = task, threads
        self.runs = [_simulator(task) for _ in range(count)]
        # Channels come in the order of the model, inputs too; tasks name them in their own.
        self._columns = [self.runs[0].names.index(name) for name in task.channels]
        self._inputs = [task.inputs.index(name) for name in self.runs[0].input_names]
        self.goals = np.zeros((count, len(task.goal_low)))
        self.steps = np.zeros(count, dtype=np.int64)

    def restart(self, place: int, random: np.random.Generator) -> None:
        self.goals[place] = self.task.goals(random)
        self.runs[place].reset(self.task.start(random))
        self.steps[place] = 0

    def values(self) -> Floats:
        return np.stack([run.values for run in self.runs])[:, self._columns]

    def observe(self) -> Floats:
        return self.task.observe(self.values(), self.goals)

    def step(
        self, actions: Floats, rest: NDArray[np.bool_] | None = None
    ) -> tuple[Floats, Floats, NDArray[np.bool_], NDArray[np.bool_]]:
        """One step of all runs that do not rest."""
        clipped = np.clip(actions, -1.0, 1.0)
        inputs = (clipped * np.asarray(self.task.action_scale))[:, self._inputs]
        if rest is None or not rest.any():
            faults = step_all(self.runs, inputs, self.threads)
        else:
            faults = step_all([run for run, rests in zip(self.runs, rest) if not rests], inputs[~rest], self.threads)
        for fault in faults:
            if fault is not None:
                raise fault
        values = self.values()
        self.steps += 1
        rewards = self.task.reward(values, self.goals, clipped)
        stopped = np.array([run.stopped_by is not None for run in self.runs])
        ended = self.task.failed(values, self.goals) | stopped
        return self.task.observe(values, self.goals), rewards, ended, self.steps >= self.task.steps


class Env(gymnasium.Env[Floats, Floats]):
    """One run of a task."""

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(self, task: Task) -> None:
        self.task = task
        self._batch = _Batch(task, 1, 1)
        self.observation_space, self.action_space = _spaces(task)

    @property
    def simulator(self) -> Simulator:
        """The run: poses, energies and reactions beside what is observed."""
        return self._batch.runs[0]

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Floats, dict[str, Any]]:
        """Begins an episode with a new goal."""
        super().reset(seed=seed)
        self._batch.restart(0, self.np_random)
        return self._batch.observe()[0], {"goal": self._batch.goals[0].copy()}

    def step(self, action: Floats) -> tuple[Floats, SupportsFloat, bool, bool, dict[str, Any]]:
        """One step; actions beyond −1 … 1 are cut off."""
        seen, reward, ended, out_of_time = self._batch.step(np.asarray(action, dtype=np.float64).reshape(1, -1))
        return seen[0], float(reward[0]), bool(ended[0]), bool(out_of_time[0]), {"time": self.simulator.time}


class VectorEnv(_VectorEnv[Floats, Floats, NDArray[Any]]):
    """Many runs of a task on all cores; episodes that have ended begin anew with the next step (``NEXT_STEP``)."""

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, task: Task, num_envs: int, threads: int | None = None) -> None:
        self.task, self.num_envs = task, num_envs
        self._batch = _Batch(task, num_envs, threads)
        self.single_observation_space, self.single_action_space = _spaces(task)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._ended = np.zeros(num_envs, dtype=bool)
        self._randoms = [np.random.default_rng(place) for place in range(num_envs)]

    @property
    def simulators(self) -> list[Simulator]:
        """The runs."""
        return self._batch.runs

    def reset(self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None) -> tuple[Floats, dict[str, Any]]:
        """Begins all episodes."""
        if isinstance(seed, int):
            seed = [seed + place for place in range(self.num_envs)]
        for place in range(self.num_envs):
            own = None if seed is None else seed[place]
            if own is not None:
                self._randoms[place] = gymnasium.utils.seeding.np_random(own)[0]
            self._batch.restart(place, self._randoms[place])
        self._ended[:] = False
        return self._batch.observe(), {"goal": self._batch.goals.copy()}

    def step(self, actions: Floats) -> tuple[Floats, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """One step of all runs."""
        anew = self._ended.copy()
        seen, rewards, ended, out_of_time = self._batch.step(np.asarray(actions, dtype=np.float64), anew)
        for place in np.flatnonzero(anew):
            self._batch.restart(int(place), self._randoms[place])
        if anew.any():
            seen = self._batch.observe()
            rewards[anew], ended[anew], out_of_time[anew] = 0.0, False, False
        self._ended = ended | out_of_time
        return seen, rewards, ended, out_of_time, {}


def _entry(task: Callable[[], Task]) -> Callable[..., Env]:
    return lambda **keywords: Env(task(**keywords))


def _many(task: Callable[[], Task]) -> Callable[..., VectorEnv]:
    return lambda num_envs, threads=None, **keywords: VectorEnv(task(**keywords), num_envs, threads)


gymnasium.register("flexura/FlexibleArm-v0", _entry(FlexibleArm), vector_entry_point=_many(FlexibleArm))
gymnasium.register("flexura/Crane-v0", _entry(Crane), vector_entry_point=_many(Crane))
