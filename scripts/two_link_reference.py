#!/usr/bin/env python3
"""The two-link arm of the case fdca-two-link with the paper's shapes, by a program that shares nothing with Flexura.

D'Alembert's principle over material points: every arm is 12 Gauss points (exact for its polynomials) with mass and rotary inertia of the section, its
field is x + a(x) alpha - 1/2 int b'^2 beta^2 along and b(x) beta across; accelerations come from Taylor arithmetic in time, their
coefficients from complex steps, the motion from SciPy's DOP853. Prints static, largest and smallest height of the tip
over rigid arms, with and without the second-order term, for both meanings of phi2. Needs NumPy and SciPy.
"""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import root

GRAVITY = np.array([0.0, -9.81])
DENSITY, YOUNG = 2700.0, 7.3e10
# Length, width across the motion (y), height (z).
ARMS = [(0.545, 0.015, 0.06), (0.675, 0.01, 0.04)]
MASSES = [1.0, 3.0]
# The motor of the second arm, which does not turn with the first one where phi2 is absolute.
BREAKS = [1 / 6, 1 / 3, 0.5]


class Jet:
    """Value, rate and acceleration of a quantity."""

    def __init__(self, value, rate=0.0, second=0.0):
        self.parts = (value, rate, second)

    def __add__(self, other):
        other = other if isinstance(other, Jet) else Jet(other)
        return Jet(*(x + y for x, y in zip(self.parts, other.parts)))

    __radd__ = __add__

    def __mul__(self, other):
        other = other if isinstance(other, Jet) else Jet(other)
        (a, b, c), (x, y, z) = self.parts, other.parts
        return Jet(a * x, a * y + b * x, a * z + 2 * b * y + c * x)

    __rmul__ = __mul__

    def cos_sin(self):
        angle, rate, second = self.parts
        c, s = np.cos(angle), np.sin(angle)
        return (
            Jet(c, -s * rate, -c * rate * rate - s * second),
            Jet(s, c * rate, -s * rate * rate + c * second),
        )


def drive(time):
    """phi1 with its rates: from -45 to 45 degrees in half a second."""
    pieces = [[-1, 0, 0, 72], [0, -18, 108, -144], [-8, 54, -108, 72], [1]]
    law = np.polynomial.Polynomial(pieces[np.searchsorted(BREAKS, time, side="right")])
    return Jet(*(np.pi / 4 * law.deriv(k)(time) if k else np.pi / 4 * law(time) for k in range(3)))


class Arm:
    def __init__(self, length, width, height):
        nodes, weights = np.polynomial.legendre.leggauss(12)
        area, second_moment = width * height, height * width**3 / 12
        # The tip is the last point, with a mass of its own.
        s = np.append(0.5 * (nodes + 1), 1.0)
        share = np.append(0.5 * weights * length, 0.0)
        self.x = s * length
        self.mass, self.turning = DENSITY * area * share, DENSITY * second_moment * share
        self.along, self.across = s**2, 1.5 * s**2 - 0.5 * s**3
        self.slope = (3 * s - 1.5 * s**2) / length
        # Integral of b'^2 from the root.
        self.shortening = (3 * s**3 - 2.25 * s**4 + 0.45 * s**5) / length
        self.stiffness = np.array([YOUNG * area * 4 / (3 * length), YOUNG * second_moment * 3 / length**3])


class TwoLinks:
    def __init__(self, absolute, stiffening):
        self.arms = [Arm(*arm) for arm in ARMS]
        for arm, mass in zip(self.arms, MASSES):
            arm.mass[-1] += mass
        self.absolute, self.stiffening = absolute, stiffening
        self.stiffness = np.concatenate([arm.stiffness for arm in self.arms])

    def field(self, time, q):
        """Places (x, y) and angles of all points for four jets q."""
        first = drive(time)
        minus = -1.0 * first
        x, y, angle, out = Jet(0.0), Jet(0.0), first, []
        for k, arm in enumerate(self.arms):
            alpha, beta = q[2 * k], q[2 * k + 1]
            along = alpha * arm.along + arm.x
            if self.stiffening:
                along = along + beta * beta * (-0.5 * arm.shortening)
            across = beta * arm.across
            c, s = angle.cos_sin()
            px, py = x + c * along + -1.0 * (s * across), y + s * along + c * across
            turned = angle + beta * arm.slope
            out.append((px, py, turned))
            tip = lambda jet: Jet(*(np.asarray(part)[..., -1:] if np.size(part) > 1 else part for part in jet.parts))
            x, y = tip(px), tip(py)
            angle = minus if self.absolute else tip(turned) + minus
        return out

    def equations(self, time, q, rates):
        """Mass matrix and force without accelerations of q."""
        matrix, force = np.zeros((4, 4)), -self.stiffness * q
        moving = self.field(time, [Jet(a, b) for a, b in zip(q, rates)])
        step = 1e-30
        # All four variations at once, one in each row.
        varied = self.field(time, [Jet(q[k] + 1j * step * np.eye(4)[:, [k]]) for k in range(4)])
        for j, arm in enumerate(self.arms):
            for part, weight, pull in [(0, arm.mass, GRAVITY[0]), (1, arm.mass, GRAVITY[1]), (2, arm.turning, 0.0)]:
                rows = np.broadcast_to(np.imag(varied[j][part].parts[0]) / step, (4, arm.x.size))
                acceleration = np.broadcast_to(moving[j][part].parts[2], arm.x.shape) - pull
                force -= rows @ (weight * acceleration)
                matrix += (rows * weight) @ rows.T
        return matrix, force

    def tip(self, time, q):
        return float(self.field(time, [Jet(x) for x in q])[1][1].parts[0][-1])


def rigid_height(time, absolute):
    first = drive(time).parts[0]
    return ARMS[0][0] * np.sin(first) + (ARMS[1][0] * np.sin(-first) if absolute else 0.0)


def heights(absolute, stiffening):
    system = TwoLinks(absolute, stiffening)
    start = root(lambda q: system.equations(0.0, q, np.zeros(4))[1], np.zeros(4), tol=1e-12).x

    def slopes(time, y):
        matrix, force = system.equations(time, y[:4], y[4:])
        return np.concatenate([y[4:], np.linalg.solve(matrix, force)])

    y, over = np.concatenate([start, np.zeros(4)]), []
    for a, b in zip([0.0, *BREAKS], [*BREAKS, 2.0]):
        times = np.linspace(a, b, max(2, round((b - a) / 5e-4)) + 1)
        # A step beyond a break would see the law of the next piece.
        found = solve_ivp(slopes, (a, b - 1e-12), y, "DOP853", np.minimum(times, b - 1e-12), rtol=1e-8, atol=1e-11)
        over += [system.tip(t, q[:4]) - rigid_height(t, absolute) for t, q in zip(found.t, found.y.T)]
        y = found.y[:, -1]
    return over[0], max(over), min(over)


def main():
    for absolute in [False, True]:
        for stiffening in [True, False]:
            values = ", ".join(f"{value:.7f}" for value in heights(absolute, stiffening))
            meaning = "absolute" if absolute else "relative"
            print(f"phi2 {meaning}, stiffening {stiffening}: static, largest, smallest height {values} m", flush=True)


if __name__ == "__main__":
    main()
