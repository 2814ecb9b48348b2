#!/usr/bin/env python3
"""The two panels of the case flexnet-panels by a program that shares nothing with Flexura: data, hinges and rigid edges of
models/validation/flexnet_panels.toml, other elements, other equations.

Kirchhoff plates of rectangles with products of cubic Hermite polynomials (Bogner, Fox & Schmit), half of each panel, for the motion is
symmetric; every panel in the frame of its root edge, where a point has moved by u across and by half the integral of (du/dx)^2 back along
the panel. D'Alembert's principle with what is linear in the amplitudes q and their rates; angles between the frames have no limit. For a
panel whose frame turns at w, w' and whose root has the acceleration A:

    M q'' + h w' + p A_n + (K + w^2 (G1 - M) - A_e G0) q = forces at its far edge,

p and h integrals of the shapes and of the shapes times the distance from the root, G0 and G1 those of products of their slopes behind every
point. Force and moment of the outer panel at the hinge act along the place, the slope and the shortening of the inner one.

The lowest modes of both panels, beside the two static shapes of the rigid far edge of the inner one; Dormand-Prince of eighth order. Prints
the largest and least deflection of the centres across the tangent of the root and their swing after 14 s, and writes rows with -o: what
`flexura validate flexnet-panels` has as a reference. Needs SciPy.
"""

import argparse

import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import eigh, solve

SIDE, THICKNESS = 2.0, 0.003
YOUNG, POISSON, DENSITY = 2.1e11, 0.3, 7800.0
RISE, END = 14.0, 20.0
BENDING = YOUNG * THICKNESS**3 / (12 * (1 - POISSON**2))
MASS = DENSITY * THICKNESS


class Line:
    """Cubic Hermite elements on a line: values of the shapes at Gauss points, and integrals of their products."""

    def __init__(self, length, elements):
        size = length / elements
        nodes, weights = np.polynomial.legendre.leggauss(6)
        s, weights = 0.5 * (nodes + 1), 0.5 * size * weights
        polynomials = [np.polynomial.Polynomial(c) for c in ([1, 0, -3, 2], [0, 1, -2, 1], [0, 0, 3, -2], [0, 0, -1, 1])]
        self.count = 2 * (elements + 1)
        self.x = np.concatenate([(k + s) * size for k in range(elements)])
        self.weights = np.tile(weights, elements)
        self.shapes = np.zeros((3, self.count, self.x.size))
        for order in range(3):
            for k in range(elements):
                for j, polynomial in enumerate(polynomials):
                    value = polynomial.deriv(order)(s) if order else polynomial(s)
                    scale = size if j in (1, 3) else 1.0
                    self.shapes[order, 2 * k + j, k * s.size : (k + 1) * s.size] = value * scale / size**order

    def product(self, one, other, weight=1.0):
        return (self.shapes[one] * (self.weights * weight)) @ self.shapes[other].T

    def integral(self, weight=1.0):
        return self.shapes[0] @ (self.weights * weight)


class Plate:
    """A panel with its root clamped, its far edge free or in one piece, reduced to its lowest modes."""

    def __init__(self, elements, modes, rigid_edge):
        along, half = Line(SIDE, elements), Line(SIDE / 2, max(elements // 2, 1))
        # No slope across the line of symmetry; the root neither moves nor turns.
        keep_y = [0, *range(2, half.count)]
        one = np.zeros(len(keep_y))
        one[[0, *range(1, len(keep_y), 2)]] = 1.0
        keep_x = np.eye(along.count)[:, 2:]
        basis = np.kron(keep_x[:, :-2] if rigid_edge else keep_x, np.eye(len(keep_y)))
        if rigid_edge:
            edge = np.kron(keep_x[:, -2:], one[:, None])
            basis = np.hstack([edge, basis])
        take = np.ix_(keep_y, keep_y)
        y = lambda i, j: 2 * half.product(i, j)[take]
        project = lambda matrix: basis.T @ matrix @ basis
        x = along.product
        stiffness = np.kron(x(2, 2), y(0, 0)) + np.kron(x(0, 0), y(2, 2)) + 2 * (1 - POISSON) * np.kron(x(1, 1), y(1, 1))
        stiffness += POISSON * (np.kron(x(2, 0), y(0, 2)) + np.kron(x(0, 2), y(2, 0)))
        self.stiffness, self.mass = BENDING * project(stiffness), MASS * project(np.kron(x(0, 0), y(0, 0)))
        behind = lambda weight: project(np.kron(x(1, 1, weight), y(0, 0)))
        self.shortening = MASS * behind(SIDE - along.x)
        self.shortening_moment = MASS * behind(0.5 * (SIDE**2 - along.x**2))
        self.edge_shortening = behind(1.0) / SIDE
        across = 2 * half.integral()[keep_y]
        self.first = MASS * basis.T @ np.kron(along.integral(), across)
        self.second = MASS * basis.T @ np.kron(along.integral(along.x), across)
        # The centre is a node on the line of symmetry.
        middle = np.kron(np.eye(along.count)[elements], np.eye(len(keep_y))[0])
        self.centre = basis.T @ middle
        self.reduce(modes, 2 if rigid_edge else 0)

    def reduce(self, modes, edge):
        inner = slice(edge, None)
        squares, vectors = eigh(self.stiffness[inner, inner], self.mass[inner, inner], subset_by_index=[0, modes - 1])
        self.frequencies = np.sqrt(squares) / (2 * np.pi)
        shapes = np.zeros((self.stiffness.shape[0], edge + modes))
        shapes[inner, edge:] = vectors
        shapes[:edge, :edge] = np.eye(edge)
        shapes[inner, :edge] = -solve(self.stiffness[inner, inner], self.stiffness[inner, :edge], assume_a="pos")
        for name in ("stiffness", "mass", "shortening", "shortening_moment", "edge_shortening"):
            setattr(self, name, shapes.T @ getattr(self, name) @ shapes)
        for name in ("first", "second", "centre"):
            setattr(self, name, shapes.T @ getattr(self, name))
        self.count = edge + modes


def cycloid(time, start, end):
    """Angle, speed and acceleration of the drivers (71), (72)."""
    if time >= RISE:
        return end, 0.0, 0.0
    turn, rate = 2 * np.pi / RISE, (end - start) / RISE
    return (
        start + rate * (time - np.sin(turn * time) / turn),
        rate * (1 - np.cos(turn * time)),
        rate * turn * np.sin(turn * time),
    )


class Panels:
    def __init__(self, elements, modes):
        self.inner, self.outer = Plate(elements, modes, True), Plate(elements, modes, False)
        self.weight = MASS * SIDE * SIDE
        self.lever, self.turning = self.weight * SIDE / 2, self.weight * SIDE**2 / 3

    def accelerations(self, time, a, b, da, db):
        """Of the amplitudes of the inner panel (its first two are place and slope of the far edge) and of the outer one."""
        (angle, w, dw), (hinge, wh, dwh) = cycloid(time, 0.0, np.pi / 2), cycloid(time, np.pi, 0.0)
        one, two = self.inner, self.outer
        n, count = one.count, one.count + two.count
        angle_two, w_two, rest_two = angle + a[1] + hinge, w + da[1] + wh, dw + dwh
        # Relative to the frame of the inner panel: its axes are (1, 0) and (0, 1).
        c, s = np.cos(angle_two - angle), np.sin(angle_two - angle)
        e, normal = np.array([c, s]), np.array([-s, c])
        # Acceleration of the hinge: moves @ second rates + root; of the angle beyond it: turns @ second rates + rest_two.
        moves, turns, outer = np.zeros((2, count)), np.zeros(count), np.zeros((3, count))
        back, outer_back = one.edge_shortening @ a, two.shortening @ b
        moves[0, :n], moves[1, 0], turns[1] = -back, 1.0, 1.0
        root = np.array([-dw * a[0] - w * w * SIDE - 2 * w * da[0] - da @ one.edge_shortening @ da, dw * SIDE - w * w * a[0]])
        along, across = root @ e, root @ normal
        p, dp = two.first @ b, two.first @ db
        # Force and moment of the outer panel at the hinge, and what second rates add to them.
        force = self.weight * root + normal * (rest_two * self.lever - w_two**2 * p)
        force += e * (-rest_two * p - w_two**2 * self.lever - 2 * w_two * dp - db @ two.shortening @ db)
        moment = self.lever * across + rest_two * self.turning - along * p
        outer[0, n:], outer[1, n:], outer[2, n:] = two.first, two.second, outer_back
        add_force = self.weight * moves + np.outer(e, -p * turns - outer[2]) + np.outer(normal, self.lever * turns + outer[0])
        add_moment = (self.lever * normal - p * e) @ moves + self.turning * turns + outer[1]
        system = moves.T @ add_force + np.outer(turns, add_moment)
        system[n:] += np.outer(two.first, normal @ moves) + np.outer(two.second, turns) - np.outer(outer_back, e @ moves)
        system[:n, :n] += one.mass
        system[n:, n:] += two.mass
        right = -(moves.T @ force) - turns * moment
        right[:n] += (w * w * (one.mass - one.shortening_moment) - one.stiffness) @ a - one.second * dw
        right[n:] += (w_two**2 * (two.mass - two.shortening_moment) - two.stiffness) @ b
        right[n:] += along * outer_back - two.first * across - two.second * rest_two
        return solve(system, right)

    def run(self, rows, tolerance):
        n, count = self.inner.count, self.inner.count + self.outer.count

        def rate(time, y):
            q, v = y[:count], y[count:]
            return np.concatenate([v, self.accelerations(time, q[:n], q[n:], v[:n], v[n:])])

        options = {"method": "DOP853", "rtol": tolerance, "atol": tolerance * 1e-3, "max_step": 0.05}
        # The end of the drive is a row, where the third derivative jumps.
        first = solve_ivp(rate, (0, RISE), np.zeros(2 * count), t_eval=rows[rows <= RISE], **options)
        rest = solve_ivp(rate, (RISE, END), first.y[:, -1], t_eval=rows[rows > RISE], **options)
        y = np.hstack([first.y, rest.y])
        return self.inner.centre @ y[:n], self.outer.centre @ y[n:count]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--elements", type=int, default=24, help="elements along a panel (even)")
    parser.add_argument("--modes", type=int, default=10, help="of each panel, symmetric ones")
    parser.add_argument("--tolerance", type=float, default=1e-10)
    parser.add_argument("-o", "--output", help="rows as CSV")
    options = parser.parse_args()
    panels = Panels(options.elements, options.modes)
    print("outer panel:", ", ".join(f"{f:.5f}" for f in panels.outer.frequencies[:6]), "Hz (symmetric)")
    print("inner panel, far edge held:", ", ".join(f"{f:.5f}" for f in panels.inner.frequencies[:6]), "Hz (symmetric)")
    rows = np.round(np.arange(0, END + 1e-9, 0.02), 10)
    inner, outer = panels.run(rows, options.tolerance)
    for name, found in (("inner", inner), ("outer", outer)):
        after = found[rows >= RISE]
        print(f"{name}: largest {found.max():.7f} m at {rows[found.argmax()]:.2f} s, least {found.min():.7f} m "
              f"at {rows[found.argmin()]:.2f} s, swing after {RISE:.0f} s {np.ptp(after):.7f} m")
    if options.output:
        with open(options.output, "w") as file:
            file.write("# Computed for this project by an independent program (scripts/panels_reference.py). T2. ")
            file.write("Centres across the root tangents, m over s.\ntime,p1,p2\n")
            for t, p, q in list(zip(rows, inner, outer))[::5]:
                file.write(f"{t:.2f},{p:.6e},{q:.6e}\n")


if __name__ == "__main__":
    main()
