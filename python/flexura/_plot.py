"""Channels over time with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Sequence

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ._result import Result

_DEFAULT = ("energy.kinetic", "energy.gravity", "energy.elastic", "energy.total")


def plot(result: Result, patterns: Sequence[str], title: str | None) -> Figure:
    """One axis per unit, the channels that match; energies if nothing is asked for."""
    from matplotlib import pyplot

    if patterns:
        # In the order in which they were asked for.
        found = [name for pattern in patterns for name in result.select(pattern)]
        names = [name for name in dict.fromkeys(found) if name != "time"]
    else:
        names = [name for name in _DEFAULT if name in result] or result.names[1:7]
    units = list(dict.fromkeys(result.unit(name) for name in names))
    figure, axes = pyplot.subplots(
        len(units), 1, sharex=True, squeeze=False, figsize=(7.0, 1.2 + 2.2 * len(units)), layout="constrained"
    )
    for axis, unit in zip(axes[:, 0], units):
        for name in (name for name in names if result.unit(name) == unit):
            axis.plot(result.time, result[name], label=name, linewidth=1.2)
        axis.set_ylabel(f"({unit})" if unit else "")
        axis.grid(alpha=0.3)
        axis.legend(fontsize="small", frameon=False)
    axes[-1, 0].set_xlabel("time (s)")
    figure.suptitle(title if title is not None else result.metadata.get("model", ""))
    return figure
