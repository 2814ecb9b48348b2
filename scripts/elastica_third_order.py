#!/usr/bin/env python3
"""Deflection of a cantilever whose curvature is kept to third order: the reference beside the case `elastica` of `flexura validate`.

With the slope p of the transverse displacement w the line makes 1/2 int k^2 - P w(1) least, k = p' (1 + p^2/2) (EI = L = 1), or k = p' where the
curvature is linear, and its tip comes nearer by 1/2 int p^2. Euler's equation is solved by shooting, without shapes. Needs SciPy.
"""

from scipy.integrate import solve_ivp
from scipy.optimize import brentq

LOAD = 1.0


def tip(moment, third):
    """Moment, deflections across and along at the tip for a moment at the root."""

    def rate(_, y):
        p, m = y[:2]
        stretch = 1 + 0.5 * p * p if third else 1.0
        k = m / stretch
        slope = k / stretch
        return [slope, (k * slope * p if third else 0.0) - LOAD, p, 0.5 * p * p]

    run = solve_ivp(rate, (0, 1), [0, moment, 0, 0], method="DOP853", rtol=1e-12, atol=1e-13)
    return run.y[1:, -1]


for name, third in (("third order", True), ("linear", False)):
    moment = brentq(lambda m: tip(m, third)[0], 0.5, 1.5, xtol=1e-14)
    _, across, along = tip(moment, third)
    print(f"curvature {name}: across {across:.9f}, along {along:.9f}")
