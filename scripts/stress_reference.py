#!/usr/bin/env python3
"""Stresses of models/crane_travel.toml by an independent transient finite-element computation, for comparison with `flexura stress`.

Needs NumPy and SciPy; uses nothing of Flexura but the numbers in its model files. Two-node Timoshenko beams in space with cubic
interpolation (J. S. Przemieniecki, Theory of Matrix Structural Analysis, 1968, sections 5.6 and 11.4), all freedoms, no reduction:

    M u'' + b K u' + K u = M r (g - a(t)),   u(0) = 0

in the frame of the foot, which travels with the acceleration a(t) of a cycloid; Newmark's rule of constant mean acceleration. Section
forces are those of equilibrium at the nodes, K_e u + M_e u'' - f_e with damping, stresses are those of the outer corners.

    scripts/stress_reference.py                        a table of section forces and stresses at the foot
    scripts/stress_reference.py --refine 3 --step 2.5e-4       a finer mesh, smaller steps
    scripts/stress_reference.py --compare history.csv  beside `flexura stress crane_travel.fxr --nodes foot --history history.csv`
"""

import argparse
import csv
import math
import pathlib
import re
import tomllib

import numpy as np
import scipy.sparse
import scipy.sparse.linalg

ROOT = pathlib.Path(__file__).resolve().parent.parent
PART = tomllib.loads((ROOT / "models/parts/jib_crane.toml").read_text())
MODEL = tomllib.loads((ROOT / "models/crane_travel.toml").read_text())


def section(shape: dict) -> dict:
    """Constants of a section: A, Iy, Iz, J, shear areas, corners, shear stress per torque."""
    if "box" in shape:
        w, h, t = shape["box"]
        wi, hi = w - 2 * t, h - 2 * t
        enclosed = (w - t) * (h - t)
        return {
            "A": w * h - wi * hi,
            "Iy": (w * h**3 - wi * hi**3) / 12,
            "Iz": (h * w**3 - hi * wi**3) / 12,
            "J": 4 * enclosed**2 * t / (2 * (w - t + h - t)),
            "Ay": 2 * t * (w - t),
            "Az": 2 * t * (h - t),
            "fibres": [(w / 2, h / 2), (-w / 2, h / 2), (-w / 2, -h / 2), (w / 2, -h / 2)],
            "twist": 1 / (2 * enclosed * t),
        }
    r = shape["circle"]
    area = math.pi * r * r
    return {
        "A": area, "Iy": area * r * r / 4, "Iz": area * r * r / 4, "J": area * r * r / 2,
        "Ay": 6 / 7 * area, "Az": 6 / 7 * area,
        "fibres": [(r * math.cos(k * math.pi / 36), r * math.sin(k * math.pi / 36)) for k in range(72)],
        "twist": 2 / (math.pi * r**3),
    }


class Element:
    def __init__(self, ends, positions, orientation, sec, young, shear, density):
        self.ends = ends
        along = positions[ends[1]] - positions[ends[0]]
        self.length = np.linalg.norm(along)
        x = along / self.length
        y = np.array(orientation, float)
        y -= x * (x @ y)
        y /= np.linalg.norm(y)
        self.axes = np.array([x, y, np.cross(x, y)])
        self.turn = np.kron(np.eye(4), self.axes)
        self.sec = sec
        self.K, self.M = local_matrices(self.length, sec, young, shear, density)
        self.stiffness = self.turn.T @ self.K @ self.turn
        self.mass = self.turn.T @ self.M @ self.turn
        self.freedoms = [6 * n + k for n in ends for k in range(6)]


def local_matrices(L, s, E, G, rho):
    """Stiffness and consistent mass with rotary inertia, freedoms (u, v, w, rx, ry, rz) of both ends."""
    K, M = np.zeros((12, 12)), np.zeros((12, 12))
    pair = np.array([[1, -1], [-1, 1]])
    linear = np.array([[2, 1], [1, 2]]) / 6
    for first, k, m in ((0, E * s["A"] / L, rho * s["A"] * L), (3, G * s["J"] / L, rho * (s["Iy"] + s["Iz"]) * L)):
        at = np.ix_([first, first + 6], [first, first + 6])
        K[at] += k * pair
        M[at] += m * linear
    # Bending along y turns by +rz, bending along z by -ry.
    for shift, turn, sign, inertia, area in ((1, 5, 1.0, s["Iz"], s["Ay"]), (2, 4, -1.0, s["Iy"], s["Az"])):
        phi = 12 * E * inertia / (G * area * L * L)
        places = [shift, turn, shift + 6, turn + 6]
        signs = np.array([1, sign, 1, sign])
        k = np.zeros((4, 4))
        m = np.zeros((4, 4))
        points, weights = np.polynomial.legendre.leggauss(6)
        for point, weight in zip(points, weights):
            xi = 0.5 * (point + 1)
            w = 0.5 * L * weight
            v, th, kap, gam = shapes(xi, L, phi)
            k += w * (E * inertia * np.outer(kap, kap) + G * area * np.outer(gam, gam))
            m += w * rho * (s["A"] * np.outer(v, v) + inertia * np.outer(th, th))
        K[np.ix_(places, places)] += signs[:, None] * k * signs
        M[np.ix_(places, places)] += signs[:, None] * m * signs
    return K, M


def shapes(xi, L, phi):
    """Deflection, rotation, curvature and shear of a Timoshenko beam by v1, th1, v2, th2."""
    d = 1 / (1 + phi)
    v = d * np.array([
        1 - 3 * xi**2 + 2 * xi**3 + phi * (1 - xi),
        L * (xi - 2 * xi**2 + xi**3 + phi / 2 * (xi - xi**2)),
        3 * xi**2 - 2 * xi**3 + phi * xi,
        L * (-(xi**2) + xi**3 + phi / 2 * (xi**2 - xi)),
    ])
    th = d * np.array([
        6 / L * (xi**2 - xi),
        1 - 4 * xi + 3 * xi**2 + phi * (1 - xi),
        6 / L * (xi - xi**2),
        -2 * xi + 3 * xi**2 + phi * xi,
    ])
    kap = d / L * np.array([6 / L * (2 * xi - 1), -4 + 6 * xi - phi, 6 / L * (1 - 2 * xi), -2 + 6 * xi + phi])
    slope = d * np.array([
        (-6 * xi + 6 * xi**2 - phi) / L,
        1 - 4 * xi + 3 * xi**2 + phi / 2 * (1 - 2 * xi),
        (6 * xi - 6 * xi**2 + phi) / L,
        -2 * xi + 3 * xi**2 + phi / 2 * (2 * xi - 1),
    ])
    return v, th, kap, slope - th


def frame(refine: int):
    material = PART["material"][0]
    young, density = material["young"], material["density"]
    shear = young / (2 * (1 + material["poisson"]))
    names = {node["name"]: index for index, node in enumerate(PART["node"])}
    positions = [np.array(node["position"], float) for node in PART["node"]]
    elements = []
    for beam in PART["beam"]:
        first, last = (names[name] for name in beam["between"])
        count = beam["elements"] * refine
        line = [first]
        for k in range(1, count):
            positions.append(positions[first] + (positions[last] - positions[first]) * k / count)
            line.append(len(positions) - 1)
        line.append(last)
        for ends in zip(line, line[1:]):
            elements.append(Element(ends, positions, beam["orientation"], section(beam["section"]), young, shear, density))
    size = 6 * len(positions)
    K, M = scipy.sparse.lil_matrix((size, size)), scipy.sparse.lil_matrix((size, size))
    for element in elements:
        at = np.ix_(element.freedoms, element.freedoms)
        K[at] += element.stiffness
        M[at] += element.mass
    for point in PART["mass"]:
        for k in range(3):
            M[6 * names[point["node"]] + k, 6 * names[point["node"]] + k] += point["mass"]
    return names, elements, K.tocsc(), M.tocsc()


def base_acceleration(t: float) -> float:
    """Second derivative of s (tau - sin(2 pi tau)/(2 pi)) over tau = (t - start)/duration."""
    motion = MODEL["joint"][0]["motion"]["cycloidal"]
    tau = (t - motion["start"]) / motion["duration"]
    return motion["to"] * 2 * math.pi / motion["duration"] ** 2 * math.sin(2 * math.pi * tau) if 0 < tau < 1 else 0.0


def run(refine: int, step: float):
    """Times, and section forces N, Qy, Qz, T, My, Mz of the mast at the foot, on the part before the section."""
    names, elements, K, M = frame(refine)
    free = np.setdiff1d(np.arange(K.shape[0]), 6 * names["foot"] + np.arange(6))
    beta = PART["reduction"]["damping"]["rayleigh"]["stiffness"]
    rigid = np.zeros((K.shape[0], 3))
    for k in range(3):
        rigid[k::6, k] = 1
    gravity = np.array(MODEL["model"]["gravity"], float)
    push = (M @ rigid)[free]
    Kf, Mf = K[free][:, free], M[free][:, free]
    Cf = beta * Kf
    load = lambda t: push @ (gravity - base_acceleration(t) * np.array([0.0, 1.0, 0.0]))
    solve = scipy.sparse.linalg.splu((Mf + step / 2 * Cf + step**2 / 4 * Kf).tocsc()).solve
    u, v = np.zeros(free.size), np.zeros(free.size)
    a = scipy.sparse.linalg.spsolve(Mf.tocsc(), load(0.0))
    foot = next(e for e in elements if names["foot"] in e.ends)
    field = np.zeros(K.shape[0])
    rate, swing = field.copy(), field.copy()
    times, forces = [], []
    end, every = MODEL["simulation"]["end"], MODEL["simulation"]["output_interval"]
    for number in range(round(end / step) + 1):
        t = number * step
        if number:
            u_, v_ = u + step * v + step**2 / 4 * a, v + step / 2 * a
            a = solve(load(t) - Cf @ v_ - Kf @ u_)
            u, v = u_ + step**2 / 4 * a, v_ + step / 2 * a
        if number % round(every / step) == 0:
            field[free], rate[free], swing[free] = u, v, a
            outer = gravity - base_acceleration(t) * np.array([0.0, 1.0, 0.0])
            at = foot.freedoms
            nodal = foot.stiffness @ (field[at] + beta * rate[at]) + foot.mass @ (swing[at] - rigid[at] @ outer)
            local = foot.turn @ nodal
            # At the first end the frame pulls against the axes.
            times.append(t)
            forces.append(-local[:6] if foot.ends[0] == names["foot"] else local[6:])
    return np.array(times), np.array(forces), foot.sec


def von_mises(forces: np.ndarray, sec: dict) -> np.ndarray:
    """Von Mises stress of every corner, a row each, instant by instant."""
    n, _, _, t, my, mz = forces.T
    corners = [n / sec["A"] + my * z / sec["Iy"] - mz * y / sec["Iz"] for y, z in sec["fibres"]]
    return np.sqrt(np.array(corners) ** 2 + 3 * (t * sec["twist"]) ** 2)


def compare(times, corners, path):
    """A history has the worst corner of the node, named by its number: the same corner is looked at here."""
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    column = next(k for k, name in enumerate(rows[0]) if name.endswith(".von_mises [Pa]"))
    corner = int(re.search(r"\.fibre(\d+)\.", rows[0][column]).group(1))
    stress = corners[corner - 1]
    own = np.array([[float(row[0]), abs(float(row[column]))] for row in rows[1:]])
    found = np.interp(times, own[:, 0], own[:, 1])
    most = stress.max()
    print(f"largest von Mises stress of corner {corner}: reference {most/1e6:.4f} MPa at {times[stress.argmax()]:.3f} s, Flexura "
          f"{found.max()/1e6:.4f} MPa at {times[found.argmax()]:.3f} s, difference {100*(found.max()/most-1):+.3f} %")
    print(f"largest difference at any instant: {100*np.abs(found-stress).max()/most:.3f} % of the largest stress")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--refine", type=int, default=1)
    parser.add_argument("--step", type=float, default=5e-4)
    parser.add_argument("--compare")
    parser.add_argument("--every", type=int, default=50, help="rows of the table")
    arguments = parser.parse_args()
    times, forces, sec = run(arguments.refine, arguments.step)
    corners = von_mises(forces, sec)
    stress = corners.max(axis=0)
    print("time [s]        N [N]      Qy [N]      Qz [N]     T [N m]    My [N m]    Mz [N m]  von Mises [MPa]")
    for row in range(0, len(times), arguments.every):
        print(f"{times[row]:8.3f} " + " ".join(f"{value:11.3f}" for value in forces[row]) + f" {stress[row]/1e6:15.5f}")
    print(f"largest: {stress.max()/1e6:.5f} MPa at {times[stress.argmax()]:.3f} s")
    if arguments.compare:
        compare(times, corners, arguments.compare)


if __name__ == "__main__":
    main()
