#!/usr/bin/env python3
"""Draws book/src/pictures/arm_lqg.svg from python/examples/arm_lqg.py: runs of the laws, and gains of the loops over frequency.

    PYTHONPATH=python:python/examples scripts/arm_lqg_figure.py book/src/pictures/arm_lqg.svg
"""
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
import numpy as np

import arm_bench as bench
import arm_lqg as example
from linear_control import as_continuous, gains, h_infinity_norm

PD, SHAPED, TWO, ONE = "#888888", "#d98200", "#0b5fa5", "#b3261e"
NORM = dict(linewidth=0.8, linestyle=(0, (6, 3)))


def runs(column, title, cases, end):
    """Tip and torque over time of cases (label, colour and style, law, command)."""
    model, (tip_axis, torque_axis) = bench.arm(), column
    for label, (colour, style), law, wanted in cases:
        time, _, tip, effort = bench.run(model, law, wanted)[::2].T
        tip_axis.plot(time, 1e3 * (tip - bench.ANGLE), color=colour, linestyle=style, label=label, linewidth=1.2)
        torque_axis.plot(time, effort, color=colour, linestyle=style, linewidth=0.8)
    tip_axis.axhspan(-2, 2, color="#000000", alpha=0.08, linewidth=0)
    tip_axis.set(ylim=(-35, 55), ylabel="tip from its place (mrad)", title=title)
    tip_axis.annotate("5 N for 20 ms", (1.51, -0.5), (1.4, -25), arrowprops=dict(arrowstyle="-", linewidth=0.6))
    tip_axis.legend(frameon=False, loc="upper right")
    torque_axis.set(ylabel="torque (N m)", ylim=(-22, 22))
    for axis in column:
        axis.set(xlim=(0, end), xlabel="time (s)")


def loops(sensitivity, rest, linear):
    """Gains of both designs, with their norms as lines."""
    frequencies = np.geomspace(0.5, 499, 2000)
    images = np.tan(np.pi * frequencies * bench.STEP)
    for modes, colour in ((1, ONE), (2, TWO)):
        found = example.design(linear, modes)
        for axis, system in ((sensitivity, found.sensitivity()), (rest, found.through_dropped())):
            image = as_continuous(system)
            norm, _ = h_infinity_norm(image)
            axis.loglog(frequencies, gains(image, images), color=colour, linewidth=1.2, label=f"{modes} of 5 modes")
            axis.axhline(norm, color=colour, **NORM)
            side = "bottom" if axis is rest or modes == 2 else "top"
            axis.text(0.55, norm * (1.04 if side == "bottom" else 0.96), f"H∞ norm {norm:.2f}", color=colour, va=side)
    sensitivity.set(ylim=(0.05, 4), ylabel="gain", title="Sensitivity of the torque")
    rest.axhline(1.0, color="#444444", linewidth=0.8)
    rest.text(0.55, 1.15, "below: surely stable", color="#444444", va="bottom")
    rest.set(ylim=(1e-5, 100), ylabel="gain", title="Loop through the modes left out")
    sensitivity.legend(frameon=False, loc="lower right", title="design on")
    for axis in (sensitivity, rest):
        axis.set(xlim=(0.5, 499), xlabel="frequency (Hz)")


def main(target):
    plt.rcParams.update({"font.size": 11, "axes.titlesize": 11, "svg.hashsalt": "flexura", "svg.fonttype": "none"})
    figure, axes = plt.subplots(2, 3, figsize=(12, 6.6), layout="constrained")
    model = bench.arm()
    linear, inertia, command = bench.linear_arm(model), bench.inertia(model), bench.command()
    law, of = bench.pd(inertia)
    stable = [
        ("PD", (PD, "-"), law, command),
        ("PD, shaped command", (SHAPED, "--"), law, bench.shaped(command, bench.pd_pole(linear, of))),
        ("LQG on 2 of 5 modes", (TWO, "-"), example.lqg(example.design(linear, 2), inertia), command),
    ]
    spilling = [("LQG on 1 of 5 modes", (ONE, "-"), example.lqg(example.design(linear, 1), inertia), command)]
    runs(axes[:, 0], "Turned by 60° in 0.4 s, pushed at 1.5 s", stable, 2.2)
    runs(axes[:, 1], "The same with a mode too few: spillover", spilling, bench.END)
    loops(axes[0, 2], axes[1, 2], linear)
    figure.savefig(target, metadata={"Date": None})


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
