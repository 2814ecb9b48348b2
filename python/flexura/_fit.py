"""Numbers of a model file fitted to a measured record."""

from __future__ import annotations

import csv
import os
import re
import sys
import warnings
from dataclasses import dataclass, field
from typing import Any, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _flexura
from ._errors import ModelWarning
from ._flexura import Model
from ._model import loads

Floats = NDArray[np.float64]
Record = Mapping[str, ArrayLike] | str | os.PathLike[str]
"""Columns by name, ``time`` among them (a mapping, a ``pandas.DataFrame``), or a CSV file with the same headings."""


@dataclass(frozen=True)
class Estimate:
    """An unknown that was found."""

    name: str
    before: float
    value: float
    deviation: float
    """Standard deviation."""
    interval: tuple[float, float]
    """Interval of the confidence asked for."""
    at_bound: bool

    def __contains__(self, value: float) -> bool:
        return self.interval[0] <= value <= self.interval[1]


@dataclass(frozen=True)
class Unseen:
    """A combination of unknowns that the data do not see: a product of powers."""

    weights: dict[str, float]
    deviation: float
    """Relative change along it that the noise allows."""


@dataclass(frozen=True)
class Fit:
    """What :func:`fit` has found."""

    estimates: dict[str, Estimate]
    """Unknowns by name: parameters, then ``time offset`` and ``CHANNEL bias`` where they were looked for."""
    model: Model = field(repr=False)
    """The model with the numbers found."""
    time: Floats = field(repr=False)
    measured: dict[str, Floats] = field(repr=False)
    fitted: dict[str, Floats] = field(repr=False)
    """The fitted model at the instants of the record, bias included."""
    residuals: dict[str, float]
    """Root of the mean square of the residuals, per channel."""
    residuals_before: dict[str, float]
    poor: list[str]
    """Channels of which a fifth or more is left: a local minimum, or a model that cannot be right. They are warned of."""
    correlations: Floats = field(repr=False)
    singular_values: Floats
    """Of the scaled derivatives, over the largest: small ones are combinations that the data hardly see."""
    unseen: list[Unseen]
    iterations: int
    runs: int
    converged: bool
    derivatives: str
    """``dual numbers`` or ``central differences of runs``."""

    @property
    def parameters(self) -> dict[str, float]:
        """Values by name, for ``flexura.load(…, set=…)``."""
        extra = {"time offset", *(f"{name} bias" for name in self.measured)}
        return {name: one.value for name, one in self.estimates.items() if name not in extra}

    def plot(self, axes: Any = None) -> Any:
        """Draws measured points and fitted lines with matplotlib; returns the figure."""
        import matplotlib.pyplot as plt

        if axes is None:
            _, axes = plt.subplots(len(self.measured), 1, sharex=True, squeeze=False)
        units = dict(self.model.channels)
        for ax, name in zip(np.ravel(axes), self.measured):
            ax.plot(self.time, self.measured[name], ".", markersize=3, label="measured")
            ax.plot(self.time, self.fitted[name], label="fitted")
            ax.set_ylabel(f"{name} [{units[name]}]")
            ax.legend()
        np.ravel(axes)[-1].set_xlabel("time [s]")
        return np.ravel(axes)[0].figure


def columns_of(record: Record) -> dict[str, Floats]:
    if not isinstance(record, (str, os.PathLike)):
        return {str(name): np.asarray(record[name], dtype=np.float64) for name in record.keys()}
    with open(record, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(line for line in file if line.strip() and not line.startswith("#")))
    if not rows:
        raise ValueError(f"{os.fspath(record)}: no header")
    names = [re.sub(r" \[[^\]]*\]$", "", cell.strip()) for cell in rows[0]]
    try:
        return dict(zip(names, np.array(rows[1:], dtype=np.float64).reshape(-1, len(names)).T))
    except ValueError as fault:
        raise ValueError(f"{os.fspath(record)}: {fault}") from None


def fit(
    model: Model,
    record: Record,
    parameters: Sequence[str],
    channels: Sequence[str] | Mapping[str, str] | None = None,
    *,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    time_offset: float = 0.0,
    bias: bool = False,
    noise: Mapping[str, float] | None = None,
    confidence: float = 0.95,
    iterations: int = 50,
    end: float | None = None,
    progress: bool | None = None,
) -> Fit:
    """Finds the numbers of a model file that bring its channels closest to a record, by least squares with bounds.

    ``channels`` chooses columns of the record, or maps columns to channels of the model; all columns if left out.
    ``time_offset`` is the largest offset (s) of the model's clock ahead of the record's that is looked for, ``bias`` a constant
    per channel. ``noise`` are standard deviations of channels where they are known; else they come from a first search.
    Intervals are those of independent noise. What the data do not see is in :attr:`Fit.unseen`.

    >>> import flexura
    >>> model = flexura.load("models/fit/ringdown.toml")
    >>> numbers = ["boom.young", "boom.damping.ratios.1"]
    >>> found = flexura.fit(model, "models/fit/ringdown.csv", numbers, time_offset=0.1, bias=True, progress=False)
    >>> found.converged, 68e9 < found.parameters["boom.young"] < 72e9
    (True, True)
    """
    columns = columns_of(record)
    if "time" not in columns:
        raise ValueError(f"the record has no column `time`; columns are {', '.join(columns)}")
    times = columns.pop("time")
    if channels is None:
        pairs = {name: name for name in columns}
    elif isinstance(channels, Mapping):
        pairs = {str(column): str(channel) for column, channel in channels.items()}
    else:
        pairs = {str(name): str(name) for name in ([channels] if isinstance(channels, str) else channels)}
    for column in pairs:
        if column not in columns:
            raise ValueError(f"the record has no column `{column}`; columns are time, {', '.join(columns)}")
        if columns[column].shape != times.shape:
            raise ValueError(f"column `{column}` has the shape {columns[column].shape}, the times {times.shape}")
    names = list(pairs.values())
    values = np.ascontiguousarray(np.stack([columns[column] for column in pairs], axis=1)) if pairs else np.zeros((len(times), 0))
    wanted = [parameters] if isinstance(parameters, str) else [str(path) for path in parameters]
    show = _shown(progress)
    try:
        parts = _flexura.fit(
            model,
            wanted,
            np.ascontiguousarray(times),
            names,
            values,
            bounds=[(str(path), float(low), float(high)) for path, (low, high) in (bounds or {}).items()],
            time_offset=time_offset,
            bias=bias,
            noise=[(str(name), float(value)) for name, value in (noise or {}).items()],
            iterations=iterations,
            confidence=confidence,
            end=end,
            progress=show,
        )
    finally:
        if show is not None:
            print(file=sys.stderr)
    for name in parts["poor"]:
        words = f"much of {name} is not explained: start elsewhere, free more parameters, or doubt the model"
        warnings.warn(words, ModelWarning, stacklevel=2)
    estimates = {row[0]: Estimate(*row) for row in parts["estimates"]}
    return Fit(
        estimates=estimates,
        model=loads(parts["text"], file_name=model.file_name),
        time=times,
        measured=dict(zip(names, values.T)),
        fitted=dict(zip(names, parts["curves"].T)),
        residuals=dict(zip(names, parts["residuals"].tolist())),
        residuals_before=dict(zip(names, parts["residuals_before"].tolist())),
        poor=parts["poor"],
        correlations=parts["correlations"],
        singular_values=parts["singular_values"],
        unseen=[Unseen(dict(weights), deviation) for weights, deviation in parts["unseen"]],
        iterations=parts["iterations"],
        runs=parts["runs"],
        converged=parts["converged"],
        derivatives=parts["derivatives"],
    )


def _shown(progress: bool | None) -> Any:
    """What is called with iteration, misfit and runs: a line on a terminal."""
    if progress is False or (progress is None and not sys.stderr.isatty()):
        return None

    def show(iteration: int, misfit: float, runs: int) -> None:
        print(f"\riteration {iteration}  misfit {misfit:.3e}  {runs} runs", end="", file=sys.stderr, flush=True)

    return show
