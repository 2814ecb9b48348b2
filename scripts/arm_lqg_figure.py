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


def runs(axis, torque, model, linear):
    """Tip and torque of the three laws that are stable."""
    inertia = bench.inertia(model)
    law, of = bench.pd(inertia)
    two = example.lqg(example.design(linear, 2), inertia)
    cases = [
        ("PD", (PD, "-"), law, bench.command()),
        ("PD, shaped command", (SHAPED, "--"), law, bench.shaped(bench.command(), bench.pd_pole(linear, of))),
        ("LQG on 2 of 5 modes", (TWO, "-"), two, bench.command()),
    ]
    for label, (colour, style), law, wanted in cases:
        time, _, tip, effort = bench.run(model, law, wanted)[::2].T
        axis.plot(time, 1e3 * (tip - bench.ANGLE), color=colour, linestyle=style, label=label, linewidth=1.2)
        torque.plot(time, effort, color=colour, linestyle=style, linewidth=0.8)
    axis.axhspan(-2, 2, color="#000000", alpha=0.08, linewidth=0)
    axis.set(ylim=(-35, 55), ylabel="tip from its place (mrad)", title="Turned by 60° in 0.4 s, pushed at 1.5 s")
    axis.annotate("5 N for 20 ms", (1.51, -0.5), (1.62, -25), arrowprops=dict(arrowstyle="-", linewidth=0.6))
    axis.legend(frameon=False, loc="upper right")
    torque.set(ylabel="torque (N m)", ylim=(-21, 21))
    for each in (axis, torque):
        each.set(xlim=(0, 2.2), xlabel="time (s)")


def loops(sensitivity, rest, linear):
    """Gains of both designs, with their norms as lines."""
    frequencies = np.geomspace(0.5, 499, 2000)
    images = np.tan(np.pi * frequencies * bench.STEP)
    for modes, colour in ((1, ONE), (2, TWO)):
        found = example.design(linear, modes)
        for axis, system in ((sensitivity, found.sensitivity()), (rest, found.through_dropped())):
            image = as_continuous(system)
            norm, _ = h_infinity_norm(image)
            axis.loglog(frequencies, gains(image, images), color=colour, linewidth=1.2, label=f"design on {modes} of 5 modes")
            axis.axhline(norm, color=colour, **NORM)
            side = "bottom" if axis is rest or modes == 2 else "top"
            axis.text(0.55, norm * (1.04 if side == "bottom" else 0.96), f"H∞ norm {norm:.2f}", color=colour, va=side)
    sensitivity.set(ylim=(0.05, 4), ylabel="gain", title="Sensitivity of the torque")
    rest.axhline(1.0, color="#444444", linewidth=0.8)
    rest.text(0.55, 1.15, "below this line surely stable", color="#444444", va="bottom")
    rest.set(ylim=(1e-5, 100), ylabel="gain", title="Loop through the modes left out")
    sensitivity.legend(frameon=False, loc="lower right")
    for axis in (sensitivity, rest):
        axis.set(xlim=(0.5, 499), xlabel="frequency (Hz)")


def main(target):
    plt.rcParams.update({"font.size": 9, "axes.titlesize": 9, "svg.hashsalt": "flexura", "svg.fonttype": "none"})
    figure, axes = plt.subplots(2, 2, figsize=(9, 6), layout="constrained")
    model = bench.arm()
    linear = bench.linear_arm(model)
    runs(axes[0, 0], axes[1, 0], model, linear)
    loops(axes[0, 1], axes[1, 1], linear)
    figure.savefig(target, metadata={"Date": None})


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
