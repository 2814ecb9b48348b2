#!/usr/bin/env python3
"""The spin-up of a cantilever without stiffening, by a program of its own: models/validation/spin_up.toml with `foreshortening = false`.

Three bending shapes and two axial shapes of the clamped beam in the frame of the hub, displacements linear in the amplitudes:

    v'' - W^2 v + W' (x + u) + 2 W u' and u'' - W^2 (x + u) - W' v - 2 W v', each with its elastic force,

projected on the shapes by quadrature. The bending stiffness falls by the square of the speed W and vanishes where W is the first frequency:
the beam folds. Prints the lag of the tip (m) at its largest up to 8 s, which `flexura validate spin-up` has as a reference. Needs SciPy.
"""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

LENGTH, MASS, AXIAL, BENDING = 10.0, 1.2, 2.8e7, 1.4e4
SPEED, RISE, END = 6.0, 15.0, 8.0


def shapes():
    """Places, weights, bending shapes with squared frequencies, axial shapes with theirs."""
    nodes, weights = np.polynomial.legendre.leggauss(80)
    x, weights = 0.5 * LENGTH * (nodes + 1), 0.5 * LENGTH * weights
    bending = []
    for guess in (1.875, 4.694, 7.855):
        k = brentq(lambda z: np.cos(z) * np.cosh(z) + 1, guess - 0.1, guess + 0.1, xtol=1e-14)
        share = (np.sinh(k) - np.sin(k)) / (np.cosh(k) + np.cos(k))
        shape = lambda s, k=k, share=share: np.cosh(k * s) - np.cos(k * s) - share * (np.sinh(k * s) - np.sin(k * s))
        bending.append((shape(x / LENGTH), shape(1.0), BENDING / MASS * (k / LENGTH) ** 4))
    axial = []
    for n in (1, 3):
        k = n * np.pi / 2
        axial.append((np.sin(k * x / LENGTH), np.sin(k), AXIAL / MASS * (k / LENGTH) ** 2))
    return x, weights, bending, axial


def main():
    x, weights, bending, axial = shapes()
    squares_v, squares_u = (np.array([shape[2] for shape in part]) for part in (bending, axial))
    v_shapes, u_shapes = (np.array([shape[0] for shape in part]) for part in (bending, axial))
    norm_v, norm_u = (v_shapes**2) @ weights, (u_shapes**2) @ weights
    tip = np.array([shape[1] for shape in bending])
    mixed = (v_shapes * weights) @ u_shapes.T
    lever_v, lever_u = (v_shapes * weights) @ x, (u_shapes * weights) @ x

    def rate(t, y):
        turn = 2 * np.pi / RISE
        w = SPEED / RISE * (t - np.sin(turn * t) / turn)
        dw = SPEED / RISE * (1 - np.cos(turn * t))
        a, b, da, db = y[:3], y[3:5], y[5:8], y[8:]
        dda = (w * w - squares_v) * a - (dw * (lever_v + mixed @ b) + 2 * w * (mixed @ db)) / norm_v
        ddb = (w * w - squares_u) * b + (w * w * lever_u + dw * (a @ mixed) + 2 * w * (da @ mixed)) / norm_u
        return np.concatenate([da, db, dda, ddb])

    run = solve_ivp(rate, (0, END), np.zeros(10), method="DOP853", rtol=1e-10, atol=1e-13, dense_output=True)
    times = np.arange(0, END + 1e-9, 0.01)
    lag = tip @ run.sol(times)[:3]
    print(f"largest lag up to {END} s: {lag.min():.6f} m at {times[lag.argmin()]:.2f} s; at 6 s {lag[600]:.6f} m")


if __name__ == "__main__":
    main()
