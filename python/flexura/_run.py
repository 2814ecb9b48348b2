"""Simulations: one, or many on all cores."""

from __future__ import annotations

import os
import warnings
from typing import Any, Callable, Literal, Mapping, Sequence, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _flexura
from ._checkpoint import Checkpoint, fingerprint
from ._errors import Interrupted, ModelWarning, SimulationError
from ._flexura import Model
from ._processes import leave_together
from ._progress import bar
from ._result import Result

State = tuple[ArrayLike, ArrayLike]
"""Coordinates q and speeds v, as :meth:`flexura.Model.initial_state` gives them."""


def _finish(parts: dict[str, Any], model: Model) -> Result:
    """The result, or the exception that ended the run with the rows before it."""
    stopped, failure, last = (parts.pop(key, None) for key in ("stopped", "failure", "checkpoint"))
    result = Result(parts)
    if isinstance(stopped, KeyboardInterrupt):
        checkpoint = Checkpoint(last[0], last[1], result.data[: last[2]], fingerprint(model)) if last else None
        raise Interrupted(result, checkpoint) from None
    if stopped is not None:
        raise SimulationError(f"stopped by an exception: {stopped!r}", None, result) from stopped
    if failure is not None:
        raise SimulationError(failure[0], failure[1], result)
    return result


def simulate(
    model: Model,
    *,
    end: float | None = None,
    output_interval: float | None = None,
    relative_tolerance: float | None = None,
    absolute_tolerance: float | None = None,
    channels: Sequence[str] | None = None,
    initial_state: State | None = None,
    from_static: bool = False,
    relax: bool = False,
    picture: bool | None = None,
    threads: int | None = None,
    ranks: int | Literal["mpi"] | None = None,
    formulation: Literal["recursive", "topological", "global", "graph"] | None = None,
    device: str | None = None,
    checkpoint: Keep | None = None,
    checkpoint_interval: float = 60.0,
    restart: Checkpoint | str | os.PathLike[str] | None = None,
    progress: bool | None = None,
) -> Result:
    """Simulates a model with its own settings, or those given here (s).

    ``channels`` are patterns with ``*`` and ``?``; ``from_static`` starts from the equilibrium
    (``relax``: by falling into it first), with the speeds that nothing holds; ``picture`` records what :meth:`Result.view` needs;
    ``threads`` is for models with ``algorithm = "divide-and-conquer"``, results do not depend on it;
    ``ranks`` runs such a model on threads that share nothing but messages, or (``"mpi"``) on all processes that
    ``mpirun -n 4 python script.py`` has started, each of which gets the whole result: the same bits again;
    ``formulation`` is that of the file or another that fits the method;
    ``device`` lets a GPU take the steps (``"cuda"``, ``"cuda:1"``): trees by ``rk4`` or ``dormand-prince``,
    what it cannot run is named.
    ``checkpoint`` is a file that is replaced every ``checkpoint_interval`` (s of computing), or a function
    that takes each :class:`Checkpoint`; ``restart`` goes on from one with the same bits.
    The interpreter is free while the run goes on. Ctrl-C raises :class:`Interrupted` (with a checkpoint), a
    run that cannot go on raises :class:`SimulationError`; both carry the rows recorded before.

    >>> import flexura
    >>> result = flexura.simulate(flexura.load("models/pendulum.toml"), end=0.5)
    >>> bool(abs(result["energy.balance"]).max() < 1e-6)
    True
    """
    if isinstance(restart, (str, os.PathLike)):
        restart = Checkpoint.load(restart)
    if ranks == "mpi":
        leave_together()
    show = bar(progress)
    try:
        parts = _flexura.simulate(
            model,
            end=end,
            output_interval=output_interval,
            relative_tolerance=relative_tolerance,
            absolute_tolerance=absolute_tolerance,
            channels=_patterns(channels),
            picture=picture,
            initial_state=initial_state,
            from_static=from_static,
            relax=relax,
            threads=threads,
            ranks=ranks,
            formulation=formulation,
            device=device,
            progress=show,
            keep=_keeper(checkpoint, model),
            keep_interval=checkpoint_interval,
            restart=None if restart is None else restart.parts_for(model),
        )
    finally:
        if show is not None:
            show.close()
    result = _finish(parts, model)
    for words in result.outcome.get("warnings", []):
        warnings.warn(words, ModelWarning, stacklevel=2)
    return result


Keep = str | os.PathLike[str] | Callable[[Checkpoint], object]
"""A file, or a function of every checkpoint."""


def _keeper(keep: Keep | None, model: Model) -> Callable[[float, Any, Any, int], None] | None:
    """What the engine calls with time, words and rows of a checkpoint."""
    if keep is None:
        return None
    own = fingerprint(model)

    def take(time: float, words: Any, rows: Any, width: int) -> None:
        made = Checkpoint(time, words, rows.reshape(-1, width), own)
        if callable(keep):
            keep(made)
        else:
            made.save(keep)

    return take


def _patterns(channels: Sequence[str] | None) -> list[str] | None:
    if isinstance(channels, str):
        return [channels]
    return None if channels is None else [str(name) for name in channels]


Parameters = Mapping[str, ArrayLike] | Sequence[Mapping[str, float]]
"""One list of values per path, or one mapping per case."""


def _cases(parameters: Parameters | None) -> list[list[tuple[str, float]]] | None:
    if parameters is None:
        return None
    if isinstance(parameters, Mapping):
        columns = {str(name): np.atleast_1d(np.asarray(values, dtype=float)) for name, values in parameters.items()}
        lengths = {values.size for values in columns.values()}
        if len(lengths) != 1 or any(values.ndim != 1 for values in columns.values()):
            raise ValueError(f"parameters have different lengths: {({n: v.shape for n, v in columns.items()})}")
        return [[(name, float(values[i])) for name, values in columns.items()] for i in range(lengths.pop())]
    return [[(str(name), float(value)) for name, value in case.items()] for case in parameters]


@overload
def rollout(
    model: Model,
    parameters: Parameters | None = ...,
    initial_states: Sequence[State] | None = ...,
    *,
    errors: Literal["raise"] = ...,
    threads: int | None = ...,
    end: float | None = ...,
    output_interval: float | None = ...,
    relative_tolerance: float | None = ...,
    absolute_tolerance: float | None = ...,
    channels: Sequence[str] | None = ...,
    device: str | None = ...,
    progress: bool | None = ...,
) -> list[Result]: ...


@overload
def rollout(
    model: Model,
    parameters: Parameters | None = ...,
    initial_states: Sequence[State] | None = ...,
    *,
    errors: Literal["keep"],
    threads: int | None = ...,
    end: float | None = ...,
    output_interval: float | None = ...,
    relative_tolerance: float | None = ...,
    absolute_tolerance: float | None = ...,
    channels: Sequence[str] | None = ...,
    device: str | None = ...,
    progress: bool | None = ...,
) -> list[Result | Exception]: ...


def rollout(
    model: Model,
    parameters: Parameters | None = None,
    initial_states: Sequence[State] | None = None,
    *,
    errors: Literal["raise", "keep"] = "raise",
    threads: int | None = None,
    end: float | None = None,
    output_interval: float | None = None,
    relative_tolerance: float | None = None,
    absolute_tolerance: float | None = None,
    channels: Sequence[str] | None = None,
    device: str | None = None,
    progress: bool | None = None,
) -> list[Any]:
    """Many runs on all cores; each equals the same run alone (without a picture), bit by bit.

    ``parameters`` are numbers of the model file: one list per path, or one mapping per case.
    ``initial_states`` are pairs (q, v). Given both, they belong together one by one. A case that
    fails raises its exception, or stands in the list in place of its result with
    ``errors="keep"``.

    ``device="cuda"`` lets a GPU take the steps of all runs at once, each with its own step size: trees
    by ``rk4`` or ``dormand-prince`` that differ in numbers only. Rows are still evaluated here.

    >>> import flexura
    >>> model = flexura.load("models/pendulum.toml")
    >>> runs = flexura.rollout(model, {"hinge.position": [0.1, 0.2, 0.3]}, end=0.1)
    >>> [round(float(run["hinge.angle"][0]), 3) for run in runs]
    [0.1, 0.2, 0.3]
    """
    if errors not in ("raise", "keep"):
        raise ValueError(f'errors = {errors!r}: choose "raise" or "keep"')
    cases = _cases(parameters)
    states: list[State | None] | None = None if initial_states is None else list(initial_states)
    if cases is None and states is None:
        raise ValueError("give parameters, initial_states or both")
    if cases is None:
        cases = [[] for _ in states or []]
    if states is None:
        states = [None] * len(cases)
    if len(cases) != len(states):
        raise ValueError(f"{len(cases)} parameter sets for {len(states)} initial states")
    if threads is not None and threads < 1:
        raise ValueError(f"threads = {threads}: at least one")
    show = bar(progress)
    try:
        found = _flexura.rollout(
            model,
            cases,
            states,
            threads if threads is not None else cores(),
            end=end,
            output_interval=output_interval,
            relative_tolerance=relative_tolerance,
            absolute_tolerance=absolute_tolerance,
            channels=_patterns(channels),
            picture=False,
            device=device,
            progress=show,
        )
    finally:
        if show is not None:
            show.close()
    results: list[Result | Exception] = []
    for index, parts in enumerate(found):
        try:
            if isinstance(parts, BaseException):
                raise parts
            results.append(_finish(parts, model))
        except Exception as fault:
            if errors == "raise":
                _note(fault, f"in case {index} of the rollout: {dict(cases[index])}")
                raise
            results.append(fault)
    return results


def stack(runs: Sequence[Result], channels: Sequence[str]) -> NDArray[np.float64]:
    """Channels of many runs as one array: cases × rows × channels, in one block that may be written to.

    The array knows DLPack, so that ``torch.from_dlpack(array)`` and ``jax.dlpack.from_dlpack(array)`` take it as it
    is, without a further copy. The runs must have as many rows each, at the same times: runs of one rollout
    that came to their ends do.

    >>> import flexura
    >>> model = flexura.load("models/pendulum.toml")
    >>> runs = flexura.rollout(model, {"hinge.position": [0.1, 0.2, 0.3]}, end=0.1)
    >>> flexura.stack(runs, ["hinge.angle", "hinge.rate"]).shape
    (3, 11, 2)
    """
    for index, run in enumerate(runs):
        if isinstance(run, BaseException):
            raise ValueError(f"case {index} has no rows: {run}")
        if not np.array_equal(run.time, runs[0].time):
            raise ValueError(f"case {index} has its rows at other times than case 0")
    rows = len(runs[0].time) if runs else 0
    out = np.empty((len(runs), rows, len(channels)))
    for index, run in enumerate(runs):
        for place, name in enumerate(channels):
            out[index, :, place] = run[name]
    return out


def _note(fault: Exception, text: str) -> None:
    """Python 3.11 and newer show notes below an exception."""
    if hasattr(fault, "add_note"):
        fault.add_note(text)


def cores() -> int:
    """Cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
